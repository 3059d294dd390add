import type { ExplainedGroups } from '../../../explain/account.ts';
import { counted } from '../../../shared/readable.ts';
import { Panel } from '../parts/Panel.tsx';
import { Sign } from '../parts/Shape.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import type { Word } from '../words.ts';
import { At } from './Fields.tsx';
import { keyOf, marksOfGroup, placeText } from './marks.ts';
import { type Marking, pointingAt } from './useMarking.ts';

interface GroupsProps {
  groups: ExplainedGroups;
  marking: Marking;
}

/** The groups that the provider sent, and the rows of the mapping's table that they matched. */
export function Groups({ groups, marking }: GroupsProps) {
  const { known, received, mapped, unmatched, note, sources, values, everybody } = groups;
  const summary = known
    ? `${received} received, ${mapped} mapped, ${unmatched} in no row`
    : 'The provider does not say which';
  return (
    <Panel title="Groups" aside={<small>{summary}</small>}>
      {note !== '' && (
        <p class="note">
          <LongText text={note} />
        </p>
      )}
      <ul class="sources" aria-label="Sources">
        {sources.map((source) => (
          <li key={`${source.from} ${source.name}`}>
            <code>
              <Text text={source.name} />
            </code>{' '}
            {gaveText(source)}
          </li>
        ))}
      </ul>
      <ul class="values" aria-label="Groups">
        {values.map((value) => (
          <Group key={keyOf(value.at)} value={value} marking={marking} />
        ))}
        {everybody.map(({ path, uuid }) => (
          <li key={path}>
            <span class="value">everybody</span>
            <span class="rows">
              → {path} ({uuid})
            </span>
          </li>
        ))}
      </ul>
      {received > values.length && <p class="note">The first {values.length} are shown.</p>}
    </Panel>
  );
}

interface GroupProps {
  value: ExplainedGroups['values'][number];
  marking: Marking;
}

const DENIED: Word = { word: 'denied', tone: 'stopped' };

function Group({ value: { at, value, rows, isDenied }, marking }: GroupProps) {
  const marks = marksOfGroup(marking.marks, at);
  return (
    <li {...pointingAt(marking, marks, 'group')}>
      <span class="value">
        {value === null ? (
          <At path={placeText(at)} mark={marks[0]} marking={marking} />
        ) : (
          <LongText text={value} />
        )}
      </span>
      {isDenied && <Sign word={DENIED} />}
      <span class={rows.length > 0 ? 'rows' : 'rows is-none'}>
        {rows.length > 0 ? <>→ {rows.join(', ')}</> : 'in no row'}
      </span>
      {value !== null && (
        <span class="from">
          at <At path={placeText(at)} mark={marks[0]} marking={marking} />
        </span>
      )}
    </li>
  );
}

function gaveText({ gave, count }: ExplainedGroups['sources'][number]): string {
  if (gave === 'groups') return counted(count, 'group');
  if (gave === 'unused') return 'unused: other texts take precedence';
  if (gave === 'overage') return 'overage: the provider left groups out';
  if (gave === 'other_form') return 'in a form that is not read';
  return gave;
}
