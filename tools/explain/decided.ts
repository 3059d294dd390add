/** What a mapping or a default handler decided on a login, out of its records, and the rules and rows of the mapping. */
import type { Explanation } from '../../lib/profile/decision.ts';
import { kindOfRule } from '../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { DECISION } from '../local/process/logRecords.ts';

export type Decided = NonNullable<ReturnType<typeof decidedIn>>;

/** What the function logged of its decision, or else what a mapping decided that its code calls; null where nothing of ours decided. */
export function decidedIn({ records, response }: Pick<InvocationResult, 'records' | 'response'>) {
  const record = records.findLast((one) => one.explanation !== undefined);
  if (record === undefined) return null;
  const told = records.filter(({ event }) => event === DECISION);
  const { mapping = null } = told.findLast(({ reason }) => reason === record.reason) ?? told.at(-1) ?? {};
  const explanation = record.explanation as Explanation;
  const isReplaced = record.event === DECISION && record.type !== response?.type;
  return {
    explanation,
    /** Null for a default handler, and where only the log tells of the decision. */
    mapping: mapping as Mapping | null,
    /** The reason of the decision, where the handler made a response of another type of it. */
    decided: explanation.decided ?? (isReplaced ? String(record.reason) : null),
  };
}

/** The path of the list of issuers. */
export const ISSUERS = 'issuers';

/**
 * Where a mapping has each rule, and each row that gives a user group, and what it says there. The list of issuers, which is a
 * rule too, comes first, then the other rules; what stands beside all issuers comes before what an issuer has of its own.
 */
export function entriesOf(mapping: Mapping): { path: string; text: string }[] {
  const { issuers, ...common } = parseMapping(mapping);
  const own = Object.entries(issuers ?? {}).map(([issuer, part]) => ({
    ...part,
    path: `issuers.${issuer}.`,
  }));
  const parts = [{ ...common, path: '' }, ...own];
  return [
    ...(issuers ? [{ path: ISSUERS, text: JSON.stringify(Object.keys(issuers)) }] : []),
    ...parts.flatMap(({ path, rules = [] }) =>
      rules.map((rule, index) => ({
        path: `${path}rules[${index}].${kindOfRule(rule)}`,
        text: ruleText(rule),
      })),
    ),
    ...parts.flatMap(({ path, groups: { table = [], everybody = [] } = {} }) => [
      ...table.map(({ group, name }, index) => ({
        path: `${path}groups.table[${index}]`,
        text: JSON.stringify(group) + (name === undefined ? '' : ` (${name})`),
      })),
      ...everybody.map((uuid, index) => ({ path: `${path}groups.everybody[${index}]`, text: uuid })),
    ]),
  ];
}

/** The sources of a rule that names none. */
const USUAL = JSON.stringify([DEFAULTS]);

/** As the mapping has it, without its message, e.g. `["/locked"]`, or `"department", is ["physics"]`. */
function ruleText(rule: Rule): string {
  const kind = kindOfRule(rule);
  return Object.entries(rule)
    .filter(([name, value]) => name !== 'message' && value !== undefined)
    .filter(([name, value]) => name !== 'from' || JSON.stringify(value) !== USUAL)
    .map(([name, value]) => `${name === kind ? '' : `${name} `}${JSON.stringify(value)}`)
    .join(', ');
}
