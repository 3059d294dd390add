/** `no_group`: nobody gets past it because of the form in which a group arrives. */
import { describe, expect, test } from '@jest/globals';
import type { Group, Mapping } from '../../lib/profile/mappingSchema.ts';
import { NAME_ID } from '../../lib/profile/reader.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const G2 = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const STAFF_DN = 'CN=staff,OU=Groups,DC=uni,DC=example';
const SUSPENDED_DN = 'CN=suspended,OU=Groups,DC=uni,DC=example';
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
const ENTRA_ROLE = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';

type Reason = 'authorized' | 'rule_refused' | 'groups_unknown' | 'groups_ambiguous';
const TYPES: Record<Reason, string> = {
  authorized: 'AuthorizedUserResponse',
  rule_refused: 'ForbiddenResponse',
  groups_unknown: 'ErrorResponse',
  groups_ambiguous: 'ErrorResponse',
};

function expectReason({ response, decision }: ReturnType<typeof openId>, reason: Reason) {
  expect([response.type, decision.reason]).toEqual([TYPES[reason], reason]);
}

/** Of the attribute `memberOf`, or of other sources. */
const denying = (denied: unknown, groups: object = {}) =>
  ({ groups: { from: ['memberOf'], ...groups }, rules: [{ no_group: [denied] }] }) as Mapping;
const denyingClaim = (denied: unknown, groups: object = {}) =>
  denying(denied, { from: ['groups'], ...groups });
const table = (group: string) => ({ table: [{ group, uuid: G1 }] });

describe('a text that several values may have been joined into', () => {
  test.each<[unknown, string, Reason]>([
    ['suspended', 'staff', 'authorized'],
    ['suspended', 'suspended', 'rule_refused'],
    ['suspended', ' SusPended ', 'rule_refused'],
    ['suspended', 'ｓｕｓｐｅｎｄｅｄ', 'rule_refused'],
    ['Gesperrt für Prüfung', 'gesperrt fu\u0308r pru\u0308fung', 'rule_refused'],
    ['suspended', 'staffsuspended', 'groups_ambiguous'],
    ['suspended', 'staff suspended', 'groups_ambiguous'],
    ['suspended', 'staff;SUSPENDED', 'groups_ambiguous'],
    ['suspended', SUSPENDED_DN, 'rule_refused'],
    ['suspended', STAFF_DN + SUSPENDED_DN, 'groups_ambiguous'],
    [G1, G2, 'authorized'],
    [G1, G1.toUpperCase(), 'rule_refused'],
    [G1, G2 + G1, 'rule_refused'],
    [G1, `staff${G1}`, 'groups_ambiguous'],
    [G1, `${G2} ${G1}`, 'groups_ambiguous'],
    [G1, `${G2},${G1}`, 'groups_ambiguous'],
    [G1, `${G2}\n${G1}`, 'groups_ambiguous'],
    [{ prefix: 'ban-' }, 'ban-2026', 'rule_refused'],
    [{ prefix: 'ban-' }, 'BAN-2026', 'rule_refused'],
    [{ prefix: 'ban-' }, 'staffban-2026', 'groups_ambiguous'],
    [{ prefix: 'ban-' }, 'urban', 'authorized'],
    [{ dn: SUSPENDED_DN }, STAFF_DN, 'authorized'],
    [{ dn: SUSPENDED_DN }, 'cn = Suspended, ou=groups,dc=UNI,dc=example', 'rule_refused'],
    [{ dn: SUSPENDED_DN }, 'cn=sus\\70ended,ou=groups,dc=uni,dc=example', 'rule_refused'],
    [{ dn: SUSPENDED_DN }, STAFF_DN + SUSPENDED_DN, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, SUSPENDED_DN + STAFF_DN, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, `staff${SUSPENDED_DN}`, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, `${SUSPENDED_DN}staff`, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, `${STAFF_DN};${SUSPENDED_DN}`, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, `${STAFF_DN},${SUSPENDED_DN}`, 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, 'CN=sus\\70ended ,OU=Groups, DC=uni,DC=examplestaff', 'groups_ambiguous'],
    [{ dn: SUSPENDED_DN }, 'CN="x",=y', 'groups_ambiguous'],
    [{ dn_suffix: 'OU=banned,DC=uni' }, 'CN=x,OU=banned,DC=uni', 'rule_refused'],
    [{ dn_suffix: 'OU=banned,DC=uni' }, 'CN=x,OU=banned,DC=uniCN=y,OU=fine,DC=uni', 'groups_ambiguous'],
    [{ dn_suffix: 'OU=banned,DC=uni' }, 'CN=x,OU=fine,DC=uni', 'authorized'],
    ['suspended', 'x'.repeat(8_193), 'groups_ambiguous'],
    ['suspended', `x${'\u0301\u0327'.repeat(16)}`, 'groups_ambiguous'],
    ['suspended', '\u0301\uff9e'.repeat(16), 'groups_ambiguous'],
    ['außer Dienst', 'AUẞER DIENST', 'rule_refused'],
    ['außer Dienst', 'Ausser  dienst', 'rule_refused'],
    ['iptal', 'İPTAL', 'rule_refused'],
    ['διαγραμμένος', 'ΔΙΑΓΡΑΜΜΈΝΟΣ', 'rule_refused'],
    ['διαγραμμένος', 'διαγραμμένοςstaff', 'groups_ambiguous'],
    ['πραΐς', 'ΠΡΑΪ́Σ', 'rule_refused'],
    ['suspended', 'sus\u00adpen\u200bded\u200e\0', 'rule_refused'],
    ['suspended users', 'suspended\t users', 'rule_refused'],
    ['suspended users', 'suspended \u200b users', 'rule_refused'],
    ['suspended users', 'suspended\u0085users', 'rule_refused'],
    [{ dn: 'CN=suspended,O=x' }, 'CN=suspended \u200b,O=x', 'rule_refused'],
    ['gesperrt-für', '["gesperrt-f\\u00fcr","a"]', 'groups_ambiguous'],
    ['R&D', 'R&amp;D', 'groups_ambiguous'],
    ['R&D', 'R&#38;D', 'groups_ambiguous'],
    ['suspended', 'C:\\uab-x', 'authorized'],
    ['suspended', 'R& D;', 'authorized'],
    ['4a08', G2, 'groups_ambiguous'],
    ['4a08', G1 + G2, 'authorized'],
    [{ dn: 'CN=suspended,O=x' }, 'CN=suspen\\C2\\ADded,O=x', 'rule_refused'],
    [{ dn: 'CN=suspended,O=x' }, 'CN="suspended",O=x', 'groups_ambiguous'],
    [{ dn: 'CN=suspended,O=x' }, 'commonName=suspended,O=x', 'groups_ambiguous'],
    [{ dn: 'CN=suspended,O=x' }, 'urn:geant:example.org:group:vo:role=member#aai.example.org', 'authorized'],
    [{ dn: 'CN=suspended,O=x' }, 'https://example.org/e?x=1', 'authorized'],
    [{ dn: 'CN=suspended,O=x' }, 'urn:x:roleCN=suspended,O=x', 'groups_ambiguous'],
    [{ dn: 'CN=100%25,O=x' }, 'staffCN=100%25,O=x', 'groups_ambiguous'],
    [{ dn: 'CN=suspended,O=x' }, 'staffCN=sus%70ended,O=x', 'groups_ambiguous'],
    ['suspended', 'staffsus%70ended', 'groups_ambiguous'],
    ['100%25', 'staff100%25', 'groups_ambiguous'],
    ['ᾴδω', 'α\u0345\u200b\u0301δω', 'rule_refused'],
    ['suspended', `x${'\u0301\u0327'.repeat(15)}`, 'authorized'],
    [G1, G2.repeat(7_000), 'authorized'],
    [G1, G2.repeat(7_000) + G1, 'rule_refused'],
  ])('%j refuses %j of an assertion: %s', (denied, value, reason) => {
    expectReason(saml(denying(denied), [attribute('memberOf', value)]), reason);
  });

  test('is no item of a JSON list', () => {
    expectReason(openId(denyingClaim('suspended'), { groups: ['staff suspended'] }), 'authorized');
    expectReason(openId(denyingClaim('suspended'), { groups: ['Suspended'] }), 'rule_refused');
    expectReason(openId(denyingClaim('offline'), { groups: ['offline_access'] }), 'authorized');
    expectReason(openId(denyingClaim({ dn: 'CN=a,O=x' }), { groups: ['CN=a;O=x'] }), 'groups_ambiguous');
    expectReason(openId(denyingClaim({ dn: 'CN=a,O=x' }), { groups: ['CN=b,O=x'] }), 'authorized');
  });

  test('is not a group that the mapping names', () => {
    const named = [attribute('memberOf', 'unsuspended')];
    expectReason(saml(denying('suspended'), named), 'groups_ambiguous');
    expectReason(saml(denying('suspended', table('unsuspended')), named), 'authorized');
    const { groups, rules = [] } = denying('suspended');
    expectReason(saml({ groups, rules: [...rules, { any_group: ['unsuspended'] }] }, named), 'authorized');
    const byPrefix = { table: [{ group: { prefix: 'un' }, uuid: G1 }] };
    expectReason(saml(denying('suspended', byPrefix), named), 'groups_ambiguous');
    const byDn = { table: [{ group: { dn: SUSPENDED_DN }, uuid: G1 }] };
    expectReason(saml(denying('suspend', byDn), [attribute('memberOf', SUSPENDED_DN)]), 'authorized');
  });

  test('is not a group that another rule denies', () => {
    const { groups, rules = [] } = denying('suspended');
    const mapping = { groups, rules: [...rules, { no_group: ['unsuspended'] }] };
    const refused = saml(mapping, [attribute('memberOf', 'unsuspended')]);
    expectReason(refused, 'rule_refused');
    expect(refused.decision.trace().rule).toBe('rules[1].no_group');
  });

  test('cannot arrive where the provider sends one Attribute a value', () => {
    const mapping = denying('suspended', { separate: true });
    expectReason(saml(mapping, [attribute('memberOf', 'staff suspended')]), 'authorized');
    expectReason(saml(mapping, [attribute('memberOf', 'Suspended')]), 'rule_refused');
    const byName = denying({ dn: SUSPENDED_DN }, { separate: true });
    expectReason(saml(byName, [attribute('memberOf', '=x')]), 'groups_ambiguous');
  });

  test('tells its refusal from that of a forbidden group', () => {
    const { response, decision } = saml(denying('suspended'), [attribute('memberOf', 'staffsuspended')]);
    expect(response).toMatchObject({
      type: 'ErrorResponse',
      message: expect.stringContaining('cannot be read'),
    });
    expect(decision.trace()).toMatchObject({
      rule: 'rules[0].no_group',
      groups: { note: expect.stringContaining('one Attribute for each value') },
    });
  });
});

describe('a group of an ID token is seen in another form', () => {
  test.each<[Group, string, Reason]>([
    ['suspended', '/suspended', 'rule_refused'],
    ['suspended', '/suspended/2024', 'rule_refused'],
    ['suspended', '/staff/Suspended', 'rule_refused'],
    ['suspended', 'CAMPUS\\Suspended', 'rule_refused'],
    ['suspended', 'campus : suspended', 'rule_refused'],
    ['suspended', 'urn:mace:uni.example:group:suspended#idp.uni.example', 'rule_refused'],
    ['suspended', '／ｓｕｓｐｅｎｄｅｄ', 'rule_refused'],
    ['suspended', '/unsuspended', 'authorized'],
    ['suspended', '/suspended-2024', 'authorized'],
    ['suspended', '/staff#suspended', 'authorized'],
    ['/suspended', 'suspended', 'rule_refused'],
    ['/suspended', '/suspended/2024', 'rule_refused'],
    ['/staff/suspended', '/staff/suspended/2024', 'rule_refused'],
    ['/staff/suspended', '/suspended/staff', 'authorized'],
    ['R/D', '/staff/R~/D', 'rule_refused'],
    ['/R~/D', '/R~/D', 'rule_refused'],
    ['C#', 'C#', 'rule_refused'],
    ['C#', '/languages/C#', 'rule_refused'],
    ['C#', '/languages/C', 'authorized'],
    ['/', '/staff', 'authorized'],
    ['locked out', 'locked%20out', 'rule_refused'],
    ['gesperrt für Prüfung', 'gesperrt%20f%C3%BCr%20Pr%c3%bcfung', 'rule_refused'],
    ['locked out', '/locked%2', 'authorized'],
    ['100%25', '/rebate/100%25', 'rule_refused'],
    ['100%25', '/rebate/100%', 'rule_refused'],
    ['suspended', 'ﷺ'.repeat(500), 'groups_ambiguous'],
    ['suspended', `a${' '.repeat(8_200)}b`, 'groups_ambiguous'],
    ['suspended', '%2Fstaff%2Fsus%EF%BC%B0ended', 'rule_refused'],
    ['suspended', `x${'%CC%81%CC%A7'.repeat(16)}`, 'groups_ambiguous'],
    [{ prefix: 'ban-' }, 'Ban%2D2026', 'rule_refused'],
    [{ prefix: '/staff/' }, '/Staff/a', 'rule_refused'],
    [{ prefix: '/staff/' }, '/x/staff/a', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'LDAP://CN=a,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'ldap://ldap.example.org/cn=A,o=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'ldap:///CN=a,O=x??base', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'LDAP://<GUID=0c1d2e3f>;CN=a,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, '<GUID=0c1d2e3f>;<SID=S-1-5>;CN=a,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, '<GUID=0c1d2e3f>;<SID=S-1-5>;CN=b,O=x', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'LDAP://<GUID=0c1d2e3f>', 'groups_ambiguous'],
    [{ dn: 'CN=a,O=x' }, 'LDAPS://h/commonName=a,O=x', 'groups_ambiguous'],
    [{ dn: 'CN=a,O=x' }, 'gc://h/=', 'groups_ambiguous'],
    [{ dn: 'CN=Locked Out,O=x' }, 'ldap://h/CN=Locked%20Out,O=x', 'rule_refused'],
    [{ dn: 'CN=Locked Out,O=x' }, 'ldap://h/CN%3DLocked%20Out%2CO%3Dx', 'rule_refused'],
    [{ dn: 'CN=Locked Out,O=x' }, 'CN=Locked%20Out,O=x', 'rule_refused'],
    [{ dn: 'CN=Who?,O=x' }, 'ldap://h/CN=Who%3F,O=x??base', 'rule_refused'],
    [{ dn: 'CN=Who?,O=x' }, 'CN=Who？,O=x', 'rule_refused'],
    [{ dn: 'CN=Who?,O=x' }, 'ＣＮ＝Who?,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'CN=a<i>;,O=x', 'groups_ambiguous'],
    [{ dn: 'CN=a,O=x' }, 'https://h/gc:=x', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'AD:CN=a,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'O=x,CN=a', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, '/O=x,CN=a', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'ＣＮ＝ａ，Ｏ＝ｘ', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, 'LDAP://CN=b,O=x', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'O=x,CN=b', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'urn:x:role=a', 'authorized'],
    [{ dn: 'CN=a,O=x' }, 'https://example.org/e?x=1', 'authorized'],
    [{ dn_suffix: 'OU=a,O=x' }, 'LDAP://CN=b,OU=a,O=x', 'rule_refused'],
    [{ dn_suffix: 'OU=a,O=x' }, 'O=x,OU=a,CN=b', 'rule_refused'],
    [{ dn_suffix: 'OU=a,O=x' }, 'OU=a,O=x,CN=b', 'authorized'],
    [{ dn: 'CN=b,O=x' }, 'CN=a/b,O=x', 'authorized'],
    ['CN=a,O=x', 'LDAP://CN=a,O=x', 'rule_refused'],
    ['CN=a,O=x', 'cn = A, o=x', 'rule_refused'],
    ['CN=a,O=x', 'O=x,CN=a', 'rule_refused'],
    ['CN=a,O=x', 'CN="a",O=x', 'groups_ambiguous'],
    ['CN=a,O=x', 'CN=b,O=x', 'authorized'],
    ['suspended', 'CN=Suspended,OU=Groups,DC=uni,DC=example', 'rule_refused'],
    ['suspended', 'CN=a,OU=suspended,DC=uni,DC=example', 'rule_refused'],
    ['suspended', 'CN="suspended",O=x', 'rule_refused'],
    ['suspended', 'CN=\\73uspended,O=x', 'rule_refused'],
    ['suspended', 'CN=SUSPENDE\\44,O=x', 'rule_refused'],
    ['suspended', 'CN=sus\\C2\\ADpended,O=x', 'rule_refused'],
    ['suspended', `CN=x${'\\CC\\81\\CC\\A7'.repeat(16)},O=x`, 'groups_ambiguous'],
    ['suspended', 'UID=1+CN=suspended,O=x', 'rule_refused'],
    ['suspended', '/O=x/CN=suspended', 'rule_refused'],
    ['suspended', 'ldap:///cn=suspended??base', 'rule_refused'],
    ['suspended', 'LDAP://<GUID=0c1d2e3f>;CN=suspended,O=x', 'rule_refused'],
    ['suspended', 'urn:x:group:vo:role=suspended#idp', 'rule_refused'],
    ['suspended', 'CN=unsuspended,O=x', 'authorized'],
    ['C#', 'CN=C#,O=x', 'rule_refused'],
    [G1, `LDAP://<GUID=${G1}>`, 'rule_refused'],
    ['S-1-5-21-1104', '<GUID=0c1d2e3f>;<SID=S-1-5-21-1104>;CN=a,O=x', 'rule_refused'],
    [{ dn: 'CN=a,O=x' }, '<URL:ldap://h/CN=a,O=x>', 'groups_ambiguous'],
    [{ dn_suffix: 'OU=a,O=x' }, 'O=x,OU=a,CN=b\\', 'rule_refused'],
    ...['\u06dd', '\u070f', '\u1806', '\u2800', '\ufff9', '\ufffc'].map((unseen): [Group, string, Reason] => [
      'suspended',
      `sus${unseen}pended`,
      'rule_refused',
    ]),
  ])('%j in a list with %s: %s', (denied, group, reason) => {
    expectReason(openId(denyingClaim(denied), { groups: ['other', group] }), reason);
  });
});

describe('one text where a list is usual', () => {
  test.each<[unknown, Reason]>([
    ['default-roles-campus', 'groups_ambiguous'],
    ['staff', 'groups_ambiguous'],
    ['suspended', 'rule_refused'],
    [G1 + G2, 'groups_ambiguous'],
    ['', 'authorized'],
    [['default-roles-campus'], 'authorized'],
  ])('of an ID token may be one of several groups: %j: %s', (groups, reason) => {
    const mapping = denyingClaim('suspended', { ...table('staff') });
    expectReason(openId(mapping, { groups }), reason);
  });

  test('is the whole where the provider sends one text to a person with one group', () => {
    const mapping = denyingClaim('suspended', { separate: true });
    expectReason(openId(mapping, { groups: 'staff' }), 'authorized');
    expectReason(openId(mapping, { groups: '/Suspended' }), 'rule_refused');
  });

  test('is told, and how to have a list', () => {
    const { response, decision } = openId(denyingClaim('suspended'), { groups: 'staff' });
    expect(response).toMatchObject({ message: expect.stringContaining('cannot be read') });
    expect(decision.trace().groups?.note).toMatch(/one text.*"Multivalued".*groups\.separate.*AD FS/);
  });
});

describe('the roles of ZITADEL, which are an object,', () => {
  const CLAIM = 'urn:zitadel:iam:org:project:roles';
  const OF_PROJECT = 'urn:zitadel:iam:org:project:12345:roles';

  test.each([CLAIM, OF_PROJECT])('are groups under %s', (name) => {
    const mapping = denying('suspended', { from: [name], ...table('staff') });
    const organization = { '1': 'uni.example' };
    expectReason(
      openId(mapping, { [name]: { staff: organization, suspended: organization } }),
      'rule_refused',
    );
    const { response } = openId(mapping, { [name]: { staff: organization } });
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', user_group_uuids: [G1] });
  });

  test.each(['roles', `${CLAIM}:x`, `x${CLAIM}`])('are no groups under %s', (name) => {
    expectReason(openId(denying('suspended', { from: [name] }), { [name]: { staff: {} } }), 'groups_unknown');
  });
});

describe('a source that did not arrive is no evidence', () => {
  const sources = { from: ['realm_access.roles', 'groups'] };
  const realm_access = { roles: ['default-roles-campus'] };

  test.each<[string, object, Record<string, unknown>, Reason]>([
    ['all arrive', sources, { realm_access, groups: [] }, 'authorized'],
    ['one does not', sources, { realm_access }, 'groups_unknown'],
    ['one is null', sources, { realm_access, groups: null }, 'groups_unknown'],
    ['the only one is misspelled', { from: ['group'] }, { groups: ['suspended'] }, 'groups_unknown'],
    ['a denied group is in another one', sources, { groups: ['suspended'] }, 'rule_refused'],
    [
      'and groups that are unknown are none',
      { ...sources, unknown: 'none' },
      { realm_access },
      'groups_unknown',
    ],
    ['the provider leaves it out', { ...sources, absent: ['groups'] }, { realm_access }, 'authorized'],
    [
      'the provider leaves another one out',
      { ...sources, absent: ['groups'] },
      { groups: [] },
      'groups_unknown',
    ],
    [
      'the provider leaves it out, and cut it',
      { ...sources, absent: ['groups'] },
      { realm_access, hasgroups: true },
      'groups_unknown',
    ],
    ['the NameID is the source of an ID token', { from: [NAME_ID] }, {}, 'groups_unknown'],
  ])('where %s', (_, groups, claims, reason) => {
    expectReason(openId(denying('suspended', groups), claims), reason);
  });

  test.each<[string, ReturnType<typeof attribute>[], Reason]>([
    ['arrives by Name', [attribute('MemberOf', 'staff')], 'authorized'],
    ['arrives by FriendlyName', [attribute('urn:x', 'staff', 'memberOf')], 'authorized'],
    ['arrives by its OID', [attribute('urn:oid:1.2.840.113556.1.2.102', 'staff')], 'authorized'],
    ['arrives empty', [attribute('memberOf', '')], 'authorized'],
    ['does not arrive', [attribute('groups', 'staff')], 'groups_unknown'],
  ])('an attribute that %s', (_, attributes, reason) => {
    expectReason(saml(denying('suspended'), attributes), reason);
  });

  test('is told, with the nearest that arrived, by names that may be shown', () => {
    const noteOf = (from: string[], claims: Record<string, unknown>) =>
      openId(denying('suspended', { from }), claims).decision.trace().groups?.note;
    expect(noteOf(['groups'], { Group: [], 'grou ps': [] })).toBe(
      'Did not arrive: groups (similar name that arrived: Group). Correct the name in groups.from, or have the provider send it. ' +
        'If the provider leaves it out for people without groups, list it in groups.absent.',
    );
    expect(noteOf(['groups', 'roles'], { Role: [] })).toContain(
      'Did not arrive: groups and roles (similar name that arrived: Role).',
    );
  });

  test('of an issuer is that of its own groups', () => {
    const { rules } = denying('suspended');
    const mapping: Mapping = {
      rules,
      issuers: {
        'https://idp.example.org': { groups: { from: ['groups'], absent: ['groups'] } },
        'https://other.example': { groups: { from: ['groups'] } },
      },
    };
    expectReason(openId(mapping, {}), 'authorized');
    expectReason(openId(mapping, {}, 'https://other.example'), 'groups_unknown');
  });
});

describe('a group of an assertion is seen', () => {
  const from = ['memberOf', 'groups', 'Role'];
  test.each<[string, ReturnType<typeof attribute>[], Reason]>([
    ['by Name', [attribute('memberOf', 'suspended')], 'rule_refused'],
    ['by FriendlyName alone', [attribute('urn:x', 'suspended', 'memberOf')], 'rule_refused'],
    [
      'by FriendlyName beside another by Name',
      [attribute('Role', 'student'), attribute('urn:x', 'suspended', 'memberOf')],
      'rule_refused',
    ],
    [
      'by FriendlyName beside an empty one by Name',
      [attribute('groups', ''), attribute('urn:x', 'suspended', 'groups')],
      'rule_refused',
    ],
    ['in no attribute of another name', [attribute('urn:x', 'suspended', 'hobby')], 'authorized'],
  ])('%s', (_, attributes, reason) => {
    expectReason(saml(denying('suspended', { from, absent: from }), attributes), reason);
  });

  test('in the NameID, where it is a source', () => {
    const mapping = denying('suspended', { from: [NAME_ID] });
    expectReason(saml(mapping, [], 'Suspended'), 'rule_refused');
    expectReason(saml(mapping, [], 'staff'), 'authorized');
    const joined = saml(mapping, [], 'staffsuspended');
    expectReason(joined, 'groups_ambiguous');
    expect(joined.decision.trace().groups?.note).toContain('one Attribute for each value');
  });

  test('though an empty Name keeps FriendlyNames from granting', () => {
    const attributes = [attribute('groups', ''), attribute('urn:x', 'staff', 'groups')];
    expectReason(saml({ rules: [{ any_group: ['staff'] }] }, attributes), 'rule_refused');
  });
});

describe('groups that were cut short are unknown', () => {
  const LINK = 'https://graph.example/groups';

  describe.each([
    ['Name', attribute(GROUPS_LINK, LINK)],
    ['FriendlyName', attribute('urn:x', LINK, GROUPS_LINK)],
  ])('by the link of an assertion, under its %s,', (_, link) => {
    test.each<[string, string[], Reason]>([
      ['the renamed claim of groups', ['groups'], 'groups_unknown'],
      ['the claim of roles', [ENTRA_ROLE], 'groups_unknown'],
      ['memberOf', ['memberOf'], 'groups_unknown'],
      ['an entitlement', ['urn:oid:1.3.6.1.4.1.5923.1.1.1.7'], 'authorized'],
    ])('for %s', (_, from, reason) => {
      for (const unknown of ['error', 'none']) {
        expectReason(saml(denying('suspended', { from, absent: from, unknown }), [link]), reason);
      }
    });
  });

  test.each<[string, string[], Record<string, unknown>, Reason]>([
    ['an overage', ['groups'], { hasgroups: true }, 'groups_unknown'],
    ['an overage of another form', ['groups'], { hasgroups: ['yes'] }, 'groups_unknown'],
    [
      'an overage among several sources',
      ['roles', 'groups'],
      { hasgroups: 'true', roles: ['x'] },
      'groups_unknown',
    ],
    ['an overage of a claim that is no source', ['roles'], { hasgroups: true, roles: ['x'] }, 'authorized'],
    ['no overage', ['groups'], { hasgroups: 'False' }, 'authorized'],
    ['a claim that is elsewhere', ['wids'], { _claim_names: { wids: 'src1' } }, 'groups_unknown'],
    ['a parent that is elsewhere', ['a.b.c'], { _claim_names: { 'a.b': 'src1' } }, 'groups_unknown'],
    ['another claim that is elsewhere', ['roles'], { _claim_names: { groups: 'src1' } }, 'authorized'],
    ['claim names of another form', ['roles'], { _claim_names: 'groups' }, 'groups_unknown'],
    ['claim names that are null', ['roles'], { _claim_names: null }, 'authorized'],
    ['a parent that is text', ['realm_access.roles'], { realm_access: 'suspended' }, 'groups_unknown'],
    ['a parent that is a list', ['realm_access.roles'], { realm_access: ['suspended'] }, 'groups_unknown'],
    ['a parent that is null', ['realm_access.roles'], { realm_access: null }, 'authorized'],
    ['a parent below that is text', ['a.b.c'], { a: { b: 'suspended' } }, 'groups_unknown'],
    ['a claim that is a number', ['roles'], { roles: 5 }, 'groups_unknown'],
    ['a list with null in it', ['roles'], { roles: ['x', null] }, 'groups_unknown'],
  ])('by %s', (_, from, claims, reason) => {
    for (const unknown of ['error', 'none']) {
      expectReason(openId(denying('suspended', { from, absent: from, unknown }), claims), reason);
    }
  });

  test('by more than anybody is in', () => {
    const values = (count: number) =>
      Array.from({ length: count }, () => attribute('memberOf', 'x'.repeat(1_000)));
    expectReason(saml(denying('suspended'), values(396)), 'authorized');
    expectReason(saml(denying('suspended'), values(397)), 'groups_unknown');
  });
});

describe('a nested claim', () => {
  const mapping = denying('suspended', { from: ['realm_access.roles'] });
  test.each<[Record<string, unknown>, Reason]>([
    [{ realm_access: { roles: ['suspended'] } }, 'rule_refused'],
    [{ 'realm_access.roles': null, realm_access: { roles: ['suspended'] } }, 'rule_refused'],
    [{ 'realm_access.roles': [], realm_access: { roles: ['suspended'] } }, 'rule_refused'],
    [{ 'realm_access.roles': ['suspended'], realm_access: { roles: [] } }, 'rule_refused'],
    [{ 'realm_access.roles': ['x'], realm_access: 'suspended' }, 'groups_unknown'],
    [{ realm_access: { roles: ['x'] } }, 'authorized'],
  ])('is seen beside a flat one: %j', (claims, reason) => {
    expectReason(openId(mapping, claims), reason);
  });
});
