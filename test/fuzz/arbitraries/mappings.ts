/** Mappings that an operator may write, made of few words so that logins meet them. */
import fc from 'fast-check';
import type { LoginKind } from '../../../lib/kinds.ts';
import type { Group, Mapping, Message } from '../../../lib/profile/mappingSchema.ts';
import { DEFAULTS, NAME_ID, type Source } from '../../../lib/profile/reader.ts';
import { FIRST_UUID, SECOND_UUID } from '../mappings.ts';
import { isNameId } from '../oracle/evidence.ts';
import { MARKER } from '../oracle/logged.ts';
import type { Assurance, Groups, Part, Rule } from '../oracle/mapping.ts';

export const ISSUERS = [
  'https://idp.example.org',
  'https://other.example.org/realms/a',
  'https://sts.windows.net/t/',
];
export const DOMAINS = ['example.org', 'uni.example', 'u.example'];
const SOURCES: Source[] = [
  'groups',
  'roles',
  'memberOf',
  'Role',
  'realm_access.roles',
  'a.b.c',
  'urn:zitadel:iam:org:project:roles',
  DEFAULTS,
  NAME_ID,
];
/** What people prefer: tags, lists as in Accept-Language, and what is neither. */
export const PREFERENCES = [
  ...['de', 'cs_CZ', 'en-US', 'fr-CA-x-a', 'DE-ch', 'es-419', 'it', 'zh-Hant', 'english', 'deu', 'x'],
  ...[
    'it, cs;q=0.5',
    'de;q=0.1,fr-CH;q=0.9',
    'de;q=0, cs',
    '*, es',
    'de;q=2',
    'fr;level=1',
    ' cs ; q=1.000 ,',
  ],
  ...['', ',', ';q=1', '-', 'de-', 'de--ch', 'cs\0', 'd\u00e9', 'cs'.padEnd(200), 'cs'.padEnd(201), MARKER],
];
const AFFILIATIONS = ['member', 'staff', 'student', 'Faculty', 'library-walk-in'];

const word = fc.constantFrom(
  ...[
    'staff',
    'suspended',
    'Suspended',
    'admin',
    'ad',
    'data steward',
    'Zoë',
    'straße',
    '/a/b',
    'a,b',
    'x=y',
  ],
  ...['d7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20', 'urn:mace:example.org:group:staff', 'K', 'ﬁne', 'ΣΟΦΟΣ'],
);
const name = fc
  .tuple(
    fc.subarray(['CN=Ada', 'CN=Staff\\, all', 'cn=Suspended', 'OU=Zo\\C3\\AB', 'OU=a+CN=b', 'ou=A  b']),
    fc.subarray(['OU=Groups', 'DC=example', 'DC=org'], { minLength: 1 }),
  )
  .map((parts) => parts.flat().join(','));

const group: fc.Arbitrary<Group> = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: word.map((prefix) => ({ prefix })) },
  { weight: 2, arbitrary: name.map((dn) => ({ dn })) },
  { weight: 2, arbitrary: name.map((dn_suffix) => ({ dn_suffix })) },
);
const someGroups = fc.array(group, { minLength: 1, maxLength: 3 });
const someSources = fc.uniqueArray(fc.constantFrom(...SOURCES), { minLength: 1, maxLength: 3 });
const someDomains = fc.uniqueArray(
  fc.tuple(fc.constantFrom('', '*.'), fc.constantFrom(...DOMAINS)).map((parts) => parts.join('')),
  { minLength: 1, maxLength: 3 },
);

const text = fc.constantFrom<Message>(
  'Not you.',
  'Ask the help desk.',
  { en: 'Not you.', cs: 'Vy ne.', 'de-CH': 'Sie nicht.' },
  { fr: 'Pas vous.', 'fr-CA': 'Pas toi.', de: 'Sie nicht.' },
);
const message = { message: text };
const messages = {
  profile_incomplete: text,
  email_unverified: text,
  groups_unknown: text,
  groups_ambiguous: text,
  assurance_unknown: text,
  rule_refused: text,
};
/** What a claim may be, and which ones rules name. */
export const CLAIM_VALUES = ['physics', 'Physics', '7', 7, 0, true, false, 'gold', 'pwd', 'otp', 'mfa'];
export const CLAIMS_OF_RULES = ['department', 'a.b.c', 'groups', 'acr'];
const TEXTS = CLAIM_VALUES.filter((value) => typeof value === 'string');

function claimRule(kind: LoginKind): fc.Arbitrary<Rule> {
  const name = fc.constantFrom(...CLAIMS_OF_RULES, 'memberOf');
  const present = { present: fc.constant(true as const) };
  const some = <T>(values: T[]) => ({ is: fc.subarray(values, { minLength: 1, maxLength: 3 }) });
  return kind === 'SAML'
    ? fc.oneof(
        record({ attribute: name, ...some(TEXTS) }, message),
        record({ attribute: name, ...present }, message),
      )
    : fc.oneof(
        record({ claim: name, ...some<string | number | boolean>(CLAIM_VALUES) }, message),
        record({ claim: name, ...present }, message),
      );
}

const oneText = fc.constantFrom(...TEXTS);
const alternatives = fc.array(fc.oneof(oneText, fc.subarray(TEXTS, { minLength: 1, maxLength: 2 })), {
  minLength: 1,
  maxLength: 2,
});

function assuranceRule(kind: LoginKind): fc.Arbitrary<Rule> {
  const ofTokens = { acr: fc.array(oneText, { minLength: 1, maxLength: 2 }), amr: alternatives };
  const demands: fc.Arbitrary<Assurance> = record(
    {},
    {
      ...(kind === 'OpenID' && ofTokens),
      max_age: fc.constantFrom('90s', '30m', '8h', '2d'),
      eduPersonAssurance: alternatives,
    },
  );
  const assurance = demands.filter((demanded) => Object.keys(demanded).length > 0);
  return record({ assurance }, message);
}

const ruleFor = (kind: LoginKind): fc.Arbitrary<Rule> =>
  fc.oneof(
    { weight: 1, arbitrary: record({ email_domains: someDomains }, message) },
    {
      weight: 1,
      arbitrary: record(
        { scopes: someDomains },
        { affiliations: fc.subarray(AFFILIATIONS, { minLength: 1 }), ...message },
      ),
    },
    { weight: 2, arbitrary: record({ any_group: someGroups }, message) },
    { weight: 4, arbitrary: record({ no_group: someGroups }, message) },
    { weight: 1, arbitrary: claimRule(kind) },
    { weight: 1, arbitrary: assuranceRule(kind) },
  );

const table = fc.array(fc.record({ group, uuid: fc.constantFrom(FIRST_UUID, SECOND_UUID) }), {
  minLength: 1,
  maxLength: 4,
});
const groups = record(
  { from: someSources },
  {
    table,
    required: fc.boolean(),
    unknown: fc.constantFrom('error' as const, 'none' as const),
    separate: fc.boolean(),
  },
).chain(withAbsent);

/** Those that a provider leaves out are named sources, and none is where all must be there. */
function withAbsent(groups: Groups): fc.Arbitrary<Groups> {
  const named = (groups.from ?? []).filter((source) => typeof source === 'string');
  if (groups.required) return fc.constant(groups);
  return fc.subarray(named).map((absent) => ({ ...groups, absent }));
}

const email = record(
  {},
  {
    from: fc.constantFrom<Source[]>(
      [DEFAULTS],
      ['mail2', DEFAULTS],
      [DEFAULTS, 'mail2'],
      ['profile.email', 'work_email'],
      [NAME_ID, DEFAULTS],
    ),
    fallback: fc.constantFrom('nobody@example.org', null),
    unverified: fc.constantFrom('refuse' as const, 'accept' as const, 'demand_proof' as const),
  },
);
function mappingFor(kind: LoginKind): fc.Arbitrary<Mapping> {
  const rules = fc.array(ruleFor(kind), { minLength: 1, maxLength: 2 });
  const parts = { groups, rules, email };
  const part: fc.Arbitrary<Part> = record({}, { ...parts, messages: record({}, messages) });
  const common: fc.Arbitrary<Part> = record(
    {},
    { ...parts, messages: record({}, { ...messages, issuer_not_listed: text }) },
  );
  const issuers = fc.dictionary(fc.constantFrom(...ISSUERS), part, {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  });
  return fc.oneof(
    common,
    fc.tuple(common, issuers).map(([common, issuers]) => ({ ...common, issuers })),
  );
}

export const mapping: fc.Arbitrary<Mapping> = fc
  .oneof(mappingFor('OpenID'), mappingFor('SAML'))
  .map(withNamedSources);

/** A rule that denies needs the names of its sources. */
function withNamedSources(mapping: Mapping): Mapping {
  const { issuers = {}, ...common } = mapping;
  const rules = [common, ...Object.values(issuers)].flatMap((part) => part.rules ?? []);
  if (!rules.some((rule) => 'no_group' in rule)) return mapping;
  const named = Object.entries(issuers).map(([issuer, part]) => [issuer, namingSources(part)]);
  return {
    ...namingSources({ groups: { from: ['groups'] }, ...common }),
    ...(mapping.issuers && { issuers: Object.fromEntries(named) }),
  };
}

function namingSources({ groups, ...part }: Part): Part {
  if (!groups) return part;
  const from = (groups.from ?? []).filter((source) => typeof source === 'string' || isNameId(source));
  return { ...part, groups: { ...groups, from: from.length > 0 ? from : ['groups'] } };
}

/** Some of the second fields may be left out. */
function record<T extends object, TRest extends object>(
  required: { [TKey in keyof T]: fc.Arbitrary<T[TKey]> },
  optional: { [TKey in keyof TRest]: fc.Arbitrary<TRest[TKey]> },
): fc.Arbitrary<T & Partial<TRest>> {
  return fc.record({ ...required, ...optional } as never, {
    requiredKeys: Object.keys(required) as never,
    noNullPrototype: true,
  }) as never;
}
