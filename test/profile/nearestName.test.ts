/** What a mapping misses by little, as the trace of a refused login says it: no text that arrived is in it. */
import { expect, test } from '@jest/globals';
import { nearestName } from '../../lib/profile/fields/nearestName.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const XMLSOAP = 'http://schemas.xmlsoap.org/claims/Group';

test.each<[string, string[], string | null]>([
  ['groups', ['email', 'group', 'roles'], 'group'],
  ['groups', ['group', 'Groups'], 'Groups'],
  ['groups', ['group1', 'group2'], 'group1'],
  ['ab', ['abc'], 'abc'],
  ['groups', [XMLSOAP], XMLSOAP],
  ['name', ['the.first-name'], 'the.first-name'],
  ['', ['a__b'], null],
])('for %s of %j: %s', (wanted, names, nearest) => {
  expect(nearestName(wanted, names)).toBe(nearest);
});

const CURE = 'Write it in the mapping as it arrives, or correct it at the provider.';

test.each<[wanted: string, arrived: string | string[], near: string | null]>([
  ['lab admins', 'lab  admins', 'lab admins (other blanks)'],
  ['lab admins', 'labadmins', 'lab admins (another character)'],
  ['staff', 'a.bstaff', null],
  ['staff', 'Staff', 'staff (other capitals)'],
  ['staff', [...Array<string>(100).fill('x'), 'Staff'], null],
  ['staff', `${'x'.repeat(8_186)}/staff`, 'staff (another level)'],
  ['staff', `${'x'.repeat(8_187)}/staff`, null],
  ['team-1', 'team-12', null],
  ['/', 'x.', null],
  ['x.', '/', null],
])('a rule on %j, row %#', (wanted, department, near) => {
  const { trace } = openId({ rules: [{ claim: 'department', is: [wanted] }] }, { department });
  const note = trace.note ?? '';
  if (near === null) expect(note).not.toContain('Nearly');
  else expect(note).toContain(`Nearly arrived: ${near}.`);
  expect(note.includes(CURE)).toBe(near !== null && !near.endsWith('(joined with others)'));
});

type Claims = Record<string, unknown>;
type Rule = NonNullable<Mapping['rules']>[number];

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

test.each<[Mapping, Claims, string | undefined]>([
  [
    { rules: [{ any_group: ['staff'] }] },
    { groups: ['Staff'] },
    `Nearly arrived: staff (other capitals). ${CURE}`,
  ],
  [
    { groups: { table: [{ group: 'staff', uuid: UUID }] } },
    { groups: ['/staff', 'x'] },
    'staff (a slash more or less)',
  ],
  [{ rules: [{ any_group: ['a,staff'] }] }, { groups: ['a,Staff'] }, 'a,staff (other capitals)'],
  [
    { groups: { table: [{ group: 'staff', uuid: UUID }] } },
    { groups: ['x,staff', 'y'] },
    'Nearly arrived: staff (joined with others).',
  ],
  [{ groups: { table: [{ group: 'staff', uuid: UUID }] } }, { groups: ['staff', 'Staff'] }, undefined],
  [{ rules: [{ any_group: ['staff', 'staffs'] }] }, { groups: ['staff'] }, undefined],
  [
    { groups: { from: ['a.b'], table: [{ group: 'staff', uuid: UUID }] } },
    { 'a.b': ['x'], a: { b: ['Staff'] } },
    undefined,
  ],
  [
    { rules: [{ any_group: [...'abcdef'] }] },
    { groups: [...'ABCDEF'] },
    'a (other capitals), b (other capitals), c (other capitals), d (other capitals) and e (other capitals).',
  ],
  [{ rules: [{ any_group: [{ prefix: 'a b' }] }] }, { groups: ['a  b-x'] }, 'a b (other blanks)'],
  [
    { rules: [{ any_group: [{ prefix: '/staff/' }] }] },
    { groups: ['staff/a'] },
    '/staff/ (a slash more or less)',
  ],
  [
    { rules: [{ any_group: [{ prefix: 'staff/' }] }] },
    { groups: ['x', 'stuff/a'] },
    'staff/ (another character)',
  ],
  [
    { rules: [{ any_group: [{ dn: 'CN=staff' }] }] },
    { groups: ['cn=Staff,O=x'] },
    'CN=staff (another level)',
  ],
  [{ rules: [{ any_group: [{ dn: 'CN=staff,O=x' }] }] }, { groups: ['O=X'] }, 'CN=staff,O=x (another level)'],
  [
    { rules: [{ any_group: [{ dn_suffix: 'OU=staff,O=x' }] }] },
    { groups: ['OU=stuff,O=x'] },
    'OU=staff,O=x (another character)',
  ],
  [{ rules: [{ any_group: [{ dn: 'CN=staff' }] }] }, { groups: ['staff', 'CN=other'] }, undefined],
])('groups of %j, where %j arrived: %s', (mapping, claims, note) => {
  const { groups } = openId(mapping, claims).trace;
  if (note === undefined) expect(groups?.note ?? '').not.toContain('Nearly');
  else expect(groups?.note).toContain(note);
});

test.each<[Rule, Claims, string | undefined]>([
  [{ email_domains: ['example.net'] }, {}, undefined],
  [{ email_domains: ['exmple.org'] }, {}, `Nearly arrived: exmple.org (another character). ${CURE}`],
  [{ email_domains: ['mail.example.org'] }, {}, `Nearly arrived: mail.example.org (another level). ${CURE}`],
  [{ emails: ['adda@example.org'] }, {}, `Nearly arrived: adda@example.org (another character). ${CURE}`],
  [
    { scopes: ['uni.example'] },
    { eduperson_scoped_affiliation: 'member@unix.example' },
    `Nearly arrived: uni.example (another character). ${CURE}`,
  ],
  [
    { claim: 'mail', present: true },
    { attributes: { mail: 'x' } },
    'Did not arrive: mail (similar name that arrived: attributes.mail). Correct the name, or have the provider send it.',
  ],
  [
    { claim: 'roles', present: true },
    { project: { 'roles.x': 1, rolesx: 1 } },
    'Did not arrive: roles. Correct the name, or have the provider send it.',
  ],
])('the rule %j, where %j arrived: %s', (rule, claims, note) => {
  expect(openId({ rules: [rule] }, claims).trace.note).toBe(note);
});

test('the differences are told as data, each once, of rules and groups together', () => {
  const { trace } = openId(
    {
      groups: {
        table: [
          { group: 'staff', uuid: UUID },
          { group: 'Labs', uuid: UUID },
        ],
      },
      rules: [{ email_domains: ['mail.example.org'] }],
    },
    { groups: ['Staff', '/Labs'] },
  );
  expect(trace.near).toEqual(['case', 'level', 'slash']);
  const ofIssuer = openId({ issuers: { 'https://IDP.example.org': {} } }).trace;
  expect(ofIssuer).toMatchObject({ rule: 'issuers', near: ['case'] });
  const refused = openId({ rules: [{ any_group: ['staff'] }] }).trace;
  expect(refused).toMatchObject({ rule: 'rules[0].any_group' });
  expect(refused).not.toHaveProperty('near');
});

test.each([
  [Array(99).fill('x'), 'staff (other capitals)'],
  [Array(100).fill('x'), undefined],
])('beside %#, a text of the rule is compared or not', (others, near) => {
  const { trace } = openId({ rules: [{ any_group: [...others, 'staff'] }] }, { groups: ['Staff'] });
  expect(trace.groups?.note?.match(/staff \(other capitals\)/)?.[0]).toBe(near);
});

test('a text that is all there is, and not enough, is not missed by little', () => {
  const eduPersonAssurance = [['https://a.example', 'https://other.example']];
  const { trace } = openId(
    { rules: [{ assurance: { eduPersonAssurance } }] },
    { eduperson_assurance: 'https://a.example' },
  );
  expect(trace).not.toHaveProperty('note');
});

test.each<[Rule, string, string]>([
  [{ scopes: ['uni.example'] }, 'eduPersonScopedAffiliation', 'member@uni.example'],
  [{ assurance: { eduPersonAssurance: ['x'] } }, 'eduPersonAssurance', 'x'],
])('%j does not look at a FriendlyName, and says so', (rule, name, value) => {
  const { decision, trace } = saml({ rules: [rule] }, [attribute('urn:x', value, name)]);
  expect(decision.reason).not.toBe('authorized');
  expect(trace.note).toBe(
    `${name} arrived as a FriendlyName only, which identifies no attribute: write urn:x in the rule.`,
  );
});

test('a Name that cannot be shown is not', () => {
  const { trace } = saml({ rules: [{ scopes: ['u.example'] }] }, [
    attribute('a name', 'member@u.example', 'eduPersonScopedAffiliation'),
  ]);
  expect(trace.note).toContain('write its Name in the rule');
});

test.each<[Mapping['issuers'], string]>([
  [{ 'https://idp.example.org/': {} }, 'The mapping lists https://idp.example.org/ (a slash more or less): '],
  [{ 'https://idp.example.com': {} }, ''],
])('issuers %j', (issuers, note) => {
  const { decision, trace } = openId({ issuers }, {}, 'https://idp.example.org');
  expect(decision.reason).toBe('issuer_not_listed');
  expect(trace.note ?? '').toBe(note && `${note}an issuer is written exactly as it arrives.`);
});

const NO_PROFILE = { email: undefined, given_name: undefined, family_name: undefined, name: undefined };
const hintOf = (field: string, name: string) =>
  `${name} arrived, and looks like it. If it is, write ${field}: ['${name}'] in a mapping.`;
const ofBoth = (hint: string) => ({ first_name: hint, last_name: hint });

test.each<[Claims, Record<string, string>]>([
  [{ emails: 'x' }, { email: hintOf('email', 'emails') }],
  [{ user_email: 'x' }, { email: hintOf('email', 'user_email') }],
  [{ WorkEmailAddress: 'x' }, { email: hintOf('email', 'WorkEmailAddress') }],
  [{ attributes: { mail: ['x'] } }, { email: hintOf('email', 'attributes.mail') }],
  [{ verified_email: true, email_id: 1, email: ' ', 'a b': { mail: 'x' } }, {}],
  [{ lastName: 'x' }, { last_name: hintOf('last_name', 'lastName') }],
  [{ firstName: 'x' }, { first_name: hintOf('first_name', 'firstName') }],
  [{ xfirstname: 1, firstnamex: 1, xlastname: 1, lastnamex: 1, xsn: 1, snx: 1, cnx: 1, xcn: 1 }, {}],
  [{ user: { name: 'y' } }, ofBoth(hintOf('full_name', 'user.name'))],
])('a profile is not complete, and %j arrived', (claims, expected) => {
  const { decision, trace } = openId({}, { ...NO_PROFILE, ...claims });
  expect(decision.reason).toBe('profile_incomplete');
  const hints = Object.entries(trace.fields).flatMap(([field, { hint }]) => (hint ? [[field, hint]] : []));
  expect(Object.fromEntries(hints)).toEqual(expected);
});

test('what is there, refused or not required has no such hint', () => {
  const mapping = { image_url: ['picture'], affiliation: ['o'] };
  const { trace } = openId(mapping, {
    first_name: 'x',
    user_email: 'x',
    email: 'a@b@c',
    family_name: undefined,
  });
  const hints = Object.values(trace.fields).map(({ hint }) => hint ?? '');
  expect(hints.filter((hint) => hint.includes('looks like it'))).toEqual([]);
});
