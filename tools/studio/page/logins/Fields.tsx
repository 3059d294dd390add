import type { ExplainedField } from '../../../explain/account.ts';
import type { Mark } from '../../../explain/explanation.ts';
import { Panel } from '../parts/Panel.tsx';
import { Sign } from '../parts/Shape.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import { cut } from '../showing.ts';
import { NOTES, type Word } from '../words.ts';
import { marksOfField, placeText } from './marks.ts';
import { type Marking, pointingAt } from './useMarking.ts';

interface FieldsProps {
  fields: readonly ExplainedField[];
  marking: Marking;
}

/** Each field of the response: its value, and which claim or attribute gave it. */
export function Fields({ fields, marking }: FieldsProps) {
  return (
    <Panel title="Fields">
      <dl class="fields">
        {fields.map((field) => (
          <Field
            key={field.field}
            field={field}
            marks={marksOfField(marking.marks, field)}
            marking={marking}
          />
        ))}
      </dl>
    </Panel>
  );
}

interface FieldProps {
  field: ExplainedField;
  /** Of this field. */
  marks: readonly Mark[];
  marking: Marking;
}

function Field({ field: { field, value, note, hint, ...source }, marks, marking }: FieldProps) {
  return (
    <div {...pointingAt(marking, marks, 'field')}>
      <dt>{field}</dt>
      <dd>
        {value !== null && (
          <span class="value">
            <LongText text={value} />
          </span>
        )}
        <Source source={source} marks={marks} marking={marking} />
        {note !== '' && (
          <p class="note">
            <LongText text={NOTES[note] ?? note} />
          </p>
        )}
        {hint !== '' && (
          <p class="hint">
            <LongText text={hint} />
          </p>
        )}
      </dd>
    </div>
  );
}

interface SourceProps {
  source: Pick<ExplainedField, 'from' | 'at' | 'tried'>;
  marks: readonly Mark[];
  marking: Marking;
}

const NO_VALUE: Word = { word: 'no value', tone: 'stopped' };

/** Where the value is from, or where it was looked for. */
function Source({ source: { from, at, tried }, marks, marking }: SourceProps) {
  const [mark] = marks;
  if (from === null && at === null) {
    return (
      <>
        <Sign word={NO_VALUE} />
        {tried.length > 0 && (
          <p class="note">
            Tried: <Text text={tried.join(', ')} />
          </p>
        )}
      </>
    );
  }
  return (
    <p class="from">
      {from !== null && (
        <>
          from <Text text={from} />{' '}
        </>
      )}
      {at !== null && (
        <>
          at <At path={placeText(at)} mark={mark} marking={marking} />
        </>
      )}
    </p>
  );
}

/** In characters: a claim may have any name. */
const MAX_PATH = 200;

/** A place in the event, which leads there. */
export function At({ path, mark, marking }: { path: string; mark: Mark | undefined; marking: Marking }) {
  const shown = <Text text={cut(path, MAX_PATH)} />;
  if (!mark) return <code>{shown}</code>;
  return (
    <button type="button" class="link" title="Show it in the event" onClick={() => marking.setTarget(mark)}>
      <code>{shown}</code>
    </button>
  );
}
