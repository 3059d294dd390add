/** `no_group`: nobody gets past it because of the form in which a group arrives. */
import { describe, expect, test } from '@jest/globals';
import type { Group, Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, G1, G2, openId, type Reason, saml } from './decided.ts';

const STAFF_DN = 'CN=staff,OU=Groups,DC=uni,DC=example';
const SUSPENDED_DN = 'CN=suspended,OU=Groups,DC=uni,DC=example';
const DN = { dn: SUSPENDED_DN };
const BANNED = { dn_suffix: 'OU=banned,DC=uni' };
const CN_A = { dn: 'CN=a,O=x' };
const [AUTHORIZED, REFUSED, UNKNOWN, AMBIGUOUS] = [
  'authorized',
  'rule_refused',
  'groups_unknown',
  'groups_ambiguous',
] as const;

type Denying = Partial<NonNullable<Mapping['groups']>>;

const denying = (denied: Group, groups: Denying): Mapping => ({ groups, rules: [{ no_group: [denied] }] });

const ofClaim = (denied: Group, value: unknown, groups: Denying = {}) =>
  openId(denying(denied, { from: ['groups'], ...groups }), { groups: value }).decision.reason;
const ofAttribute = (denied: Group, values: readonly string[], groups: Denying = {}) =>
  saml(
    denying(denied, { from: ['memberOf'], ...groups }),
    values.map((value) => attribute('memberOf', value)),
  ).decision.reason;

/** Of each value the same comes. A failure shows of which it does not. */
function expectOfEach<T>(values: readonly T[], reason: Reason, reasonOf: (value: T) => Reason): void {
  expect(values.map((value) => [value, reasonOf(value)])).toEqual(values.map((value) => [value, reason]));
}

describe('a text of an assertion, into which several values may have been joined', () => {
  test.each<[denied: Group, Reason, texts: string[]]>([
    ['suspended', AUTHORIZED, ['staff', 'C:\\uab-x', 'R& D;']],
    ['suspended', REFUSED, [' SusPended ', SUSPENDED_DN]],
    ['suspended', AMBIGUOUS, ['staffsuspended', STAFF_DN + SUSPENDED_DN]],
    ['suspended', AMBIGUOUS, ['staffsus%70ended', 'staff\\u0073uspended', 'staff\\73uspended']],
    ['locked out', AMBIGUOUS, ['stafflocked\tout']],
    ['gesperrt-für', AMBIGUOUS, ['["gesperrt-f\\u00fcr","a"]', 'gesperrt-f\\u00fcr']],
    ['R&D', AMBIGUOUS, ['R&amp;D', 'R&#38;D']],
    [G1, AUTHORIZED, [G2, G2.repeat(7_000)]],
    [G1, REFUSED, [G2 + G1, G2.repeat(7_000) + G1]],
    ['4a08', AUTHORIZED, [G1 + G2]],
    [{ prefix: 'ban-' }, AMBIGUOUS, ['staffban-2026']],
    [DN, AUTHORIZED, [STAFF_DN]],
    [DN, AMBIGUOUS, [STAFF_DN + SUSPENDED_DN, `${SUSPENDED_DN}staff`, `CN=x,${SUSPENDED_DN}`]],
    [CN_A, AMBIGUOUS, ['staffCN=\\61,O=x']],
    [CN_A, AUTHORIZED, ['CN=b ,OU=a, O=x']],
  ])('where %j is denied is %s: %j', (denied, reason, texts) => {
    expectOfEach(texts, reason, (text) => ofAttribute(denied, [text]));
  });

  test.each<[Group, string, rows: string[], others: NonNullable<Mapping['rules']>, Reason]>([
    ['suspended', 'unsuspended', ['unsuspended'], [], AUTHORIZED],
    ['suspended', 'unsuspended', [], [{ any_group: ['unsuspended'] }], AUTHORIZED],
    ['suspended', 'unsuspended', [], [{ any_group: [{ prefix: 'un' }] }], AMBIGUOUS],
    ['suspend', SUSPENDED_DN, [], [{ any_group: [DN] }], AUTHORIZED],
    ['suspended', 'un;suspended', ['un;suspended'], [], AMBIGUOUS],
  ])('%j in %j, beside the row %j and the rule %j: %s', (denied, value, rows, others, reason) => {
    const groups = { from: ['memberOf'], table: rows.map((group) => ({ group, uuid: G1 })) };
    const rules = [{ no_group: [denied] }, ...others];
    expect(saml({ groups, rules }, [attribute('memberOf', value)]).decision.reason).toBe(reason);
  });
});

describe('a group of a list', () => {
  const MARKS = (count: number) => '\u0301\u0327'.repeat(count);

  test.each<[denied: Group, Reason, groups: string[]]>([
    // Its case, accents, and what has no ink.
    ['suspended', AUTHORIZED, ['all suspended', `x${MARKS(15)}`]],
    ['x', AUTHORIZED, ['exit']],
    ['suspended', REFUSED, ['ｓｕｓｐｅｎｄｅｄ', 'sus\u00adpen\u200bded\u200e\0']],
    ['suspended', AMBIGUOUS, ['x'.repeat(8_193), `x${MARKS(16)}`, 'ﷺ'.repeat(500)]],
    ['außer Dienst', REFUSED, ['AUẞER DIENST', 'Ausser  dienst']],
    // Its segments, and those of the denied name in a row.
    ['suspended', REFUSED, ['/suspended', '/suspended/2024', '／ｓｕｓｐｅｎｄｅｄ']],
    ['suspended', REFUSED, ['urn:mace:uni.example:group:suspended#idp.uni.example']],
    ['suspended', AUTHORIZED, ['/unsuspended', '/suspended-2024', '/staff#suspended']],
    ['/staff/suspended', REFUSED, ['/x/staff/suspended/2024']],
    ['/staff/suspended', AUTHORIZED, ['/suspended/staff']],
    ['R/D', REFUSED, ['/staff/R~/D']],
    ['/', AUTHORIZED, ['/staff', '/staff#x', '@idm.example']],
    // Its keys and domains.
    ['suspended', REFUSED, ['CAMPUS\\role=suspended', 'a=1\\role=suspended']],
    ['suspended', REFUSED, ['suspended@idm.example', 'role=suspended@idm.example']],
    ['suspended', AUTHORIZED, ['suspended@work', 'suspended@work for now.', 'un@suspended@idm.example']],
    ['ada@münchen.example', REFUSED, ['ada@XN--MNCHEN-3YA.example']],
    // Values of distinguished names.
    ['suspended', REFUSED, ['CN="suspended",O=x', 'CN=\\73uspended,O=x', 'CN=sus\\C2\\ADpended,O=x']],
    // Percent escapes, once, and a plus for a blank.
    ['locked out', REFUSED, ['locked%20out', 'locked+out', '/x+y/locked++out/', 'CN=Locked+Out,O=x']],
    ['locked out', AUTHORIZED, ['/locked%2']],
    ['100%25', REFUSED, ['/rebate/100%25', '/rebate/100%']],
    ['100%zz%ff', UNKNOWN, ['/100%zz%ff']],
    ['suspended', UNKNOWN, ['%2573uspended', '%ff']],
    // Prefixes.
    [{ prefix: 'ban-' }, REFUSED, ['Ban%2D2026', '+ban-2026']],
    [{ prefix: 'BAN-' }, REFUSED, ['ban-2026']],
    [{ prefix: '/staff/' }, AUTHORIZED, ['/x/staff/a']],
    // Distinguished names.
    [CN_A, AUTHORIZED, ['CN=b,O=x', 'CN=b,CN=a,O=x', 'https://example.org/e?x=1']],
    [CN_A, AMBIGUOUS, ['CN="a",O=x', 'CN%3D%22a%22%2CO=x', 'CN=b%22,O=x', 'commonName=a,O=x', '=x']],
    [CN_A, AMBIGUOUS, ['AD:CN=a,O=x', '<GUID=0c1d2e3f>;CN=b,O=x', 'urn:x:roleCN%3Da,O=x']],
    [{ dn: 'UID=1+CN=a,O=x' }, REFUSED, ['CN=A+UID=1,O=x']],
    [{ dn: 'CN=Locked Out,O=x' }, REFUSED, ['CN%3DLocked+Out%2CO%3Dx', 'CN=Locked%20Out,O=x']],
    [BANNED, REFUSED, ['CN=b,OU=banned,DC=uni']],
    ['CN=a,O=x', REFUSED, ['cn = A, o=x']],
    ['CN=a,O=x', AUTHORIZED, ['CN=b,O=x', 'CN=b,CN=a,O=x']],
    // What is not read.
    ['suspended', UNKNOWN, ['LDAP://h/CN=x,O=x', 'ldaps:///CN=x', 'l\\u0064ap:///CN=x']],
    ['suspended', AUTHORIZED, ['xldap:y', 'O=x,CN=b']],
    ['suspended', REFUSED, ['ldap:suspended']],
    [CN_A, UNKNOWN, ['O=x,CN=b', 'DC%3Dx,CN=b', 'C=x,O=y,CN=b']],
    [CN_A, AUTHORIZED, ['DC=uni,DC=example', 'OU=x,CN=b']],
    ['role=a', AUTHORIZED, ['O=x,CN=b']],
  ])('where %j is denied is %s: %j', (denied, reason, groups) => {
    expectOfEach(groups, reason, (group) => ofClaim(denied, ['other', group]));
  });

  const LONG_DN = `CN=${'x'.repeat(300)}|CN=${'\\EF\\B7\\BA'.repeat(11)}`;

  test.each<[denied: Group, Reason, texts: string[]]>([
    ['suspended', AMBIGUOUS, ['Internal/everyone,suspended', 'role=suspended|a']],
    ['suspended', AMBIGUOUS, ['UID=1+CN=suspended|a', LONG_DN, `CN=${'\\EF\\B7\\BA|'.repeat(11)}`]],
    ['suspended', AMBIGUOUS, ['["a","sus\\u0070ended"]', `["x${'\\u0301\\u0327'.repeat(16)}"]`]],
    ['suspended', AMBIGUOUS, ['[{"name":"suspended"}]', '["a",1,"\\u0073uspended"]', '["a\\nsuspended",1]']],
    ['suspended', AMBIGUOUS, ["['suspended+',+'b']", "['b',+'suspended']"]],
    ['suspended', AMBIGUOUS, ['a\tsuspended', 'a\u2028suspended', 'a\u000bsuspended', 'a，suspended']],
    ['suspended', UNKNOWN, ['\\u0025%373uspended']],
    [{ prefix: 'ada@mün' }, AMBIGUOUS, ['x;ada@münchen.example']],
    ['staff', AUTHORIZED, ['Faculty, staff and students', "staff's, x"]],
    // Names that have a separator in themselves.
    ['Faculty, staff', AMBIGUOUS, ['x;faculty, staff', "a;'Faculty, staff' , x", 'x,Faculty, staff#y']],
    [{ prefix: 'Ban.' }, AMBIGUOUS, ['staff,ban.2026']],
    [{ prefix: 'ban.' }, AUTHORIZED, ['staff,urban.x', 'staff,ban-2026']],
    [DN, AMBIGUOUS, [`${STAFF_DN},${SUSPENDED_DN}`, `urn:x,${SUSPENDED_DN}`]],
    [CN_A, AMBIGUOUS, ['urn:y;CN=a, O=x', 'CN=b,O=y,CN=a,O=x']],
    [
      CN_A,
      AMBIGUOUS,
      ['CN=a,O=x|staff', 'CN=a,O=x\vstaff', 'CN=a,O=x\u2028y', 'CN=a,O=x}{y', 'CN=a,O=x%7Cy'],
    ],
    [{ dn: 'CN=a,OU=x' }, AMBIGUOUS, ['CN=b,OU=x,CN=a,OU=x']],
    ['CN=a,O=x', AMBIGUOUS, ['urn:y;CN=a,O=x']],
  ])('with others in it, whatever is set, where %j is denied: %s: %j', (denied, reason, texts) => {
    expectOfEach(texts, reason, (text) => ofClaim(denied, ['other', text]));
    expectOfEach(texts, reason, (text) => ofClaim(denied, text, { separator: 'none' }));
    expectOfEach(texts, reason, (text) => ofAttribute(denied, [text], { separator: 'none' }));
    expectOfEach(texts, reason, (text) => ofAttribute(denied, [text, 'x'], { separator: '¦' }));
  });
});

describe('one text where a list is usual', () => {
  test.each<[separator: string | undefined, Reason, groups: unknown[]]>([
    [undefined, AMBIGUOUS, ['default-roles-campus', G1 + G2, 5]],
    [undefined, REFUSED, ['suspended']],
    ['none', AUTHORIZED, ['staff', 'staff suspended', 'staffnonesuspended']],
    [' ', REFUSED, ['staff suspended']],
    [
      ' ',
      AMBIGUOUS,
      [['staff suspended'], ['staff+suspended'], ['x', 'staff%20suspended'], '["staff suspended"]'],
    ],
    [',', REFUSED, ['Internal/everyone,,,Internal/suspended', '[a, suspended]', "['a', 'suspended']"]],
    ['; ', REFUSED, ['a; suspended']],
    [',', UNKNOWN, ['x'.repeat(396_001), `${'x,'.repeat(11_000)}x`]],
    [',', AUTHORIZED, [`${'x,'.repeat(10_999)}x`]],
  ])('row %#, read by %j: %s', (separator, reason, groups) => {
    expectOfEach(groups, reason, (one) => ofClaim('suspended', one, { separator }));
  });

  test('of an attribute that is not read goes before one that is unclear', () => {
    expect(ofAttribute('suspended', ['staffsuspended', 'ldap:x'])).toBe(UNKNOWN);
  });
});

test('the note of a refusal by one text tells what to set', () => {
  const { trace } = openId(denying('suspended', { from: ['groups'] }), { groups: 'staff' });
  const note = expect.stringMatching(/one text.*"Multivalued".*groups\.separator.*AD FS/);
  expect(trace).toMatchObject({ rule: 'rules[0].no_group', groups: { note } });
});

/** Sources that the provider leaves out for people without groups. */
const leftOut = (...from: string[]) => ({ from, absent: from });
const ROLES = 'realm_access.roles';
const ZITADEL = 'urn:zitadel:iam:org:project:roles';
const OF_ID = 'urn:zitadel:iam:org:project:12345:roles';
const BOTH = [ROLES, 'groups'];
const realm_access = { roles: ['default-roles-campus'] };

test.each<[Denying, Reason, Claims[]]>([
  // Each source is evidence.
  [{ from: BOTH }, AUTHORIZED, [{ realm_access, groups: [] }]],
  [{ from: BOTH }, UNKNOWN, [{ realm_access }, { realm_access, groups: null }]],
  [{ from: BOTH, absent: ['groups'] }, AUTHORIZED, [{ realm_access }]],
  [{ from: BOTH, absent: ['groups'] }, UNKNOWN, [{ groups: [] }, { realm_access, hasgroups: true }]],
  [leftOut('groups'), UNKNOWN, [{ Groups: ['staff'] }]],
  [{ from: [NAME_ID] }, UNKNOWN, [{}]],
  // Of an object, only the roles of ZITADEL count, by their keys.
  [{ from: [ZITADEL] }, REFUSED, [{ [ZITADEL]: { staff: { '1': 'uni.example' }, suspended: {} } }]],
  [{ from: [OF_ID] }, REFUSED, [{ [OF_ID]: { suspended: {} } }]],
  [{ from: ['roles'] }, UNKNOWN, [{ roles: { staff: {} } }]],
  [{ from: [`${ZITADEL}:x`] }, UNKNOWN, [{ [`${ZITADEL}:x`]: { staff: {} } }]],
  [{ from: [`x${ZITADEL}`] }, UNKNOWN, [{ [`x${ZITADEL}`]: { staff: {} } }]],
  // Groups that were cut short.
  [leftOut('groups'), UNKNOWN, [{ hasgroups: true }, { hasgroups: ['yes'] }, { 'groups:src1': 'x' }]],
  [leftOut('groups'), AUTHORIZED, [{ hasgroups: 'False' }]],
  [leftOut('groups'), UNKNOWN, [{ hasgroups: true, groups: 'staff' }]],
  [leftOut('groups.name'), UNKNOWN, [{ hasgroups: true }]],
  [leftOut('a.groups'), UNKNOWN, [{ a: { hasgroups: true } }]],
  [leftOut('a.b'), UNKNOWN, [{ 'a:src1': 'x', a: { b: [] } }]],
  [leftOut('roles'), AUTHORIZED, [{ hasgroups: true, roles: ['x'] }, { 'groups:src1': 'x' }]],
  // Other forms.
  [leftOut(ROLES), UNKNOWN, [{ realm_access: 'suspended' }, { realm_access: ['suspended'] }]],
  [leftOut('roles'), UNKNOWN, [{ roles: 5.5 }, { roles: ['x', null] }]],
  // Below a claim, all that stands there.
  [{ from: [ROLES] }, REFUSED, [{ [ROLES]: [], realm_access: { roles: ['suspended'] } }]],
  [{ from: ['g.name'] }, REFUSED, [{ g: [{ name: 'a' }, { name: 'suspended' }] }]],
  [{ from: ['g.name'] }, AUTHORIZED, [{ g: [{ name: 'a' }, { name: 7 }] }, { g: [] }]],
  [{ from: ['g.name'] }, UNKNOWN, [{ g: [{ name: 'a' }, { name: { b: 1 } }] }, { g: [{ id: 'a' }] }]],
])('groups of %j are %s, whether unknown ones are an error or none: %j', (groups, reason, all) => {
  for (const unknown of ['error', 'none'] as const) {
    const mapping = denying('suspended', { ...groups, unknown });
    expectOfEach(all, reason, (claims) => openId(mapping, claims).decision.reason);
  }
});

test('a denied group in one source refuses beside a source that did not arrive', () => {
  const { decision } = openId(denying('suspended', { from: BOTH }), { groups: ['suspended'] });
  expect(decision.reason).toBe(REFUSED);
});

const CURE = 'Correct the name in groups.from, or have the provider send it. ';
const LIST = 'If the provider leaves it out for people without groups, list it in groups.absent.';

test.each<[from: string[], Claims, note: string]>([
  [['groups'], { Group: [], 'grou ps': [] }, `groups (similar name that arrived: Group). ${CURE}${LIST}`],
  [['groups'], { groups: null }, 'groups (null arrived).'],
  [['group', 'groups'], { groups: [] }, `group. ${CURE}${LIST}`],
  [['groups', 'roles'], { Role: [] }, 'groups and roles (similar name that arrived: Role).'],
])('of %j, a source that did not arrive is told, with the nearest that did: %j', (from, claims, note) => {
  const { groups } = openId(denying('suspended', { from }), claims).trace;
  expect(groups?.note).toContain(`Did not arrive: ${note}`);
});

test('from a rule that denies, no FriendlyName hides beside an empty Name', () => {
  const attributes = [attribute('groups', ''), attribute('urn:x', 'suspended', 'groups')];
  expect(saml(denying('suspended', leftOut('groups')), attributes).decision.reason).toBe(REFUSED);
});

test.each<[nameId: string, separator: string | undefined, Reason]>([
  ['staff', undefined, AUTHORIZED],
  ['staff;suspended', ';', REFUSED],
])('the NameID %s is a group, read by %j: %s', (nameId, separator, reason) => {
  const { decision } = saml(denying('suspended', { from: [NAME_ID], separator }), [], nameId);
  expect(decision.reason).toBe(reason);
});

describe('an attribute of groups by FriendlyName', () => {
  const friendly = (name: string, value: string) => attribute('urn:x', value, name);

  test.each<[Denying['from'], ReturnType<typeof attribute>[], Reason]>([
    [undefined, [attribute('groups', ''), friendly('groups', 'staff')], REFUSED],
    [['groups', 'Role'], [attribute('groups', 'x'), friendly('Role', 'staff')], REFUSED],
    [['Role', 'groups'], [attribute('groups', ''), friendly('Role', 'staff')], REFUSED],
    [['groups', 'Role'], [attribute('hobby', 'x'), friendly('Role', 'staff')], AUTHORIZED],
    [[NAME_ID, 'Role'], [friendly('Role', 'staff')], AUTHORIZED],
  ])('of %j, beside %j: %s', (from, attributes, reason) => {
    const groups = from && { from };
    expect(saml({ groups, rules: [{ any_group: ['staff'] }] }, attributes).decision.reason).toBe(reason);
  });

  test('is told of, with its source, where no Name of that arrived', () => {
    const noteOf = (attributes: ReturnType<typeof attribute>[]) => {
      const groups = { from: ['groups', 'Role'] };
      return saml({ groups, rules: [{ any_group: ['staff'] }] }, attributes).trace.groups?.note;
    };
    const attributes = [attribute('groups', 'x'), friendly('Role', 'staff')];
    expect(noteOf(attributes)).toBe(
      'Role arrived as a FriendlyName only, which identifies no attribute: write urn:x in the mapping.',
    );
    expect(noteOf([...attributes, attribute('Role', 'y')])).toBeUndefined();
  });
});

describe('groups that were cut short are unknown', () => {
  const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
  const LINK = 'https://graph.example/groups';

  test.each([attribute(GROUPS_LINK, LINK), attribute('urn:x', LINK, GROUPS_LINK)])(
    'by the link of an assertion: %j',
    (link) => {
      for (const unknown of ['error', 'none'] as const) {
        const mapping = denying('suspended', { ...leftOut('groups'), unknown });
        expect(saml(mapping, [link]).decision.reason).toBe(UNKNOWN);
      }
    },
  );

  test('by more than anybody is in', () => {
    const values = (count: number) => Array<string>(count).fill('x'.repeat(1_000));
    expect(ofAttribute('suspended', values(396))).toBe(AUTHORIZED);
    expect(ofAttribute('suspended', values(397))).toBe(UNKNOWN);
  });
});
