/** A mapping as it counts for the people of one issuer: what stands beside all issuers, and what the issuer has of its own. */
import type { Messages, ParsedMapping, ParsedPart, Rule } from './mappingSchema.ts';

export interface PlacedRule {
  rule: Rule;
  path: string;
}

export interface IssuerPart extends Omit<ParsedPart, 'rules' | 'messages' | 'groups'> {
  /** Null where the mapping lists no issuers. */
  issuer: string | null;
  /** Where the issuer's own part stands in the mapping, e.g. `issuers.https://idp.example.org.`; empty for none. */
  path: string;
  groups: PlacedGroups | null;
  /** Those of all issuers first. */
  rules: PlacedRule[];
  messages: Messages;
  trustsVerified: boolean;
  asksUserInfo: boolean;
}

type PlacedGroups = NonNullable<ParsedPart['groups']> & { path: string };

/** @returns null where the mapping lists issuers, and not this one */
export function ofIssuer(
  { issuers, groups, rules, messages, ...common }: ParsedMapping,
  issuer: string,
): IssuerPart | null {
  const part = {
    ...common,
    groups: groups ? { ...groups, path: 'groups' } : null,
    rules: placed(rules, ''),
    messages: messages ?? {},
  };
  if (!issuers) return { ...part, issuer: null, path: '', trustsVerified: false, asksUserInfo: false };
  const own = Object.hasOwn(issuers, issuer) ? issuers[issuer] : undefined;
  if (!own) return null;
  const path = `issuers.${issuer}.`;
  const {
    groups: ownGroups,
    rules: ownRules,
    messages: ownMessages,
    external_id,
    trust_email_verified,
    userinfo,
    ...fields
  } = own;
  return {
    ...part,
    ...withoutUnset(fields),
    external_id: { ...common.external_id, ...withoutUnset(external_id ?? {}) },
    groups: ownGroups ? { ...ownGroups, path: `${path}groups` } : part.groups,
    rules: [...part.rules, ...placed(ownRules, path)],
    messages: { ...part.messages, ...withoutUnset(ownMessages ?? {}) },
    issuer,
    path,
    trustsVerified: trust_email_verified,
    asksUserInfo: userinfo,
  };
}

/** The part of each issuer that is listed; the one of all where none is. */
export function issuerParts(mapping: ParsedMapping): IssuerPart[] {
  // Stryker disable next-line StringLiteral: the part of all has no issuer.
  const issuers = mapping.issuers ? Object.keys(mapping.issuers) : [''];
  return issuers.map((issuer) => ofIssuer(mapping, issuer) as IssuerPart);
}

function placed(rules: readonly Rule[] | undefined, prefix: string): PlacedRule[] {
  return (rules ?? []).map((rule, index) => ({ rule, path: `${prefix}rules[${index}]` }));
}

type Given<TObject> = { [TKey in keyof TObject]?: Exclude<TObject[TKey], undefined> };

/** What is unset does not stand in the way of what it is laid over. */
export function withoutUnset<TObject extends object>(object: TObject): Given<TObject> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Given<TObject>;
}
