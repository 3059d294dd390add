/** With `OPENID_TOKEN_CHECK` and `SAML_ASSERTION_CHECK` on: nobody gets in but by a good token, or a good assertion. */
import fc from 'fast-check';
import { samlEvent } from '../support/wire.ts';
import type { Login } from './functions.ts';
import { arbitrariesOf } from './inputs/events.ts';
import { hostileJson } from './inputs/json.ts';
import { eventOf, FORGERIES, goodClaims, goodToken, SIGNERS } from './inputs/tokens.ts';
import { demand, invariant } from './invariant.ts';
import { checks } from './situation.ts';

const signer = fc.constantFrom(...SIGNERS);
const place = fc.record({ at: fc.nat(2_000), by: fc.integer({ min: 1, max: 127 }) });

function requireIn({ answer, reason }: Login): void {
  demand(answer.type === 'AuthorizedUserResponse', `is refused: ${reason}`);
}

/** An event of now. */
function goodLogin() {
  const event = samlEvent();
  const [now, soon] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const { assertionConditions, assertionSubject } = event.assertion;
  Object.assign(assertionConditions, { conditionsNotBefore: now, conditionsNotOnOrAfter: soon });
  for (const confirmation of assertionSubject.subjectConfirmations)
    Object.assign(confirmation, { subjectConfirmationNotOnOrAfter: soon });
  return event;
}

/** Deeper ones cannot be written into a token here. */
const MAX_CLAIM = 2_000;
const claimJson = hostileJson.filter((text) => text.length < MAX_CLAIM);

const { openId, saml } = await checks();
const events = arbitrariesOf([goodLogin()]);

invariant('token: a good one gets in', signer, async (signer) => {
  const claims = goodClaims(signer);
  requireIn(await openId(eventOf(claims, goodToken(signer, claims))));
});
invariant(
  'token: a forged one never does',
  fc.tuple(signer, fc.constantFrom(...Object.keys(FORGERIES)), place),
  async ([signer, what, place]) => {
    const claims = goodClaims(signer);
    const jwt = FORGERIES[what]?.(signer, claims, place) ?? '';
    const { answer } = await openId(eventOf(claims, jwt));
    demand(answer.type !== 'AuthorizedUserResponse', `gets in by ${what}`);
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
    const claims = goodClaims(signer);
    const event = eventOf({ ...claims, [name]: value }, goodToken(signer, claims));
    const { answer } = await openId(event);
    const { email, given_name, family_name } = claims;
    const own = [email, given_name, family_name].join();
    const left = [answer.email, answer.first_name, answer.last_name].join();
    const isIn = answer.type === 'AuthorizedUserResponse';
    demand(!isIn || left === own, `gets in with ${name} ${JSON.stringify(value)}`);
  },
);
invariant(
  'token: a claim of any kind, rightly signed',
  fc.tuple(signer, fc.constantFrom('email', 'aud', 'exp', 'nonce', 'groups', 'azp', 'typ'), claimJson),
  async ([signer, name, text]) => {
    const claims = { ...goodClaims(signer), [name]: JSON.parse(text) };
    const { answer } = await openId(eventOf(claims, goodToken(signer, claims)));
    const isIn = answer.type === 'AuthorizedUserResponse';
    demand(!isIn || name !== 'aud', `gets in with the audience ${text}`);
  },
);
invariant('assertion: a good one gets in', fc.constant(null), async () => {
  requireIn(await saml(goodLogin()));
});
invariant(
  'assertion: one that is almost valid, or hostile, is answered',
  fc.oneof(events.almostValid, events.hostile),
  async (text) => void (await saml(text)),
);
