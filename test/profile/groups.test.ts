/** How groups are read: from which sources, in which forms, when they are known, and what they give. */
import { describe, expect, test } from '@jest/globals';
import type { Group, Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, G1, G2, openId, openIdHandler, saml } from './decided.ts';

type Groups = NonNullable<Mapping['groups']>;

const memberOf = (value: string) => attribute('memberOf', value);
const giving = (group: Group, groups: Partial<Groups> = {}): Mapping => ({
  groups: { from: ['groups'], table: [{ group, uuid: G1 }], ...groups },
});
const countsOf = (received: number, mapped: number) => ({
  known: true,
  received,
  mapped,
  unmatched: received - mapped,
});

/** Whether the login is given the user group of the table. */
function isGiven({ response }: ReturnType<typeof openId>): boolean {
  const { user_group_uuids = [] } = response as { user_group_uuids?: string[] };
  return user_group_uuids.includes(G1);
}

const ONE_EACH = { note: expect.stringContaining('one Attribute for each value') };

test.each<[string, received: number, mapped: number, note: object]>([
  [G1, 1, 1, {}],
  [G1 + G2, 2, 1, ONE_EACH],
  [G1.toUpperCase() + G1, 2, 1, ONE_EACH],
  [G1 + 'x'.repeat(36), 1, 0, ONE_EACH],
])('the text %s holds %i groups, of which %i are in the table', (value, received, mapped, note) => {
  const { groups } = saml(giving(G1, { from: ['memberOf'] }), [memberOf(value)]).trace;
  expect(groups).toStrictEqual({ ...countsOf(received, mapped), ...note });
});

test('several groups in one text are not noted where groups are not known', () => {
  const mapping = giving(G1, { from: ['memberOf', 'teams'], required: true });
  expect(saml(mapping, [memberOf(G1 + G2)]).trace.groups?.note).toBeUndefined();
});

test('the NameID is a group where it is a source, without white space around it, and not of an ID token', () => {
  const named = giving('staff', { from: ['memberOf', NAME_ID] });
  expect(isGiven(saml(named, [memberOf('x')], ' staff '))).toBe(true);
  const alone = giving('staff', { from: [NAME_ID] });
  expect(saml(alone, [], ' ').trace.groups).toStrictEqual(countsOf(0, 0));
  expect(openId(alone).trace.groups).toStrictEqual(countsOf(0, 0));
});

describe('one text with several groups', () => {
  const COMMAS = "One text with commas: set groups.separator to ','.";
  const BRACKETS = /^One text with brackets or quotes: set groups\.separator to ','\./;

  test.each<[Group, string, separator: string | undefined, boolean]>([
    ['staff', 'staff', 'none', true],
    ['staff', 'staff', ',', true],
    ['staff', 'Internal/everyone,staff', ',', true],
    ['staff', '["x;y", "staff"]', ';', true],
    ['staff', '["x", 1, "staff"]', ',', true],
    ['staff', '[x,staff', ',', true],
    ['staff', 'staff,x]', ',', true],
    ['staff', 'st"aff"', ',', false],
    ['staff', '"st"aff', ',', false],
  ])('%j in %j, read by %j: %p', (group, text, separator, given) => {
    const by = (from: Groups['from']) => giving(group, { separator, from });
    const logins = [
      openId(by(['groups']), { groups: text }),
      saml(by(['memberOf']), [memberOf(text)]),
      saml(by([DEFAULTS]), [memberOf(text), attribute('Role', 'x')]),
      saml(by([NAME_ID]), [], text),
    ];
    expect(logins.map(isGiven)).toEqual(Array(4).fill(given));
  });

  test.each<[unknown, separator: string | undefined, note: string | RegExp | undefined]>([
    ['x,staff', undefined, COMMAS],
    ['x,staff', ';', COMMAS],
    ['x;staff', undefined, "One text with semicolons: set groups.separator to ';'."],
    ['x|staff', undefined, "One text with vertical bars: set groups.separator to '|'."],
    ['x\nstaff', undefined, "One text with line breaks: set groups.separator to '\\n'."],
    ['x\tstaff', undefined, "One text with tabs: set groups.separator to '\\t'."],
    ['["staff"]', undefined, BRACKETS],
    [['y', '[staff]'], ',', /^A text with brackets or quotes is one of several/],
    ['x{staff}', undefined, /\(joined with others\)\. Have the provider send each value by itself\.$/],
    ['x,staffing', undefined, undefined],
  ])('%j, read by %j, is noted: %p', (groups, separator, note) => {
    const expected =
      note && (typeof note === 'string' ? expect.stringContaining(note) : expect.stringMatching(note));
    expect(openId(giving('staff', { separator }), { groups }).trace.groups?.note).toEqual(expected);
    const rules = [{ any_group: ['staff'] }];
    const { decision, trace } = openId({ groups: { from: ['groups'], separator }, rules }, { groups });
    expect([decision.reason, trace.groups?.note]).toEqual(['rule_refused', expected]);
  });

  test.each<[Group[], values: string[], separator: string | undefined, isNoted: boolean]>([
    [['staff'], ['studentstaff'], undefined, true],
    [['staff'], ['x,studentstaff'], ',', false],
    [['staff'], ['student'], 'none', false],
    [['staff'], [`${'x'.repeat(8_187)}staff`], 'none', true],
    [['staff'], [`${'x'.repeat(8_188)}staff`], 'none', false],
    [['staff', 'Staff-A'], ['staff-a'], 'none', false],
    [[{ dn: 'CN=staff,O=x' }], ['CN=a,O=xCN=staff,O=x'], undefined, true],
    [[{ prefix: 'staff' }], ['studentstaff'], undefined, false],
  ])(
    'of an attribute that may be joined without a separator, row %#',
    (wanted, values, separator, isNoted) => {
      const table = wanted.map((group) => ({ group, uuid: G1 }));
      const mapping = { groups: { from: ['memberOf'], separator, table }, rules: [{ any_group: wanted }] };
      const { note = '' } = saml(mapping, values.map(memberOf)).trace.groups ?? {};
      expect(note.includes('have the provider send one Attribute for each value')).toBe(isNoted);
      expect(openId(mapping, { memberOf: values[0] }).trace.groups?.note ?? '').not.toContain('Attribute');
    },
  );

  test('of an attribute with several values is one group', () => {
    const mapping = giving('staff', { from: ['memberOf'], separator: ',' });
    expect(isGiven(saml(mapping, ['x,staff', 'y'].map(memberOf)))).toBe(false);
  });

  test('that are UUIDs one behind the other are given by an attribute, and denied in each item of a list', () => {
    expect(isGiven(saml(giving(G1, { from: ['memberOf'] }), [memberOf(G2 + G1)]))).toBe(true);
    expect(isGiven(openId(giving(G1), { groups: [G2 + G1] }))).toBe(false);
    const denying = { groups: { from: ['groups'] }, rules: [{ no_group: [G1] }] };
    expect(openId(denying, { groups: [G2 + G1] }).decision.reason).toBe('rule_refused');
  });

  test('beside another, under two names of one attribute among the usual ones, is not read', () => {
    const other = attribute('urn:oid:1.2.840.113556.1.2.102', 'y');
    const mapping = giving('staff', { from: [DEFAULTS], separator: ';' });
    expect(isGiven(saml(mapping, [memberOf('x;staff'), other]))).toBe(false);
  });
});

describe('groups.separator', () => {
  const loading = (mapping: Mapping) => () => openIdHandler(mapping);
  const IN_NONE = 'groups.separator: expected a text that is in none of the groups that the mapping names';

  test.each<[string, Group, string]>([
    [',', 'a,b', '"," in "a,b"'],
    [';', { prefix: 'my;team' }, '";" in {"prefix":"my;team"}'],
    [',', { dn: 'CN=a' }, '"," in {"dn":"CN=a"}'],
  ])('is not %j beside the group %j', (separator, group, found) => {
    const message = `${IN_NONE}, unlike ${found}`;
    const groups = { from: ['groups'], separator };
    expect(loading(giving(group, { separator }))).toThrow(message);
    expect(loading({ groups, rules: [{ any_group: [group] }] })).toThrow(message);
    expect(loading({ groups, rules: [{ no_group: [group] }] })).toThrow(message);
    const ofIssuer = { rules: [{ any_group: [group] }], issuers: { a: { groups } } };
    expect(loading(ofIssuer)).toThrow(`issuers.a.${message}`);
    for (const other of ['|', 'none']) expect(loading(giving(group, { separator: other }))).not.toThrow();
    expect(loading(giving('none', { separator: 'none' }))).not.toThrow();
  });

  test.each<[string, Group]>([
    ['+', 'locked out'],
    [' ', 'locked+out'],
    [',', 'x%2Cy'],
    ['，', 'x,y'],
    ['/', 'a:b'],
  ])('is not %j, which folds into the denied %j', (separator, group) => {
    const groups = { from: ['groups'], separator };
    expect(loading({ groups, rules: [{ no_group: [group] }] })).toThrow(IN_NONE);
    expect(loading({ groups, rules: [{ any_group: [group] }] })).not.toThrow();
  });

  test.each(['', ',,,', 'all'])('is not %j', (separator) => {
    const expected = 'expected a text of one or two characters';
    expect(loading({ groups: { separator } })).toThrow(`groups.separator: ${expected}, or 'none'`);
    const rules = [{ scopes: ['x.example'], separator }];
    expect(loading({ rules })).toThrow(`rules[0].separator: ${expected}`);
  });
});

describe('groups in other forms', () => {
  const HAVE_SENT = 'have the provider send a list of texts.';
  test.each<[unknown, string]>([
    [[{ id: 'a', name: 'b' }], 'groups is a list of objects: write groups.name, where each has its text.'],
    [[{ id: 'a', displayName: 'b' }], 'write groups.displayName,'],
    [[{ displayName: ' ', name: 'b' }], 'write groups.name,'],
    [['x', { 'a name': 'a', id: 7, name: null }], 'write groups.id,'],
    [[{}], 'write groups.name,'],
    [{ staff: true }, `groups is an object: write the path to a list in it, or ${HAVE_SENT}`],
    [5.5, `groups has a number that may have lost digits: ${HAVE_SENT}`],
    [true, `groups is no text and no list of texts: ${HAVE_SENT}`],
  ])('%j are not known, and the note says why', (groups, note) => {
    const { decision, trace } = openId(giving('x'), { groups });
    expect([decision.reason, trace.groups?.note]).toEqual(['groups_unknown', expect.stringContaining(note)]);
    const lenient = openId(giving('x', { unknown: 'none' }), { groups });
    expect([lenient.decision.reason, isGiven(lenient)]).toEqual(['authorized', false]);
  });

  test('of a path into a text are named so', () => {
    const { trace } = openId(giving('x', { from: ['groups.name'] }), { groups: 'x' });
    expect(trace.groups?.note).toContain('groups.name is a path into something that is no object:');
  });

  test('a safe integer counts as the group of its digits', () => {
    const groups = ['x', Number.MAX_SAFE_INTEGER];
    expect(isGiven(openId(giving('9007199254740991'), { groups }))).toBe(true);
  });

  test('nothing grants in the items, where a claim has the whole name', () => {
    const claims = { groups: [{ name: 'x' }], 'groups.name': 'y' };
    const login = openId(giving('x', { from: ['groups.name'] }), claims);
    expect([login.decision.reason, isGiven(login)]).toEqual(['authorized', false]);
  });
});

test.each<[Groups['from'], Claims, known: boolean]>([
  [[DEFAULTS], { roles: ['a'] }, true],
  [['teams', DEFAULTS], { roles: ['a'] }, false],
])(
  'where the provider must send all, %j with %j are known: %p; if not, none is granted',
  (from, claims, known) => {
    const login = openId(giving('a', { from, required: true, unknown: 'none' }), claims);
    expect([login.trace.groups?.known, login.decision.reason]).toEqual([known, 'authorized']);
    expect(isGiven(login)).toBe(known);
  },
);

test('groups of everybody are given, each once, to each person who gets in', () => {
  const mapping = giving('staff', { everybody: [G2, G1] });
  const claims = { groups: ['staff'] };
  expect(openId(mapping, claims).response).toMatchObject({ user_group_uuids: [G2, G1] });
  const rules: Mapping['rules'] = [{ any_group: ['nobody'] }];
  expect(openId({ ...mapping, rules }, claims).decision.reason).toBe('rule_refused');
});

test('groups of everybody are UUIDs', () => {
  const loading = (value: unknown) => () => openIdHandler({ groups: { everybody: value as string[] } });
  expect(loading(['staff'])).toThrow('groups.everybody[0]: expected a UUID, found "staff"');
  expect(loading(G1)).toThrow('groups.everybody: expected a list');
});

const NOT_READ =
  'There are more than 11000 groups, or more than 396000 characters in them, so they are not read.';
const TOO_MANY = { ...countsOf(0, 0), known: false, note: NOT_READ };

test.each([
  ['as many as are read', 11_000, 'x', 'authorized', countsOf(1, 0)],
  ['more than anybody is in', 11_001, 'x', 'groups_unknown', TOO_MANY],
  ['longer than anybody has', 387, 'x'.repeat(1_024), 'groups_unknown', TOO_MANY],
])('groups that are %s', (_, length, group, reason, trace) => {
  const login = saml({ groups: { unknown: 'error' } }, Array(length).fill(memberOf(group)));
  expect(login.decision.reason).toBe(reason);
  expect(login.trace.groups).toStrictEqual(trace);
});
