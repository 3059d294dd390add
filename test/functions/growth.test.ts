/** How the time of a login grows with what arrives, up to the largest input: no text or list costs more than its size. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FunctionProcess, startFunction } from '../../tools/lambda/functionProcess.ts';
import { answerOf, type FunctionName } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const KB = 1_024;
/** Of a body over HTTP, by default; and of an event that is sent to the function itself. */
const LARGEST_BODY = 1_024 * KB;
const LARGEST_EVENT = 5_900 * KB;
/** Of an object. With more names, `JSON.parse` itself grows faster than its text. */
const MOST_NAMES = 20_000;
const MAX_GROWTH = 2.5;
/** Less is noise. */
const MIN_MS = 10;
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 15;

const ISSUER = openIdEvent().idToken.iss;
const SECRET = newSecret();
const functions = new Map<FunctionName, FunctionProcess>();

beforeAll(async () => {
  const audiences = Array.from({ length: 50 }, (_, index) => `urn:sp:${index}`);
  const env = {
    MAX_BODY_BYTES: String(LARGEST_BODY),
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'signing',
    SECRETS_FILE: await customHandler(JSON.stringify({ signing: SECRET }), '.json'),
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ [ISSUER]: { audiences, jwks_uri: 'https://127.0.0.1:1/' } }),
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify({
      [samlEvent().assertion.assertionIssuer]: { audiences, recipients: ['https://sp.example.org/'] },
    }),
  };
  for (const name of ['openidLoggedIn', 'samlLoggedIn'] as const) {
    functions.set(name, await startFunction({ name, env }));
  }
});
afterAll(() => Promise.all(Array.from(functions.values(), (fn) => fn.stop())));

/** How long a login with such an event takes, in milliseconds, as the function itself measures it. */
async function timeOf(name: FunctionName, event: unknown): Promise<number> {
  const { record } = await answerOf(functions.get(name) as FunctionProcess, event);
  return Number(record?.durationMs);
}

/** By the shortest times: whatever else the machine does makes single logins longer, and none shorter. */
async function expectLinear(name: FunctionName, make: (size: number) => unknown, largest: number) {
  const [halfEvent, wholeEvent] = [make(largest / 2), make(largest)];
  let [half, whole] = [Infinity, Infinity];
  const isLinear = () => whole <= Math.max(half * MAX_GROWTH, MIN_MS);
  for (let round = 0; round < MAX_ROUNDS && !(isLinear() && round >= MIN_ROUNDS); round++) {
    half = Math.min(half, await timeOf(name, halfEvent));
    whole = Math.min(whole, await timeOf(name, wholeEvent));
  }
  expect({ half, whole, isLinear: isLinear() }).toMatchObject({ isLinear: true });
}

const many = (size: number, item: (index: number) => string) => {
  const length = Math.floor(size / (item(100_000).length + 1));
  return Array.from({ length }, (_, index) => item(index));
};
const encoded = (json: string) => Buffer.from(json).toString('base64url');
const withToken = (idTokenJwt: string) => ({ ...openIdEvent(), idTokenJwt });
const withIdToken = (changed: object) => {
  const event = openIdEvent();
  return { ...event, idToken: { ...event.idToken, ...changed } };
};
const withAssertion = (change: (assertion: ReturnType<typeof samlEvent>['assertion']) => void) => {
  const event = samlEvent();
  change(event.assertion);
  return event;
};
const withHeaders = (headers: object) =>
  overHttp('{}', { headers: { ...signed('{}', { secret: SECRET }), ...headers } });
const signedBody = (body: string) => overHttp(body, { headers: signed(body, { secret: SECRET }) });

const named = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, value]));

describe('sent to the function itself', () => {
  test.each<[string, (count: number) => unknown]>([
    ['the names of claims', (count) => withIdToken({ otherClaims: named(count, 1) })],
    ['the names of headers', (count) => withHeaders(named(count, ''))],
  ])('%s', async (_, make) => {
    await expectLinear('openidLoggedIn', make, MOST_NAMES);
  });

  test.each<[string, (size: number) => unknown]>([
    ['a token without a full stop', (size) => withToken('x'.repeat(size))],
    ['a token of full stops', (size) => withToken('.'.repeat(size))],
    [
      'a token’s header',
      (size) => withToken(`${encoded(`{"alg":"RS256","x":"${'y'.repeat(size * 0.7)}"}`)}.e30.AA`),
    ],
    [
      'the members of a token’s header',
      (size) => {
        const members = many(size * 0.7, (index) => `"m${index}":1`);
        return withToken(`${encoded(`{"alg":"RS256",${members.join()}}`)}.e30.AA`);
      },
    ],
    ['a token’s payload', (size) => withToken(`${encoded('{"alg":"RS256"}')}.${'A'.repeat(size)}.AA`)],
    ['an access token', (size) => ({ ...openIdEvent(), accessToken: 'x'.repeat(size) })],
    ['an issuer', (size) => withIdToken({ iss: 'x'.repeat(size) })],
    ['the event’s audiences', (size) => withIdToken({ aud: many(size / 50, () => 'client') })],
    ['a header', (size) => withHeaders({ 'content-type': `application/json${' '.repeat(size)}x` })],
    [
      'a subtype of many parts',
      (size) => withHeaders({ 'content-type': `application/${'+json'.repeat(size / 5)}x` }),
    ],
    ['signatures', (size) => withHeaders({ 'webhook-signature': 'v1,AAAA '.repeat(size / 8) })],
    ['a message’s id', (size) => withHeaders({ 'webhook-id': 'x'.repeat(size) })],
    ['a timestamp', (size) => withHeaders({ 'webhook-timestamp': '1'.repeat(size) })],
  ])('%s', async (_, make) => {
    await expectLinear('openidLoggedIn', make, LARGEST_EVENT);
  });

  test.each<[string, (size: number) => unknown]>([
    [
      'a date-time',
      (size) =>
        withAssertion(
          (assertion) => (assertion.assertionIssued = `2026-11-21T10:00:00.${'1'.repeat(size)}x`),
        ),
    ],
    [
      'audiences, each compared with each of ours',
      (size) =>
        withAssertion(({ assertionConditions }) => {
          const audiences = many(size, () => 'urn:sp:x');
          assertionConditions.conditionsNotBefore = new Date(0).toISOString();
          assertionConditions.conditionsNotOnOrAfter = new Date(Date.now() + 600_000).toISOString();
          assertionConditions.conditionsAudienceRestrictions = Array.from({ length: 100 }, (_, index) => ({
            audienceRestrictionAudience: [
              ...audiences.slice(index * 5_000, (index + 1) * 5_000),
              'urn:sp:49',
            ],
          }));
        }),
    ],
  ])('%s', async (_, make) => {
    await expectLinear('samlLoggedIn', make, LARGEST_EVENT);
  });
});

describe('in a signed body over HTTP', () => {
  const LISTED = `["\\u0061"`;

  test.each<[string, (size: number) => unknown]>([
    ['a text', (size) => signedBody('é'.repeat(size / 2))],
    ['numbers, with an escape', (size) => signedBody(`${LISTED}${',1'.repeat(size / 2 - 10)}]`)],
    ['objects, with an escape', (size) => signedBody(`${LISTED}${',{}'.repeat(size / 3 - 10)}]`)],
    [
      'keys, with an escape',
      (size) => signedBody(`{"\\u0061":1,${many(size - 20, (index) => `"${index}":1`).join()}}`),
    ],
    ['base64', (size) => overHttp('', { body: 'A'.repeat(size), isBase64Encoded: true })],
  ])('%s', async (_, make) => {
    await expectLinear('openidLoggedIn', make, LARGEST_BODY);
  });
});
