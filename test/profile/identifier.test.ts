/** The identifier that a mapping takes: one value, of the issuer's own scope, and told from those of other issuers. */
import { describe, expect, test } from '@jest/globals';
import { type Mapping, MappingInvalid, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { configuration } from '../../lib/readSettings.ts';
import type { Settings } from '../../lib/settings.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { openId, openIdHandler, saml, samlHandler } from './decided.ts';

const OPENID_ISSUER = openIdEvent().idToken.iss;
const SAML_ISSUER = samlEvent().assertion.assertionIssuer;
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const MACE_ID = 'urn:mace:dir:attribute-def:eduPersonUniqueId';
const PAIRWISE_ID = 'urn:oasis:names:tc:SAML:attribute:pairwise-id';
const UNIQUE_ID = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.13';
const AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const A = { scopes: ['a.example'] };
const B = { scopes: ['a.example', 'b.example', '*.c.example'] };

type Decided = ReturnType<typeof saml>;

/** A rule on scopes judges the identifier that leaves. */
const FOREIGN = ['rule_refused', 'rules[0].scopes'];

/** The identifier, undefined where there is none; or the reason of a refusal, and its note or the rule. */
function identified({ response, decision, trace }: Decided): unknown {
  if (response.type === 'AuthorizedUserResponse') return response.external_id;
  const { note, hint } = trace.fields.external_id ?? {};
  if (decision.reason === 'rule_refused' && note === undefined) {
    expect(trace.note).toContain('The scope of the identifier');
    return [decision.reason, trace.rule];
  }
  expect(hint).toMatch(/^[A-Z].*\.$/);
  return [decision.reason, note];
}

describe('of a claim', () => {
  const long = (length: number) => 'x'.repeat(length);
  test.each<[NonNullable<Mapping['external_id']>, Record<string, unknown>, unknown]>([
    [['oid'], { oid: ' a-1 ' }, 'a-1'],
    [['oid'], { oid: 'A-1' }, 'A-1'],
    [['oid'], {}, undefined],
    [['oid'], { oid: ' ' }, undefined],
    [[DEFAULTS], { sub: 'a-1' }, undefined],
    [['none', 'oid'], { oid: 'a-1' }, 'a-1'],
    [['none', 'oid'], { none: ['', ' '], oid: 'a-1' }, 'a-1'],
    [['uid', 'oid'], { uid: 'b-2', oid: 'a-1' }, 'b-2'],
    [['uid', 'oid'], { uid: ['b-2', ' b-2'], oid: 'a-1' }, 'b-2'],
    [['uid', 'oid'], { uid: ['b-2', 'B-2'], oid: 'a-1' }, ['external_id_refused', 'several_values']],
    [
      ['uid', 'oid'],
      { uid: 'a@b.examplec@b.example', oid: 'a-1' },
      ['external_id_refused', 'several_values'],
    ],
    [['uid', 'oid'], { uid: long(8_193), oid: 'a-1' }, ['external_id_refused', 'too_long']],
    [['uid'], { uid: long(8_192) }, long(8_192)],
    [['a.b'], { 'a.b': 'b-2', a: { b: 'c-3' } }, 'b-2'],
    [['uid', 'oid'], { uid: 12_345, oid: 'a-1' }, '12345'],
    [['uid', 'oid'], { uid: [12_345], oid: 'a-1' }, '12345'],
    [['uid', 'oid'], { uid: { a: 1 }, oid: 'a-1' }, ['external_id_refused', 'other_form']],
    [['uid', 'oid'], { uid: ['b-2', { a: 1 }], oid: 'a-1' }, ['external_id_refused', 'other_form']],
    [['uid', 'oid'], { uid: 1.5, oid: 'a-1' }, ['external_id_refused', 'other_form']],
    [{ from: ['uid'], issuer: true }, { uid: 'b-2' }, `${OPENID_ISSUER}|b-2`],
    [{ issuer: true }, { uid: 'b-2' }, undefined],
  ])('%j with %j: %j', (external_id, claims, expected) => {
    const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id };
    expect(identified(openId(mapping, claims))).toEqual(expected);
  });

  test('is not looked at where a rule refuses', () => {
    const rules: Mapping['rules'] = [{ email_domains: ['evil.example'] }];
    const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id: ['uid'], rules };
    expect(identified(openId(mapping, { uid: ['a', 'b'] }))).toEqual(['rule_refused', 'several_values']);
  });

  test('is traced, with what the operator can do', () => {
    const traced = (claims: Record<string, unknown>) => {
      const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id: ['uid', 'oid'] };
      const { trace, decision, response } = openId(mapping, claims);
      return { ...trace.fields.external_id, missing: decision.missing, type: response.type };
    };
    const tried = ['uid', 'oid'];
    const groups = { missing: ['external_id'], type: 'AuthorizedUserResponse' };
    expect(traced({ oid: 'a' })).toEqual({ tried, found: 'oid', ...groups, missing: [] });
    expect(traced({})).toEqual({ tried, found: null, ...groups });
    const hint = expect.stringMatching(/^Several different values .*\.$/);
    const refused = { tried, found: null, missing: [], type: 'ErrorResponse' };
    expect(traced({ uid: ['a', 'b'] })).toEqual({ ...refused, note: 'several_values', hint });
    const form = 'It is neither a text nor a whole number: have the provider send one of these.';
    expect(traced({ uid: true })).toEqual({ ...refused, note: 'other_form', hint: form });
  });

  test('has no fallback', () => {
    expect(() => parseMapping({ external_id: { fallback: 'x' } } as never)).toThrow(
      'external_id: expected a list of names, or an object with from and issuer',
    );
    expect(openId({}).decision.missing).toEqual([]);
  });
});

describe('of an attribute', () => {
  const refusedAs = (note: string) => ['external_id_refused', note];
  test.each<[string[], Mapping['rules'], Parameters<typeof attribute>[], unknown]>([
    [['eduPersonUniqueId'], undefined, [['eduPersonUniqueId', 'Ada@UNI.example']], 'ada@uni.example'],
    [[MACE_ID], undefined, [[MACE_ID, 'Ada@UNI.example']], 'ada@uni.example'],
    [
      ['eduPersonUniqueId'],
      undefined,
      [
        [UNIQUE_ID, 'a@u.example'],
        [UNIQUE_ID, 'A@u.example'],
      ],
      'a@u.example',
    ],
    [
      ['eduPersonUniqueId'],
      undefined,
      [
        [UNIQUE_ID, 'a@u.example'],
        [UNIQUE_ID, 'b@u.example'],
      ],
      refusedAs('several_values'),
    ],
    [['eduPersonUniqueId'], undefined, [['urn:x', 'a@u.example', 'eduPersonUniqueId']], undefined],
    [
      ['uid'],
      undefined,
      [
        ['uid', 'Ada'],
        ['urn:x', 'eve', 'uid'],
      ],
      'Ada',
    ],
    [[SUBJECT_ID], undefined, [[SUBJECT_ID, ' Ada@b.example ']], 'ada@b.example'],
    [[SUBJECT_ID], [A], [[SUBJECT_ID, 'Ada@a.example']], 'ada@a.example'],
    [['subject-id'], [A], [['subject-id', 'ada@b.example']], FOREIGN],
    [['pairwise-id'], [A], [['pairwise-id', 'ada@b.example']], FOREIGN],
    [[PAIRWISE_ID.toUpperCase()], [A], [[PAIRWISE_ID, 'ada@b.example']], FOREIGN],
    [['eduPersonUniqueId'], [A], [[UNIQUE_ID, 'ada@b.example']], FOREIGN],
    [[SUBJECT_ID], [B], [[SUBJECT_ID, 'ada@x.c.example']], 'ada@x.c.example'],
    [[SUBJECT_ID], [B, A], [[SUBJECT_ID, 'ada@b.example']], ['rule_refused', 'rules[1].scopes']],
    [[SUBJECT_ID], [A, B], [[SUBJECT_ID, 'ada@b.example']], FOREIGN],
    [[SUBJECT_ID], [A, B], [[SUBJECT_ID, 'ada@a.example']], 'ada@a.example'],
    [[SUBJECT_ID], [A], [[SUBJECT_ID, 'a.example']], FOREIGN],
    [[SUBJECT_ID], [A], [[SUBJECT_ID, '@a.example']], FOREIGN],
    [['uid'], [A], [['uid', 'ada@b.example']], 'ada@b.example'],
  ])('%j with %j and %j: %j', (external_id, rules, attributes, expected) => {
    const mapping = { issuers: { [SAML_ISSUER]: {} }, external_id, ...(rules && { rules }) };
    const all = [attribute(AFFILIATION, 'member@a.example'), ...attributes.map((one) => attribute(...one))];
    expect(identified(saml(mapping, all))).toEqual(expected);
  });

  test('is the NameID, with its issuer in front', () => {
    const mapping: Mapping = { external_id: { from: [NAME_ID], issuer: true } };
    expect(identified(saml(mapping, [], 'p-1'))).toBe(`${SAML_ISSUER}|p-1`);
  });
});

describe('where several issuers are accepted, the mapping says whether they share identifiers:', () => {
  const issuers = (own: object = {}) => ({ [OPENID_ISSUER]: own, 'https://b.example': {} });
  const EXPECTED =
    /external_id\.issuer: expected true, .* or false, .* several issuers are accepted, and .* listed scopes$/;

  test.each<[Mapping, string, RegExp | null]>([
    [{ external_id: ['uid'] }, 'off', EXPECTED],
    [{ external_id: ['uid'], issuers: 'any' }, 'off', EXPECTED],
    [{ external_id: ['uid'], issuers: issuers() }, 'off', /^issuers.*and uid is not held/],
    [{ external_id: ['uid'], issuers: { 'https://a': {} } }, 'off', null],
    [{ external_id: { from: ['uid'], issuer: false } }, 'off', null],
    [{ external_id: { from: ['uid'], issuer: true }, issuers: issuers() }, 'off', null],
    [
      {
        external_id: ['uid'],
        issuers: { a: { external_id: { issuer: true } }, b: { external_id: { issuer: false } } },
      },
      'off',
      null,
    ],
    [
      { external_id: ['uid'], issuers: { a: { external_id: { issuer: true } }, b: {} } },
      'off',
      /^issuers\.b\.external_id\.issuer/,
    ],
    [
      { issuers: issuers({ external_id: ['uid'] }) },
      'off',
      /^issuers\..*idp\.example\.org\.external_id\.issuer/,
    ],
    [{ external_id: [] as never }, 'off', /expected/],
    [{}, 'off', null],
    [{}, 'sub', /OPENID_EXTERNAL_ID=sub is not held/],
    [{ issuers: issuers() }, 'sub', EXPECTED],
    [{ issuers: { 'https://a': {} } }, 'sub', null],
    [{ external_id: { issuer: false } }, 'sub', null],
    [{ external_id: { issuer: true }, issuers: issuers() }, 'sub', null],
  ])('OpenID, %j, setting %s', (mapping, openidExternalId, problem) => {
    withSettings('OpenID', { openidExternalId } as Partial<Settings>, () =>
      load(() => openIdHandler(mapping), problem),
    );
  });

  test.each<[Mapping, string, RegExp | null]>([
    [{ external_id: [SUBJECT_ID] }, 'off', EXPECTED],
    [{ external_id: [SUBJECT_ID], rules: [A] }, 'off', null],
    [{ external_id: ['EDUPERSONUNIQUEID'], rules: [A] }, 'off', null],
    [{ external_id: [SUBJECT_ID, 'uid'], rules: [A] }, 'off', /and uid is not held/],
    [{ external_id: [NAME_ID], rules: [A] }, 'off', /and nameId is not held/],
    [{ rules: [A] }, 'subject_id', null],
    [{ rules: [A] }, 'pairwise_id', null],
    [{ rules: [A] }, 'edu_person_unique_id', null],
    [{ rules: [A] }, 'persistent_name_id', /SAML_EXTERNAL_ID=persistent_name_id is not held/],
    [{}, 'subject_id', EXPECTED],
    [{ issuers: { a: { rules: [A] }, b: {} } }, 'subject_id', /^issuers\.b\.external_id\.issuer/],
    [{ external_id: [SUBJECT_ID], rules: [A] }, 'persistent_name_id', EXPECTED],
  ])('SAML, %j, setting %s', (mapping, samlExternalId, problem) => {
    withSettings('SAML', { samlExternalId } as Partial<Settings>, () =>
      load(() => samlHandler(mapping), problem),
    );
  });

  test('what stands for one issuer is added to what stands for all', () => {
    const inFront = { external_id: ['uid'], issuers: issuers({ external_id: { issuer: true } }) };
    const mapping: Mapping = {
      ...inFront,
      issuers: { ...inFront.issuers, 'https://b.example': { external_id: { issuer: false } } },
    };
    expect(identified(openId(mapping, { uid: '42' }))).toBe(`${OPENID_ISSUER}|42`);
    expect(identified(openId(mapping, { uid: '42' }, 'https://b.example'))).toBe('42');
    const from = { external_id: { from: ['uid'], issuer: true }, issuers: issuers({ external_id: ['oid'] }) };
    expect(identified(openId(from, { uid: '42', oid: '7' }))).toBe(`${OPENID_ISSUER}|7`);
  });
});

describe('of a setting', () => {
  const subjectIds = (...scopes: string[]) => [
    attribute(AFFILIATION, 'member@a.example'),
    ...scopes.map((scope) => attribute(SUBJECT_ID, `Ada@${scope}`)),
  ];

  test.each<[Mapping, string[], unknown]>([
    [{}, ['b.example'], 'ada@b.example'],
    [{ rules: [A] }, ['a.example'], 'ada@a.example'],
    [{ rules: [A] }, ['b.example'], FOREIGN],
    [{ rules: [B, A] }, ['b.example'], ['rule_refused', 'rules[1].scopes']],
    [{ external_id: { issuer: true } }, ['b.example'], `${SAML_ISSUER}|ada@b.example`],
    [{ external_id: ['uid'] }, ['b.example'], 'ada@b.example'],
    [{}, [], undefined],
  ])('a mapping %j decides on the scopes %j: %j', (mapping, scopes, expected) => {
    withSettings('SAML', { samlExternalId: 'subject_id' }, () => {
      const login = saml({ issuers: { [SAML_ISSUER]: {} }, ...mapping }, subjectIds(...scopes));
      expect(identified(login)).toEqual(expected);
      expect(login.decision.missing).toEqual(expected === undefined ? ['external_id'] : []);
    });
  });

  test('is there where no source of the mapping arrives, and says where it is from', () => {
    withSettings('OpenID', { openidExternalId: 'sub' }, () => {
      const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id: ['uid'] };
      const { response, trace } = openId(mapping);
      expect(response).toMatchObject({ external_id: openIdEvent().idToken.sub });
      expect(trace.fields.external_id).toEqual({ tried: ['uid', 'sub'], found: 'sub' });
      expect(identified(openId(mapping, { uid: 'own' }))).toBe('own');
    });
  });
});

function load(make: () => unknown, problem: RegExp | null): void {
  if (problem === null) return void make();
  expect(make).toThrow(problem);
  expect(make).toThrow(MappingInvalid);
}

/** The settings are read once: what a test changes is put back. */
function withSettings(kind: 'OpenID' | 'SAML', changed: Partial<Settings>, use: () => void): void {
  const { settings } = configuration(kind);
  const before = { ...settings };
  Object.assign(settings, changed);
  try {
    use();
  } finally {
    Object.assign(settings, before);
  }
}
