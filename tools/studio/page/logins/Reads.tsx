import type { HandlerRead, HandlerReads } from '../../../explain/reads.ts';
import { Panel } from '../parts/Panel.tsx';
import { At } from './Fields.tsx';
import { keyOf } from './marks.ts';
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
            <Read key={`${read.what} ${read.place}`} read={read} marking={marking} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Read({ read: { path, place, what, count }, marking }: { read: HandlerRead; marking: Marking }) {
  const marks = marking.marks.filter((mark) => keyOf(mark.path) === keyOf(path));
  return (
    <li {...pointingAt(marking, marks, 'group')}>
      {BEFORE[what]}
      <At path={place} mark={marks[0]} marking={marking} />
      {count > 1 && ` (${count})`}
      {what === 'absent' && ', which is not there'}
    </li>
  );
}

const BEFORE: Readonly<Record<HandlerRead['what'], string>> = {
  value: '',
  whole: 'the whole of ',
  names: 'the names in ',
  absent: '',
};
