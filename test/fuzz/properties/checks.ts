/** With `OPENID_TOKEN_CHECK` and `SAML_ASSERTION_CHECK` on: nobody logs in but by a good token, a good assertion. */
import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { assertionChange, assertionOf, RIGHT, SAML_ISSUERS } from '../arbitraries/assertions.ts';
import { type ClaimChange, claimChanges, entryOf, kindOfToken } from '../arbitraries/claims.ts';
import { arbitrariesOf } from '../arbitraries/events.ts';
import { forged, forgery } from '../arbitraries/forgedToken.ts';
import { claimsOf, eventOf, tokenOf } from '../arbitraries/logins.ts';
import { CLIENTS, ENTRA_ISSUERS, ISSUER, type IssuerKeys, OTHER_ISSUER, signerOf } from '../keys.ts';
import { loadFunction } from '../loginFunction.ts';
import { assertionHolds } from '../oracle/assertion.ts';
import { demand } from '../oracle/demand.ts';
import type { AssertionWire, OpenIdWire } from '../oracle/event.ts';
import { type Issuer, tokenAgrees } from '../oracle/idToken.ts';
import { type Property, property } from '../property.ts';

export async function idTokenProperties(keys: IssuerKeys): Promise<Property[]> {
  const first = issuerOf(keys[ISSUER]);
  const issuers = {
    [ISSUER]: first,
    [OTHER_ISSUER]: issuerOf(keys[OTHER_ISSUER]),
    ...Object.fromEntries(ENTRA_ISSUERS.map((issuer) => [issuer, first])),
  };
  const mayPass = (event: OpenIdWire) => tokenAgrees(event, issuers);
  const { login } = await loadFunction('openidLoggedIn', { mayPass });
  const [ec, ed, rsa] = keys[ISSUER].map(signerOf);
  const [other] = keys[OTHER_ISSUER].map(signerOf);
  if (!ec || !ed || !rsa || !other) throw new Error('expected keys of each kind');
  const logins = [ec, ed, rsa].map((signer) => {
    const claims = claimsOf(signer);
    return eventOf(claims, tokenOf(signer, claims));
  });
  const events = arbitrariesOf(logins.map((text) => JSON.parse(text)));
  // To sign with RSA takes twenty times as long.
  const signer = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(ec, ed) },
    { weight: 1, arbitrary: fc.constant(rsa) },
  );
  const publicKey = String(createPublicKey(ec.key).export({ format: 'pem', type: 'spki' }));

  return [
    property('a good token, its event', 1, events.valid, async (text) => {
      demand((await login(text)).record.status === 200, 'who has a good token gets to the handler');
    }),
    property(
      'a good token, the event almost valid',
      3,
      events.almostValid,
      async (text) => void (await login(text)),
    ),
    property('a good token, the event hostile', 3, events.hostile, async (text) => void (await login(text))),
    property('a good event, the token forged', 6, fc.tuple(signer, forgery), async ([signer, forgery]) => {
      const claims = claimsOf(signer);
      await login(eventOf(claims, forged({ signer, claims, other, publicKey }, forgery)));
    }),
    property(
      'tokens of any kind, rightly signed',
      6,
      fc.tuple(signer, kindOfToken, fc.boolean()),
      async ([signer, changes, eventFollows]) => {
        const claims = claimsOf(signer, changes.map(entryOf));
        const isIssuer = ({ claim }: ClaimChange) => claim === 'iss';
        const event = eventFollows ? claims : claimsOf(signer, changes.filter(isIssuer).map(entryOf));
        await login(eventOf(event, tokenOf(signer, claims)));
      },
    ),
    property(
      'claims of any kind, rightly signed',
      6,
      fc.tuple(signer, claimChanges, fc.boolean()),
      async ([signer, changes, eventFollows]) => {
        const claims = claimsOf(signer, changes.map(entryOf));
        const { answer } = await login(
          eventOf(eventFollows ? claims : claimsOf(signer), tokenOf(signer, claims)),
        );
        const isUnverified = claims.get('email_verified') === 'false';
        demand(
          !isUnverified || answer.type !== 'AuthorizedUserResponse',
          'no event hides what its token says',
        );
      },
    ),
  ];
}

function issuerOf(keys: IssuerKeys[typeof ISSUER]): Issuer {
  const publicKeys = keys.map((key) => {
    const { kid, alg, key: privateKey } = signerOf(key);
    return { kid, alg, publicKey: createPublicKey(privateKey) };
  });
  return { audiences: CLIENTS, keys: publicKeys };
}

export async function assertionProperties(): Promise<Property[]> {
  const mayPass = ({ assertion }: { assertion: AssertionWire }) => assertionHolds(assertion, SAML_ISSUERS);
  const { login } = await loadFunction('samlLoggedIn', { mayPass });
  const events = arbitrariesOf([assertionOf(RIGHT)]);

  return [
    property('a good assertion', 1, events.valid, async (text) => {
      demand((await login(text)).record.status === 200, 'who has a good assertion gets to the handler');
    }),
    property('an assertion almost valid', 3, events.almostValid, async (text) => void (await login(text))),
    property(
      'an assertion with something hostile',
      3,
      events.hostile,
      async (text) => void (await login(text)),
    ),
    property('other times, audiences, recipients', 6, assertionChange, async (change) => {
      await login(JSON.stringify(assertionOf(change)));
    }),
  ];
}
