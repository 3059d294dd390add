/** The changes that `npm run check -- --attack` makes: one row each. docs/check.md has the same table. */
import { withForeignAddress, withUnprovenAddress } from './addressChanges.ts';
import {
  asOneText,
  cutShort,
  inDeniedGroup,
  inLookAlikeGroup,
  withoutGroups,
  withoutOptionalGroups,
} from './groupChanges.ts';
import { byAnotherIssuer, byListedIssuer } from './issuerChanges.ts';
import {
  asAnotherAccount,
  byFriendlyNameAlone,
  byWeakSignIn,
  withForeignScope,
  withOtherAffiliation,
  withOtherValue,
  withoutAttribute,
} from './personChanges.ts';
import { hasRule, judgesAddress, type Policy } from './policy.ts';
import type { Target, Variant } from './target.ts';

/** A change of authorized logins. */
interface Change {
  /** What arrives, for the guide. */
  about: string;
  /** What the mapping claims if this is an error, for the guide. */
  errorIf: string;
  /** What refuses it. */
  cure: string;
  /** Whether a finding is an error: the policy claims to refuse this. */
  isError: (policy: Policy) => boolean;
  /** Whether what gets in may be meant: then the expected response of an event says so. Default: true. */
  canBeMeant?: false;
  /** Whether one event says for all of a handler that it is meant. Default: false. */
  isMeantForAll?: true;
  variants: (target: Target) => Variant[];
}

const NEVER = 'never';

export const CHANGES = {
  another_issuer: {
    about: 'a foreign issuer, a look-alike host, another port, scheme, realm or tenant, another spelling',
    errorIf: "always, unless `issuers: 'any'` is said",
    cure: "List the issuers: `issuers: { ... }`. Code compares the whole issuer. If any is meant, a mapping says `issuers: 'any'`, and `custom.loginHooks` says it for code: `{ handler: ..., issuers: any }`.",
    isError: ({ isOfAnyIssuer }) => !isOfAnyIssuer,
    canBeMeant: false,
    variants: byAnotherIssuer,
  },
  listed_issuer: {
    about: 'another listed issuer, with the address, scope and groups of this one',
    errorIf: 'has `emails`, `email_domains` or `scopes` for this issuer, and none of them for the other',
    cure: 'Give the other issuer its own `rules: [{ email_domains: [...] }]`.',
    isError: ({ isBound }) => isBound,
    canBeMeant: false,
    variants: byListedIssuer,
  },
  unproven_address: {
    about: 'the address unverified, by `false` or a text, or nothing said about it',
    errorIf: 'demands proof, or has a rule on addresses for OpenID; code: always',
    cure: 'Demand proof: `email: { unverified: "demand_proof" }`. Code compares the claim with `true`.',
    isError: (policy) =>
      policy.isCode || policy.demandsProof || (policy.kind === 'OpenID' && judgesAddress(policy)),
    variants: withUnprovenAddress,
  },
  foreign_address: {
    about:
      'an address of another domain, a subdomain or a look-alike, alone and beside the own one; a guest’s name',
    errorIf: 'has a rule on addresses: `emails`, `email_domains`, or `is` of the claim; code: always',
    cure: 'List the domains: `rules: [{ email_domains: [...] }]`. Code judges the address that it returns. Groups are as before: if they decide, say so in `mayBe`.',
    isError: (policy) => policy.isCode || judgesAddress(policy),
    variants: withForeignAddress,
  },
  groups_missing: {
    about: 'a source of groups absent, or under another name',
    errorIf: 'has `no_group`',
    cure: 'Require the source: `groups.required: true`. Or require a group: `rules: [{ any_group: [...] }]`.',
    isError: (policy) => hasRule(policy, 'no_group'),
    variants: withoutGroups,
  },
  optional_groups_missing: {
    about: 'a source of `groups.absent` absent, or under another name',
    errorIf: NEVER,
    cure: 'Leave it out of `groups.absent`, if the provider can send it to everybody.',
    isError: () => false,
    variants: withoutOptionalGroups,
  },
  groups_as_one_text: {
    about: 'one text in the place of a list of groups, or groups without a separator',
    errorIf: 'has `no_group`, without `groups.separator`',
    cure: 'Leave out `groups.separator`, and have the provider send a list.',
    isError: (policy) => !policy.hasSeparator,
    variants: asOneText,
  },
  groups_cut_short: {
    about: 'too many groups, which the provider leaves out',
    errorIf: 'has `any_group` or `no_group`',
    cure: 'Leave out `groups.unknown: "none"`. Code refuses `hasgroups`, `_claim_names` and `groups.link`.',
    isError: (policy) => hasRule(policy, 'any_group', 'no_group'),
    variants: cutShort,
  },
  denied_group: {
    about:
      'a denied group beside the others: as a path, subgroup or DN, of a domain, in capitals, in a longer text',
    errorIf: 'has `no_group`',
    cure: 'Name the group in this form too: `rules: [{ no_group: [...] }]`.',
    isError: () => true,
    variants: inDeniedGroup,
  },
  look_alike_group: {
    about: 'a group that begins or ends as a granted one, that contains it, or is in another case',
    errorIf: 'has `any_group` or a table; code: if it grants by that group',
    cure: 'Name whole groups, or end a prefix where a name ends: `{ prefix: "staff/" }`. Code compares the whole text.',
    isError: () => true,
    isMeantForAll: true,
    variants: inLookAlikeGroup,
  },
  foreign_scope: {
    about: 'a scope of another domain, a subdomain or a look-alike',
    errorIf: 'has `scopes`; code: if it lets in by a scope',
    cure: 'Name whole scopes: `rules: [{ scopes: [...] }]`.',
    isError: () => true,
    variants: withForeignScope,
  },
  other_affiliation: {
    about: 'an affiliation that no rule lists',
    errorIf: 'has `scopes` with `affiliations`',
    cure: 'List the affiliations: `rules: [{ scopes: [...], affiliations: [...] }]`.',
    isError: ({ rules }) => rules.some((rule) => 'scopes' in rule && rule.affiliations !== undefined),
    variants: withOtherAffiliation,
  },
  attribute_missing: {
    about: 'what a rule needs, absent or empty: groups, affiliations, a claim, the assurance',
    errorIf: 'has `any_group`, `scopes`, `claim`, `attribute` or `assurance`',
    cure: 'Require a value: `rules: [{ claim: ..., present: true }]`.',
    isError: () => true,
    variants: withoutAttribute,
  },
  other_value: {
    about: 'a value that no rule names, one of another JSON type, and one that a rule denies',
    errorIf: 'has `claim` or `attribute` with `is` or `is_not`',
    cure: 'Name whole values: `rules: [{ claim: ..., is: [...] }]`.',
    isError: () => true,
    variants: withOtherValue,
  },
  friendly_name_only: {
    about: 'SAML attributes with their meaning in the FriendlyName alone',
    errorIf: 'has `scopes`',
    cure: 'Have the provider send the standard Names, and name them in `from`: `urn:oid:…`.',
    isError: (policy) => hasRule(policy, 'scopes'),
    variants: byFriendlyNameAlone,
  },
  another_account: {
    about: 'a guest, an account of a broker, a service account of the right issuer',
    errorIf: NEVER,
    cure: 'Require what such accounts do not have: `rules: [{ any_group: [...] }]` or `rules: [{ claim: ..., is: [...] }]`.',
    isError: () => false,
    variants: asAnotherAccount,
  },
  weak_sign_in: {
    about: 'a sign-in of long ago, by a lower `acr`, by a password alone, or of a low assurance',
    errorIf: 'has `assurance`',
    cure: 'Demand it: `rules: [{ assurance: { max_age: "8h", acr: [...] } }]`.',
    isError: (policy) => hasRule(policy, 'assurance'),
    variants: byWeakSignIn,
  },
} as const satisfies Record<string, Change>;

export type ChangeName = keyof typeof CHANGES;

/** By its name: undefined for none. */
export function changeOf(name: string): Change | undefined {
  return new Map<string, Change>(Object.entries(CHANGES)).get(name);
}
