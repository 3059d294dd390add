/** With `OPENID_TOKEN_CHECK` and `SAML_ASSERTION_CHECK` on: nobody gets in but by a good token, or a good assertion. */
import { afterAll } from '@jest/globals';
import fc from 'fast-check';
import { httpServer, sendJson } from '../support/servers.ts';
import { publicPart, sign, signingKey } from '../support/signingKeys.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';
import { loadFunctions } from './functions.ts';
import { arbitrariesOf } from './inputs/events.ts';
import { hostileJson } from './inputs/json.ts';
import { demand, invariant } from './invariant.ts';

const ISSUER = 'https://idp.example.org';
const SIGNERS = await Promise.all(['ES256', 'EdDSA', 'RS256'].map((alg) => signingKey(alg)));
const signer = fc.constantFrom(...SIGNERS);

/** Undefined for a claim that is left out. */
type TokenClaims = Readonly<Record<string, unknown>>;

function goodClaims(): TokenClaims {
  const now = Math.floor(Date.now() / 1_000);
  const person = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
  const times = { exp: now + 3_600, iat: now - 5 };
  return { iss: ISSUER, sub: 'subject-1', aud: 'client-1', nonce: 'nonce-1', ...times, ...person };
}

/** An event that says what these claims say. */
function eventOf({ iss, sub, aud, exp, iat, nonce, ...otherClaims }: TokenClaims, idTokenJwt: string) {
  return {
    ...openIdEvent(),
    idToken: { iss, sub, aud: [aud].flat(), exp, iat, nonce, otherClaims },
    idTokenJwt,
  };
}

/** Something else in what is signed: the end of a signature may have bits that count for nothing. */
const changed = fc
  .record({ at: fc.nat(2_000), removed: fc.nat(500), text: fc.string({ unit: 'binary' }) })
  .map(({ at, removed, text }) => (jwt: string) => {
    const start = at % jwt.lastIndexOf('.');
    const forged = jwt.slice(0, start) + text + jwt.slice(start + removed);
    return forged === jwt ? '' : forged;
  });

/** The parts of a good token left out, moved, repeated or emptied. */
const rearranged = fc
  .array(fc.nat(3), { maxLength: 5 })
  .filter((order) => order.join() !== '0,1,2')
  .map((order) => (jwt: string) => {
    const parts = jwt.split('.');
    return order.map((index) => parts[index] ?? '').join('.');
  });

/** An event of now. */
function goodAssertion() {
  const event = samlEvent();
  const [now, soon] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const { assertionConditions, assertionSubject } = event.assertion;
  Object.assign(assertionConditions, { conditionsNotBefore: now, conditionsNotOnOrAfter: soon });
  for (const confirmation of assertionSubject.subjectConfirmations)
    Object.assign(confirmation, { subjectConfirmationNotOnOrAfter: soon });
  return event;
}

const server = await httpServer((_, response) => sendJson(response, { keys: SIGNERS.map(publicPart) }));
afterAll(server.close);
const OPENID_ISSUER = { audiences: ['client-1', 'client-2'], jwks_uri: `${server.url}/jwks` };
const { openId, saml } = await loadFunctions({
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: JSON.stringify({ [ISSUER]: OPENID_ISSUER }),
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: JSON.stringify({
    'https://idp.example.org/saml': {
      audiences: ['https://app.example.net/saml/metadata'],
      recipients: ['https://app.example.net/saml/acs'],
    },
  }),
});

invariant('token: a good one gets in', signer, async (signer) => {
  const claims = goodClaims();
  const { isIn, reason } = await openId(eventOf(claims, await sign(claims, signer)));
  demand(isIn, `is refused: ${reason}`);
});
invariant(
  'token: a forged one never does',
  fc.tuple(fc.oneof(changed, rearranged), signer),
  async ([forge, signer]) => {
    const claims = goodClaims();
    const jwt = forge(await sign(claims, signer));
    const { isIn } = await openId(eventOf(claims, jwt));
    demand(!isIn, `gets in by ${jwt}`);
  },
);
invariant(
  'token: an event that says something else changes nobody',
  fc.tuple(
    signer,
    fc.constantFrom('sub', 'email', 'given_name', 'family_name', 'nonce'),
    fc.constantFrom<unknown>('eve@example.org', undefined, null, ['ada@example.org'], { a: 1 }),
  ),
  async ([signer, name, value]) => {
    const claims = goodClaims();
    const event = eventOf({ ...claims, [name]: value }, await sign(claims, signer));
    const { isIn, answer } = await openId(event);
    const own = [claims.email, claims.given_name, claims.family_name].join();
    const left = [answer.email, answer.first_name, answer.last_name].join();
    demand(!isIn || left === own, `gets in with ${name} ${JSON.stringify(value)}`);
  },
);
invariant(
  'token: a claim of any kind, rightly signed',
  fc.tuple(
    signer,
    fc.constantFrom('email', 'aud', 'exp', 'nonce', 'groups', 'azp', 'typ'),
    // Deeper ones cannot be written into a token here.
    hostileJson.filter((text) => text.length < 2_000),
  ),
  async ([signer, name, text]) => {
    const claims = { ...goodClaims(), [name]: JSON.parse(text) };
    const { isIn } = await openId(eventOf(claims, await sign(claims, signer)));
    demand(!isIn || name !== 'aud', `gets in with the audience ${text}`);
  },
);

invariant(
  'assertion: a good one gets in, and a changed one is answered',
  arbitrariesOf([goodAssertion()]).changed,
  async (text) => {
    const { isIn, reason } = await saml(goodAssertion());
    demand(isIn, `is refused: ${reason}`);
    await saml(text);
  },
);
