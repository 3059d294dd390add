/** A mapping made ready: for each issuer its own plan. */

import type { LoginKind } from '../settings.ts';
import { DEFAULT_FIELDS, makePlan, type Plan } from './decide.ts';
import type { FieldSpec } from './fields.ts';
import { type Mapping, MappingInvalid, type ParsedPart, parseMapping, type Rule } from './mappingSchema.ts';
import type { DefaultNames } from './reader.ts';
import type { PlacedRule } from './rules.ts';
import { admission } from './rules.ts';

/** The plan for an issuer; null where issuers are listed and this one is not. */
export type PlanFor = (issuer: string) => Plan | null;

type Part = Omit<ParsedPart, 'rules'>;

/** @throws {MappingInvalid} */
export function planFor(mapping: Mapping, defaults: DefaultNames): PlanFor {
  const { issuers, rules, ...common } = parseMapping(mapping);
  const commonRules = placed(rules, '');
  if (!issuers) {
    const plan = planOf(common, commonRules, defaults, { path: '', trustsVerified: false });
    return () => plan;
  }
  const plans = new Map(
    Object.entries(issuers).map(([issuer, { rules: ownRules, trust_email_verified, ...own }]) => {
      const path = `issuers.${issuer}.`;
      const part = { ...common, ...withoutUnset(own) };
      const trust = { path, trustsVerified: trust_email_verified };
      return [issuer, planOf(part, [...commonRules, ...placed(ownRules, path)], defaults, trust)];
    }),
  );
  return (issuer) => plans.get(issuer) ?? null;
}

interface Trust {
  /** Where the part stands in the mapping. */
  path: string;
  trustsVerified: boolean;
}

function planOf(
  { groups, ...fields }: Part,
  rules: PlacedRule[],
  defaults: DefaultNames,
  { path, trustsVerified }: Trust,
): Plan {
  const specs = { ...DEFAULT_FIELDS, ...withoutUnset(fields) };
  requireProvableEmail(specs.email, defaults.kind, { path, trustsVerified });
  return makePlan(
    { ...specs, email: { ...specs.email, trustsVerified } },
    defaults,
    groups || rules.length > 0 ? admission(groups ?? null, rules, defaults) : null,
  );
}

/** SAML proves no address by itself: demanding proof of an issuer that is not trusted to say so would let nobody in. */
function requireProvableEmail(
  { unverified }: FieldSpec,
  kind: LoginKind,
  { path, trustsVerified }: Trust,
): void {
  if (kind === 'OpenID' && trustsVerified) {
    throw new MappingInvalid(`${path}trust_email_verified: expected in SAML mappings alone`);
  }
  if (kind === 'SAML' && unverified === 'demand_proof' && !trustsVerified) {
    throw new MappingInvalid(
      `${path}email.unverified: expected trust_email_verified: true for an issuer whose addresses need proof`,
    );
  }
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
