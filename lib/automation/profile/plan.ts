/** A mapping made ready: for each issuer its own plan. */
import { admission } from './admission.ts';
import { DEFAULT_FIELDS, makePlan, type Plan } from './decide.ts';
import { type Mapping, type ParsedPart, parseMapping, type Rule } from './mapping.ts';
import type { DefaultNames } from './names.ts';

/** The plan for an issuer; null where issuers are listed and this one is not. */
export type PlanFor = (issuer: string) => Plan | null;

/** A rule, and where it stands in the mapping. */
export interface PlacedRule {
  rule: Rule;
  path: string;
}

type Part = Omit<ParsedPart, 'rules'>;

/** @throws {MappingInvalid} */
export function planFor(mapping: Mapping, defaults: DefaultNames): PlanFor {
  const { issuers, rules, ...common } = parseMapping(mapping);
  const commonRules = placed(rules, '');
  if (!issuers) {
    const plan = planOf(common, commonRules, defaults);
    return () => plan;
  }
  const plans = new Map(
    Object.entries(issuers).map(([issuer, { rules: ownRules, ...own }]) => {
      const allRules = [...commonRules, ...placed(ownRules, `issuers.${issuer}.`)];
      return [issuer, planOf({ ...common, ...withoutUnset(own) }, allRules, defaults)];
    }),
  );
  return (issuer) => plans.get(issuer) ?? null;
}

function planOf({ groups, ...fields }: Part, rules: PlacedRule[], defaults: DefaultNames): Plan {
  const specs = { ...DEFAULT_FIELDS, ...withoutUnset(fields) };
  return makePlan(
    specs,
    defaults,
    groups || rules.length > 0 ? admission(groups ?? null, rules, defaults) : null,
  );
}

function placed(rules: readonly Rule[] | undefined, prefix: string): PlacedRule[] {
  return (rules ?? []).map((rule, index) => ({ rule, path: `${prefix}rules[${index}]` }));
}

type Given<TObject> = { [TKey in keyof TObject]?: Exclude<TObject[TKey], undefined> };

/** What an issuer leaves unset, it takes over from the rest of the mapping. */
function withoutUnset<TObject extends object>(object: TObject): Given<TObject> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Given<TObject>;
}
