/** Which events are HTTP requests, and the form of their responses. */
import { describe, expect, test } from '@jest/globals';
import { httpEnvelope } from '../../lib/login/http.ts';
import type { HttpRequest, Middleware } from '../../lib/login/login.ts';
import { loginThrough } from '../support/oneLogin.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const MULTI_VALUE_HEADERS = {
  'content-type': ['application/json; charset=utf-8'],
  'cache-control': ['no-store'],
};

/** Ends the login with this status. */
function ending(statusCode: number): Middleware {
  const outcome = { type: 'ErrorResponse', reason: 'error', statusCode, details: {}, trace: null } as const;
  const end: Middleware['after'] = ({ context }) => {
    context.login.outcome = outcome;
  };
  return {
    after: end,
    onError(request) {
      end(request);
      request.response = { failed: true };
    },
  };
}

const through = (event: unknown, handler = (): unknown => ({ ok: true }), statusCode = 200) =>
  loginThrough([httpEnvelope(), ending(statusCode)], event, { handler });

async function requestOf(event: object): Promise<HttpRequest | null> {
  return (await through({ requestContext: {}, ...event })).login.http;
}

test.each([
  null,
  'text',
  7,
  ['x'],
  {},
  { requestContext: null },
  { requestContext: [] },
  { requestContext: 'x' },
  { body: '{}', headers: {} },
])('a direct event gets a bare response: %j', async (event) => {
  const { login, response } = await through(event);
  expect(login.http).toBeNull();
  expect(response).toEqual({ ok: true });
});

test.each<[what: string, event: object, response: object]>([
  ['API Gateway', { requestContext: {} }, { headers: HEADERS }],
  [
    'API Gateway with multi-value headers',
    { requestContext: {}, multiValueHeaders: {} },
    { headers: HEADERS },
  ],
  ['ALB', { requestContext: { elb: {} }, headers: {} }, { headers: HEADERS, statusDescription: '200 OK' }],
  [
    'ALB with multi-value headers',
    { requestContext: { elb: {} }, multiValueHeaders: {} },
    { multiValueHeaders: MULTI_VALUE_HEADERS, statusDescription: '200 OK' },
  ],
  [
    'ALB with multi-value headers that are none',
    { requestContext: { elb: {} }, multiValueHeaders: null },
    { headers: HEADERS, statusDescription: '200 OK' },
  ],
])('the envelope is the sender’s: %s', async (_, event, envelope) => {
  const { response } = await through(event);
  expect(response).toEqual({ statusCode: 200, body: '{"ok":true}', isBase64Encoded: false, ...envelope });
});

test.each([
  [200, '200 OK'],
  [400, '400 Bad Request'],
  [401, '401 Unauthorized'],
  [413, '413 Content Too Large'],
  [415, '415 Unsupported Media Type'],
  [422, '422 Unprocessable Content'],
  [500, '500 Internal Server Error'],
  [504, '504 Gateway Timeout'],
  [599, '599'],
])('ALB gets a reason phrase with %i', async (statusCode, statusDescription) => {
  const { response } = await through({ requestContext: { elb: {} } }, undefined, statusCode);
  expect(response).toMatchObject({ statusCode, statusDescription });
});

test('an error has the envelope too', async () => {
  const fail = () => {
    throw new Error('x');
  };
  expect((await through({ requestContext: {} }, fail, 500)).response).toEqual({
    statusCode: 500,
    body: '{"failed":true}',
    isBase64Encoded: false,
    headers: HEADERS,
  });
});

test('a login that ends without an outcome has no envelope', async () => {
  const { response } = await loginThrough([httpEnvelope()], { requestContext: {} });
  expect(response).toBe('a response');
});

test('the headers of a response are its own', async () => {
  const { response } = await through({ requestContext: {} });
  Object.assign((response as { headers: object }).headers, { 'cache-control': 'public' });
  expect((await through({ requestContext: {} })).response).toMatchObject({ headers: HEADERS });
});

describe('a request', () => {
  test.each<[string, object, Record<string, string>]>([
    ['names in capitals', { headers: { 'Content-TYPE': 'a' } }, { 'content-type': 'a' }],
    ['several values', { multiValueHeaders: { 'X-A': ['a', 'b', 'c'] } }, { 'x-a': 'c' }],
    ['the same header twice', { multiValueHeaders: { a: ['1'] }, headers: { A: '2' } }, { a: '2' }],
    [
      'values that are no text',
      { headers: { a: 1, b: null, c: { d: 1 }, e: 'e' }, multiValueHeaders: { f: [], g: [7] } },
      { e: 'e' },
    ],
    ['no headers', { headers: null, multiValueHeaders: 'x' }, {}],
    ['headers that are a list', { headers: ['a'] }, {}],
  ])('has headers by lower-case name: %s', async (_, event, headers) => {
    expect(Object.fromEntries((await requestOf(event))?.headers ?? [])).toEqual(headers);
  });

  test('has a thousand headers of each kind at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`x-${index}`, 'x']));
    const { headers } = (await requestOf({ headers: many })) ?? {};
    expect([headers?.size, headers?.has('x-999')]).toEqual([1_000, true]);
  });

  test.each<[object, string | null, boolean]>([
    [{ body: '{}' }, '{}', false],
    [{ body: '' }, '', false],
    [{ body: 'e30=', isBase64Encoded: true }, 'e30=', true],
    [{ body: 'e30=', isBase64Encoded: 'true' }, 'e30=', false],
    [{ body: { a: 1 } }, null, false],
    [{}, null, false],
  ])('of %j has the body %p, base64: %p', async (event, body, isBase64Encoded) => {
    expect(await requestOf(event)).toMatchObject({ body, isBase64Encoded });
  });
});
