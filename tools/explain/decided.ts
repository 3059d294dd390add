/** What a mapping or a default handler decided on a login, out of its records, and the rules and rows of the mapping. */
import type { Explanation } from '../../lib/profile/decision.ts';
import { kindOfRule } from '../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { DECISION, type LogRecord } from '../local/process/logRecords.ts';

export interface Decided {
  explanation: Explanation;
  /** Null for a default handler, and where only the log tells of the decision. */
  mapping: Mapping | null;
  /** Of a decision that code made another response of: its reason and its type; null where it left as it was. */
  inside: { reason: string; type: unknown } | null;
}

/** What the function logged of its decision, or else what a mapping decided that its code calls; null where nothing of ours decided. */
export function decidedIn(records: readonly LogRecord[]): Decided | null {
  const record = records.findLast((one) => one.explanation !== undefined);
  if (record === undefined) return null;
  const told = records.filter(({ event }) => event === DECISION);
  const { mapping = null } = told.findLast(({ reason }) => reason === record.reason) ?? told.at(-1) ?? {};
  return {
    explanation: record.explanation as Explanation,
    mapping: mapping as Mapping | null,
    inside: record.event === DECISION ? { reason: String(record.reason), type: record.type } : null,
  };
}

/** The path of the list of issuers, which is a rule too. */
export const ISSUERS = 'issuers';

/** What stands beside all issuers, and what each issuer has; a path stands before the paths of what is in it. */
export function partsOf(mapping: Mapping) {
  const { issuers = {}, ...common } = parseMapping(mapping);
  const parts = Object.entries(issuers).map(([issuer, part]) => ({ path: `issuers.${issuer}.`, part }));
  return [{ path: '', part: common }, ...parts].map(({ path, part: { rules = [], groups } }) => ({
    ...{ path, rules },
    table: groups?.table ?? [],
    everybody: groups?.everybody ?? [],
  }));
}

/** The sources of a rule that names none. */
const USUAL = JSON.stringify([DEFAULTS]);

/** Each rule as the mapping has it, without its message, e.g. `["/locked"]`, or `"department", is ["physics"]`. */
export function rulesOf(mapping: Mapping): { path: string; text: string }[] {
  const rules = partsOf(mapping).flatMap((part) =>
    part.rules.map((rule, index) => {
      const kind = kindOfRule(rule);
      const { message: _, from, ...others } = { from: undefined, ...rule };
      const condition = JSON.stringify(from) === USUAL ? others : { ...others, from };
      return {
        path: `${part.path}rules[${index}].${kind}`,
        text: Object.entries(condition)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name === kind ? '' : `${name} `}${JSON.stringify(value)}`)
          .join(', '),
      };
    }),
  );
  const { issuers } = parseMapping(mapping);
  return issuers ? [{ path: ISSUERS, text: JSON.stringify(Object.keys(issuers)) }, ...rules] : rules;
}
