/** With `OPENID_TOKEN_CHECK` and `SAML_ASSERTION_CHECK` on: nobody gets in but by a good token, or a good assertion. */
import { afterAll } from '@jest/globals';
import fc from 'fast-check';
import { httpServer, sendJson } from '../support/servers.ts';
import { sign } from '../support/signingKeys.ts';
import { samlEvent } from '../support/wire.ts';
import { loadFunctions } from './functions.ts';
import { arbitrariesOf } from './inputs/events.ts';
import { hostileJson } from './inputs/json.ts';
import { eventOf, forgery, goodClaims, ISSUER, KEYS, OTHER_ISSUER, signer } from './inputs/tokens.ts';
import { demand, invariant } from './invariant.ts';

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

const server = await httpServer(({ url = '' }, response) =>
  sendJson(response, { keys: KEYS[`https:/${url}`] }),
);
afterAll(server.close);
const issuers = [ISSUER, OTHER_ISSUER].map((issuer) => {
  const jwks_uri = `${server.url}/${new URL(issuer).host}`;
  return [issuer, { audiences: ['client-1', 'client-2'], jwks_uri }];
});
const { openId, saml } = await loadFunctions({
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: JSON.stringify(Object.fromEntries(issuers)),
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
invariant('token: a forged one never does', fc.tuple(forgery, signer), async ([forge, signer]) => {
  const claims = goodClaims();
  const jwt = await forge(claims, signer);
  const { isIn } = await openId(eventOf(claims, jwt));
  demand(!isIn, `gets in by ${jwt}`);
});
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
