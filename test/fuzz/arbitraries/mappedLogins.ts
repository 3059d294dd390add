/** Logins aimed at a mapping: one that satisfies it, and what changes about it. */
import fc from 'fast-check';
import type { Mapping } from '../../../lib/profile/mappingSchema.ts';
import type { Source } from '../../../lib/profile/reader.ts';
import { openIdEvent } from '../../support/wire.ts';
import type { OpenIdWire } from '../oracle/event.ts';
import { isNameId } from '../oracle/evidence.ts';
import { isObject, type JsonObject } from '../oracle/json.ts';
import { type Assurance, type Part, partFor, type Rule } from '../oracle/mapping.ts';
import { CLAIMS, type DefaultNames, type ListName } from '../oracle/names.ts';
import { exampleOf, groupText, tooManyGroups } from './groups.ts';
import { CLAIM_VALUES, CLAIMS_OF_RULES, ISSUERS, PREFERENCES } from './mappings.ts';
import { address, imageUrl, personName, scopedAffiliation } from './people.ts';

export interface MappedLogin<TEdit> {
  issuer: string;
  edits: TEdit[];
}

/** A claim set to a value, or one value more for it; `nested` takes the dots of its name for steps. */
export interface ClaimEdit {
  name: string;
  nested: boolean;
  append: boolean;
  value: unknown;
}

const MAX_EDITS = 4;

/** When somebody signed in, from now: none is near what a rule allows. */
export const secondsAgo = fc.constantFrom(-7_200, 600, 10_000, 100_000, 1_000_000);
const STRANGERS = [
  'https://evil.example',
  '__proto__',
  'constructor',
  '',
  'https://idp.example.org/',
  'HTTPS://idp.example.org',
];

/** Usually one of those that are listed, or whichever where none is. */
export function issuerFor({ issuers }: Mapping): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(issuers ? Object.keys(issuers) : ISSUERS)) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGERS, ...ISSUERS) },
  );
}

export function edits<TEdit>(edit: fc.Arbitrary<TEdit>): fc.Arbitrary<TEdit[]> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<TEdit[]>([]) },
    { weight: 4, arbitrary: fc.array(edit, { minLength: 1, maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(edit, { maxLength: MAX_EDITS }) },
  );
}

export function openIdLogin(mapping: Mapping): fc.Arbitrary<MappedLogin<ClaimEdit>> {
  return fc.record({ issuer: issuerFor(mapping), edits: edits(claimEdit(mapping)) });
}

/** What satisfies a part of a mapping, if anything can. */
export interface Satisfying {
  email: string;
  groups: string[];
  affiliations: string[];
  /** What rules want of claims or attributes, by name. */
  claims: [name: string, value: string | number | boolean | string[]][];
}

export function satisfying(part: Part | null): Satisfying {
  const rules = part?.rules ?? [];
  const of = <T>(pick: (rule: Rule) => T[]) => rules.flatMap(pick);
  const [domain = 'example.org'] = of((rule) =>
    'email_domains' in rule ? rule.email_domains.slice(-1) : [],
  ).toReversed();
  return {
    email: `ada@${domain.replace('*', 'cs')}`,
    groups: of((rule) => ('any_group' in rule ? rule.any_group.slice(0, 1).map(exampleOf) : [])),
    affiliations: of((rule) => {
      if (!('scopes' in rule)) return [];
      const scope = rule.scopes[0]?.replace('*', 'cs');
      return [`${rule.affiliations?.[0] ?? 'member'}@${scope}`];
    }),
    claims: of((rule): Satisfying['claims'] => {
      if ('assurance' in rule) return claimsFor(rule.assurance);
      if (!('claim' in rule) && !('attribute' in rule)) return [];
      const value = 'is' in rule ? rule.is[0] : 'x';
      return [['claim' in rule ? rule.claim : rule.attribute, value ?? 'x']];
    }),
  };
}

function claimsFor({ acr = [], amr = [], eduPersonAssurance = [] }: Assurance): Satisfying['claims'] {
  const wanted = { acr, amr, [EDU_PERSON_ASSURANCE]: eduPersonAssurance };
  return Object.entries(wanted).flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, [first].flat()]],
  );
}

export const EDU_PERSON_ASSURANCE = 'eduperson_assurance';

export function openIdEventOf(
  mapping: Mapping,
  chosen: string,
  { issuer, edits }: MappedLogin<ClaimEdit>,
): string {
  const event = openIdEvent();
  event.idToken.iss = issuer;
  event.tokenType = chosen;
  const part = partFor(mapping, issuer);
  const { email, groups, affiliations, claims: wanted } = satisfying(part);
  const claims: JsonObject = { email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' };
  claims.auth_time = 0;
  const set = (name: string, value: unknown) => edit(claims, { name, nested: true, append: false, value });
  for (const name of listed(part?.groups?.from, CLAIMS, 'groups')) set(name, groups);
  for (const name of listed(scopesFrom(part), CLAIMS, 'scoped_affiliation')) set(name, affiliations);
  for (const [name, value] of wanted) set(name, value);
  for (const change of edits) edit(claims, change);
  if (typeof claims.auth_time === 'number')
    claims.auth_time = Math.floor(Date.now() / 1_000) - claims.auth_time;
  event.idToken.otherClaims = claims;
  return JSON.stringify(event satisfies OpenIdWire);
}

/** The first name that each source stands for. */
export function listed(
  from: readonly Source[] | undefined,
  defaults: DefaultNames,
  list: ListName,
): string[] {
  return (from ?? [{ use: 'defaults' }]).flatMap((source) => standsFor(source, defaults(list)).slice(0, 1));
}

function standsFor(source: Source, defaults: readonly string[]): readonly string[] {
  if (typeof source === 'string') return [source];
  return source.use === 'defaults' ? defaults : [];
}

export function scopesFrom(part: Part | null): Source[] {
  return (part?.rules ?? []).flatMap((rule) =>
    'scopes' in rule ? (rule.from ?? [{ use: 'defaults' }]) : [],
  );
}

/** Every name that a mapping takes groups from. */
export function groupSources(mapping: Mapping, defaults: DefaultNames): string[] {
  const parts: Part[] = [mapping, ...Object.values(mapping.issuers ?? {})];
  const from = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' as const }]);
  return [
    ...new Set(
      from.filter((source) => !isNameId(source)).flatMap((source) => standsFor(source, defaults('groups'))),
    ),
  ];
}

function claimEdit(mapping: Mapping): fc.Arbitrary<ClaimEdit> {
  const text = groupText(mapping);
  const sources = groupSources(mapping, CLAIMS);
  const parents = sources
    .filter((name) => name.includes('.'))
    .map((name) => name.slice(0, name.lastIndexOf('.')));
  const odd = fc.constantFrom<unknown>(null, 7, true, {}, { staff: true }, [], [[]], [null], 'none', '', [
    'suspended',
    1,
  ]);
  const value = fc.oneof(
    { weight: 40, arbitrary: text },
    { weight: 1, arbitrary: tooManyGroups(mapping) },
    { weight: 40, arbitrary: fc.array(text, { maxLength: 3 }) },
    { weight: 20, arbitrary: odd },
  );
  const set = (name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
    fc.record({ name, nested: fc.boolean(), append: fc.constant(false), value });
  const one = (name: string, ...values: unknown[]) => set(fc.constant(name), fc.constantFrom(...values));
  const source = fc.constantFrom(...sources, 'groups', 'other');
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        name: source,
        nested: fc.constant(true),
        append: fc.constant(true),
        value: text,
      }),
    },
    { weight: 6, arbitrary: set(source, value) },
    { weight: 2, arbitrary: set(fc.constantFrom(...parents, 'realm_access'), fc.oneof(odd, value)) },
    { weight: 1, arbitrary: claimNames([...sources, ...parents, 'other']) },
    {
      weight: 1,
      arbitrary: one('hasgroups', true, false, 1, 0, '1', '0', 'FALSE', 'true', '', null, {}, []),
    },
    {
      weight: 4,
      arbitrary: set(
        fc.constantFrom('email', 'mail2', 'contact', 'preferred_mail', 'profile.email', 'work_email'),
        fc.oneof(
          fc.constantFrom('ada@example.org', 'ADA@example.org'),
          address,
          fc.array(address, { maxLength: 2 }),
          odd,
        ),
      ),
    },
    {
      weight: 3,
      arbitrary: set(
        fc.constantFrom('email_verified', 'profile.email_verified', 'work_email_verified'),
        fc.constantFrom<unknown>(true, false, 'true', 'false', 1, 0, null, 'yes', {}),
      ),
    },
    { weight: 3, arbitrary: one('locale', ...PREFERENCES, ['de'], 7, null) },
    {
      weight: 4,
      arbitrary: set(
        fc.constantFrom(...CLAIMS_OF_RULES, 'amr', EDU_PERSON_ASSURANCE),
        fc.oneof(
          fc.constantFrom<unknown>(...CLAIM_VALUES),
          fc.array(fc.constantFrom(...CLAIM_VALUES), { maxLength: 3 }),
          odd,
        ),
      ),
    },
    { weight: 2, arbitrary: set(fc.constant('auth_time'), fc.oneof(secondsAgo, odd)) },
    { weight: 1, arbitrary: one('xms_edov', true, false, '1', '0', null) },
    {
      weight: 2,
      arbitrary: set(
        fc.constantFrom(...CLAIMS('scoped_affiliation')),
        fc.oneof(scopedAffiliation(), fc.array(scopedAffiliation(), { maxLength: 2 }), odd),
      ),
    },
    {
      weight: 2,
      arbitrary: set(
        fc.constantFrom(
          'given_name',
          'family_name',
          'name',
          'nickname',
          'nickname2',
          'schac_home_organization',
        ),
        fc.oneof(personName, odd),
      ),
    },
    { weight: 1, arbitrary: set(fc.constantFrom('picture', 'photo'), fc.oneof(imageUrl, odd)) },
  );
}

/** OpenID Connect Core 5.6.2: claims that are elsewhere. */
function claimNames(names: readonly string[]): fc.Arbitrary<ClaimEdit> {
  const elsewhere = fc.constantFrom(...names).map((name) => ({ [name]: 'src1' }));
  return fc
    .oneof(elsewhere, fc.constantFrom<unknown>({}, null, 'groups', ['groups'], [], true, { _: 'x' }))
    .map((value) => ({
      name: '_claim_names',
      nested: false,
      append: false,
      value,
    }));
}

function edit(claims: JsonObject, { name, nested, append, value: shared }: ClaimEdit): void {
  // Edits of other cases have the same value: this one may put something into it.
  const value = structuredClone(shared);
  const path = nested ? name.split('.') : [name];
  const last = path.pop() ?? '';
  let object = claims;
  for (const step of path) {
    if (!isObject(object[step])) object[step] = {};
    object = object[step] as JsonObject;
  }
  const before = object[last];
  object[last] = append && Array.isArray(before) ? [...before, value] : value;
}
