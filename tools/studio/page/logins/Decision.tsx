import type { Evidence } from '../../../explain/account.ts';
import { pathText } from '../../../explain/pathText.ts';
import { Panel } from '../parts/Panel.tsx';
import { LongText } from '../parts/Text.tsx';
import type { Tone } from '../words.ts';
import { At } from './Fields.tsx';
import { decisionMark } from './marks.ts';
import { type Marking, pointingAt } from './useMarking.ts';

interface DecisionProps {
  evidence: readonly Evidence[];
  tone: Tone;
  marking: Marking;
}

/** What decided the login: what was expected, what was found, and where that stands in the event. */
export function Decision({ evidence, tone, marking }: DecisionProps) {
  return (
    <Panel title="What decided" kind={`is-${tone}`}>
      <dl class="evidence">
        {Array.from(
          Map.groupBy(evidence, ({ title }) => title),
          ([title, rows]) => (
            <div key={title}>
              <dt>{title}</dt>
              {rows.map((row, index) => (
                <Row key={index} row={row} marking={marking} />
              ))}
            </div>
          ),
        )}
      </dl>
    </Panel>
  );
}

function Row({ row: { text, at }, marking }: { row: Evidence; marking: Marking }) {
  const mark = at === null ? null : decisionMark(at);
  return (
    <dd {...pointingAt(marking, mark ? [mark] : [], 'evident')}>
      <LongText text={text} />
      {mark && (
        <span class="from">
          {' '}
          at <At path={pathText(mark.path)} mark={mark} marking={marking} />
        </span>
      )}
    </dd>
  );
}
