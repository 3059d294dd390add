import type { ExplainedRule } from '../../../explain/account.ts';
import { Panel } from '../parts/Panel.tsx';
import { Sign } from '../parts/Shape.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import type { Word } from '../words.ts';

const VERDICTS: Readonly<Record<ExplainedRule['verdict'], Word>> = {
  allows: { word: 'allows', tone: 'good' },
  refuses: { word: 'refuses', tone: 'stopped' },
  unknown: { word: 'cannot judge: the provider does not say', tone: 'bad' },
  unclear: { word: 'cannot judge: a text may hide a group', tone: 'bad' },
};

/** What each rule of the mapping says of this login, also after the one that decided it. */
export function Rules({ rules }: { rules: readonly ExplainedRule[] }) {
  return (
    <Panel title="Rules">
      <ul class="rules">
        {rules.map(({ path, verdict, isDecisive, found, note }) => (
          <li key={path} class={isDecisive ? 'is-decisive' : ''}>
            <Sign word={VERDICTS[verdict]} />
            <code>
              <Text text={path} />
            </code>
            {found !== null && <LongText text={found} />}
            {isDecisive && <b>this decided the login</b>}
            {note !== '' && (
              <small>
                <LongText text={note} />
              </small>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
