/** The handler in force beside another one, over all logins of a kind; and what of a mapping no login reaches. */
import type { CoveredRule, HandlerCoverage } from '../../explain/coverage.ts';
import type { GroupNames } from '../../explain/differences.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { ComparedLogin, Comparison, EffectOfChange } from '../comparison.ts';
import type { FunctionSettings, Project } from '../studio.ts';
import { Differences } from './difference.tsx';
import { Cell, Choice, Folded, Panel, RowHead, Table, Text } from './parts.tsx';

export interface CompareProps {
  project: Project;
  fn: FunctionSettings;
  /** Null before another handler is chosen. */
  comparison: Comparison | null;
  /** Null where they are not asked for: each mapping is loaded in a process of its own. */
  coverages: readonly HandlerCoverage[] | null;
}

export function CompareView({ project, fn, comparison, coverages }: CompareProps) {
  const others = ['default', ...fn.handlers.filter((handler) => handler !== fn.handler)];
  const inForce = fn.handler === 'default' ? "the default handler, or the sample's own" : fn.handler;
  return (
    <div class="page">
      <h1>Compare handlers</h1>
      <p class="lead">
        {project.functions.map(({ name }) => (
          <a
            class="button"
            href={hrefTo('compare', name)}
            aria-current={name === fn.name ? 'true' : undefined}
          >
            {kindOf(name)}
          </a>
        ))}{' '}
        In force: <code>{inForce}</code>
      </p>
      <form class="compare" data-address={hrefTo('compare', fn.name)}>
        <Choice
          id="with"
          label="Beside"
          none="choose a handler"
          values={others}
          value={comparison?.other ?? ''}
        />
      </form>
      {comparison === null ? (
        <p class="empty">Choose another handler to see which logins it would answer differently.</p>
      ) : (
        <ComparisonView comparison={comparison} />
      )}
      <h2>Coverage of mappings</h2>
      {coverages === null ? (
        <p>
          <a href={hrefTo('compare', fn.name, { with: comparison?.other ?? null, coverage: 'shown' })}>
            Show which rules and rows the logins reach
          </a>
        </p>
      ) : (
        <Coverages coverages={coverages} />
      )}
    </div>
  );
}

function Coverages({ coverages }: { coverages: readonly HandlerCoverage[] }) {
  return (
    <>
      {coverages.map((coverage) => (
        <Coverage {...coverage} />
      ))}
      {coverages.length === 0 && (
        <p class="empty">No mapping ran for these logins, so there is nothing to count.</p>
      )}
    </>
  );
}

/** In the order in which they matter. */
const EFFECTS: Readonly<Record<EffectOfChange, (count: number) => string>> = {
  in: (count) => counted(count, 'newly gets in', 'newly get in'),
  refused: (count) => `${count} newly refused`,
  fields: (count) => `${count} with other fields`,
  words: (count) => `${count} other words`,
};

function ComparisonView({ comparison: { other, rows, groupNames } }: { comparison: Comparison }) {
  const by = Map.groupBy(rows, ({ effect }) => effect);
  const alike = by.get(null) ?? [];
  const effects = (Object.keys(EFFECTS) as EffectOfChange[]).map((effect) => {
    const of = by.get(effect) ?? [];
    return { effect, title: EFFECTS[effect](of.length), rows: of };
  });
  return (
    <section class="outcome" aria-label="Comparison">
      <h2>{effects.map(({ title }) => title).join(', ')}</h2>
      {effects.map((one) => (
        <Effect {...one} other={other} names={groupNames} />
      ))}
      {alike.length > 0 && (
        <Folded
          id="alike"
          title={counted(alike.length, 'login is answered alike', 'logins are answered alike')}
        >
          <ul class="values">
            {alike.map((row) => (
              <li>
                <LoginLink row={row} />
              </li>
            ))}
          </ul>
        </Folded>
      )}
    </section>
  );
}

interface EffectProps {
  effect: EffectOfChange;
  title: string;
  rows: readonly ComparedLogin[];
  other: string;
  names: GroupNames;
}

function Effect({ effect, title, rows, other, names }: EffectProps) {
  if (rows.length === 0) return null;
  const list = rows.map((row) => (
    <article class="compared">
      <h3>
        <LoginLink row={row} />{' '}
        <small>
          <code>{row.before.reason}</code> → <code>{row.after.reason}</code>
        </small>
      </h3>
      <Differences
        label={`What differs in ${row.name}`}
        columns={[{ title: 'In force', differences: row.differences }]}
        last={other}
        names={names}
      />
    </article>
  ));
  if (effect === 'words')
    return (
      <Folded id="words" title={title}>
        {list}
      </Folded>
    );
  return (
    <Panel title={title} kind={effect === 'in' ? 'is-bad' : ''}>
      {list}
    </Panel>
  );
}

function LoginLink({ row: { id, name } }: { row: ComparedLogin }) {
  return (
    <a href={hrefTo('logins', id)}>
      <Text text={name} />
    </a>
  );
}

function Coverage({ handler, events, coverage: { rules, rows, unmatched } }: HandlerCoverage) {
  const notHit =
    rules.filter(({ isHit }) => !isHit).length + rows.filter(({ groups }) => groups === 0).length;
  const summary =
    notHit === 0
      ? 'every rule and row is hit'
      : `${counted(notHit, 'rule or row', 'rules and rows')} not hit`;
  return (
    <section aria-label={`Coverage of ${handler}`}>
      <h3>
        <code>{handler}</code>, {counted(events, 'login')}: {summary}
      </h3>
      <Table label={`Coverage of ${handler}`} heads={['Rule or row', 'Logins', 'Remark', 'Of the mapping']}>
        {rules.map((rule) => (
          <Covered path={rule.path} hits={hitsText(rule)} remark={remarkOf(rule)} text={rule.text} />
        ))}
        {rows.map(({ path, groups, text }) => (
          <Covered
            path={path}
            hits={counted(groups, 'group')}
            remark={groups === 0 ? 'not hit' : ''}
            text={text}
          />
        ))}
      </Table>
      {unmatched.groups > 0 && (
        <p>
          {counted(unmatched.groups, 'group')} of {counted(unmatched.events, 'login')} in no row
        </p>
      )}
    </section>
  );
}

function Covered({ path, hits, remark, text }: { path: string; hits: string; remark: string; text: string }) {
  return (
    <tr>
      <RowHead text={path} />
      <td>{hits}</td>
      <td>{remark}</td>
      <Cell text={text} />
    </tr>
  );
}

function hitsText({ verdicts: { allows, refuses, unknown, unclear } }: CoveredRule): string {
  return `${allows} allowed, ${refuses} refused, ${unknown + unclear} not judged`;
}

function remarkOf({ isHit, verdicts: { allows } }: CoveredRule): string {
  if (isHit) return allows === 0 ? 'allows nobody' : '';
  return allows === 0 ? 'not hit: no login reaches it' : 'not hit: refuses nobody';
}
