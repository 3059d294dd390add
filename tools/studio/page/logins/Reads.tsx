import type { HandlerRead, HandlerReads } from '../../../explain/reads.ts';
import { Panel } from '../parts/Panel.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import { At } from './Fields.tsx';
import { keyOf, placeText } from './marks.ts';
import { type Marking, pointingAt } from './useMarking.ts';

interface ReadsProps {
  /** Null where the explanation of a mapping says more. */
  reads: HandlerReads | null;
  marking: Marking;
}

/** The places of the event that a handler of code read, each of which leads there. */
export function Reads({ reads, marking }: ReadsProps) {
  if (reads === null) return null;
  return (
    <Panel title="What the handler read">
      {reads.reads.length === 0 ? (
        <p class="empty">{reads.problem ?? 'Nothing of the event.'}</p>
      ) : (
        <ul class="values">
          {reads.reads.map((read) => (
            <Read key={keyOf(read.at)} read={read} marking={marking} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Read({ read: { name, text, at, what }, marking }: { read: HandlerRead; marking: Marking }) {
  const marks = marking.marks.filter((mark) => keyOf(mark.path) === keyOf(at));
  return (
    <li {...pointingAt(marking, marks, 'group')}>
      <span class="value">
        {BEFORE[what]}
        <Text text={name} />: {text === null ? 'absent' : <LongText text={text} />}
      </span>
      <span class="from">
        {' '}
        at <At path={placeText(at)} mark={marks[0]} marking={marking} />
      </span>
    </li>
  );
}

const BEFORE: Readonly<Record<HandlerRead['what'], string>> = {
  value: '',
  whole: 'the whole of ',
  names: 'the names in ',
  absent: '',
};
