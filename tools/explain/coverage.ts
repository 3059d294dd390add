/** Which rules and table rows of each mapping events hit, counted from the explanations of their decisions. */
import type { Explanation } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { decidedIn, entriesOf, ISSUERS } from './decided.ts';
import type { Judged } from './judgedSamples.ts';

export type HandlerCoverage = ReturnType<typeof mappingCoverages>[number];

/** Of each mapping that decided: one that is a handler, and one that code calls. */
export function mappingCoverages(all: readonly Pick<Judged, 'sample' | 'answered'>[]) {
  const decided = all.flatMap(({ sample: { functionName }, answered }) => {
    const { mapping = null, explanation } = decidedIn(answered) ?? {};
    const { handler } = answered;
    return mapping && explanation ? [{ functionName, handler, mapping, explanation }] : [];
  });
  const groups = Map.groupBy(decided, ({ explanation: _, ...mapping }) => JSON.stringify(mapping));
  return Array.from(groups.values(), (same) => {
    const [{ handler, mapping }] = same as [(typeof same)[number]];
    const explanations = same.map(({ explanation }) => explanation);
    return { handler, events: same.length, ...coverageOf(mapping, explanations) };
  });
}

/** @param explanations of logins of the mapping's kind, at level DEBUG */
export function coverageOf(mapping: Mapping, explanations: readonly Explanation[]) {
  // The list of issuers is a rule too, which allows all logins that the others judge.
  const judged = explanations.flatMap(({ rules = [], rule }) => [
    ...rules,
    { path: ISSUERS, verdict: rule === ISSUERS ? 'refuses' : 'allows' },
  ]);
  const groups = explanations.flatMap(({ groups }) => groups ?? []);
  const reached = new Set(judged.map(({ path }) => path));
  const hit = new Set([
    ...judged.filter(({ verdict }) => verdict !== 'allows').map(({ path }) => path),
    ...groups.flatMap(({ table }) => Object.keys(table?.rows ?? {}).map((row) => `${table?.path}[${row}]`)),
    ...groups.map(({ everybody }) => everybody?.path),
  ]);
  const isHit = (path: string) => hit.has(path) || hit.has(path.replace(/(?<=everybody)\[\d+\]$/, ''));
  const whyOf = (path: string) => {
    if (path.endsWith(']')) return 'no group matches it';
    return reached.has(path) ? 'it refuses nobody' : 'no event reaches it';
  };
  return {
    /** Rules that refuse nobody, and rows that no group matches, and why. */
    notHit: entriesOf(mapping)
      .filter(({ path }) => !isHit(path))
      .map((entry) => ({ ...entry, why: whyOf(entry.path) })),
    /** Groups that no row maps, counted in each event. */
    unmatched: groups.reduce((sum, { unmatched }) => sum + unmatched, 0),
  };
}
