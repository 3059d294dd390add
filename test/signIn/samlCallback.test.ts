/** What a sign-in sends to the provider, and which callbacks are taken for its end. */
import { X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { samlIdentity } from '../../tools/signIn/identity.ts';
import { samlProviderIn } from '../../tools/signIn/metadata.ts';
import { SignInRefused, UnknownState } from '../../tools/signIn/refusals.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { type Form, samlIdp, signedInAt } from '../support/samlIdp.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const identity = await samlIdentity(3003, folder);
const idp = await samlIdp(identity.acsUrl, () => ({}));
afterAll(() => idp.close());
const provider = samlProviderIn(idp.metadata());

let signIns: SamlSignIns;
beforeEach(() => {
  signIns = new SamlSignIns({ identity, environment: () => ({}) });
});

async function callback(): Promise<Form> {
  return signedInAt(await signIns.start(provider));
}

describe('a request', () => {
  test('goes to the provider by redirect, and says who asks and where the response goes', async () => {
    const url = new URL(await signIns.start(provider));
    expect(url.origin).toBe(idp.address);
    const request = inflateRawSync(
      Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString();
    expect(request).toContain(`AssertionConsumerServiceURL="${identity.acsUrl}"`);
    expect(request).toContain(`>${identity.entityId}<`);
    expect(request).not.toMatch(/RequestedAuthnContext|Format=/);
    expect(url.searchParams.get('RelayState')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.has('Signature')).toBe(false);
  });

  test.each([
    ['the person who is signed in', {}, null],
    ['somebody else', { somebodyElse: true }, 'true'],
  ])('is for %s', async (_, who, forced) => {
    const url = new URL(await signIns.start(provider, who));
    const deflated = Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64');
    const [, found = null] = /ForceAuthn="(\w+)"/.exec(inflateRawSync(deflated).toString()) ?? [];
    expect(found).toBe(forced);
  });

  test('is signed with our key where the provider wants that', async () => {
    const wanting = samlProviderIn(idp.metadata([], 'WantAuthnRequestsSigned="true"'));
    const query = new URL(await signIns.start(wanting)).search.slice(1);
    const [signed = '', signature = ''] = query.split('&Signature=');
    const isRight = await crypto.subtle.verify(
      'RSASSA-PKCS1-v1_5',
      await crypto.subtle.importKey(
        'spki',
        new X509Certificate(identity.signing.certificate).publicKey.export({ type: 'spki', format: 'der' }),
        { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
        false,
        ['verify'],
      ),
      Buffer.from(decodeURIComponent(signature), 'base64'),
      Buffer.from(signed),
    );
    expect(isRight).toBe(true);
  });
});

describe('a callback', () => {
  test('that comes twice is refused the second time', async () => {
    const posted = await callback();
    await expect(signIns.finish(posted)).resolves.toMatchObject({ functionName: 'samlLoggedIn' });
    await expect(signIns.finish(posted)).rejects.toThrow(UnknownState);
  });

  test('that replays a response under the state of a later sign-in is refused', async () => {
    const { SAMLResponse } = await callback();
    const { RelayState } = await callback();
    await expect(signIns.finish({ SAMLResponse, RelayState })).rejects.toThrow(/another request/);
  });

  test('whose states are swapped is refused', async () => {
    const [one, other] = [await callback(), await callback()];
    for (const [response, state] of [
      [one, other],
      [other, one],
    ]) {
      const swapped = { SAMLResponse: response?.SAMLResponse, RelayState: state?.RelayState };
      await expect(signIns.finish(swapped)).rejects.toThrow(SignInRefused);
    }
  });

  test.each<[what: string, RelayState: unknown]>([
    ['a guessed state', 'A'.repeat(43)],
    ['no state', undefined],
    ['an empty state', ''],
    ['a list of states', ['A', 'B']],
    ['a name of objects', '__proto__'],
  ])('of another site with %s changes nothing', async (_, RelayState) => {
    const posted = await callback();
    await expect(signIns.finish({ ...posted, RelayState })).rejects.toThrow(UnknownState);
    await expect(signIns.finish(posted)).resolves.toMatchObject({ functionName: 'samlLoggedIn' });
  });

  test('of each of three sign-ins at once, in any order', async () => {
    const posted = await Promise.all([callback(), callback(), callback()]);
    const captured = await Promise.all(posted.toReversed().map((one) => signIns.finish(one)));
    const ids = captured.map(({ events }) => JSON.stringify(events?.plain));
    expect(new Set(ids).size).toBe(3);
  });

  test.each<[what: string, SAMLResponse: unknown, message: RegExp]>([
    ['nothing', undefined, /no SAMLResponse/],
    ['a file', new Blob(['x']), /no SAMLResponse/],
    ['rubbish', 'rubbish', /cannot be read: .*expected XML/],
    ['a DOCTYPE', base64('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /DOCTYPE/],
    ['more than any response has', base64(`<a>${'x'.repeat(2_000_000)}</a>`), /2000007 characters/],
    ['deep nesting', base64(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), /levels of nesting/],
    ['a request', base64('<AuthnRequest/>'), /AuthnRequest instead of a Response/],
  ])('with %s gives no login', async (_, SAMLResponse, message) => {
    const { RelayState } = await callback();
    const refused = signIns.finish({ SAMLResponse, RelayState });
    await expect(refused).rejects.toThrow(SignInRefused);
    await expect(refused).rejects.toThrow(message);
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
