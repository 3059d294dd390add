/** How groups are read: from which sources, in which forms, when they are known, and what they give. */
import { describe, expect, test } from '@jest/globals';
import type { Group, Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { attribute } from '../support/wire.ts';
import { openId, openIdHandler, saml } from './decided.ts';

type Groups = NonNullable<Mapping['groups']>;

const [G1, G2] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'] as const;
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

test.each<[string, number, number]>([
  [G1, 1, 1],
  [G1 + G2, 2, 1],
  [G1.toUpperCase() + G1, 2, 1],
  [G1 + 'x'.repeat(36), 1, 0],
  [`${G1}${'x'.repeat(7)}${G2.slice(7)}`, 1, 0],
])('the text %s holds %i groups, of which %i are in the table', (value, received, known) => {
  const { groups } = saml(giving(G1, { from: ['memberOf'] }), [memberOf(value)]).trace;
  expect(groups).toMatchObject(countsOf(received, known));
});

test('a text of several groups is noted, and nothing else is', () => {
  const traceOf = (value: string) => saml(giving(G1, { from: ['memberOf'] }), [memberOf(value)]).trace.groups;
  expect(traceOf(G1 + G2)?.note).toContain('one Attribute for each value');
  expect(traceOf(G1)).toStrictEqual(countsOf(1, 1));
});

describe('the NameID', () => {
  const named = (from: Groups['from'], group = '_name-id-1') => giving(group, { from });

  test.each<[Mapping, string[]]>([
    [named([NAME_ID]), [G1]],
    [named(['memberOf', NAME_ID]), [G1]],
  ])('is a group where it is a source: %j', (mapping, user_group_uuids) => {
    expect(saml(mapping, [memberOf('staff')]).response).toMatchObject({ user_group_uuids });
  });

  test.each([
    [' staff ', countsOf(1, 1)],
    [' ', countsOf(0, 0)],
  ])('is read without white space around it: %j', (nameId, counts) => {
    expect(saml(named([NAME_ID], 'staff'), [], nameId).trace.groups).toStrictEqual(counts);
  });

  test('is no group of an ID token', () => {
    expect(openId(named([NAME_ID])).trace.groups).toStrictEqual(countsOf(0, 0));
  });
});

describe('one text with several groups', () => {
  const COMMAS = "One text with commas: set groups.separator to ','.";
  const OF_SEVERAL = /^A text with .* is one of several, and counts as it is/;

  test.each<[string, string | undefined, boolean]>([
    ['staff', undefined, true],
    ['staff', 'none', true],
    ['staff', ',', true],
    ['Internal/everyone,staff', ',', true],
    ['["x;y", "staff"]', ';', true],
    ['["x", 1, "staff"]', ',', true],
    ['[x,staff', ',', true],
    ['staff,x]', ',', true],
    ['"staff\'', ',', false],
    ['st"aff"', ',', false],
    ['"st"aff', ',', false],
    ['xstaffx', ',', false],
    ['["staff"]', undefined, false],
  ])('%j, read by %j, gives the group: %p', (text, separator, isGiven) => {
    const user_group_uuids = isGiven ? [G1] : [];
    const { groups } = giving('staff', { separator });
    expect(openId({ groups }, { groups: text }).response).toMatchObject({ user_group_uuids });
    const ofAttribute = { groups: { ...groups, from: ['memberOf'] } };
    expect(saml(ofAttribute, [memberOf(text)]).response).toMatchObject({ user_group_uuids });
    const ofDefaults = { groups: { ...groups, from: [DEFAULTS] } };
    expect(saml(ofDefaults, [memberOf(text), attribute('Role', 'x')]).response).toMatchObject({
      user_group_uuids,
    });
    const ofNameId = { groups: { ...groups, from: [NAME_ID] } };
    expect(saml(ofNameId, [], text).response).toMatchObject({ user_group_uuids });
  });

  test('a quote is no pair of quotes', () => {
    const { response } = openId(giving('"', { separator: ',' }), { groups: '",x' });
    expect(response).toMatchObject({ user_group_uuids: [G1] });
  });

  test.each<[unknown, string | undefined, string | RegExp | undefined]>([
    ['x,staff', undefined, COMMAS],
    ['x,staff', ';', COMMAS],
    ['x,staff', 'none', COMMAS],
    ['x;staff', undefined, "One text with semicolons: set groups.separator to ';'."],
    ['x|staff', undefined, "One text with vertical bars: set groups.separator to '|'."],
    ['x,staffing', undefined, undefined],
    [['y', 'x,staff'], ',', OF_SEVERAL],
  ])('%j, read by %j, is noted: %p', (groups, separator, note) => {
    const expected = note && expect.stringMatching(note);
    expect(openId(giving('staff', { separator }), { groups }).trace.groups?.note).toEqual(expected);
    const { decision, trace } = openId(
      { groups: { from: ['groups'], separator }, rules: [{ any_group: ['staff'] }] },
      { groups },
    );
    expect(trace.groups?.note).toEqual(expected);
    const isIn = groups === 'staff' || (groups === 'x,staff' && separator === ',');
    expect(decision.reason).toBe(isIn ? 'authorized' : 'rule_refused');
  });

  test.each<[string, string[], string[]]>([
    ['several values', ['x,staff', 'y'], []],
    ['the same value twice', ['x,staff', 'x,staff'], [G1]],
    ['an empty value beside', ['x,staff', ' '], [G1]],
  ])('of an attribute with %s', (_, values, user_group_uuids) => {
    const mapping = giving('staff', { from: ['memberOf'], separator: ',' });
    expect(saml(mapping, values.map(memberOf)).response).toMatchObject({ user_group_uuids });
  });

  test.each<[string[], string | undefined, string[]]>([
    [[G2 + G1], undefined, [G1]],
    [[G2 + G1], 'none', []],
    [[G2 + G1, 'staff'], undefined, []],
  ])(
    'of an attribute with %j, separator %s, holds UUIDs one behind the other',
    (values, separator, given) => {
      const mapping = giving(G1, { from: ['memberOf'], ...(separator && { separator }) });
      expect(saml(mapping, values.map(memberOf)).response).toMatchObject({ user_group_uuids: given });
      expect(openId(giving(G1), { groups: values }).response).toMatchObject({ user_group_uuids: [] });
      const denying = { groups: { from: ['groups'] }, rules: [{ no_group: [G1] }] };
      expect(openId(denying, { groups: values }).decision.reason).toBe('rule_refused');
    },
  );

  test.each([
    [['x;staff'], [], [G1]],
    [['x;staff'], ['y'], []],
  ])('of %j and %j, under two names of one attribute among the usual ones', (values, others, given) => {
    const mapping = giving('staff', { from: [DEFAULTS], separator: ';' });
    const attributes = [
      ...values.map(memberOf),
      ...others.map((value) => attribute('urn:oid:1.2.840.113556.1.2.102', value)),
    ];
    expect(saml(mapping, attributes).response).toMatchObject({ user_group_uuids: given });
  });

  test.each<[string, Group, string]>([
    [',', 'a,b', '"," in "a,b"'],
    [' ', { prefix: 'my team' }, '" " in {"prefix":"my team"}'],
    [',', { dn: 'CN=a' }, '"," in {"dn":"CN=a"}'],
    ['+', { dn: 'CN=a' }, '"+" in'],
  ])('is not read by %j beside the group %j', (separator, group, found) => {
    const message = `groups.separator: expected a text that is in none of the groups that the mapping names, unlike ${found}`;
    const loading = (mapping: Mapping) => () => openIdHandler(mapping);
    expect(loading(giving(group, { separator }))).toThrow(message);
    const groups = { from: ['groups'], separator };
    expect(loading({ groups, rules: [{ any_group: [group] }] })).toThrow(message);
    expect(loading({ groups, rules: [{ no_group: [group] }] })).toThrow(message);
    expect(loading({ rules: [{ any_group: [group] }], issuers: { a: { groups } } })).toThrow(
      `issuers.a.${message}`,
    );
    expect(loading(giving(group, { separator: '|' }))).not.toThrow();
    expect(loading(giving(group, { separator: 'none' }))).not.toThrow();
    expect(loading(giving('none', { separator: 'none' }))).not.toThrow();
  });

  test.each<[string, Group]>([
    ['+', 'locked out'],
    [' ', 'locked+out'],
    [',', 'x%2Cy'],
    ['，', 'x,y'],
    ['/', 'a:b'],
    ['，', { dn: 'CN=a' }],
  ])('is not read by %j, which folds into the denied %j', (separator, group) => {
    const groups = { from: ['groups'], separator };
    const loading = (rule: NonNullable<Mapping['rules']>[number]) => () =>
      openIdHandler({ groups, rules: [rule] });
    expect(loading({ no_group: [group] })).toThrow('groups.separator: expected a text that is in none');
    expect(loading({ any_group: [group] })).not.toThrow();
  });

  test.each(['', ',,,', 'all'])('is not read by %j', (separator) => {
    expect(() => mapOpenIdLogin({ groups: { separator } })).toThrow(
      "groups.separator: expected a text of one or two characters, or 'none'",
    );
    expect(() => mapOpenIdLogin({ rules: [{ scopes: ['x.example'], separator }] })).toThrow(
      'rules[0].separator: expected a text of one or two characters',
    );
  });
});

describe('scoped affiliations in one text', () => {
  const U = 'uni.example';
  test.each<[unknown, string | undefined, string, string | undefined]>([
    [`Faculty@${U};Member@${U}`, undefined, 'authorized', undefined],
    [[`staff@${U}`, `x@${U};member@${U}`], undefined, 'authorized', undefined],
    [`x@${U},member@${U}`, ',', 'authorized', undefined],
    [`x@${U},y@${U};member@${U}`, ',', 'authorized', undefined],
    [[`x@${U},member@${U}`], ',', 'rule_refused', 'A text with commas is one of several'],
    [
      `x@${U},member@${U}`,
      undefined,
      'rule_refused',
      "One text with commas: set separator of the rule to ','.",
    ],
    [`x@${U} member@${U}`, ',', 'rule_refused', "One text with blanks: set separator of the rule to ' '."],
    [`x@${U},staff@${U}`, undefined, 'rule_refused', undefined],
    [`${';'.repeat(8_178)}member@${U};`, undefined, 'rule_refused', undefined],
  ])('%j, read by %j: %s', (affiliations, separator, reason, note) => {
    const rules: Mapping['rules'] = [{ scopes: [U], affiliations: ['member'], from: ['a'], separator }];
    const { decision, trace } = openId({ rules }, { a: affiliations });
    expect(decision.reason).toBe(reason);
    expect(trace.note).toEqual(note === undefined ? undefined : expect.stringContaining(note));
  });

  test.each([
    [['x@uni.example,member@uni.example'], 'authorized'],
    [['x@uni.example,member@uni.example', 'y@uni.example'], 'rule_refused'],
  ])('of an assertion: %j: %s', (values, reason) => {
    const rules: Mapping['rules'] = [{ scopes: [U], affiliations: ['member'], from: ['a'], separator: ',' }];
    expect(
      saml(
        { rules },
        values.map((value) => attribute('a', value)),
      ).decision.reason,
    ).toBe(reason);
  });
});

describe('groups in other forms', () => {
  const HAVE_SENT = 'have the provider send a list of texts.';
  test.each<[unknown, string]>([
    [[{ id: 'a', name: 'b' }], 'groups is a list of objects: write groups.name, where each has its text.'],
    [[{ id: 'a', displayName: 'b' }], 'write groups.displayName,'],
    [['x', { 'a name': 'a', id: 7, name: null }], 'write groups.id,'],
    [[{}], 'write groups.name,'],
    [{ staff: true }, `groups is an object: write the path to a list in it, or ${HAVE_SENT}`],
    [5.5, `groups has a number that may have lost digits: ${HAVE_SENT}`],
    [['x', 2 ** 53], 'groups has a number'],
    [true, `groups is no text and no list of texts: ${HAVE_SENT}`],
    [['x', ['y']], 'groups is no text and no list of texts'],
  ])('%j are not known, and the note says why', (groups, note) => {
    const { decision, trace } = openId(giving('x'), { groups });
    expect([decision.reason, trace.groups?.note]).toEqual(['groups_unknown', expect.stringContaining(note)]);
    const lenient = openId(giving('x', { unknown: 'none' }), { groups }).response;
    expect(lenient).toMatchObject({ type: 'AuthorizedUserResponse', user_group_uuids: [] });
  });

  test('of a path into a text are named so', () => {
    const { trace } = openId(giving('x', { from: ['groups.name'] }), { groups: 'x' });
    expect(trace.groups?.note).toContain('groups.name is a path into something that is no object:');
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['a safe integer', '7', { groups: 7 }],
    ['a safe integer of a list', '9007199254740991', { groups: ['x', 2 ** 53 - 1] }],
  ])('%s counts as a group', (_, group, claims) => {
    const from = group === 'x' ? ['groups.name'] : ['groups'];
    expect(openId(giving(group, { from }), claims).response).toMatchObject({ user_group_uuids: [G1] });
  });

  test.each<[string, Record<string, unknown>]>([
    ['in the items, where a claim has the whole name', { groups: [{ name: 'x' }], 'groups.name': 'y' }],
    ['in an item, where a nested claim has it too', { groups: [{ name: 'y', n: 'x' }] }],
  ])('nothing else grants: %s', (_, claims) => {
    expect(openId(giving('x', { from: ['groups.name'] }), claims).response).toMatchObject({
      user_group_uuids: [],
    });
  });
});

describe('groups that the provider must send', () => {
  test.each<[Groups['from'], Record<string, unknown>, boolean]>([
    [[DEFAULTS], { roles: ['a'] }, true],
    [[DEFAULTS], {}, false],
    [['teams', DEFAULTS], { roles: ['a'] }, false],
    [['teams', DEFAULTS], { teams: [], groups: ['a'] }, true],
  ])('from %j, with %j, are known: %p; if not, none is granted', (from, claims, known) => {
    const { trace, response } = openId(giving('a', { from, required: true, unknown: 'none' }), claims);
    expect(trace.groups?.known).toBe(known);
    expect(response).toMatchObject({ user_group_uuids: known ? [G1] : [] });
  });
});

describe('groups of everybody', () => {
  const everybody = [G2, G1];
  test.each<[Partial<Groups>, Record<string, unknown>, string[]]>([
    [{}, {}, [G2, G1]],
    [{ everybody: [G2] }, { groups: ['staff'] }, [G2, G1]],
  ])('are given to each person who gets in: %j with %j', (groups, claims, user_group_uuids) => {
    const { response } = openId(giving('staff', { everybody, ...groups }), claims);
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', user_group_uuids });
  });

  test('keep nobody from being refused, and are those of the issuer', () => {
    const mapping: Mapping = {
      groups: { everybody },
      rules: [{ any_group: ['staff'] }],
      issuers: { 'https://idp.example.org': { groups: { from: ['roles'], everybody: [G2] } } },
    };
    expect(openId(mapping).decision.reason).toBe('rule_refused');
    expect(openId(mapping, { roles: ['staff'] }).response).toMatchObject({ user_group_uuids: [G2] });
  });

  test('are UUIDs', () => {
    const loading = (value: unknown) => () => mapOpenIdLogin({ groups: { everybody: value as string[] } });
    expect(loading(['staff'])).toThrow('groups.everybody[0]: expected a UUID, found "staff"');
    expect(loading(G1)).toThrow('groups.everybody: expected a list');
  });
});

test('as many groups as are read', () => {
  const { trace } = saml(
    { groups: {} },
    Array.from({ length: 11_000 }, () => memberOf('x')),
  );
  expect(trace.groups).toMatchObject({ known: true, received: 1 });
});

test.each([
  ['more than anybody is in', 11_001, 'x'],
  ['longer than anybody has', 387, 'x'.repeat(1_024)],
])('groups that are %s are not read, and the trace says so', (_, length, group) => {
  const many = Array.from({ length }, () => memberOf(group));
  const { decision, trace } = saml({ groups: { unknown: 'error' } }, many);
  expect(decision.reason).toBe('groups_unknown');
  expect(trace.groups).toStrictEqual({
    known: false,
    received: 0,
    mapped: 0,
    unmatched: 0,
    note: 'There are more than 11000 groups, or more than 396000 characters in them, so they are not read.',
  });
});
