/** The handler in force beside another one, over all logins of a kind; and what of a mapping no login reaches. */
import type { HandlerCoverage } from '../../explain/coverage.ts';
import { type Difference, differencesOf, groupNamesIn } from '../../explain/differences.ts';
import { type InvocationResult, isAuthorized } from '../../local/invocation.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { Login, Logins } from '../logins.ts';
import { rowOf } from '../row.ts';
import type { Project } from '../studio.ts';
import { after, before } from './difference.tsx';
import { Choice, Folded, LongText, Panel, Table, Text } from './parts.tsx';

/** What it means to a person: gets in, does not any more, gets another profile or refusal, reads other words. */
type EffectOfChange = 'in' | 'refused' | 'fields' | 'words';
type Comparison = Awaited<ReturnType<typeof comparisonOf>>;

/** @param other as a setting names it */
export async function comparisonOf(logins: Logins, its: readonly Login[], other: string) {
  const answers = await Promise.all(
    its.map(async (login) => ({ login, before: login.previous, after: await logins.answerOf(other, login) })),
  );
  const rows = answers.map(({ login, before, after }) => {
    const all = differencesOf(before, after);
    const effect = effectOf(before, after, all);
    // Of whom gets in or not, the reason says all.
    const isOfReason = effect === 'in' || effect === 'refused';
    const differences = isOfReason ? [{ field: 'reason', before: before.reason, after: after.reason }] : all;
    return { id: login.id, name: rowOf(login).title, differences, effect };
  });
  return {
    other,
    groupNames: groupNamesIn(answers.flatMap(({ before, after }) => [before, after])),
    rows: rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
  };
}

const WORDS = ['message', 'status'];

function effectOf(
  before: InvocationResult,
  after: InvocationResult,
  differences: readonly Difference[],
): EffectOfChange | null {
  if (differences.length === 0) return null;
  const [wasIn, isIn] = [before, after].map(isAuthorized);
  if (wasIn !== isIn) return isIn ? 'in' : 'refused';
  return differences.every(({ field }) => WORDS.includes(field)) ? 'words' : 'fields';
}

interface CompareProps {
  project: Project;
  fn: Project['functions'][number];
  /** Null before another handler is chosen. */
  comparison: Comparison | null;
  coverages: readonly HandlerCoverage[];
}

export function CompareView({ project, fn, comparison, coverages }: CompareProps) {
  const other = comparison?.other;
  const others = project.handlers.filter((handler) => handler !== fn.handler || handler === 'default');
  const inForce = fn.handler === 'default' ? "the default handler, or the sample's own" : fn.handler;
  return (
    <div class="page">
      <h1>Compare handlers</h1>
      <p class="choices">
        {project.functions.map(({ name }) => (
          <a
            class="button"
            href={hrefTo('compare', name)}
            aria-current={name === fn.name ? 'true' : undefined}
          >
            {kindOf(name)}
          </a>
        ))}
        <span>In force: {inForce}</span>
      </p>
      <form data-address={hrefTo('compare', fn.name)}>
        <Choice id="with" label="Compare with" none="choose a handler" values={others} value={other} />
      </form>
      {comparison === null ? (
        <p class="empty">Choose another handler to see which logins it would answer differently.</p>
      ) : (
        <ComparisonView comparison={comparison} />
      )}
      <h2>Coverage of mappings</h2>
      {coverages.length === 0 && <p class="empty">No mapping ran for these logins.</p>}
      {coverages.map((coverage) => (
        <Coverage {...coverage} />
      ))}
    </div>
  );
}

/** In the order in which they matter. */
const EFFECTS: Readonly<Record<EffectOfChange, (count: number) => string>> = {
  in: (count) => counted(count, 'newly gets in', 'newly get in'),
  refused: (count) => `${count} newly refused`,
  fields: (count) => `${count} with other fields`,
  words: (count) => `${count} with other words`,
};
const EFFECTS_IN_ORDER = Object.keys(EFFECTS) as EffectOfChange[];

function ComparisonView({ comparison: { other, groupNames, rows } }: { comparison: Comparison }) {
  const by = Map.groupBy(rows, ({ effect }) => effect);
  const titleOf = (effect: EffectOfChange) => EFFECTS[effect](by.get(effect)?.length ?? 0);
  const table = (effect: EffectOfChange) => (
    <Table
      label={titleOf(effect)}
      heads={['Login', 'Field', 'In force', other]}
      rows={(by.get(effect) ?? []).flatMap(({ id, name, differences }) =>
        differences.map((difference) => [
          <a href={hrefTo('logins', id)}>
            <Text text={name} />
          </a>,
          <span class="use">{difference.field}</span>,
          before(difference, groupNames),
          after(difference, groupNames),
        ]),
      )}
    />
  );
  return (
    <section class="comparison" aria-label="Comparison">
      <h2>{EFFECTS_IN_ORDER.map(titleOf).join(', ')}</h2>
      {EFFECTS_IN_ORDER.filter((effect) => effect !== 'words' && by.has(effect)).map((effect) => (
        <Panel title={titleOf(effect)} kind={effect === 'in' ? 'is-bad' : ''}>
          {table(effect)}
        </Panel>
      ))}
      {by.has('words') && (
        <Folded id="words" title={titleOf('words')}>
          {table('words')}
        </Folded>
      )}
      <p>{by.get(null)?.length ?? 0} alike</p>
    </section>
  );
}

function Coverage({ handler, events, notHit, unmatched }: HandlerCoverage) {
  const inNoRow = unmatched > 0 && `${counted(unmatched, 'group')} in no row`;
  return (
    <Panel title={handler} aside={[counted(events, 'login'), inNoRow].filter(Boolean).join(', ')}>
      {notHit.length === 0 ? (
        <p>Every rule and row is hit.</p>
      ) : (
        <Table
          label={`Not hit in ${handler}`}
          heads={['Not hit', 'Why', 'Of the mapping']}
          rows={notHit.map((one) => [<LongText text={one.path} />, one.why, <LongText text={one.text} />])}
        />
      )}
    </Panel>
  );
}
