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

interface RulesProps {
  rules: readonly ExplainedRule[];
  /** As the mapping has them, by their paths. */
  texts: Readonly<Record<string, string>>;
}

/** What the rules of the mapping say of this login, but for the one that decided it: folded where they all allow it. */
export function Rules({ rules, texts }: RulesProps) {
  const others = rules.filter(({ isDecisive }) => !isDecisive);
  if (others.length === 0) return null;
  const title = others.length < rules.length ? 'Other rules' : 'Rules';
  const list = (
    <ul class="rules">
      {others.map((rule) => (
        <Rule key={rule.path} rule={rule} text={texts[rule.path]} />
      ))}
    </ul>
  );
  if (others.some(({ verdict }) => verdict !== 'allows')) return <Panel title={title}>{list}</Panel>;
  return (
    <Panel title={title}>
      <details>
        <summary>{others.length === 1 ? 'It allows' : `All ${others.length} allow`} the login</summary>
        {list}
      </details>
    </Panel>
  );
}

function Rule({ rule: { path, verdict, found }, text }: { rule: ExplainedRule; text: string | undefined }) {
  return (
    <li>
      <Sign word={VERDICTS[verdict]} />
      <code>
        <Text text={path} />
      </code>
      {found !== null && <LongText text={found} />}
      {text !== undefined && (
        <small>
          <LongText text={text} />
        </small>
      )}
    </li>
  );
}
