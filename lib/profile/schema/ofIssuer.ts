/** A mapping as it counts for the people of one issuer: what stands beside all issuers, and what the issuer has of its own. */
import type {
  Messages,
  ParsedGroups,
  ParsedIssuer,
  ParsedMapping,
  ParsedPart,
  Rule,
  Unverified,
} from './mappingSchema.ts';
import { DEFAULTS, eachField, type FieldName, type FieldSources } from './profileFields.ts';

export interface PlacedRule {
  rule: Rule;
  path: string;
}

export type PlacedGroups = ParsedGroups & { path: string };

export interface IssuerPart extends Record<FieldName, FieldSources> {
  email: FieldSources & { unverified: Unverified };
  /** `issuer` is undefined where the mapping does not say whether the issuer stands in front. */
  external_id: FieldSources & { issuer?: boolean | undefined };
  /** Undefined where the mapping does not name its sources. */
  full_name?: FieldSources | undefined;
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

export const FROM_DEFAULTS: FieldSources = { from: [DEFAULTS], fallback: null };

/** Of an empty mapping, and of the default handlers. What nobody needs to log in is looked for where a mapping says so. */
export const DEFAULT_PART: IssuerPart = {
  ...eachField(() => ({ from: [], fallback: null })),
  first_name: FROM_DEFAULTS,
  last_name: FROM_DEFAULTS,
  email: { from: [DEFAULTS], fallback: null, unverified: 'refuse' },
  issuer: null,
  // Stryker disable next-line StringLiteral: nothing in it can be a mistake, whose place would be told.
  path: '',
  groups: null,
  rules: [],
  messages: {},
  trustsVerified: false,
  // Stryker disable next-line BooleanLiteral: nobody looks at it where there is no mapping.
  asksUserInfo: false,
};

/** @returns null where the mapping lists issuers, and not this one */
export function ofIssuer({ issuers, ...common }: ParsedMapping, issuer: string): IssuerPart | null {
  const part = laidOver(DEFAULT_PART, common, '');
  if (!issuers) return part;
  const own = Object.hasOwn(issuers, issuer) ? issuers[issuer] : undefined;
  return own ? { ...laidOver(part, own, `issuers.${issuer}.`), issuer } : null;
}

/** The part of each issuer that is listed; the one of all where none is. */
export function issuerParts(mapping: ParsedMapping): IssuerPart[] {
  // Stryker disable next-line StringLiteral: the part of all has no issuer.
  const issuers = mapping.issuers ? Object.keys(mapping.issuers) : [''];
  return issuers.map((issuer) => ofIssuer(mapping, issuer) as IssuerPart);
}

/** What is unset does not stand in the way of what it is laid over. Rules are added, messages replaced one by one. */
function laidOver(
  part: IssuerPart,
  { groups, rules = [], messages = {}, email, external_id = {}, ...own }: ParsedPart & Partial<ParsedIssuer>,
  path: string,
): IssuerPart {
  const { trust_email_verified = false, userinfo = part.asksUserInfo, ...fields } = own;
  const placed = rules.map((rule, index) => ({ rule, path: `${path}rules[${index}]` }));
  return {
    ...part,
    ...withoutUnset(fields),
    email: { ...part.email, ...withoutUnset(email ?? {}) },
    external_id: { ...part.external_id, ...withoutUnset(external_id) },
    groups: groups ? { ...groups, path: `${path}groups` } : part.groups,
    rules: [...part.rules, ...placed],
    messages: { ...part.messages, ...withoutUnset(messages) },
    path,
    trustsVerified: trust_email_verified,
    asksUserInfo: userinfo,
  };
}

type Given<TObject> = { [TKey in keyof TObject]?: Exclude<TObject[TKey], undefined> };

function withoutUnset<TObject extends object>(object: TObject): Given<TObject> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Given<TObject>;
}
