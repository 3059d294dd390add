/** Which rules and table rows of each mapping events hit, counted from the explanations of their decisions. */
import type { Explanation } from '../../lib/profile/decision.ts';
import type { RuleTrace, Verdict } from '../../lib/profile/rules/ruleResult.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { decidedIn, ISSUERS, partsOf, rulesOf } from './decided.ts';
import type { Judged } from './judgedSamples.ts';

export type Coverage = ReturnType<typeof coverageOf>;

export interface HandlerCoverage {
  handler: string;
  /** How many events the mapping decided. */
  events: number;
  coverage: Coverage;
}

/** Of each mapping that decided: one that is a handler, and one that code calls. */
export function mappingCoverages(all: readonly Pick<Judged, 'sample' | 'answered'>[]): HandlerCoverage[] {
  const decided = all.flatMap(({ sample: { functionName }, answered: { handler, records } }) => {
    const { mapping = null, explanation } = decidedIn(records) ?? {};
    return mapping && explanation ? [{ functionName, handler, mapping, explanation }] : [];
  });
  const groups = Map.groupBy(decided, ({ explanation: _, ...mapping }) => JSON.stringify(mapping));
  return Array.from(groups, ([text, same]) => {
    const { handler, mapping } = JSON.parse(text);
    const explanations = same.map(({ explanation }) => explanation);
    return { handler, events: same.length, coverage: coverageOf(mapping, explanations) };
  });
}

/** @param explanations of logins of the mapping's kind, at level DEBUG */
export function coverageOf(mapping: Mapping, explanations: readonly Explanation[]) {
  const judged = explanations.flatMap(rulesJudged);
  const groups = explanations.flatMap(({ groups }) => groups ?? []);
  const unmatched = groups.map(({ unmatched }) => unmatched).filter((count) => count > 0);
  return {
    rules: rulesOf(mapping).map(({ path, text }) => {
      const verdicts: Record<Verdict, number> = { allows: 0, refuses: 0, unknown: 0, unclear: 0 };
      for (const one of judged) if (one.path === path) verdicts[one.verdict] += 1;
      return { path, text, verdicts };
    }),
    /** With the group that a row maps, and how many groups of all events it maps; of everybody, with the user group, and how many events. */
    rows: partsOf(mapping).flatMap(({ path, table, everybody }) => [
      ...table.map(({ group, name }, index) => {
        const tables = groups.flatMap(({ table }) => (table?.path === `${path}groups.table` ? table : []));
        return {
          path: `${path}groups.table[${index}]`,
          text: `${JSON.stringify(group)}${name === undefined ? '' : ` (${name})`}`,
          groups: sum(tables.map(({ rows }) => rows[index] ?? 0)),
        };
      }),
      ...everybody.map((uuid, index) => ({
        path: `${path}groups.everybody[${index}]`,
        text: uuid,
        groups: groups.filter(({ everybody }) => everybody?.path === `${path}groups.everybody`).length,
      })),
    ]),
    /** Groups that no row maps, counted in each event, and the events that have some. */
    unmatched: { groups: sum(unmatched), events: unmatched.length },
  };
}

/** A rule that refuses nobody, or a row that no group matches, and why. */
export function notHit({ rules, rows }: Coverage): { path: string; text: string; why: string }[] {
  const idle = rules.filter(
    ({ verdicts: { refuses, unknown, unclear } }) => refuses + unknown + unclear === 0,
  );
  return [
    ...idle.map(({ path, text, verdicts }) => ({
      ...{ path, text },
      why: verdicts.allows === 0 ? 'no event reaches it' : 'it refuses nobody',
    })),
    ...rows
      .filter(({ groups }) => groups === 0)
      .map(({ path, text }) => ({ path, text, why: 'no group matches it' })),
  ];
}

/** The list of issuers is a rule too, which allows all logins that the others judge. */
function rulesJudged({ rules = [], rule }: Explanation): RuleTrace[] {
  return [...rules, { path: ISSUERS, verdict: rule === ISSUERS ? 'refuses' : 'allows' }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
