/** The identifier that a mapping takes: one value, of the issuer's own scope, and told from those of other issuers. */
import { describe, expect, test } from '@jest/globals';
import { type Mapping, MappingInvalid, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import type { Settings } from '../../lib/settings.ts';
import { openIdEvent, samlEvent, attribute as sent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, saml, samlHandler, withSettings } from './decided.ts';

const OPENID_ISSUER = openIdEvent().idToken.iss;
const SAML_ISSUER = samlEvent().assertion.assertionIssuer;
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const MACE_ID = 'urn:mace:dir:attribute-def:eduPersonUniqueId';
const MEMBER = sent('urn:oid:1.3.6.1.4.1.5923.1.1.1.9', 'member@a.example');
const A = { scopes: ['a.example'] };
const B = { scopes: ['a.example', 'b.example'] };

/** A rule on scopes judges the identifier that leaves. */
const FOREIGN = ['rule_refused', 'rules[0].scopes'];
const FOREIGN_TO_THE_SECOND = ['rule_refused', 'rules[1].scopes'];
const SEVERAL = ['external_id_refused', 'several_values'];
const TOO_LONG = ['external_id_refused', 'too_long'];
const OTHER_FORM = ['external_id_refused', 'other_form'];

/** The identifier, undefined where there is none; or the reason of a refusal, and its note or the rule. */
function identified({ response, decision, trace }: ReturnType<typeof saml>): unknown {
  if (response.type === 'AuthorizedUserResponse') return response.external_id;
  const { note, hint } = trace.fields.external_id ?? {};
  if (decision.reason === 'rule_refused' && note === undefined) {
    expect(trace.note).toContain('The scope of the identifier');
    return [decision.reason, trace.rule];
  }
  expect(hint).toMatch(/^[A-Z].*\.$/);
  return [decision.reason, note];
}

const oid = 'a-1';
const long = (length: number) => 'x'.repeat(length);

describe('of a claim', () => {
  test.each<[NonNullable<Mapping['external_id']>, Claims, unknown]>([
    [['oid'], { oid: ' a-1 ' }, 'a-1'],
    [['oid'], {}, undefined],
    [['oid'], { oid: ' ' }, undefined],
    [[DEFAULTS], { sub: 'a-1' }, undefined],
    [['uid', 'oid'], { uid: 'b-2', oid }, 'b-2'],
    [['uid', 'oid'], { uid: ['b-2', 'B-2'], oid }, SEVERAL],
    [['uid', 'oid'], { uid: 'a@b.examplec@b.example', oid }, SEVERAL],
    [['uid', 'oid'], { uid: long(8_193), oid }, TOO_LONG],
    [['uid'], { uid: long(8_192) }, long(8_192)],
    [['a.b'], { 'a.b': 'b-2', a: { b: 'c-3' } }, 'b-2'],
    [['uid', 'oid'], { uid: 12_345, oid }, '12345'],
    [['uid', 'oid'], { uid: { a: 1 }, oid }, OTHER_FORM],
    [['uid', 'oid'], { uid: ['b-2', { a: 1 }], oid }, OTHER_FORM],
    [{ from: ['uid'], issuer: true }, { uid: 'b-2' }, `${OPENID_ISSUER}|b-2`],
  ])('%j with %j: %j', (external_id, claims, expected) => {
    const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id };
    expect(identified(openId(mapping, claims))).toEqual(expected);
  });

  test('is traced', () => {
    const mapping = { issuers: { [OPENID_ISSUER]: {} }, external_id: ['uid', 'oid'] };
    const { trace, decision } = openId(mapping, { oid });
    expect(trace.fields.external_id).toEqual({ tried: ['uid', 'oid'], found: 'oid' });
    expect(decision.missing).toEqual([]);
  });

  test('has no fallback', () => {
    expect(() => parseMapping({ external_id: { fallback: 'x' } } as never)).toThrow(
      'external_id: expected a list of names, or an object with from and issuer',
    );
    expect(openId({}).decision.missing).toEqual([]);
  });
});

describe('of an attribute', () => {
  test.each<[name: string, Mapping['rules'], ReturnType<typeof sent>[], unknown]>([
    ['eduPersonUniqueId', undefined, [sent('eduPersonUniqueId', 'Ada@UNI.example')], 'ada@uni.example'],
    [MACE_ID, undefined, [sent(MACE_ID, 'Ada@UNI.example')], 'ada@uni.example'],
    ['eduPersonUniqueId', undefined, [sent('urn:x', 'a@b.c', 'eduPersonUniqueId')], undefined],
    [SUBJECT_ID, undefined, [sent(SUBJECT_ID, ' Ada@b.example ')], 'ada@b.example'],
    [SUBJECT_ID, [A], [sent(SUBJECT_ID, 'Ada@a.example')], 'ada@a.example'],
    ['subject-id', [A], [sent('subject-id', 'ada@b.example')], FOREIGN],
    ['pairwise-id', [A], [sent('pairwise-id', 'ada@b.example')], FOREIGN],
    [SUBJECT_ID, [B, A], [sent(SUBJECT_ID, 'ada@b.example')], FOREIGN_TO_THE_SECOND],
    [SUBJECT_ID, [A], [sent(SUBJECT_ID, 'a.example')], FOREIGN],
    [SUBJECT_ID, [A], [sent(SUBJECT_ID, '@a.example')], FOREIGN],
    ['uid', [A], [sent('uid', 'ada@b.example')], 'ada@b.example'],
  ])('%s with %j and %j: %j', (name, rules, attributes, expected) => {
    const mapping = { issuers: { [SAML_ISSUER]: {} }, external_id: [name], ...(rules && { rules }) };
    expect(identified(saml(mapping, [MEMBER, ...attributes]))).toEqual(expected);
  });

  test('is the NameID, with its issuer in front', () => {
    const mapping: Mapping = { external_id: { from: [NAME_ID], issuer: true } };
    expect(identified(saml(mapping, [], 'p-1'))).toBe(`${SAML_ISSUER}|p-1`);
  });
});

describe('where several issuers are accepted, the mapping says whether they share identifiers:', () => {
  const issuers = (own: object = {}) => ({ [OPENID_ISSUER]: own, 'https://b.example': {} });
  const [SHARED, OWN] = [{ external_id: { issuer: false } }, { external_id: { issuer: true } }];
  const external_id = ['uid'];
  const EXPECTED =
    /external_id\.issuer: expected true, .* or false, .* several issuers are accepted, and .* listed scopes$/;

  test.each<[Mapping, string, RegExp]>([
    [{ external_id }, 'off', EXPECTED],
    [{ external_id, issuers: 'any' }, 'off', EXPECTED],
    [{ external_id, issuers: { a: OWN, b: {} } }, 'off', /^issuers\.b\.external_id\.issuer/],
    [{}, 'sub', /OPENID_EXTERNAL_ID=sub is not held/],
  ])('OpenID, %j, setting %s', (mapping, openidExternalId, problem) => {
    withSettings('OpenID', { openidExternalId } as Partial<Settings>, () =>
      load(() => openIdHandler(mapping), problem),
    );
  });

  test.each<[Mapping, string, RegExp | null]>([
    [{ external_id: [SUBJECT_ID] }, 'off', EXPECTED],
    [{ external_id: [SUBJECT_ID], rules: [A] }, 'off', null],
    [{ external_id: [SUBJECT_ID, 'uid'], rules: [A] }, 'off', /and uid is not held/],
    [{ external_id: [NAME_ID], rules: [A] }, 'off', /and nameId is not held/],
    [{ rules: [A] }, 'subject_id', null],
    [{ rules: [A] }, 'pairwise_id', null],
    [{ rules: [A] }, 'edu_person_unique_id', null],
    [{ rules: [A] }, 'persistent_name_id', /SAML_EXTERNAL_ID=persistent_name_id is not held/],
    [{ issuers: { a: { rules: [A] }, b: {} } }, 'subject_id', /^issuers\.b\.external_id\.issuer/],
  ])('SAML, %j, setting %s', (mapping, samlExternalId, problem) => {
    withSettings('SAML', { samlExternalId } as Partial<Settings>, () =>
      load(() => samlHandler(mapping), problem),
    );
  });

  test('what stands for one issuer is added to what stands for all', () => {
    const mapping: Mapping = { external_id, issuers: { ...issuers(OWN), 'https://b.example': SHARED } };
    expect(identified(openId(mapping, { uid: '42' }))).toBe(`${OPENID_ISSUER}|42`);
    expect(identified(openId(mapping, { uid: '42' }, 'https://b.example'))).toBe('42');
    const from = { external_id: { from: ['uid'], issuer: true }, issuers: issuers({ external_id: ['oid'] }) };
    expect(identified(openId(from, { uid: '42', oid: '7' }))).toBe(`${OPENID_ISSUER}|7`);
  });
});

describe('of a setting', () => {
  test.each<[Mapping, scope: string | null, unknown]>([
    [{}, 'b.example', 'ada@b.example'],
    [{ rules: [A] }, 'b.example', FOREIGN],
    [{ external_id: { issuer: true } }, 'b.example', `${SAML_ISSUER}|ada@b.example`],
    [{}, null, undefined],
  ])('a mapping %j decides on the scope %j: %j', (mapping, scope, expected) => {
    withSettings('SAML', { samlExternalId: 'subject_id' }, () => {
      const attributes = scope === null ? [MEMBER] : [MEMBER, sent(SUBJECT_ID, `Ada@${scope}`)];
      const login = saml({ issuers: { [SAML_ISSUER]: {} }, ...mapping }, attributes);
      expect(identified(login)).toEqual(expected);
      expect(login.decision.missing).toEqual(expected === undefined ? ['external_id'] : []);
      expect(login.trace.fields.external_id?.found).toBe(scope && 'subject_id');
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
