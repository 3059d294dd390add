/** Which address of a login leaves: what proves one and what speaks against it, of which domain it is, and which of several. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { decisionOf } from '../../lib/profile/decision.ts';
import { type Mapping, MappingInvalid } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { handleSamlUserLoggedIn, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, saml, samlHandler } from './decided.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@evil.example';
const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3';
const TURN_ON =
  /^Have the provider verify the address, .*authentik: .*Entra: .*xms_edov; .* To accept .*docs\/mappings\.md\.$/;
const DEMANDED = 'demand_proof' as const;

/** The address that leaves, and what the trace notes of it; or why none leaves. */
function leaving(mapping: Mapping, claims: Claims) {
  const { response, trace } = openId(mapping, claims);
  const { note } = trace.fields.email ?? {};
  return 'email' in response ? [response.email, note] : [note];
}

describe('an address of an ID token', () => {
  test.each<[string, Claims, string | undefined]>([
    ['email', {}, 'unproven'],
    ['email', { email_verified: null, emailVerified: undefined, xms_edov: null }, 'unproven'],
    ...[true, 1, '1', 'true', 'TRUE'].map((yes) => ['email', { email_verified: yes }, undefined] as never),
    ['email', { emailVerified: true }, undefined],
    ['email', { xms_edov: '1' }, undefined],
    ['email', { verified_email: true }, 'unproven'],
    ['email', { email: [ADA], email_verified: true }, undefined],
    ['email', { email: [` ${ADA}`], email_verified: true }, undefined],
    ['email', { email: [ADA, EVE], email_verified: true }, 'unproven'],
    ['email', { email: [ADA, 7], email_verified: true }, 'unproven'],
    ...[false, 0, '0', 'FALSE', 'no'].map((no) => ['email', { email_verified: no }, 'unverified'] as never),
    ['email', { email_verified: true, emailVerified: false }, 'unverified'],
    ['email', { email_verified: true, verified_email: false }, 'unverified'],
    ['email', { email_verified: true, xms_edov: 0 }, 'unverified'],
    ['email', { email: [ADA], email_verified: false }, 'unverified'],
    ['email', { email: [ADA, EVE], email_verified: false }, 'unverified'],
    ...[[true], [false], {}, 2, '', 'xfalse', 'false!', ' true', 'truex', 'xtrue', '10'].map(
      (neither) => ['email', { email_verified: neither }, 'unreadable'] as never,
    ),
    ['email', { email_verified: [true], verified_email: false }, 'unverified'],
    ['email', { email_verified: [true], a: { email: ADA, email_verified: false } }, 'unverified'],
    ['email', { a: { email: ADA, email_verified: [true] }, email_verified: false }, 'unverified'],
    ['email', { a: { email: ' ADA@example.org ', email_verified: false } }, 'unverified'],
    ['email', { a: [{ b: { mail: [EVE, ADA], verified_email: false } }] }, 'unverified'],
    ['email', { a: { email: EVE, email_verified: false }, email_verified: true }, undefined],
    ['email', { a: { email: ADA, email_verified: true } }, 'unproven'],
    ['email', { a: { email_verified: false }, email_verified: true }, undefined],
    ['mail', { mail: ADA }, 'unproven'],
    ['mail', { mail: ADA, email_verified: true }, undefined],
    ['mail', { mail: ADA, email_verified: false }, 'unverified'],
    ['mail', { mail: ADA, email: [ADA], email_verified: false }, 'unverified'],
    ['mail', { mail: ADA, email: EVE, email_verified: true }, 'unproven'],
    ['mail', { mail: ADA, email: EVE, email_verified: false }, 'unproven'],
    ['mail', { mail: ADA, email: null, email_verified: true }, 'unproven'],
    ['mail', { mail: ADA, email: null, email_verified: false }, 'unverified'],
    ['mail', { mail: ADA, email: null, xms_edov: false }, 'unproven'],
    ['mail', { mail: ADA, mail_verified: false }, 'unproven'],
    ['work_email', { work_email: ADA, work_email_verified: false, email: EVE }, 'unverified'],
    ['work_email', { work_email: ADA, work_email_verified: true, email: EVE }, 'unproven'],
    ['a.email', { a: { email: ADA, email_verified: true } }, undefined],
    ['a.email', { a: { email: ADA, email_verified: false } }, 'unverified'],
    ['a.email', { a: { email: ADA }, email_verified: true }, 'unproven'],
    ['a.email', { a: [{}, { email: ADA, email_verified: true }] }, undefined],
    ['a.email', { a: [{ email: ADA }, { email: EVE, email_verified: true }] }, 'unproven'],
    ['a.b.email', { a: { c: 1 }, 'a.b': { email: ADA, email_verified: true } }, undefined],
    ['a.email', { 'a.email': ADA, a: { email: ADA, email_verified: true } }, 'unproven'],
    [
      'email',
      { email: 'ÄDA@MÜNCHEN.example', a: { b: 'äda@xn--mnchen-3ya.example', email_verified: 0 } },
      'unverified',
    ],
  ])('in %s with %j: %s', (name, claims, note) => {
    const isRefused = note === 'unverified' || note === 'unreadable';
    const accepted = leaving({ email: { from: [name], unverified: 'accept' } }, claims);
    expect(accepted).toEqual([expect.any(String), note]);
    expect(leaving({ email: [name] }, claims)).toEqual(isRefused ? [note] : accepted);
    const proven = leaving({ email: { from: [name], unverified: DEMANDED } }, claims);
    expect(proven).toEqual(note === undefined ? accepted : [expect.any(String)]);
  });

  const GUEST = 'ada_gmail.com#EXT#@contoso.onmicrosoft.com';
  test.each<[Claims, string, string, RegExp]>([
    [{ email_verified: false }, 'email_unverified', 'unverified', /says .* is not verified/],
    [{ email_verified: [true] }, 'email_unverified', 'unreadable', /does not say .* is verified/],
    [{ email: GUEST }, 'profile_incomplete', 'guest', /cannot be used/],
    [{ email: GUEST.toLowerCase() }, 'profile_incomplete', 'guest', /cannot be used/],
    [{ email: 'a@x.exampleb@x.example' }, 'profile_incomplete', 'ambiguous', /several .* as one text/],
    [{ email: 'ada@ｅxample.org' }, 'profile_incomplete', 'compatibility', /compatibility characters/],
    [{ email: 'a b@x.example' }, 'profile_incomplete', 'invalid', /cannot be used/],
    [{ email: 'ada@x.example.' }, 'profile_incomplete', 'invalid', /cannot be used/],
    [{ email: 'ada@.x.example' }, 'profile_incomplete', 'invalid', /cannot be used/],
    [{ email: 'ada@x..example' }, 'profile_incomplete', 'invalid', /cannot be used/],
    [{ email_verified: null }, 'email_unverified', 'unproven', /does not say .* is verified/],
  ])('with %j is refused: %s', (claims, reason, note, message) => {
    const unverified = note === 'unproven' ? DEMANDED : 'refuse';
    const mapping: Mapping = { email: { fallback: 'nobody@example.org', unverified } };
    const { response, decision, trace } = openId(mapping, claims);
    expect(response).toMatchObject({ type: 'ErrorResponse', message: expect.stringMatching(message) });
    expect(decision.reason).toBe(reason);
    const hint = expect.stringMatching(['unverified', 'unproven'].includes(note) ? TURN_ON : /\.$/);
    expect(trace.fields.email).toEqual({ tried: ['email'], found: null, note, hint });
  });

  test.each<[Claims]>([[{ email: null }], [{ email: ' ' }]])('is none in %j', (claims) => {
    const { decision, trace } = openId({}, claims);
    expect(decision.reason).toBe('profile_incomplete');
    expect(trace.fields.email).toEqual({ tried: ['email'], found: null });
  });

  test('cannot be the name of a guest where the mapping names one', () => {
    const problem = 'expected an e-mail address, which the name of a guest at Entra (#EXT#) is not';
    expect(() => openIdHandler({ email: { fallback: GUEST } })).toThrow(`email.fallback: ${problem}`);
  });

  test('is no reason to refuse where the mapping accepts it and a name is missing', () => {
    const { decision } = openId(
      { email: { unverified: 'accept' } },
      { email_verified: false, given_name: '' },
    );
    expect(decision.reason).toBe('profile_incomplete');
  });
});

describe('an address of an assertion', () => {
  const ISSUER = samlEvent().assertion.assertionIssuer;
  const demanding = (trust_email_verified: boolean): Mapping => ({
    email: { unverified: DEMANDED },
    issuers: { [ISSUER]: { trust_email_verified } },
  });

  test.each<[string, string, 'unverified' | 'claimed' | 'unknown']>([
    ['emailVerified', 'false', 'unverified'],
    ['EMAIL_VERIFIED', ' 0 ', 'unverified'],
    ['emailVerified', 'perhaps', 'unverified'],
    ['emailVerified', 'falsetrue', 'unverified'],
    ['http://schemas.auth0.com/email_verified', 'False', 'unverified'],
    ['urn:example:attribute#EMAIL_VERIFIED', 'no', 'unverified'],
    ['urn:example:verified_email', 'false', 'unverified'],
    ['emailVerified', 'true', 'claimed'],
    ['email_verified', '1', 'claimed'],
    ['urn:example:emailverified', 'truetrue', 'claimed'],
    ['verifiedEmail', 'true', 'unknown'],
    ['emailVerified', '', 'unknown'],
    ['verified', 'false', 'unknown'],
    ['urn:example:x-email_verified', 'false', 'unknown'],
    ['email_verified/at', 'false', 'unknown'],
    ['urn:example:x-verified_email', 'false', 'unknown'],
    ['verified_email/at', 'false', 'unknown'],
  ])('beside %s=%j is %s', (name, value, status) => {
    for (const said of [attribute(name, value), attribute('urn:x', value, name)]) {
      const reasonIn = (mapping: Mapping) => saml(mapping, [said]).decision.reason;
      expect(reasonIn({})).toBe(status === 'unverified' ? 'email_unverified' : 'authorized');
      expect(reasonIn({ email: { unverified: 'accept' } })).toBe('authorized');
      expect(reasonIn(demanding(true))).toBe(status === 'claimed' ? 'authorized' : 'email_unverified');
    }
  });

  test.each<[string[], string]>([
    [['true', 'false'], 'email_unverified'],
    [['true', 'true'], 'authorized'],
    [['true', ' '], 'email_unverified'],
    [[], 'email_unverified'],
  ])('beside several statements, %j: %s', (values, reason) => {
    const attributes = values.map((value) => attribute('emailVerified', value));
    expect(saml(demanding(true), attributes).decision.reason).toBe(reason);
  });

  test('is proven where it is the first: an assertion does not say which of several it means', () => {
    const verified = attribute('emailVerified', 'true');
    const mapping = { ...demanding(true), rules: [{ email_domains: ['evil.example'] }] };
    expect(saml(mapping, [attribute(MAIL, EVE), verified]).decision.reason).toBe('rule_refused');
    const ofX: Mapping = { ...demanding(true), email: { from: ['x'], unverified: DEMANDED } };
    const behindAnother = [attribute('x', 'no address'), attribute('x', EVE), verified];
    expect(saml(ofX, behindAnother).decision.reason).toBe('email_unverified');
    const twice = saml(demanding(true), [attribute('mail', ADA), verified]);
    expect(twice.trace.fields.email).not.toHaveProperty('note');
    expect(saml({}, [verified]).trace.fields.email?.note).toBe('unproven');
    const event = v.parse(SamlUserLoggedInEvent, samlEvent([attribute(MAIL, ADA), verified]));
    const ofDefault = decisionOf(handleSamlUserLoggedIn(event))?.explain();
    expect(ofDefault?.fields.email?.note).toBe('unproven');
  });

  test('in the NameID counts as the others', () => {
    const email: Mapping['email'] = ['none', { use: 'nameId' }];
    const denied = [attribute('emailVerified', 'false')];
    expect(saml({ email }, denied, ADA).decision.reason).toBe('email_unverified');
    expect(saml({ email }, [], 'ada_x.org#EXT#@x.org').trace.fields.email?.note).toBe('guest');
  });

  test('cannot be proven to a mapping that trusts nobody to do so', () => {
    const path = `issuers.${ISSUER}.email.unverified: expected trust_email_verified: true`;
    expect(() => samlHandler(demanding(false))).toThrow(path);
    expect(() => mapSamlLogin({ email: { unverified: DEMANDED } })).toThrow(MappingInvalid);
    expect(() => openIdHandler(demanding(true))).toThrow('trust_email_verified: expected only in SAML');
  });
});

test.each<[string, string, boolean]>([
  ['münchen.example', 'ada@münchen.example', true],
  ['münchen.example', 'ada@XN--MNCHEN-3YA.example', true],
  ['MÜNCHEN.example', 'ada@xn--mnchen-3ya.example', true],
  ['xn--mnchen-3ya.example', 'ada@MÜNCHEN.example', true],
  ['*.münchen.example', 'ada@cs.xn--mnchen-3ya.example', true],
  ['*.xn--mnchen-3ya.example', 'ada@cs.münchen.example', true],
  ['münchen.example', 'ada@munchen.example', false],
  ['*.münchen.example', 'ada@münchen.example', false],
  ['onmicrosoft.com', 'ada_x.org#EXT#@onmicrosoft.com', false],
])('a rule on %s allows %s: %p', (domain, email, isAllowed) => {
  const { response } = openId({ rules: [{ email_domains: [domain] }] }, { email });
  expect(response.type === 'AuthorizedUserResponse').toBe(isAllowed);
});

describe('of several addresses', () => {
  const rules: Mapping['rules'] = [{ email_domains: ['*.example.org', 'example.org'] }];
  const own: Mapping['rules'] = [{ email_domains: ['cs.example.org'] }];
  const CS = 'ada@cs.example.org';
  const issuers = { 'https://idp.example.org': { rules: own } };

  test.each<[string, Mapping, Claims, (string | undefined)[]]>([
    ['the first, without a rule', {}, { email: [EVE, ADA] }, [EVE, 'unproven']],
    ['the first that the rule allows', { rules }, { email: [EVE, ADA, CS] }, [ADA, 'unproven']],
    ['the first that each rule allows', { rules, issuers }, { email: [EVE, ADA, CS] }, [CS, 'unproven']],
    ['of several names too', { rules, email: ['a', 'email'] }, { a: EVE }, [ADA, 'unproven']],
    ['none that is refused', { rules }, { email: ['a b@example.org', ADA] }, [ADA, 'unproven']],
    [
      'none that is called unverified',
      { rules, email: ['a.email', 'b'] },
      { a: { email: ADA, email_verified: false }, b: CS },
      [CS, 'unproven'],
    ],
    [
      'the proven one',
      { rules, email: { from: ['a', DEFAULTS], unverified: DEMANDED } },
      { a: CS, email_verified: true },
      [ADA, undefined],
    ],
  ])('%s is used', (_, mapping, claims, expected) => {
    expect(leaving(mapping, claims)).toEqual(expected);
  });

  test.each<[Mapping, Claims]>([
    [{ rules }, { email: [EVE, 'mallory@evil.example'] }],
    [
      { rules, email: ['email', 'a'] },
      { email: EVE, a: 'mallory@evil.example' },
    ],
    [{ rules, email: { from: ['email'], fallback: ADA } }, { email: EVE }],
    [
      { rules, email: { from: ['email', 'a'], unverified: DEMANDED } },
      { email: EVE, email_verified: true, a: ADA },
    ],
  ])('the first is refused by the rule where it allows none: %j with %j', (mapping, claims) => {
    const { decision, trace } = openId(mapping, claims);
    expect(decision.reason).toBe('rule_refused');
    expect(trace.fields.email?.found).toBe('email');
  });

  test('a hundred are tried, empty ones aside', () => {
    const refused = (count: number) => Array.from({ length: count }, (_, index) => `no address ${index}`);
    const mapping: Mapping = { email: { from: ['a', 'email'], fallback: 'nobody@example.org' } };
    const claims = (count: number) => ({ a: refused(60), email: [' ', ...refused(count), ADA] });
    expect(leaving(mapping, claims(39))).toEqual([ADA, 'unproven']);
    expect(leaving(mapping, claims(40))).toEqual(['invalid']);
    const { decision } = openId({ rules }, { email: [...Array(100).fill(EVE), ADA] });
    expect(decision.reason).toBe('rule_refused');
  });
});
