/** Which rules and table rows of a mapping events hit, counted from the explanations of their decisions. */
import type { Explanation } from '../../lib/profile/decision.ts';
import type { GroupRow, GroupsTrace } from '../../lib/profile/groups/groupTable.ts';
import type { RuleTrace, Verdict } from '../../lib/profile/rules/ruleResult.ts';
import { kindOfRule } from '../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';

export interface Coverage {
  rules: CoveredRule[];
  rows: CoveredRow[];
  /** Groups that no row maps, counted in each event, and the events that have some. */
  unmatched: { groups: number; events: number };
}

export interface CoveredRule {
  /** In the mapping, e.g. `rules[0].any_group`; `issuers` for the list of issuers. */
  path: string;
  /** As the mapping has it. */
  text: string;
  /** How many events each verdict is about. */
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

/**
 * @param mapping null for one that code calls, of which is known what its decisions say: each rule, and the rows that are hit
 * @param explanations of logins of the mapping's kind, at level DEBUG
 */
export function coverageOf(mapping: Mapping | null, explanations: readonly Explanation[]): Coverage {
  const verdicts = explanations.flatMap(verdictsIn);
  const groups = explanations.flatMap(({ groups }) => groups ?? []);
  const unmatched = groups.map(({ unmatched }) => unmatched).filter((count) => count > 0);
  return {
    rules: (mapping ? rulesOf(mapping) : rulesIn(verdicts)).map((rule) => covered(rule, verdicts)),
    rows: [
      ...(mapping ? rowsOf(mapping) : rowsIn(groups)).map(({ path, index, text }) => ({
        path: `${path}[${index}]`,
        text,
        groups: sum(groups.map(({ table }) => (table?.path === path ? (table.rows[index] ?? 0) : 0))),
      })),
      ...(mapping ? partsOf(mapping) : []).flatMap(({ path, everybody }) =>
        everybody.map((uuid, index) => ({
          path: `${path}groups.everybody[${index}]`,
          text: uuid,
          groups: groups.filter(({ everybody }) => everybody?.path === `${path}groups.everybody`).length,
        })),
      ),
    ],
    unmatched: { groups: sum(unmatched), events: unmatched.length },
  };
}

/** A rule that refuses nobody, or a row that no group matches. */
interface NotHit {
  path: string;
  /** What the mapping has there; empty where that is not known. */
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

const ISSUERS = 'issuers';

/** The list of issuers is a rule too, which allows all logins that the others judge. */
function verdictsIn({ rules = [], rule }: Explanation): RuleTrace[] {
  return [...rules, { path: ISSUERS, verdict: rule === ISSUERS ? 'refuses' : 'allows' }];
}

/** The issuers that a mapping lists are not known of one that code calls. */
function rulesIn(verdicts: readonly RuleTrace[]): { path: string; text: string }[] {
  const paths = new Set(verdicts.map(({ path }) => path));
  return [...paths].filter((path) => path !== ISSUERS).map((path) => ({ path, text: '' }));
}

function rowsIn(groups: readonly GroupsTrace[]): { path: string; index: number; text: string }[] {
  const rows = groups.flatMap(({ table }) =>
    Object.keys(table?.rows ?? {}).map((index) => [`${table?.path}`, Number(index)] as const),
  );
  const known = new Map(rows.map(([path, index]) => [`${path}[${index}]`, { path, index, text: '' }]));
  return [...known.values()];
}

function covered(rule: { path: string; text: string }, verdicts: readonly RuleTrace[]): CoveredRule {
  const counts = { allows: 0, refuses: 0, unknown: 0, unclear: 0 };
  for (const { path, verdict } of verdicts) if (path === rule.path) counts[verdict] += 1;
  return { ...rule, verdicts: counts, isHit: counts.refuses + counts.unknown + counts.unclear > 0 };
}

interface MappingPart {
  /** Stands before the paths of what is in it. */
  path: string;
  rules: readonly Rule[];
  table: readonly GroupRow[];
  everybody: readonly string[];
}

function partsOf(mapping: Mapping): MappingPart[] {
  const { issuers = {}, ...common } = parseMapping(mapping);
  const parts = [{ path: '', part: common }].concat(
    Object.entries(issuers).map(([issuer, part]) => ({ path: `issuers.${issuer}.`, part })),
  );
  return parts.map(({ path, part: { rules = [], groups } }) => {
    const { table = [], everybody = [] } = groups ?? {};
    return { path, rules, table, everybody };
  });
}

/** Each rule as the mapping has it, without its message, e.g. `["/locked"]`, or `"department", is ["physics"]`. */
export function rulesOf(mapping: Mapping): { path: string; text: string }[] {
  const issuers = Object.keys(mapping.issuers ?? {});
  const rules = partsOf(mapping).flatMap((part) =>
    part.rules.map((rule, index) => {
      const kind = kindOfRule(rule);
      const { message: _, ...written } = rule;
      const condition = Object.entries(written).filter(([name]) => name !== 'from');
      return {
        path: `${part.path}rules[${index}].${kind}`,
        text: condition
          .map(([name, value]) => `${name === kind ? '' : `${name} `}${JSON.stringify(value)}`)
          .join(', '),
      };
    }),
  );
  return issuers.length > 0 ? [{ path: ISSUERS, text: JSON.stringify(issuers) }, ...rules] : rules;
}

function rowsOf(mapping: Mapping): { path: string; index: number; text: string }[] {
  return partsOf(mapping).flatMap(({ path, table }) =>
    table.map(({ group, name }, index) => ({
      path: `${path}groups.table`,
      index,
      text: `${JSON.stringify(group)}${name === undefined ? '' : ` (${name})`}`,
    })),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
