/** What a trace holds at level DEBUG: paths, sources, rows and the verdict of each rule, and no value. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Verdict } from '../../lib/profile/rules/ruleResult.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { configuration } from '../../lib/readSettings.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { attribute, openIdEvent } from '../support/wire.ts';
import {
  type Claims,
  G1,
  G2,
  openId as openIdLogin,
  type Rule,
  saml as samlLogin,
  withSettings,
} from './decided.ts';

// Read once for each kind of login.
process.env.AWS_LAMBDA_LOG_LEVEL = 'TRACE';
configuration('SAML');
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';
configuration('OpenID');

const openId = (...login: Parameters<typeof openIdLogin>) => openIdLogin(...login).trace;
const saml = (...login: Parameters<typeof samlLogin>) => samlLogin(...login).trace;

test('a mapping without groups and rules has no trace of any', () => {
  expect(Object.keys(openId({ affiliation: ['org'] }))).toEqual(['fields', 'received']);
});

test('a field that was found has its path', () => {
  expect(openId({}).fields.last_name?.path).toBe('other_claims.family_name');
  expect(saml({}).fields.last_name?.path).toBe('attribute_statement[2]');
  const external_id = { from: ['oid'], issuer: false };
  expect(openId({ external_id }, { oid: 'a-1' }).fields.external_id?.path).toBe('other_claims.oid');
  expect(saml({ first_name: [NAME_ID] }).fields.first_name?.path).toBe('subject.name_id');
});

describe('the sources of groups', () => {
  const source = (from: string, name: string, gave: string, count = 0) => ({ from, name, gave, count });
  const own = (name: string, gave: string, count = 0) => source(name, name, gave, count);
  const OF_DEFAULTS = OPENID_NAMES.groups.map(({ name }) => name);
  const GAVE = ['absent', 'empty', 'groups', 'absent', 'absent', 'absent'];
  const defaults = OF_DEFAULTS.map((name, index) => {
    const gave = GAVE[index] ?? '';
    return source('DEFAULTS', name, gave, gave === 'groups' ? 2 : 0);
  });

  const CUT = { hasgroups: true, roles: { a: 1 }, a: [{ b: 'x' }, {}] };
  const OF_CUT = [own('groups', 'overage'), own('roles', 'other_form'), own('a.b', 'other_form', 1)];
  const EMPTY = { roles: [' ', ''], teams: ['', 'a'] };
  const NO_NAME_ID = source('NAME_ID', 'NameID', 'absent');
  const OF_EMPTY = [own('roles', 'empty'), NO_NAME_ID, own('teams', 'groups', 1)];
  const OF_COGNITO = ['["cognito:groups"][0]', '["cognito:groups"][1]'];
  const SEVERAL = { teams: 'a', roles: [], 'cognito:groups': ['b', 'c', ''] };
  const OF_SEVERAL = [own('teams', 'groups', 1), ...defaults];

  test.each<[NonNullable<Mapping['groups']>['from'], Claims, unknown[], paths: string[]]>([
    [['teams', DEFAULTS], SEVERAL, OF_SEVERAL, ['.teams', ...OF_COGNITO]],
    [['groups', 'roles', 'a.b'], CUT, OF_CUT, ['.a[0].b']],
    [['a.b'], { 'a.b': [], a: { b: ['x'] } }, [own('a.b', 'unused')], []],
    [['roles', NAME_ID, 'teams'], EMPTY, OF_EMPTY, ['.teams[1]']],
  ])('%j, and what each gave of %j', (from, claims, sources, paths) => {
    const { groups } = openId({ groups: { from } }, claims);
    expect(groups?.sources).toEqual(sources);
    expect(groups?.values).toEqual(paths.map((path) => ({ path: `other_claims${path}`, rows: [] })));
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
  const groups = {
    from: ['groups'],
    table: [
      { group: 'staff', uuid: G1, name: 'Staff' },
      { group: { prefix: 'st' }, uuid: G2 },
      { group: 'nobody', uuid: G2, name: 'Nobody' },
    ],
  };

  test('that the groups in one text matched, which are counted, and the names of user groups', () => {
    const { trace, response } = openIdLogin(
      { groups: { ...groups, separator: ',' } },
      { groups: 'x,staff,students' },
    );
    expect(trace.groups?.values).toEqual([{ path: 'other_claims.groups', rows: [0, 1] }]);
    expect(trace.groups?.sources).toMatchObject([{ gave: 'groups', count: 3 }]);
    expect(trace.groups?.table?.names).toEqual([{ row: 0, uuid: G1, name: 'Staff' }]);
    expect(JSON.stringify(response)).not.toContain('Staff');
  });

  test('are beside those of everybody', () => {
    const everybody = Array<string>(60).fill(G2);
    const of = (own: Mapping['groups']) => openId({ groups: own }).groups?.everybody;
    expect(of({ everybody })).toEqual({ path: 'groups.everybody', uuids: everybody.slice(0, 50) });
    expect(of({})).toBeUndefined();
  });

  test('stand where the mapping of an issuer has them, and nowhere where it has rules alone', () => {
    const mapping = { groups, issuers: { 'https://a.example': { groups }, 'https://b.example': {} } };
    const table = (own: Mapping, issuer?: string) => openId(own, { groups: ['st'] }, issuer).groups?.table;
    const rows = { 1: 1 };
    expect(table(mapping, 'https://a.example')).toEqual({
      path: 'issuers.https://a.example.groups.table',
      rows,
    });
    expect(table(mapping, 'https://b.example')).toEqual({ path: 'groups.table', rows });
    expect(table({ rules: [{ any_group: ['st'] }] })).toEqual({ path: 'groups.table', rows: {} });
  });

  test('are told for the first 50 groups, and counted for all; 50 names are told', () => {
    const many = Array.from({ length: 60 }, (_, index) => `st-${index}`);
    const { table, values } = openId({ groups }, { groups: many }).groups ?? {};
    expect(values).toHaveLength(50);
    expect(table?.rows).toEqual({ 1: 60 });
    const named = many.map((name) => ({ group: 'staff', uuid: G1, name }));
    const { groups: ofNames } = openId({ groups: { ...groups, table: named } }, { groups: ['staff'] });
    expect(ofNames?.table?.names).toHaveLength(50);
  });
});

describe('each rule has a verdict, also after one that refused', () => {
  const [domains, any_group, no_group] = [['uni.example'], ['staff'], ['suspended']];
  const rules: Rule[] = [{ email_domains: domains }, { any_group }, { no_group }];

  test.each<[Claims, any: Verdict, no: Verdict]>([
    [{ groups: ['staff'] }, 'allows', 'allows'],
    [{ groups: ['staff', 'suspended'] }, 'allows', 'refuses'],
    [{ groups: ['x'] }, 'refuses', 'allows'],
    [{}, 'refuses', 'unknown'],
    [{ hasgroups: true }, 'unknown', 'unknown'],
  ])('with %j: %s, %s', (claims, any, no) => {
    const groups: Mapping['groups'] = { from: ['groups'], unknown: 'none' };
    expect(openId({ groups, rules }, claims).rules).toMatchObject([
      { path: 'rules[0].email_domains', verdict: 'refuses' },
      { path: 'rules[1].any_group', verdict: any },
      { path: 'rules[2].no_group', verdict: no },
    ]);
  });
});

test.each<[Rule, Claims, value: string | undefined]>([
  [{ claim: 'a', is: ['x'] }, {}, undefined],
  [{ claim: 'email', is: ['x@uni.example'] }, {}, 'other_claims.email'],
  [{ scopes: ['uni.example'], from: ['a'] }, { a: [' ', 'staff@x.example'] }, 'other_claims.a[1]'],
])('%j refuses %j, and tells where the value stands', (rule, claims, value) => {
  const path = `rules[0].${Object.keys(rule)[0]}`;
  const { rules } = openId({ groups: { from: ['groups'] }, rules: [rule] }, claims);
  expect(rules).toEqual([{ path, verdict: 'refuses', value }]);
});

test('of an assertion, the value stands in an attribute, or in the statement of the sign-in', () => {
  const rules: Rule[] = [{ attribute: 'team', is: ['x'] }, { assurance: { max_age: '1s' } }];
  const values = saml({ rules }, [attribute('team', 'y')]).rules?.map(({ value }) => value);
  expect(values).toEqual(['attribute_statement[3]', 'authn_statement.instant']);
});

const MEMBER = 'member@uni.example';

test.each<[Mapping, ReturnType<typeof attribute>[]]>([
  [{}, [attribute('x', MEMBER, 'eduPersonScopedAffiliation')]],
  [
    { external_id: { from: ['subject-id'], issuer: false } },
    [attribute('eduPersonScopedAffiliation', MEMBER), attribute('subject-id', 'x@b.example')],
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
  const answer = mapOpenIdLogin({ groups: { from: ['groups'] } })(event);
  Object.assign(event.id_token.other_claims, { groups: [] });
  event.id_token.other_claims = {};
  expect(decisionOf(answer)?.explain()).toMatchObject({
    fields: { email: { path: 'other_claims.email' } },
    groups: { sources: [{ gave: 'absent' }] },
  });
});

test('whatever arrives, the trace holds no value', () => {
  const NAMES = ['a', 'a.b', 'a.b.c', 'B', 'groups', 'realm_access.roles'];
  const name = fc.constantFrom(...NAMES, 'b', 'c', 'b.c', 'realm_access', 'roles', 'A');
  // What the mapping wants may be told of it; what follows in a text may not.
  const text = fc.oneof(
    fc.constant('WANTED'),
    fc.string().map((value) => `WANTED${value}SECRET`),
  );
  const values = [text, fc.constant(''), fc.constant(null), fc.integer()];
  const sent = fc
    .tuple(name, fc.oneof(text, fc.constant(' ')), fc.option(name))
    .map((parts) => attribute(...parts));
  const mapping = (own: Rule): Mapping => ({
    email: { from: NAMES, fallback: 'fallback@example.org' },
    first_name: { from: NAMES, fallback: '-' },
    last_name: { from: NAMES, fallback: '-' },
    groups: { from: NAMES, absent: NAMES, table: [{ group: { prefix: 'WANTED' }, uuid: G1 }] },
    rules: [{ no_group: ['WANTED'] }, { any_group: [{ prefix: 'WANTED' }] }, own],
  });
  const claims = fc.object({ key: name, values, maxDepth: 3, maxKeys: 6 });
  fc.assert(
    fc.property(claims, fc.array(sent, { maxLength: 8 }), (received, statement) => {
      const traces = [
        openId(mapping({ claim: 'A', is: ['WANTED'] }), received),
        saml(mapping({ attribute: 'A', is: ['WANTED'] }), statement),
      ];
      expect(JSON.stringify(traces)).not.toContain('SECRET');
    }),
  );
});

test('a rule on addresses refuses who has none', () => {
  const none = { from: ['none'], fallback: '-' };
  const mapping: Mapping = { email: ['none'], first_name: none, rules: [{ email_domains: ['example.org'] }] };
  const { rules } = withSettings('OpenID', { requiredFields: ['first_name'] }, () => openId(mapping));
  expect(rules).toEqual([{ path: 'rules[0].email_domains', verdict: 'refuses' }]);
});
