/** Which texts are kept, which parts of addresses, URLs and groups are replaced, and what a mapping names. */
import { expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { hostOf, isOfPerson, type KeepRules, namedTexts, partsOf } from '../../tools/keep/places.ts';
import { NAME_ID, type Place, type Role } from '../../tools/keep/texts.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ISSUER = `https://login.example.com/${TENANT}/v2.0`;

function rulesOf(mapping: Mapping | null = null, more: Partial<KeepRules> = {}): KeepRules {
  const named = namedTexts(mapping && parseMapping(mapping), OPENID_NAMES);
  return { ...named, issuer: ISSUER, hosts: new Set(), allowed: [], ...more };
}

const at = (names: string[] = [], role: Role = 'value'): Place => ({ path: 'somewhere', role, names });
const as = (role: Role): Place => at([], role);

const ROWS = [
  { group: 'Staff', uuid: UUID },
  { group: { prefix: '/Lab/' }, uuid: UUID },
];
const DENIED = ['locked', 'a:b', { dn: 'CN=Out,DC=org' }, { dn_suffix: 'ou=staff,dc=org' }];
const GROUPS: Mapping = {
  groups: { table: ROWS },
  rules: [{ any_group: ['readers'] }, { no_group: DENIED }],
};
const NONE = rulesOf();
const ofGroups = rulesOf(GROUPS);
const ofNameId = rulesOf({ groups: { from: [{ use: 'nameId' }], table: ROWS } });
const ofIssuers = rulesOf({ issuers: { x: GROUPS } });
const ofDomains = rulesOf({
  rules: [{ email_domains: ['Example.org', '*.maths.example.org', 'uni.example'] }],
});
const ofScopes = rulesOf({ rules: [{ scopes: ['uni.org', '*.uni.org'], affiliations: ['Rector'] }] });
const UNIT = ['physics', 7, { prefix: 'eng-' }, { suffix: '-lab' }, 'eng-7'];
const ofClaims = rulesOf({ rules: [{ claim: 'org.unit', is: UNIT }, { assurance: { amr: ['own-key'] } }] });
const ofEmails = rulesOf({ rules: [{ emails: ['Ada@example.edu'] }] });
const ofNames = rulesOf({
  email: ['User.Email', { use: 'defaults' }],
  first_name: ['first'],
  last_name: { from: ['last'], fallback: '-' },
  groups: { from: ['teams.all'] },
  rules: [
    { scopes: ['uni.org'], from: ['scoped'] },
    { claim: 'wanted', present: true },
  ],
});
const asking = rulesOf(null, { hosts: new Set(['x.org:8443', '']) });
const allowing = (text: string, path = 'somewhere') => rulesOf(null, { allowed: [{ path, text }] });

const IN_GROUPS = at(['groups']);
const AFFILIATION = at(['eduperson_scoped_affiliation']);
const UNITS = at(['org.unit']);
const ADDRESS = 'ada@example.org';
const JOINED = 'member@uni.orgstaff@uni.org';
const GROUP = 'a group that the mapping names, or a part of one';
const VALUE = 'a value that the mapping names, or begins or ends with';
const DOMAIN = 'a domain that the mapping names';
const NAMED = 'a name that the mapping has';
const SYSTEM = 'a system that the handler asks';

/** What is replaced is in angles, what is kept for a reason in braces. The reason is the first, where it is looked at. */
test.each<[rules: KeepRules, place: Place, text: string, shown: string, why?: string]>([
  [NONE, at(), ' Ada ', '<Ada>'],
  [NONE, at(), ' \t', ' \t'],
  [NONE, at(), 'Ada@Example.ORG', '<ada>@<example.org>'],
  [NONE, at(), 'tim_x#EXT#@contoso.com', '<tim_x#ext#>@<contoso.com>'],
  [NONE, at(), 'https://example.org:8080/a', '<https://example.org:8080/a>'],
  ...(['token', 'method', 'attributeName', 'claimName', 'format'] as const).map(
    (role): [KeepRules, Place, string, string] => [NONE, as(role), ADDRESS, `<${ADDRESS}>`],
  ),
  [NONE, as('nameId'), ADDRESS, '<ada>@<example.org>'],
  [NONE, as('response'), ADDRESS, '<ada>@<example.org>'],

  [NONE, at(), ISSUER, `{${ISSUER}}`, 'the issuer'],
  [NONE, as('response'), ISSUER, `{${ISSUER}}`, 'the issuer'],
  [NONE, as('nameId'), ISSUER, `<${ISSUER}>`],
  [NONE, at(), TENANT, `{${TENANT}}`, 'a part of the issuer'],
  [NONE, at(), UUID, `<${UUID}>`],
  [NONE, at(), 'v2.0', '<v2.0>'],
  [rulesOf(null, { issuer: null }), at(), TENANT, `<${TENANT}>`],

  [allowing('Ada'), at(), 'Ada', '{Ada}', 'allowed'],
  [allowing('example.org'), at(), ADDRESS, '<ada>@{example.org}', 'allowed'],
  [allowing('Ada', 'elsewhere'), at(), 'Ada', '<Ada>'],
  [allowing('Ada'), at(), 'Ada Lovelace', '<Ada Lovelace>'],

  [asking, at(), 'https://X.org:8443/ada?b', 'https://{X.org:8443}/<ada?b>', SYSTEM],
  [asking, at(), 'https://X.org:8443', 'https://{X.org:8443}', SYSTEM],
  [asking, at(), 'https://x.org/ada', '<https://x.org/ada>'],
  [asking, at(), 'xhttps://x.org:8443/ada', '<xhttps://x.org:8443/ada>'],
  [asking, as('request'), 'GET https://X.org:8443/\nada', 'GET https://{X.org:8443}/<\nada>'],

  [ofGroups, IN_GROUPS, 'Staff', '{Staff}', GROUP],
  [ofGroups, IN_GROUPS, 'readers', '{readers}', GROUP],
  [ofGroups, IN_GROUPS, 'A:B', '{A:B}', GROUP],
  [ofGroups, IN_GROUPS, 'staff-2', '<staff-2>'],
  [ofGroups, IN_GROUPS, '/lab/ada', '{/lab/}<ada>', VALUE],
  [ofGroups, IN_GROUPS, '/ada/Locked#campus', '/<ada>/{Locked}#<campus>', GROUP],
  [ofGroups, IN_GROUPS, 'locked\\ada', '{locked}\\<ada>', GROUP],
  [ofGroups, IN_GROUPS, '/ada/', '</ada/>'],
  [ofGroups, IN_GROUPS, 'CN=Ada,OU=Staff,DC=org', '<CN=Ada>{,OU=Staff,DC=org}', VALUE],
  [ofGroups, IN_GROUPS, 'OU=Staff,DC=org', '{OU=Staff,DC=org}', VALUE],
  [ofGroups, IN_GROUPS, 'CN=Out,DC=org', '{CN=Out,DC=org}', VALUE],
  [ofGroups, at(['family_name']), 'Staff', '<Staff>'],
  [ofGroups, at([NAME_ID], 'nameId'), 'Staff', '<Staff>'],
  [ofNameId, at([NAME_ID], 'nameId'), 'Staff', '{Staff}'],
  [ofIssuers, IN_GROUPS, 'Staff', '{Staff}'],
  [ofDomains, at(), 'ada@EXAMPLE.org', '<ada>@{example.org}', DOMAIN],
  [ofDomains, at(), 'ada@x.example.org', '<ada>@<x>.{example.org}'],
  [ofDomains, at(), 'ada@x.maths.example.org', '<ada>@<x>.{maths.example.org}'],
  [ofDomains, at(), 'ada@anexample.org', '<ada>@<anexample.org>'],
  [ofScopes, AFFILIATION, 'Member@uni.org', '{Member@}{uni.org}', VALUE],
  [ofScopes, AFFILIATION, 'rector@x.uni.org', '{rector@}<x>.{uni.org}', VALUE],
  [ofScopes, AFFILIATION, JOINED, `{${JOINED}}`, 'affiliations for scopes that the mapping names'],
  [ofScopes, AFFILIATION, 'member@uni.orgada@uni.org', '{member@}<uni.orgada@uni.org>'],
  [ofScopes, at(['x']), 'member@uni.org', '<member>@{uni.org}'],
  [ofClaims, at(['unit', 'org.unit']), 'Physics', '{Physics}', VALUE],
  [ofClaims, at(['Org.Unit']), '7', '{7}'],
  [ofClaims, at(['amr']), 'own-key', '{own-key}'],
  [ofClaims, UNITS, 'eng-7', '{eng-7}'],
  [ofClaims, at(['unit']), 'physics', '<physics>'],
  [ofClaims, at(['org.unit'], 'claimName'), 'physics', '<physics>'],
  [ofClaims, UNITS, 'Ada-Lab', '<Ada>{-Lab}', VALUE],
  ...'user.email first LAST user teams all teams.all scoped wanted'
    .split(' ')
    .flatMap((name): [KeepRules, Place, string, string, string?][] => [
      [ofNames, as('claimName'), name, `{${name}}`, NAMED],
      [ofNames, as('attributeName'), name, `{${name}}`, NAMED],
      [ofNames, at(), name, `<${name}>`],
      [NONE, as('claimName'), name, `<${name}>`],
    ]),
  [ofEmails, at(), 'ada@Example.edu', '{ada@Example.edu}', 'an address that a rule of the mapping lists'],
])('texts are kept and replaced in their parts, row %#', (rules, place, text, expected, ...[why]) => {
  const parts = partsOf(text, place, rules);
  const shown = (part: (typeof parts)[number]) => (part.why === '' ? part.text : `{${part.text}}`);
  expect(parts.map((part) => (part.why === null ? `<${part.text}>` : shown(part))).join('')).toBe(expected);
  if (why !== undefined) expect(parts.find((part) => part.why)?.why).toBe(why);
});

test.each([
  ['GET https://X.org:8443/a', 'x.org:8443'],
  ['POST http://x.org?a', 'x.org'],
  ['x GET https://x.org', ''],
])('the host of %s: %s', (text, host) => expect(hostOf(text)).toBe(host));

test.each<[string, string, Partial<Place>, boolean]>([
  ['a value', 'Ada', {}, true],
  ['a NameID', 'ada', { role: 'nameId' }, true],
  ['a NameID in which groups are looked up', 'ada', at([NAME_ID], 'nameId'), true],
  ['but a key', 'ada', { role: 'claimName' }, false],
  ['but a group', 'ada', { names: ['groups'] }, false],
  ['but a group of the mapping’s own', 'ada', { names: ['TEAMS'] }, false],
  ['but an affiliation of an attribute', 'ada', { names: ['urn:oid:1.3.6.1.4.1.5923.1.1.1.9'] }, false],
  ['but a scope', 'openid', { names: ['scope'] }, false],
  ['but the audience', 'client', { path: 'id_token.aud[]' }, false],
  ['but a URL', 'https://ada.example', {}, false],
  ['but a value that a rule wants', ' Physics', { names: ['unit'] }, false],
])('a name of a sample must not have %s', (_, text, place, expected) => {
  const from = ['teams', { use: 'nameId' } as const];
  const rules = rulesOf({ groups: { from }, rules: [{ claim: 'unit', is: ['physics'] }] });
  expect(isOfPerson(text, { ...at(), ...place }, rules)).toBe(expected);
});

test('no mapping names nothing, and an empty one the groups of the defaults', () => {
  const lookUps = [{ of: 'groups', names: [], values: [] }];
  const nothing = { groups: [], domains: [], addresses: [], names: [], lookUps };
  expect(namedTexts(null, OPENID_NAMES)).toEqual(nothing);
  const names = OPENID_NAMES.groups.map(({ name }) => name);
  const empty = { ...nothing, names, lookUps: [{ of: 'groups', names, values: [] }] };
  expect(namedTexts(parseMapping({}), OPENID_NAMES)).toEqual(empty);
});
