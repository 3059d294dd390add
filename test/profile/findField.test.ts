/** How a field is found: what the trace says of it, and what is no value. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { kindOf } from '../../lib/profile/decide.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { mappingHandler } from '../../lib/profile/mapping.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/reader.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const long = (length: number) => 'x'.repeat(length);
const SWITCH =
  /^Turn it on at the provider\. Keycloak: .* Entra: .*xms_edov\. To accept .*email\.unverified in docs\/mappings\.md\.$/;

describe('a full name', () => {
  test.each<[string, object | null]>([
    ['Ada Lovelace', { first_name: 'Ada', last_name: 'Lovelace' }],
    ['Ada King  Lovelace', { first_name: 'Ada King', last_name: 'Lovelace' }],
    [' Lovelace, Ada King ', { first_name: 'Ada King', last_name: 'Lovelace' }],
    [`${long(4_000)} ${long(4_191)}`, { first_name: long(4_000), last_name: long(4_191) }],
    [`${long(4_000)} ${long(4_192)}`, null],
    ['Ada', null],
    [', Ada', null],
    ['Lovelace,', null],
    ['Lovelace, \u0007', null],
    ['ada lovelace@example.org', null],
    [' ', null],
  ])('%# is split', (name, parts) => {
    const { response } = openId({}, { given_name: '', family_name: '', name });
    if (parts) expect(response).toMatchObject(parts);
    else expect(response.type).toBe('ErrorResponse');
  });

  test('is traced: split, or a single word', () => {
    const { fields } = openId({}, { given_name: '', family_name: '', name: 'Ada Lovelace' }).trace;
    expect(fields).toMatchObject({
      first_name: { found: 'name, split' },
      last_name: { found: 'name, split' },
    });
    expect(openId({}, { given_name: '', name: 'Ada' }).trace.fields.first_name).toEqual({
      tried: ['given_name', 'name'],
      found: 'name, single word',
    });
  });
});

describe('the trace of an assertion', () => {
  test('says whether the Name or the FriendlyName was found', () => {
    const mapping: Mapping = { affiliation: ['org'], image_url: ['pic'] };
    const { fields } = saml(mapping, [
      attribute('org', 'Uni'),
      attribute('urn:x', 'https://x.example/', 'pic'),
    ]).trace;
    expect(fields.affiliation?.found).toBe('Name org');
    expect(fields.image_url?.found).toBe('FriendlyName pic');
  });

  test('names the NameID among what was tried', () => {
    const triedFor = (mapping: Mapping, field: string) => saml(mapping).trace.fields[field];
    expect(triedFor({}, 'email')?.tried).toContain('NameID of format emailAddress');
    expect(triedFor({}, 'first_name')?.tried).not.toContain('NameID of format emailAddress');
    expect(triedFor({ first_name: [NAME_ID] }, 'first_name')).toEqual({ tried: ['NameID'], found: 'NameID' });
  });

  test('names all names of an identifier', () => {
    const { fields } = saml({ external_id: ['a', 'b'] }, [attribute('b', 'x')]).trace;
    expect(fields.external_id).toEqual({ tried: ['a', 'b'], found: 'a, b' });
  });

  test.each<[Mapping, string, object | undefined]>([
    [
      { affiliation: ['org', 'o'] },
      'affiliation',
      { tried: ['org', 'o', 'urn:oid:2.5.4.10', 'urn:mace:dir:attribute-def:o'], found: null },
    ],
    [
      { affiliation: ['org', NAME_ID, 'unit'] },
      'affiliation',
      { tried: ['org', 'NameID', 'unit'], found: 'NameID' },
    ],
    // There are no default names of these.
    [{ image_url: [DEFAULTS] }, 'image_url', undefined],
    [{ external_id: [DEFAULTS] }, 'external_id', undefined],
    [{ external_label: [DEFAULTS] }, 'external_label', undefined],
    [
      { image_url: { from: [DEFAULTS], fallback: 'https://x.example/' } },
      'image_url',
      { tried: [], found: 'fallback' },
    ],
  ])('of %j names what was tried for %s: %j', (mapping, field, expected) => {
    expect(saml(mapping).trace.fields[field]).toEqual(expected);
  });

  test('says nothing of fields that nobody wants', () => {
    expect(Object.keys(saml({}).trace.fields)).toEqual(['email', 'first_name', 'last_name']);
  });
});

test('an address that an assertion calls verified is unproven, unless the mapping trusts the issuer', () => {
  const attributes = [attribute('mail', 'ada@uni.example'), attribute('emailVerified', 'true')];
  const event = v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
  const { fields } = decisionOf(handleSamlUserLoggedIn(event))?.trace() ?? {};
  expect(fields?.email).toMatchObject({ found: 'Name mail', note: 'unproven' });
});

describe('an address that is refused', () => {
  test.each<[Mapping, Record<string, unknown>, string, RegExp]>([
    [{}, { email_verified: false }, 'unverified', SWITCH],
    [{ email: { unverified: 'demand_proof' } }, {}, 'unproven', SWITCH],
    [{}, { email: 'a@x.exampleb@x.example' }, 'ambiguous', /^Several .* one Attribute for each value\.$/],
    [{}, { email: 'ada@ｅxample.org' }, 'compatibility', /compatibility characters of Unicode/],
    [{}, { email: 'a b@x.example' }, 'invalid', /^An e-mail address has one @ and no white space, .*\[\]\.$/],
  ])('%j with %j is noted as %s, with a hint', (mapping, claims, note, hint) => {
    const { email } = openId(mapping, claims).trace.fields;
    expect(email).toEqual({ tried: ['email'], found: null, note, hint: expect.stringMatching(hint) });
  });

  describe.each<[string, Mapping, (addresses: string[]) => Record<string, unknown>]>([
    ['one claim', {}, (email) => ({ email })],
    [
      'several',
      { email: ['mails', 'email'] },
      (email) => ({ mails: email.slice(0, 60), email: email.slice(60) }),
    ],
  ])('among those of %s', (_, mapping, claimsOf) => {
    const refused = (count: number) => Array.from({ length: count }, (_, index) => `no address ${index}`);

    test('is followed by one that is used, the hundredth', () => {
      const { response } = openId(mapping, claimsOf([...refused(99), 'ada@uni.example']));
      expect(response).toMatchObject({ email: 'ada@uni.example' });
    });

    test('is followed by none beyond the hundredth, and by no fallback', () => {
      const claims = claimsOf([...refused(100), 'ada@uni.example']);
      const fallback = { from: ['mails', 'email'], fallback: 'nobody@uni.example' };
      for (const each of [mapping, { email: fallback }]) {
        const { response, trace } = openId(each, claims);
        expect(response).toMatchObject({
          type: 'ErrorResponse',
          message: expect.stringContaining('too many'),
        });
        expect(trace.fields.email).toMatchObject({
          note: 'too_many',
          hint: expect.stringContaining('to try the rest'),
        });
      }
    });
  });

  test('does not count where it is empty', () => {
    const email = [...Array.from({ length: 200 }, () => ' '), 'ada@uni.example'];
    expect(openId({}, { email }).response).toMatchObject({ email: 'ada@uni.example' });
  });

  test('is none where it is empty', () => {
    const { email } = openId({}, { email: ' ' }).trace.fields;
    expect(email).toEqual({ tried: ['email'], found: null });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ email_verified: false }, 'email_unverified'],
    [{ email: 'a b@x.example' }, 'profile_incomplete'],
    [{ email: null }, 'profile_incomplete'],
    [{ given_name: '', email_verified: true }, 'profile_incomplete'],
  ])('%j gives the reason %s', (claims, reason) => {
    expect(openId({}, claims).decision.reason).toBe(reason);
  });

  test('is no reason where the mapping accepts it, and a name is missing', () => {
    const mapping: Mapping = { email: { unverified: 'accept' } };
    const { decision } = openId(mapping, { email_verified: false, given_name: '' });
    expect(decision.reason).toBe('profile_incomplete');
  });
});

test.each<[Mapping, Record<string, unknown>, object]>([
  [{ first_name: ['n'] }, { n: long(8_192) }, { first_name: long(8_192) }],
  [{ first_name: ['n', DEFAULTS] }, { n: long(8_193) }, { first_name: 'Ada' }],
  [{ external_id: ['n'] }, { n: long(8_192) }, { external_id: long(8_192) }],
  [{ first_name: ['n'] }, { n: '\u0000' }, { type: 'ErrorResponse' }],
])('%# names and identifiers have at most 8,192 characters', (mapping, claims, expected) => {
  expect(openId(mapping, claims).response).toMatchObject(expected);
});

test('an identifier that is too long is none', () => {
  expect(openId({ external_id: ['n'] }, { n: long(8_193) }).response).not.toHaveProperty('external_id');
});

test('an issuer that is not listed is traced by the rule and the names', () => {
  const { decision, trace } = openId({ issuers: { 'https://x.example': {} } });
  expect(decision.reason).toBe('issuer_not_listed');
  expect(trace).toEqual({
    fields: {},
    received: { names: ['email', 'family_name', 'given_name'], others: 0 },
    rule: 'issuers',
  });
});

test('a handler tells its mapping, and its kind of login', () => {
  const mapping: Mapping = { rules: [{ any_group: ['staff'] }] };
  const names = { kind: 'SAML', expand: () => [], same: () => [], groups: [] } as never;
  const handler = mappingHandler({ names, read: () => null as never, defaultPolicy: null as never }, mapping);
  expect((handler as unknown as Record<symbol, unknown>)[Symbol.for('login-hooks.mapping')]).toBe(mapping);
  expect(kindOf(handler)).toBe('SAML');
});
