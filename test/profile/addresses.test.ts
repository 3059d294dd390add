/** Which address of a login leaves: what proves one and what speaks against it, of which domain it is, and which of several. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { decisionOf } from '../../lib/profile/decision.ts';
import { type Mapping, MappingInvalid } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { handleSamlUserLoggedIn, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, saml, samlHandler } from './decided.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@evil.example';
const MALLORY = 'mallory@evil.example';
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
  const said = (email_verified: unknown) => ({ email_verified });
  const [YES, NO] = [said(true), said(false)];
  const NEITHER = [[true], [false], {}, 2, '', 'xfalse', 'false!', ' true', 'truex', 'xtrue', '10'].map(said);
  const OF_MUNICH = { a: { b: 'äda@xn--mnchen-3ya.example', email_verified: 0 } };
  const OF_NOBODY = { email_verified: null, emailVerified: undefined, xms_edov: null };

  test.each<[from: string, note: string | undefined, Claims[]]>([
    ['email', undefined, [true, 1, '1', 'true', 'TRUE'].map(said)],
    ['email', undefined, [{ emailVerified: true }, { xms_edov: '1' }]],
    ['email', undefined, [ADA, ` ${ADA}`].map((one) => ({ email: [one], ...YES }))],
    ['email', 'unproven', [{}, OF_NOBODY, { verified_email: true }]],
    ['email', 'unproven', [EVE, 7].map((other) => ({ email: [ADA, other], ...YES }))],
    ['email', 'unverified', [false, 0, '0', 'FALSE', 'no'].map(said)],
    ['email', 'unverified', [{ emailVerified: false }, { xms_edov: 0 }].map((one) => ({ ...YES, ...one }))],
    ['email', 'unverified', [true, [true]].map((one) => ({ ...said(one), verified_email: false }))],
    ['email', 'unreadable', NEITHER],
    // Elsewhere in the token.
    ['email', 'unverified', [{ a: { email: ADA, ...said([true]) }, ...NO }]],
    ['email', 'unverified', [{ a: [{ b: { mail: [EVE, ADA], verified_email: false } }] }]],
    ['email', 'unverified', [{ email: 'ÄDA@MÜNCHEN.example', ...OF_MUNICH }]],
    ['email', undefined, [{ email: EVE, ...NO }, NO].map((a) => ({ a, ...YES }))],
    ['email', 'unproven', [{ a: { email: ADA, ...YES } }]],
    // Of another claim.
    ['mail', 'unproven', [{ mail: ADA }, { mail: ADA, mail_verified: false }]],
    ['mail', 'unproven', [YES, NO].map((one) => ({ mail: ADA, email: EVE, ...one }))],
    ['mail', 'unproven', [YES, { xms_edov: false }].map((one) => ({ mail: ADA, email: null, ...one }))],
    ['mail', undefined, [{ mail: ADA, ...YES }]],
    [
      'mail',
      'unverified',
      [{}, ...[[ADA], null, '', [' ']].map((email) => ({ email }))].map((one) => ({
        mail: ADA,
        ...one,
        ...NO,
      })),
    ],
    ['work_email', 'unverified', [{ work_email: ADA, work_email_verified: false, email: EVE }]],
    ['work_email', 'unproven', [{ work_email: ADA, work_email_verified: true, email: EVE }]],
    ['work_email', 'unproven', [{ work_email: ADA, xms_edov: false, email: EVE }]],
    ['a.email', undefined, [{ a: { email: ADA, ...YES } }, { a: [{}, { email: ADA, ...YES }] }]],
    ['a.email', 'unproven', [{ a: { email: ADA }, ...YES }]],
    ['a.email', 'unproven', [{ 'a.email': ADA, a: { email: ADA, ...YES } }]],
  ])('in %s is %s: %j', (name, note, all) => {
    const isRefused = note === 'unverified' || note === 'unreadable';
    for (const claims of all) {
      const accepted = leaving({ email: { from: [name], unverified: 'accept' } }, claims);
      expect(accepted).toEqual([expect.any(String), note]);
      expect(leaving({ email: [name] }, claims)).toEqual(isRefused ? [note] : accepted);
      const proven = leaving({ email: { from: [name], unverified: DEMANDED } }, claims);
      expect(proven).toEqual(note === undefined ? accepted : [expect.any(String)]);
    }
  });

  const GUEST = 'ada_gmail.com#EXT#@contoso.onmicrosoft.com';
  test.each<[Claims, string, string, RegExp]>([
    [{ email_verified: false }, 'email_unverified', 'unverified', /says .* is not verified/],
    [{ email_verified: [true] }, 'email_unverified', 'unreadable', /does not say .* is verified/],
    [{ email: GUEST }, 'profile_incomplete', 'guest', /cannot be used/],
    [{ email: GUEST.toLowerCase() }, 'profile_incomplete', 'guest', /cannot be used/],
    [{ email: 'live.com#ada@example.org' }, 'profile_incomplete', 'guest', /cannot be used/],
    [{ email: 'a@x.exampleb@x.example' }, 'profile_incomplete', 'ambiguous', /several .* as one text/],
    [{ email: 'ada@ｅxample.org' }, 'profile_incomplete', 'compatibility', /compatibility characters/],
    [{ email: 'a b@x.example' }, 'profile_incomplete', 'invalid', /cannot be used/],
    [{ email: 'ada@x.example.' }, 'profile_incomplete', 'invalid', /cannot be used/],
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

  test('that is refused has a hint at what is wrong with it', () => {
    expect(openId({}, { email: 'mo\u0308ra@x.example' }).trace.fields.email?.hint).toContain('composed form');
  });

  test.each([null, ' '])('is none in %j', (email) => {
    const { decision, trace } = openId({}, { email });
    expect(decision.reason).toBe('profile_incomplete');
    expect(trace.fields.email).toEqual({ tried: ['email'], found: null });
  });

  test('cannot be the name of a guest where the mapping names one', () => {
    const problem = 'expected an e-mail address, which the name of a guest at Entra (#EXT#) is not';
    expect(() => openIdHandler({ email: { fallback: GUEST } })).toThrow(`email.fallback: ${problem}`);
  });
});

describe('an address of an assertion', () => {
  const ISSUER = samlEvent().assertion.assertionIssuer;
  const demanding = (trust_email_verified: boolean): Mapping => ({
    email: { unverified: DEMANDED },
    issuers: { [ISSUER]: { trust_email_verified } },
  });

  const OF_AUTH0 = 'http://schemas.auth0.com/email_verified';

  test.each<['unverified' | 'claimed' | 'unknown', value: string, names: string[]]>([
    ['unverified', 'false', ['emailVerified', 'urn:example:verified_email', OF_AUTH0]],
    ['claimed', 'true', ['emailVerified']],
    ['unknown', 'true', ['verifiedEmail']],
    ['unknown', '', ['emailVerified']],
    ['unknown', 'false', ['verified', 'email_verified/at', 'verified_email/at']],
  ])('is %s beside the value %s of %j', (status, value, names) => {
    for (const said of names.flatMap((name) => [attribute(name, value), attribute('urn:x', value, name)])) {
      const reasonIn = (mapping: Mapping) => saml(mapping, [said]).decision.reason;
      expect(reasonIn({})).toBe(status === 'unverified' ? 'email_unverified' : 'authorized');
      expect(reasonIn({ email: { unverified: 'accept' } })).toBe('authorized');
      expect(reasonIn(demanding(true))).toBe(status === 'claimed' ? 'authorized' : 'email_unverified');
    }
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

  test.each([
    [EVE, 'rule_refused'],
    ['', 'authorized'],
  ])('counts by FriendlyName only where there is none by Name, of which %j is one: %s', (mail, reason) => {
    const own = [attribute('work', mail), attribute('urn:x', ADA, 'work')];
    const rules = [{ email_domains: ['example.org'] }];
    expect(saml({ email: ['work'], rules }, own).decision.reason).toBe(reason);
  });

  test.each<[Mapping['email']]>([[['work', DEFAULTS]], [[DEFAULTS, 'work']], [['work', NAME_ID, 'mail']]])(
    'by FriendlyName is none beside one by Name under any of the sources %j',
    (email) => {
      const friendly = attribute('urn:x', EVE, 'work');
      const rules = [{ email_domains: ['evil.example'] }];
      expect(saml({ email, rules }, [friendly]).decision.reason).toBe('rule_refused');
    },
  );

  test.each<[Mapping]>([
    [{ rules: [{ attribute: 'work', is_not: [EVE], absent: 'allow' }] }],
    [{ groups: { from: ['work'], absent: ['work'] }, rules: [{ no_group: [EVE] }] }],
  ])(
    'by FriendlyName beside one by Name is denied by a rule on another source, as none by Name is: %j',
    (mapping) => {
      const email = ['uid', 'work', DEFAULTS];
      const friendly = attribute('urn:x', ` ${EVE}`, 'uid');
      expect(saml({ email, ...mapping }, [friendly]).decision.reason).toBe('rule_refused');
      const named = [attribute('work', ADA), attribute(MAIL, EVE)];
      expect(saml({ email, ...mapping }, named).decision.reason).toBe('authorized');
    },
  );

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

test.each([
  ['münchen.example', 'ada@XN--MNCHEN-3YA.example'],
  ['xn--mnchen-3ya.example', 'ada@MÜNCHEN.example'],
])('a rule on %s allows %s', (domain, email) => {
  expect(openId({ rules: [{ email_domains: [domain] }] }, { email }).decision.reason).toBe('authorized');
});

describe('of several addresses', () => {
  const rules: Mapping['rules'] = [{ email_domains: ['*.example.org', 'example.org'] }];
  const own: Mapping['rules'] = [{ email_domains: ['cs.example.org'] }];
  const CS = 'ada@cs.example.org';
  const issuers = { 'https://idp.example.org': { rules: own } };
  const DOUBTED = { a: { email: ADA, email_verified: false }, b: CS };
  const ACCEPTING: Mapping = { email: { unverified: 'accept' } };
  const PROVEN: Mapping['email'] = { from: ['a', DEFAULTS], unverified: DEMANDED };

  test.each<[string, Mapping, Claims, (string | undefined)[]]>([
    ['the first that the rule allows', { rules }, { email: [EVE, ADA, CS] }, [ADA, 'unproven']],
    ['the first that each rule allows', { rules, issuers }, { email: [EVE, ADA, CS] }, [CS, 'unproven']],
    ['none of such a form, though unverified ones are accepted', ACCEPTING, { email: 'a b@c' }, ['invalid']],
    ['none that is called unverified', { rules, email: ['a.email', 'b'] }, DOUBTED, [CS, 'unproven']],
    ['the proven one', { rules, email: PROVEN }, { a: CS, email_verified: true }, [ADA, undefined]],
  ])('%s is used', (_, mapping, claims, expected) => {
    expect(leaving(mapping, claims)).toEqual(expected);
  });

  test.each<[Mapping['email'], Claims]>([
    [['email'], { email: [EVE, MALLORY] }],
    [{ from: ['email'], fallback: ADA }, { email: EVE }],
  ])('the first is refused by the rule where it allows none: %j with %j', (email, claims) => {
    const { decision, trace } = openId({ rules, email }, claims);
    expect(decision.reason).toBe('rule_refused');
    expect(trace.fields.email?.found).toBe('email');
  });

  test('a hundred are tried, empty ones aside', () => {
    const refused = (count: number) => Array.from({ length: count }, (_, index) => `no address ${index}`);
    const mapping: Mapping = { email: { from: ['a', DEFAULTS], fallback: 'nobody@example.org' } };
    const claims = (count: number) => ({ a: refused(60), email: [' ', ...refused(count), ADA] });
    expect(leaving(mapping, claims(39))).toEqual([ADA, 'unproven']);
    expect(leaving(mapping, claims(40))).toEqual(['invalid']);
    const { decision } = openId({ rules }, { email: [...Array(100).fill(EVE), ADA] });
    expect(decision.reason).toBe('rule_refused');
  });
});
