/** The changes that `npm run check -- --attack` makes: one row each. docs/check.md says what arrives, and when it is an error. */
import { withForeignAddress, withUnprovenAddress } from './addressChanges.ts';
import { asOneText, cutShort, inDeniedGroup, inLookAlikeGroup, withoutGroups } from './groupChanges.ts';
import { byAnotherIssuer, byListedIssuer } from './issuerChanges.ts';
import {
  asAnotherAccount,
  byWeakSignIn,
  withForeignScope,
  withOtherAffiliation,
  withOtherValue,
  withoutAttribute,
} from './personChanges.ts';
import type { Policy, Target, Variant } from './policy.ts';

export interface Change {
  cure: string;
  /** Whether a finding is an error: the policy claims to refuse this. Default: always. */
  isError?: (policy: Policy) => boolean;
  /** Whether what gets in may be meant: then the expected response of an event says so. Default: true. */
  canBeMeant?: boolean;
  /** Whether one event says for all of a handler that it is meant. Default: false. */
  isMeantForAll?: boolean;
  variants: (target: Target) => Variant[];
}

export const CHANGES = {
  another_issuer: {
    cure: "List the issuers: `issuers: { ... }`. Code compares the whole issuer. If any is meant, a mapping says `issuers: 'any'`, and `custom.loginHooks` says it for code: `{ handler: ..., issuers: any }`.",
    isError: ({ isOfAnyIssuer }) => !isOfAnyIssuer,
    canBeMeant: false,
    variants: byAnotherIssuer,
  },
  listed_issuer: {
    cure: 'Give the other issuer its own `rules: [{ email_domains: [...] }]`.',
    isError: ({ isBound }) => isBound,
    canBeMeant: false,
    variants: byListedIssuer,
  },
  unproven_address: {
    cure: 'Demand proof: `email: { unverified: "demand_proof" }`. Code compares the claim with `true`.',
    isError: (policy) =>
      policy.isCode || policy.demandsProof || (policy.kind === 'OpenID' && policy.judgesAddress),
    variants: withUnprovenAddress,
  },
  foreign_address: {
    cure: 'List the domains: `rules: [{ email_domains: [...] }]`. Code judges the address that it returns. Groups are as before: if they decide, say so in `mayBe`.',
    isError: (policy) => policy.isCode || policy.judgesAddress,
    variants: withForeignAddress,
  },
  groups_missing: {
    cure: 'Require the source: `groups.required: true`. Or require a group: `rules: [{ any_group: [...] }]`.',
    isError: (policy) => policy.has('no_group'),
    variants: (target) => withoutGroups(target, false),
  },
  optional_groups_missing: {
    cure: 'Leave it out of `groups.absent`, if the provider can send it to everybody.',
    isError: () => false,
    variants: (target) => withoutGroups(target, true),
  },
  groups_as_one_text: {
    cure: 'Leave out `groups.separator`, and have the provider send a list.',
    isError: (policy) => !policy.hasSeparator,
    variants: asOneText,
  },
  groups_cut_short: {
    cure: 'Leave out `groups.unknown: "none"`. Code refuses `hasgroups`, `_claim_names` and `groups.link`.',
    isError: (policy) => policy.has('any_group', 'no_group'),
    variants: cutShort,
  },
  denied_group: {
    cure: 'Name the group in this form too: `rules: [{ no_group: [...] }]`.',
    variants: inDeniedGroup,
  },
  look_alike_group: {
    cure: 'Name whole groups, or end a prefix where a name ends: `{ prefix: "staff/" }`. Code compares the whole text.',
    isMeantForAll: true,
    variants: inLookAlikeGroup,
  },
  foreign_scope: {
    cure: 'Name whole scopes: `rules: [{ scopes: [...] }]`.',
    variants: withForeignScope,
  },
  other_affiliation: {
    cure: 'List the affiliations: `rules: [{ scopes: [...], affiliations: [...] }]`.',
    isError: ({ rules }) => rules.some((rule) => 'scopes' in rule && rule.affiliations !== undefined),
    variants: withOtherAffiliation,
  },
  attribute_missing: {
    cure: 'Require a value: `rules: [{ claim: ..., present: true }]` (SAML: `attribute`).',
    variants: withoutAttribute,
  },
  other_value: {
    cure: 'Name whole values: `rules: [{ claim: ..., is: [...] }]` (SAML: `attribute`).',
    variants: withOtherValue,
  },
  friendly_name_only: {
    cure: 'Have the provider send the standard Names, and name them in `from`: `urn:oid:…`.',
    isError: (policy) => policy.has('scopes'),
    variants: ({ login }) => [{ what: 'all attributes', login: login.byFriendlyName() }],
  },
  another_account: {
    cure: 'Require what such accounts do not have: `rules: [{ any_group: [...] }]`, or `rules: [{ claim: ..., is: [...] }]` (SAML: `attribute`).',
    isError: () => false,
    variants: asAnotherAccount,
  },
  weak_sign_in: {
    cure: 'Demand it: `rules: [{ assurance: { max_age: "8h" } }]`, of OpenID with `acr: [...]` too.',
    isError: (policy) => policy.has('assurance'),
    variants: byWeakSignIn,
  },
} as const satisfies Record<string, Change>;

export type ChangeName = keyof typeof CHANGES;
