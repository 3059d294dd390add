import type { CardRow } from '../../../explain/card.ts';
import { Panel } from '../parts/Panel.tsx';
import { LongText } from '../parts/Text.tsx';
import type { Tone } from '../words.ts';
import { At } from './Fields.tsx';
import { decisionMark, placeText } from './marks.ts';
import { type Marking, pointingAt } from './useMarking.ts';

interface DecisionProps {
  card: readonly CardRow[];
  tone: Tone;
  marking: Marking;
}

/** What decided the login: what was expected, what was found, and where that stands in the event. */
export function Decision({ card, tone, marking }: DecisionProps) {
  return (
    <Panel title="What decided" kind={`is-${tone}`}>
      <dl class="evidence">
        {Array.from(
          Map.groupBy(card, ({ title }) => title),
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

function Row({ row: { text, at }, marking }: { row: CardRow; marking: Marking }) {
  const mark = at === null ? null : decisionMark(at);
  return (
    <dd {...pointingAt(marking, mark ? [mark] : [], 'evident')}>
      <LongText text={text} />
      {mark && (
        <span class="from">
          {' '}
          at <At path={placeText(mark.path)} mark={mark} marking={marking} />
        </span>
      )}
    </dd>
  );
}
