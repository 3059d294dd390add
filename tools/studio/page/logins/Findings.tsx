import type { Finding } from '../../../shared/finding.ts';
import { Sign } from '../parts/Shape.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import { LEVELS } from '../words.ts';

const LEVEL_ORDER: readonly Finding['level'][] = ['error', 'warning', 'note'];

/** What is wrong with a paste, or worth knowing, the worst first, each with what to change. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = findings.toSorted(
    (one, other) => LEVEL_ORDER.indexOf(one.level) - LEVEL_ORDER.indexOf(other.level),
  );
  return (
    <ul class="findings">
      {sorted.map(({ code, level, message, change }, index) => (
        <li key={index}>
          <Sign word={LEVELS[level]} />
          <div>
            <LongText text={message} /> <code>{code}</code>
            {change !== null && (
              <p class="cure">
                <Text text={change} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
