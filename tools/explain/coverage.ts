/** Which rules and table rows of each mapping events hit, counted from the explanations of their decisions. */
import type { Explanation } from '../../lib/profile/decision.ts';
import type { RuleTrace, Verdict } from '../../lib/profile/rules/ruleResult.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type Loaded, mappingOf } from '../local/mappingOf.ts';
import { type Decided, decidedIn, ISSUERS, partsOf, rulesOf } from './decided.ts';
import type { Judged } from './judgedSamples.ts';

export interface Coverage {
  rules: CoveredRule[];
  rows: CoveredRow[];
  /** Groups that no row maps, counted in each event, and the events that have some. */
  unmatched: { groups: number; events: number };
}

interface CoveredRule {
  /** In the mapping, e.g. `rules[0].any_group`; `issuers` for the list of issuers. */
  path: string;
  text: string;
  verdicts: Record<Verdict, number>;
  /** Whether there is an event that it does not allow. */
  isHit: boolean;
}

interface CoveredRow {
  /** In the mapping, e.g. `groups.table[2]`, `groups.everybody[0]`. */
  path: string;
  /** The group that it maps, as the mapping has it, and the name of its user group where it has one; of everybody, the user group. */
  text: string;
  /** How many groups of all events it maps; of everybody, how many events. */
  groups: number;
}

export interface HandlerCoverage {
  handler: string;
  /** How many events it answered; of a mapping that code calls, how many that decided. */
  events: number;
  coverage: Coverage;
}

type AnsweredEvent = Pick<Judged, 'sample' | 'answered'>;

/** Of each mapping that answered events, or that code called. */
export async function mappingCoverages(
  all: readonly AnsweredEvent[],
  loaded: Loaded,
): Promise<HandlerCoverage[]> {
  const groups = Map.groupBy(all, ({ sample, answered }) => `${sample.functionName} ${answered.handler}`);
  return (await Promise.all(Array.from(groups.values(), (events) => coveragesOf(events, loaded)))).flat();
}

/** @param events that one handler answered */
async function coveragesOf(events: readonly AnsweredEvent[], loaded: Loaded): Promise<HandlerCoverage[]> {
  const [{ sample, answered }] = events as [AnsweredEvent];
  const { handler } = answered;
  if (handler === '' || handler === 'default') return [];
  const own = await mappingOf({ functionName: sample.functionName, handlerModule: handler }, loaded);
  const decided = events.flatMap(({ answered }) => decidedIn(answered.records) ?? []);
  if (own !== null)
    return [{ handler, events: events.length, coverage: coverageOf(own, explanationsOf(decided)) }];
  const inside = Map.groupBy(
    decided.filter(({ mapping }) => mapping !== null),
    ({ mapping }) => JSON.stringify(mapping),
  );
  return Array.from(inside, ([text, all]) => ({
    handler,
    events: all.length,
    coverage: coverageOf(JSON.parse(text), explanationsOf(all)),
  }));
}

function explanationsOf(decided: readonly Decided[]): Explanation[] {
  return decided.map(({ explanation }) => explanation);
}

/** @param explanations of logins of the mapping's kind, at level DEBUG */
export function coverageOf(mapping: Mapping, explanations: readonly Explanation[]): Coverage {
  const verdicts = explanations.flatMap(verdictsIn);
  const groups = explanations.flatMap(({ groups }) => groups ?? []);
  const unmatched = groups.map(({ unmatched }) => unmatched).filter((count) => count > 0);
  return {
    rules: rulesOf(mapping).map((rule) => covered(rule, verdicts)),
    rows: partsOf(mapping).flatMap(({ path, table, everybody }) => [
      ...table.map(({ group, name }, index) => ({
        path: `${path}groups.table[${index}]`,
        text: `${JSON.stringify(group)}${name === undefined ? '' : ` (${name})`}`,
        groups: sum(
          groups.map(({ table }) => (table?.path === `${path}groups.table` ? (table.rows[index] ?? 0) : 0)),
        ),
      })),
      ...everybody.map((uuid, index) => ({
        path: `${path}groups.everybody[${index}]`,
        text: uuid,
        groups: groups.filter(({ everybody }) => everybody?.path === `${path}groups.everybody`).length,
      })),
    ]),
    unmatched: { groups: sum(unmatched), events: unmatched.length },
  };
}

/** A rule that refuses nobody, or a row that no group matches. */
interface NotHit {
  path: string;
  text: string;
  why: string;
}

export function notHit({ rules, rows }: Coverage): NotHit[] {
  return [
    ...rules
      .filter(({ isHit }) => !isHit)
      .map(({ path, text, verdicts: { allows } }) => ({
        ...{ path, text },
        why: allows === 0 ? 'no event reaches it' : 'it refuses nobody',
      })),
    ...rows
      .filter(({ groups }) => groups === 0)
      .map(({ path, text }) => ({ path, text, why: 'no group matches it' })),
  ];
}

/** The list of issuers is a rule too, which allows all logins that the others judge. */
function verdictsIn({ rules = [], rule }: Explanation): RuleTrace[] {
  return [...rules, { path: ISSUERS, verdict: rule === ISSUERS ? 'refuses' : 'allows' }];
}

function covered(rule: { path: string; text: string }, verdicts: readonly RuleTrace[]): CoveredRule {
  const counts = { allows: 0, refuses: 0, unknown: 0, unclear: 0 };
  for (const { path, verdict } of verdicts) if (path === rule.path) counts[verdict] += 1;
  return { ...rule, verdicts: counts, isHit: counts.refuses + counts.unknown + counts.unclear > 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
