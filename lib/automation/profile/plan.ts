/** A mapping made ready: for each issuer its own plan. */
import { DEFAULT_PLAN, type Plan } from './decide.ts';
import { type Mapping, parseMapping } from './mapping.ts';

type ParsedMapping = ReturnType<typeof parseMapping>;
type ParsedPart = Omit<ParsedMapping, 'issuers'>;

/** The plan for an issuer; null where issuers are listed and this one is not. */
export type PlanFor = (issuer: string) => Plan | null;

/** @throws {MappingInvalid} */
export function planFor(mapping: Mapping): PlanFor {
  const { issuers, ...common } = parseMapping(mapping);
  const commonPlan = extend(DEFAULT_PLAN, common, '');
  if (!issuers) return () => commonPlan;
  const plans = new Map(
    Object.entries(issuers).map(([issuer, part]) => [issuer, extend(commonPlan, part, `issuers.${issuer}.`)]),
  );
  return (issuer) => plans.get(issuer) ?? null;
}

/** Fields and groups take the place of those before; rules come on top of them. */
function extend(plan: Plan, { rules = [], ...part }: ParsedPart, path: string): Plan {
  const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  return {
    ...plan,
    ...given,
    rules: [...plan.rules, ...rules.map((rule, index) => ({ rule, path: `${path}rules[${index}]` }))],
  };
}
