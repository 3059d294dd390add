/** What may grow where callers, tokens and assertions are checked: tokens are signed, and so are requests. */

import { signed } from '../../../tools/local/signature.ts';
import { compact, type SigningKey, sign } from '../../support/signingKeys.ts';
import { overHttp } from '../../support/wire.ts';
import { type GrowingInput, LARGEST_BODY, LARGEST_DIRECT, LARGEST_HEADERS } from './input.ts';
import { openIdLogin } from './openIdInputs.ts';
import { samlLogin } from './samlInputs.ts';
import { items, numbered } from './text.ts';

export const ISSUER = 'https://idp.example.org';
export const CLIENT = 'client-1';
export const SAML_ISSUER = 'https://idp.example.org/saml';
export const SIGNING_SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const HOUR_SECONDS = 3_600;
/** A claim stands in the token, in base64, and in the event. */
const SHARE_OF_CLAIMS = 2 / 5;
/** Of a request, in Standard Webhooks as the functions check it. */
const LONGEST_ID = 256;
const FILLER = 'x'.repeat(165);

export function checkedInputs(key: SigningKey): GrowingInput[] {
  return [...tokenInputs(key), ...ASSERTION_INPUTS, ...SIGNATURE_INPUTS];
}

function tokenInputs(key: SigningKey): GrowingInput[] {
  const claims = (label: string, make: (bytes: number) => Record<string, unknown>) =>
    token(label, (bytes) => tokenLogin(key, make(bytes * SHARE_OF_CLAIMS)), 'token_.*');
  const text = (label: string, make: (bytes: number) => string, refusal: string) =>
    token(label, (bytes) => ({ ...openIdLogin(), idTokenJwt: make(bytes) }), refusal);
  const header = { alg: key.alg, kid: key.kid };
  return [
    claims('many claims', (bytes) =>
      Object.fromEntries(items(bytes, (index) => [`${numbered(index)}${FILLER}`, ''])),
    ),
    claims('a long claim', (bytes) => ({ more: 'a'.repeat(bytes) })),
    claims('list of groups', (bytes) => ({ groups: items(bytes, (index) => `${numbered(index)}${FILLER}`) })),
    text('letters', (bytes) => 'a'.repeat(bytes), 'token_.*'),
    text('full stops', (bytes) => '.'.repeat(bytes), 'token_.*'),
    text('white space', (bytes) => `${compact(header, {})}${' '.repeat(bytes)}`, 'token_.*'),
    text('a long header', (bytes) => compact({ ...header, kid: 'a'.repeat(bytes / 2) }, {}), 'token_.*'),
    text(
      'claims that nobody signed',
      (bytes) => compact(header, { more: 'a'.repeat(bytes / 2) }, 'AAAA'),
      'token_.*',
    ),
    text('a long signature', (bytes) => compact(header, {}, 'A'.repeat(bytes)), 'token_.*'),
    token('other audiences', (bytes) => tokenLogin(key, { aud: items(bytes / 2, () => FILLER) }), 'token_.*'),
  ];
}

function token(label: string, event: GrowingInput['event'], refusal: string | null): GrowingInput {
  return { label: `ID token: ${label}`, name: 'openidLoggedIn', largest: LARGEST_DIRECT, event, refusal };
}

/** A login whose ID token says what the event says; `aud` is the token's alone. */
async function tokenLogin(key: SigningKey, { aud, ...more }: Record<string, unknown>): Promise<unknown> {
  const event = openIdLogin(more);
  const { otherClaims, ...claims } = event.idToken;
  const now = Math.floor(Date.now() / 1_000);
  Object.assign(event.idToken, { iss: ISSUER, iat: now, exp: now + HOUR_SECONDS });
  const { iat, exp } = event.idToken;
  event.idTokenJwt = await sign(
    { ...claims, iat, exp, ...(aud !== undefined && { aud }), ...otherClaims },
    key,
  );
  return event;
}

const ASSERTION_INPUTS: GrowingInput[] = [
  assertion('many audiences', 'assertion_audience_refused', ({ assertionConditions }, bytes) => {
    assertionConditions.conditionsAudienceRestrictions = [
      { audienceRestrictionAudience: items(bytes, () => FILLER.repeat(2)) },
    ];
  }),
  assertion('many audience restrictions', 'assertion_audience_refused', ({ assertionConditions }, bytes) => {
    assertionConditions.conditionsAudienceRestrictions = items(bytes, () => ({
      audienceRestrictionAudience: [FILLER.repeat(2)],
    }));
  }),
  assertion('a long audience', 'assertion_audience_refused', ({ assertionConditions }, bytes) => {
    assertionConditions.conditionsAudienceRestrictions = [
      { audienceRestrictionAudience: ['a'.repeat(bytes)] },
    ];
  }),
  assertion('many subject confirmations', null, ({ assertionSubject }, bytes) => {
    const [confirmation] = assertionSubject.subjectConfirmations;
    if (!confirmation) return;
    const padded = { ...confirmation, subjectConfirmationAddress: FILLER };
    assertionSubject.subjectConfirmations = items(bytes, () => padded);
  }),
];

type SamlLogin = ReturnType<typeof samlLogin>;

function assertion(
  label: string,
  refusal: string | null,
  put: (assertion: SamlLogin['assertion'], bytes: number) => void,
): GrowingInput {
  const event = (bytes: number) => {
    const login = samlLoginForNow();
    put(login.assertion, bytes);
    return login;
  };
  return { label: `Assertion: ${label}`, name: 'samlLoggedIn', largest: LARGEST_DIRECT, event, refusal };
}

/** One whose assertion passes its check for an hour. */
function samlLoginForNow(): SamlLogin {
  const login = samlLogin();
  const { assertionConditions, assertionSubject } = login.assertion;
  const end = new Date(Date.now() + HOUR_SECONDS * 1_000).toISOString();
  assertionConditions.conditionsNotBefore = new Date(0).toISOString();
  assertionConditions.conditionsNotOnOrAfter = end;
  for (const confirmation of assertionSubject.subjectConfirmations)
    confirmation.subjectConfirmationNotOnOrAfter = end;
  return login;
}

const SIGNATURE_INPUTS: GrowingInput[] = [
  signature('a long body', LARGEST_BODY, (bytes) => ({ body: ' '.repeat(bytes) }), null),
  signature(
    'many signatures',
    LARGEST_HEADERS,
    (bytes) => ({ 'webhook-signature': 'v1,AAAA '.repeat(bytes / 8) }),
    'signature_.*',
  ),
  signature(
    'a long signature',
    LARGEST_HEADERS,
    (bytes) => ({ 'webhook-signature': `v1,${'A'.repeat(bytes)}` }),
    'signature_.*',
  ),
  signature(
    'white space',
    LARGEST_HEADERS,
    (bytes) => ({ 'webhook-signature': ' '.repeat(bytes) }),
    'signature_.*',
  ),
  signature(
    'a long id',
    LARGEST_HEADERS,
    (bytes) => ({ 'webhook-id': 'a'.repeat(LONGEST_ID + bytes) }),
    'signature_.*',
  ),
  signature(
    'a long timestamp',
    LARGEST_HEADERS,
    (bytes) => ({ 'webhook-timestamp': '1'.repeat(bytes) }),
    'signature_.*',
  ),
];

/** A signed request of which headers are replaced, or to whose body something is added. */
function signature(
  label: string,
  largest: number,
  make: (bytes: number) => Record<string, string>,
  refusal: string | null,
): GrowingInput {
  const event = (bytes: number) => {
    const { body: more = '', ...headers } = make(bytes);
    const body = JSON.stringify(samlLoginForNow()) + more;
    return overHttp(body, {
      headers: { 'content-type': 'application/json', ...signed(SIGNING_SECRET, body), ...headers },
    });
  };
  return { label: `Signature: ${label}`, name: 'samlLoggedIn', largest, event, refusal };
}
