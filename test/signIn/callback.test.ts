/** What a sign-in with SAML sends to the provider, and which callbacks are taken for its end. */
import { X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { formFields } from '../../tools/capture/browserText.ts';
import { MAX_FORM, MAX_WAITING, Pending } from '../../tools/signIn/callback.ts';
import { samlProviderIn } from '../../tools/signIn/metadata.ts';
import { SignInRefused, UnknownState } from '../../tools/signIn/refusals.ts';
import { samlSignIn } from './samlSignIn.ts';

const { identity, idp, signIns, provider, callback } = await samlSignIn();

function requestIn({ searchParams }: URL): string {
  return inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
}

describe('a request', () => {
  test('goes to the provider by redirect, and says who asks and where the response goes', () => {
    const url = new URL(signIns.start(provider));
    expect(url.origin).toBe(idp.address);
    const request = requestIn(url);
    expect(request).toContain(`AssertionConsumerServiceURL="${identity.acsUrl}"`);
    expect(request).toContain(`>${identity.entityId}<`);
    expect(request).not.toMatch(/RequestedAuthnContext|Format=|ForceAuthn/);
    expect(url.searchParams.get('RelayState')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.has('Signature')).toBe(false);
  });

  test('is for somebody else where that is wished', () => {
    const url = new URL(signIns.start(provider, { somebodyElse: true }));
    expect(requestIn(url)).toContain('ForceAuthn="true"');
  });

  test('is signed with our key where the provider wants that', async () => {
    const wanting = samlProviderIn(idp.metadata([], 'WantAuthnRequestsSigned="true"'));
    const { search } = new URL(signIns.start(wanting));
    const [signed = '', signature = ''] = search.slice(1).split('&Signature=');
    const { publicKey } = new X509Certificate(identity.signing.certificate);
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['verify']);
    const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
    expect(await crypto.subtle.verify(algorithm.name, key, bytes, Buffer.from(signed))).toBe(true);
  });
});

const ALONE = '<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion"/>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a callback', () => {
  test('that comes twice is refused the second time', async () => {
    const posted = await callback();
    await expect(signIns.finish(posted)).resolves.toMatchObject({ functionName: 'samlLoggedIn' });
    await expect(signIns.finish(posted)).rejects.toThrow(UnknownState);
  });

  test('with the response to another sign-in is refused', async () => {
    const [one, other] = [await callback(), await callback()];
    for (const [mine, { RelayState }] of [[one, other] as const, [other, one] as const])
      await expect(signIns.finish({ ...mine, RelayState })).rejects.toThrow(/another request/);
  });

  test.each([
    ['a guessed state', { RelayState: 'A'.repeat(43) }],
    ['no state', {}],
  ])('of another site with %s changes nothing', async (_, state) => {
    const { SAMLResponse, RelayState } = await callback();
    const posted = { SAMLResponse, RelayState };
    await expect(signIns.finish({ SAMLResponse, ...state })).rejects.toThrow(UnknownState);
    await expect(signIns.finish(posted)).resolves.toMatchObject({ functionName: 'samlLoggedIn' });
  });

  test.each([
    ['nothing', '', /no SAMLResponse/],
    ['rubbish', 'rubbish', /cannot be read: .*expected XML/],
    ['an assertion alone', base64(ALONE), /cannot be read: expected a Response/],
    ['a request', base64('<AuthnRequest/>'), /not a message of SAML 2\.0: expected the Response/],
  ])('with %s gives no login', async (_, SAMLResponse, message) => {
    const { RelayState } = await callback();
    const refused = signIns.finish({ SAMLResponse, RelayState });
    await expect(refused).rejects.toThrow(SignInRefused);
    await expect(refused).rejects.toThrow(message);
  });
});

const SENT = { SAMLResponse: 'a+b=', RelayState: 'x y' };

test.each([
  ['as a browser sends them', 'SAMLResponse=a%2Bb%3D&RelayState=x+y', SENT],
  ['among others', 'a&RelayState=1&SAMLRequest=2&=3&SAMLResponse=', { RelayState: '1', SAMLResponse: '' }],
  ['the first of each', 'RelayState=1&RelayState=2', { RelayState: '1' }],
  ['none out of another form', '{"SAMLResponse":"x"}', {}],
  ['as it is where the encoding is malformed', 'RelayState=%E0%A4%A', { RelayState: '%E0%A4%A' }],
])('the fields of a form are read %s', (_, body, fields) => {
  expect(formFields(body, ['SAMLResponse', 'RelayState'])).toEqual(fields);
});

test.each(['a&', '&', 'SAMLResponse&', '%', '=', 'SAMLResponse=%41&'])('the largest form of %j', (part) => {
  const fields = formFields(part.repeat(MAX_FORM / part.length), ['SAMLResponse', 'RelayState']);
  expect(fields.RelayState).toBeUndefined();
});

describe('a state', () => {
  test('is valid for ten minutes, and no longer', () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1);
    const pending = new Pending();
    const [one, other] = [{}, {}].map((value) => pending.put(value));
    clock.mockReturnValue(600_001);
    expect(pending.take(one ?? '')).not.toBeNull();
    clock.mockReturnValue(600_002);
    expect(pending.take(other ?? '')).toBeNull();
    clock.mockRestore();
  });

  test('is forgotten where newer ones take all places', () => {
    const pending = new Pending<number[]>();
    const all = Array.from({ length: MAX_WAITING + 1 }, (_, value) => pending.put([value]));
    expect(all.slice(0, 3).map((state) => pending.take(state))).toEqual([null, [1], [2]]);
  });
});
