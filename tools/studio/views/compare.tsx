/** The handler in force beside another one, over all logins of a kind; and what of a mapping no login reaches. */
import { type HandlerCoverage, notHit } from '../../explain/coverage.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { ComparedLogin, Comparison, EffectOfChange } from '../comparison.ts';
import type { FunctionSettings, Project } from '../studio.ts';
import { Differences } from './difference.tsx';
import { Choice, Code, Folded, List, LongText, Panel, Table, Text } from './parts.tsx';

interface CompareProps {
  project: Project;
  fn: FunctionSettings;
  /** Null before another handler is chosen. */
  comparison: Comparison | null;
  /** Null where they are not asked for: each mapping is loaded in a process of its own. */
  coverages: readonly HandlerCoverage[] | null;
}

export function CompareView({ project, fn, comparison, coverages }: CompareProps) {
  const inForce = fn.handler === 'default' ? "the default handler, or the sample's own" : fn.handler;
  const other = comparison?.other ?? null;
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
      <form data-address={hrefTo('compare', fn.name)}>
        <Choice
          id="with"
          label="Beside"
          none="choose a handler"
          values={project.handlers.filter((handler) => handler !== fn.handler || handler === 'default')}
          value={other ?? ''}
        />
      </form>
      {comparison === null ? (
        <p class="empty">Choose another handler to see which logins it would answer differently.</p>
      ) : (
        <ComparisonView comparison={comparison} />
      )}
      <h2>Coverage of mappings</h2>
      {coverages === null && (
        <a href={hrefTo('compare', fn.name, { with: other, coverage: 'shown' })}>
          Show which rules and rows the logins reach
        </a>
      )}
      {coverages?.map((coverage) => (
        <Coverage {...coverage} />
      ))}
      {coverages?.length === 0 && <p class="empty">No mapping ran for these logins.</p>}
    </div>
  );
}

/** In the order in which they matter. */
const EFFECTS: Readonly<Record<EffectOfChange, (count: number) => string>> = {
  in: (count) => counted(count, 'newly gets in', 'newly get in'),
  refused: (count) => `${count} newly refused`,
  fields: (count) => `${count} with other fields`,
  words: (count) => `${count} other words`,
};

function ComparisonView({ comparison }: { comparison: Comparison }) {
  const by = Map.groupBy(comparison.rows, ({ effect }) => effect);
  const of = (effect: EffectOfChange | null) => by.get(effect) ?? [];
  const titleOf = (effect: EffectOfChange) => EFFECTS[effect](of(effect).length);
  const changes = (effect: EffectOfChange) =>
    of(effect).map((row) => (
      <>
        <h3>
          <LoginLink row={row} other={comparison.other} />
        </h3>
        <Differences
          label={`What differs in ${row.name}`}
          columns={[{ title: 'In force', differences: row.differences }]}
          last={comparison.other}
          names={comparison.groupNames}
        />
      </>
    ));
  return (
    <section class="outcome" aria-label="Comparison">
      <h2>{(Object.keys(EFFECTS) as EffectOfChange[]).map(titleOf).join(', ')}</h2>
      {(['in', 'refused'] as const).map(
        (effect) =>
          of(effect).length > 0 && (
            <Panel title={titleOf(effect)} kind={effect === 'in' ? 'is-bad' : ''}>
              <Outcomes label={titleOf(effect)} rows={of(effect)} other={comparison.other} />
            </Panel>
          ),
      )}
      {of('fields').length > 0 && <Panel title={titleOf('fields')}>{changes('fields')}</Panel>}
      <Folded id="words" title={titleOf('words')}>
        {changes('words')}
      </Folded>
      <Folded id="alike" title={`${of(null).length} alike`}>
        <List items={of(null).map((row) => <LoginLink row={row} other={comparison.other} />)} />
      </Folded>
    </section>
  );
}

interface OutcomesProps {
  label: string;
  rows: readonly ComparedLogin[];
  other: string;
}

function Outcomes({ label, rows, other }: OutcomesProps) {
  return (
    <Table
      label={label}
      heads={['Login', 'In force', other]}
      rows={rows.map((row) => [
        <LoginLink row={row} other={other} />,
        <Code text={row.before.reason} />,
        <Code text={row.after.reason} />,
      ])}
    />
  );
}

/** As the other handler answers it. */
function LoginLink({ row: { id, name }, other }: { row: ComparedLogin; other: string }) {
  return (
    <a href={hrefTo('logins', id, { handler: other })}>
      <Text text={name} />
    </a>
  );
}

function Coverage({ handler, events, coverage }: HandlerCoverage) {
  const all = notHit(coverage);
  const { groups } = coverage.unmatched;
  return (
    <Panel title={handler} aside={`${counted(events, 'login')}, ${counted(groups, 'group')} in no row`}>
      {all.length === 0 ? (
        <p>Every rule and row is hit.</p>
      ) : (
        <Table
          label={`Not hit in ${handler}`}
          heads={['Not hit', 'Why', 'Of the mapping']}
          rows={all.map(({ path, why, text }) => [<LongText text={path} />, why, <LongText text={text} />])}
        />
      )}
    </Panel>
  );
}
