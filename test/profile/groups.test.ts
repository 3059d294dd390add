/** How groups are read: from which sources, in which forms, and when they are known. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/reader.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const [G1, G2] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'] as const;
const memberOf = (value: string) => attribute('memberOf', value);
const mapped = (groups: Mapping['groups']): Mapping => ({
  groups: { table: [{ group: G1, uuid: G2 }], ...groups },
});
const countsOf = (received: number, mappedCount: number) => ({
  known: true,
  received,
  mapped: mappedCount,
  unmatched: received - mappedCount,
});

test.each<[string, number, number]>([
  [G1, 1, 1],
  [G1 + G2, 2, 1],
  [G1.toUpperCase() + G1, 2, 1],
  [G1 + 'x'.repeat(36), 1, 0],
  [`${G1}${'x'.repeat(7)}${G2.slice(7)}`, 1, 0],
  [`${G1}${G2.slice(0, -11)}${'x'.repeat(11)}`, 1, 0],
  [`${G1} ${G2}`, 1, 0],
  ['staff', 1, 0],
  ['', 0, 0],
])('the text %s holds %i groups, of which %i are in the table', (value, received, known) => {
  const { groups } = saml(mapped({ from: ['memberOf'] }), [memberOf(value)]).trace;
  expect(groups).toMatchObject(countsOf(received, known));
});

test('a text of several groups is noted, and nothing else is', () => {
  const noteOf = (value: string) => saml(mapped({ from: ['memberOf'] }), [memberOf(value)]).trace.groups;
  expect(noteOf(G1 + G2)?.note).toContain('one Attribute for each value');
  expect(noteOf(G1)).toStrictEqual(countsOf(1, 1));
});

describe('the NameID', () => {
  const named = (from: NonNullable<Mapping['groups']>['from'], group = '_name-id-1'): Mapping => ({
    groups: { from, table: [{ group, uuid: G1 }] },
  });

  test.each<[Mapping, string[]]>([
    [named([NAME_ID]), [G1]],
    [named(['memberOf', NAME_ID]), [G1]],
    [named(['memberOf']), []],
    [named([DEFAULTS]), []],
    [named([NAME_ID], 'staff'), []],
    [named([NAME_ID, DEFAULTS], 'staff'), [G1]],
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

describe('groups that the provider must send', () => {
  test.each<[NonNullable<Mapping['groups']>['from'], Record<string, unknown>, boolean]>([
    [[DEFAULTS], { roles: ['a'] }, true],
    [[DEFAULTS], {}, false],
    [['teams', DEFAULTS], { roles: ['a'] }, false],
    [['teams', DEFAULTS], { teams: [], groups: [] }, true],
    [[NAME_ID], {}, false],
  ])('from %j, with %j, are known: %p', (from, claims, known) => {
    const mapping: Mapping = { groups: { from, required: true, unknown: 'none' } };
    expect(openId(mapping, claims).trace.groups?.known).toBe(known);
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
