/** What a trace holds at level DEBUG: paths, sources, rows and the verdict of each rule, and no value. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Verdict } from '../../lib/profile/rules/ruleResult.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { configuration } from '../../lib/readSettings.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { attribute, openIdEvent } from '../support/wire.ts';
import { openId as openIdLogin, saml as samlLogin } from './decided.ts';

// Read once for each kind of login.
process.env.AWS_LAMBDA_LOG_LEVEL = 'TRACE';
configuration('SAML');
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';
configuration('OpenID');

const [G1, G2] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'];

type Rule = NonNullable<Mapping['rules']>[number];

const openId = (...login: Parameters<typeof openIdLogin>) => openIdLogin(...login).trace;
const saml = (...login: Parameters<typeof samlLogin>) => samlLogin(...login).trace;

test('a mapping without groups and rules has no trace of any', () => {
  const trace = openId({ affiliation: ['org'] });
  expect(Object.keys(trace)).toEqual(['fields', 'received']);
});

describe('the path of a field', () => {
  test.each<[Mapping, Record<string, unknown>, Record<string, string | undefined>]>([
    [
      {},
      {},
      {
        email: 'other_claims.email',
        first_name: 'other_claims.given_name',
        last_name: 'other_claims.family_name',
      },
    ],
    [
      { first_name: ['profile.names'] },
      { profile: { names: ['', 'Deep'] } },
      { first_name: 'other_claims.profile.names[1]' },
    ],
    [{ first_name: ['a.b'] }, { a: { b: 'Nested' }, 'a.b': 'Whole' }, { first_name: 'other_claims["a.b"]' }],
    [
      { email: { from: ['upn', 'email'], unverified: 'demand_proof' } },
      { upn: 'ada@example.org', email: 'ada@example.org', email_verified: true },
      { email: 'other_claims.upn' },
    ],
    [
      { external_id: { from: ['none', 'oid'], issuer: false } },
      { oid: 'a-1' },
      { external_id: 'other_claims.oid' },
    ],
  ])('%j with %j', (mapping, claims, paths) => {
    const fields = openId(mapping, claims).fields;
    for (const [field, path] of Object.entries(paths))
      expect([field, fields?.[field]?.path]).toEqual([field, path]);
  });

  test.each<[Mapping, ReturnType<typeof attribute>[], Record<string, string>]>([
    [{}, [], { email: 'attribute_statement[0]', last_name: 'attribute_statement[2]' }],
    [{ first_name: [NAME_ID] }, [], { first_name: 'subject.name_id' }],
    [{ affiliation: ['org'] }, [attribute('org', ' Uni ')], { affiliation: 'attribute_statement[3]' }],
    [{ affiliation: ['org'] }, [attribute('x', 'Uni', 'org')], { affiliation: 'attribute_statement[3]' }],
  ])('%j with %j', (mapping, attributes, paths) => {
    const fields = saml(mapping, attributes).fields;
    for (const [field, path] of Object.entries(paths))
      expect([field, fields?.[field]?.path]).toEqual([field, path]);
  });
});

describe('the sources of groups', () => {
  const source = (from: string, name: string, gave: string, count = 0) => ({ from, name, gave, count });

  test.each<[string, Mapping, Record<string, unknown>, unknown[]]>([
    [
      'each name that stands for the defaults, and what it gave',
      { groups: { from: ['teams', DEFAULTS] } },
      { teams: 'a', roles: [], 'cognito:groups': ['b', 'c', ''] },
      [
        source('teams', 'teams', 'groups', 1),
        source('DEFAULTS', 'groups', 'absent'),
        source('DEFAULTS', 'roles', 'empty'),
        source('DEFAULTS', 'cognito:groups', 'groups', 2),
        source('DEFAULTS', 'realm_access.roles', 'absent'),
        source('DEFAULTS', 'eduperson_entitlement', 'absent'),
      ],
    ],
    [
      'groups that the provider left out, or sent in another form',
      { groups: { from: ['groups', 'roles', 'a.b'] } },
      { hasgroups: true, roles: { a: 1 }, a: [{ b: 'x' }, {}] },
      [
        source('groups', 'groups', 'overage'),
        source('roles', 'roles', 'other_form'),
        source('a.b', 'a.b', 'other_form', 1),
      ],
    ],
    [
      'a nested claim that a flat one goes before',
      { groups: { from: ['a.b'] } },
      { 'a.b': [], a: { b: ['x'] } },
      [source('a.b', 'a.b', 'unused')],
    ],
  ])('%s', (_, mapping, claims, sources) => {
    expect(openId(mapping, claims).groups?.sources).toEqual(sources);
  });

  test('whose texts others go before give no values', () => {
    const { groups } = openId({ groups: { from: ['a.b'] } }, { 'a.b': ['x'], a: { b: ['y'] } });
    expect(groups?.values).toEqual([{ path: 'other_claims["a.b"][0]', rows: [] }]);
  });

  test('that are empty, or not there: they give no values', () => {
    const from = ['roles', NAME_ID, 'teams'];
    const { groups } = openId({ groups: { from } }, { roles: [' ', ''], teams: ['', 'a'] });
    expect(groups?.sources).toEqual([
      source('roles', 'roles', 'empty'),
      source('NAME_ID', 'NameID', 'absent'),
      source('teams', 'teams', 'groups', 1),
    ]);
    expect(groups?.values).toEqual([{ path: 'other_claims.teams[1]', rows: [] }]);
  });

  test('of an assertion: by Name before FriendlyName, and the NameID', () => {
    const attributes = [attribute('x', 'hidden', 'memberOf'), attribute('Role', 'a'), attribute('role', 'b')];
    const sources = saml({ groups: { from: [DEFAULTS, NAME_ID] } }, attributes).groups?.sources;
    expect(sources?.filter(({ gave }) => gave !== 'absent')).toEqual([
      source('DEFAULTS', 'memberOf', 'unused'),
      source('DEFAULTS', 'Role', 'groups', 2),
      source('NAME_ID', 'NameID', 'groups', 1),
    ]);
  });
});

describe('the rows of the table', () => {
  const table = [
    { group: 'staff', uuid: G1 },
    { group: { prefix: 'st' }, uuid: G2 },
    { group: 'nobody', uuid: G2 },
  ];

  test('with the names of user groups, of those that a group matched', () => {
    const named = table.map((row, index) => ({ ...row, name: `Group ${index}` })).with(1, table[1] as never);
    const { trace, response } = openIdLogin(
      { groups: { from: ['groups'], table: named } },
      { groups: ['staff'] },
    );
    expect(trace.groups?.table?.names).toEqual([{ row: 0, uuid: G1, name: 'Group 0' }]);
    expect(JSON.stringify(response)).not.toContain('Group');
  });

  test('of which the first 50 names are told', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      group: 'staff',
      uuid: G1,
      name: `Group ${index}`,
    }));
    const { groups } = openId({ groups: { from: ['groups'], table: many } }, { groups: ['staff'] });
    expect(groups?.table?.names).toHaveLength(50);
  });

  test('are not looked at where the groups are too long to be read', () => {
    const groups = openId({ groups: { from: ['groups'], table } }, { groups: ['st'.repeat(200_000)] }).groups;
    const values = [{ path: 'other_claims.groups[0]', rows: [] }];
    expect(groups).toMatchObject({ known: false, table: { rows: {} }, values });
  });

  test('that the groups in one text matched, which are counted', () => {
    const mapping = { groups: { from: ['groups'], separator: ',', table } };
    const { groups } = openId(mapping, { groups: 'x,staff,students' });
    expect(groups?.values).toEqual([{ path: 'other_claims.groups', rows: [0, 1] }]);
    expect(groups?.sources).toMatchObject([{ gave: 'groups', count: 3 }]);
  });

  test('are beside those of everybody', () => {
    const everybody = Array<string>(60).fill(G2);
    const of = (groups: Mapping['groups']) => openId({ groups }).groups?.everybody;
    expect(of({ everybody })).toEqual({ path: 'groups.everybody', uuids: everybody.slice(0, 50) });
    expect(of({})).toBeUndefined();
  });

  test.each([
    ['https://a.example', 'issuers.https://a.example.groups.table'],
    ['https://b.example', 'groups.table'],
  ])('stand where the mapping of %s has them', (issuer, path) => {
    const mapping: Mapping = {
      groups: { from: ['groups'], table },
      issuers: { 'https://a.example': { groups: { from: ['groups'], table } }, 'https://b.example': {} },
    };
    expect(openId(mapping, { groups: ['staff'] }, issuer).groups?.table).toEqual({
      path,
      rows: { 0: 1, 1: 1 },
    });
  });

  test('of a mapping that has rules alone stand nowhere', () => {
    const groups = openId({ rules: [{ any_group: ['staff'] }] }, { groups: ['staff'] }).groups;
    expect(groups?.table).toEqual({ path: 'groups.table', rows: {} });
  });

  test('are told for the first 50 groups, and counted for all', () => {
    const many = Array.from({ length: 60 }, (_, index) => `st-${index}`);
    const groups = openId({ groups: { from: ['groups'], table } }, { groups: many }).groups;
    expect(groups?.values).toHaveLength(50);
    expect(groups?.table?.rows).toEqual({ 1: 60 });
  });
});

test('each rule has a verdict, also after one that refused', () => {
  const rules: Mapping['rules'] = [
    { email_domains: ['uni.example'] },
    { any_group: ['staff'] },
    { no_group: ['suspended'] },
  ];
  const groups = { from: ['groups'], unknown: 'none' as const };
  const verdicts = (claims: Record<string, unknown>) =>
    openId({ groups, rules }, claims).rules?.map(({ verdict }) => verdict);
  expect(openId({ groups, rules }).rules?.map(({ path }) => path)).toEqual([
    'rules[0].email_domains',
    'rules[1].any_group',
    'rules[2].no_group',
  ]);
  expect(verdicts({ groups: ['staff'] })).toEqual(['refuses', 'allows', 'allows']);
  expect(verdicts({ groups: ['staff', 'suspended'] })).toEqual(['refuses', 'allows', 'refuses']);
  expect(verdicts({ groups: 'staff' })).toEqual(['refuses', 'allows', 'unclear']);
  expect(verdicts({})).toEqual(['refuses', 'refuses', 'unknown']);
  expect(verdicts({ hasgroups: true })).toEqual(['refuses', 'unknown', 'unknown']);
  const refused = openId({ rules, groups: { from: ['groups'] } }, { hasgroups: true });
  expect(refused.rules?.map(({ verdict }) => verdict)).toEqual(['refuses', 'unknown', 'unknown']);
});

test.each<[Rule, Record<string, unknown>, Verdict, string | undefined]>([
  [{ claim: 'a.b', is: ['x'] }, { a: { b: ['y', 'z'] } }, 'refuses', 'other_claims.a.b[0]'],
  [{ claim: 'a b', is: ['x'] }, { 'a b': 7 }, 'refuses', 'other_claims["a b"]'],
  [{ claim: 'a', present: true }, { a: '' }, 'refuses', 'other_claims.a'],
  [{ claim: 'a', is: ['x'] }, {}, 'refuses', undefined],
  [{ claim: 'email', is: ['x@uni.example'] }, {}, 'refuses', 'other_claims.email'],
  [{ scopes: ['uni.example'], from: ['a'] }, { a: [' ', 'staff@x.example'] }, 'refuses', 'other_claims.a[1]'],
])('%j tells where the value of %j stands', (rule, claims, verdict, value) => {
  const path = `rules[0].${Object.keys(rule)[0]}`;
  expect(openId({ rules: [rule] }, claims).rules).toEqual([{ path, verdict, value }]);
});

test.each<[Mapping, ReturnType<typeof attribute>[]]>([
  [{}, [attribute('x', 'member@uni.example', 'eduPersonScopedAffiliation')]],
  [
    { external_id: { from: ['subject-id'], issuer: false } },
    [attribute('eduPersonScopedAffiliation', 'member@uni.example'), attribute('subject-id', 'x@b.example')],
  ],
])('a scope that counts for nothing is refused: %j', (mapping, attributes) => {
  const { rules } = saml({ ...mapping, rules: [{ scopes: ['uni.example'] }] }, attributes);
  expect(rules).toEqual([{ path: 'rules[0].scopes', verdict: 'refuses' }]);
});

test('an address that the mapping has itself stands nowhere in the event', () => {
  const email = { from: ['none'], fallback: 'desk@example.org' };
  const { rules } = openId({ email, rules: [{ claim: 'none', is: ['x@uni.example'] }] });
  expect(rules).toEqual([{ path: 'rules[0].claim', verdict: 'refuses', value: '' }]);
});

test('is of the event as it was, whatever the handler does to it', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  event.id_token.other_claims.groups = ['staff'];
  const answer = mapOpenIdLogin({ groups: { from: ['groups'] } })(event);
  event.id_token.other_claims = {};
  expect(decisionOf(answer)?.explain()).toMatchObject({
    fields: { email: { path: 'other_claims.email' } },
    groups: { sources: [{ gave: 'groups' }], values: [{ path: 'other_claims.groups[0]' }] },
  });
});

describe('whatever arrives', () => {
  const NAMES = ['a', 'a.b', 'a.b.c', 'B', 'groups', 'realm_access.roles'];
  const name = fc.constantFrom(
    'a',
    'b',
    'c',
    'a.b',
    'b.c',
    'a.b.c',
    'B',
    'groups',
    'realm_access',
    'roles',
    'A',
  );
  const text = fc.string().map((value) => `VALUE${value}`);
  const claim: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(text, fc.constant(''), fc.constant(null), fc.integer()),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const claims = fc.dictionary(name, claim, { maxKeys: 6 });
  const attributes = fc.array(
    fc
      .tuple(name, fc.oneof(text, fc.constant(' ')), fc.option(name))
      .map(([own, value, friendly]) => attribute(own, value, friendly)),
    { maxLength: 8 },
  );
  test('the trace holds no value', () => {
    const mapping: Mapping = {
      email: { from: NAMES, fallback: 'fallback@example.org' },
      first_name: { from: NAMES, fallback: '-' },
      last_name: { from: NAMES, fallback: '-' },
      groups: { from: NAMES, absent: NAMES, table: [{ group: { prefix: 'VALUE' }, uuid: G1 }] },
    };
    const withRule = (own: Rule): Mapping => ({
      ...mapping,
      rules: [{ no_group: ['VALUE'] }, { any_group: [{ prefix: 'VALUE' }] }, own],
    });
    fc.assert(
      fc.property(claims, attributes, (received, statement) => {
        const traces = [
          openId(withRule({ claim: 'A', is: ['VALUE'] }), received),
          saml(withRule({ attribute: 'A', is: ['VALUE'] }), statement),
        ];
        expect(traces[0]).toBeDefined();
        expect(JSON.stringify(traces)).not.toContain('VALUE');
      }),
    );
  });
});

test('of an assertion, the value stands in an attribute, or in the statement of the sign-in', () => {
  const rules: Rule[] = [{ attribute: 'team', is: ['x'] }, { assurance: { max_age: '1s' } }];
  expect(saml({ rules }, [attribute('team', 'y')]).rules?.map(({ value }) => value)).toEqual([
    'attribute_statement[3]',
    'authn_statement.instant',
  ]);
});

test('what a handler changes in the event afterwards changes no trace', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  const response = mapOpenIdLogin({ groups: { from: ['groups'] } })(event);
  Object.assign(event.id_token.other_claims, { groups: [] });
  expect(decisionOf(response)?.explain().groups?.sources).toMatchObject([{ gave: 'absent' }]);
});
