/** Which events are HTTP requests, what a request must be before it is read, what its body holds, and the form of responses. */
import { describe, expect, test } from '@jest/globals';
import { httpEnvelope, httpRequestIn, jsonIn, limitBody, requireJson } from '../../lib/login/http.ts';
import type { HttpRequest, Middleware } from '../../lib/login/login.ts';
import { asLoginError } from '../../lib/reasons.ts';
import { loginThrough } from '../support/oneLogin.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const LISTS = { 'content-type': ['application/json; charset=utf-8'], 'cache-control': ['no-store'] };
const PHRASE = { statusDescription: '422 Unprocessable Entity' };
const ALB = { requestContext: { elb: {} } };

/** A login that ends with status 422. */
function through(event: unknown) {
  const outcome = { type: 'ErrorResponse', reason: 'error', statusCode: 422, details: {}, decision: null };
  const ending: Middleware = { after: ({ context }) => void Object.assign(context.login, { outcome }) };
  return loginThrough([httpEnvelope, ending], event, { handler: () => ({ ok: true }) });
}

const requestIn = (event: object) => httpRequestIn({ requestContext: {}, ...event });

test.each([null, {}, { requestContext: null }])('a direct event gets a bare response: %j', async (event) => {
  const { login, response } = await through(event);
  expect(login.http).toBeNull();
  expect(response).toEqual({ ok: true });
});

test.each<[what: string, event: object, response: object]>([
  ['API Gateway', { requestContext: {}, multiValueHeaders: {} }, { headers: HEADERS }],
  ['ALB', { ...ALB, headers: {} }, { headers: HEADERS, ...PHRASE }],
  ['ALB with lists that are none', { ...ALB, multiValueHeaders: null }, { headers: HEADERS, ...PHRASE }],
  ['ALB with lists', { ...ALB, multiValueHeaders: {} }, { multiValueHeaders: LISTS, ...PHRASE }],
])('the envelope is the sender’s: %s', async (_, event, envelope) => {
  const { response } = await through(event);
  expect(response).toEqual({ statusCode: 422, body: '{"ok":true}', isBase64Encoded: false, ...envelope });
});

describe('a request', () => {
  test.each<[string, object, Record<string, string>]>([
    ['names in capitals', { headers: { 'Content-TYPE': 'a' } }, { 'content-type': 'a' }],
    ['several values', { multiValueHeaders: { 'X-A': ['a', 'b', 'c'] } }, { 'x-a': 'c' }],
    ['values that are no text', { headers: { a: 1, b: null, c: { d: 1 }, e: 'e' } }, { e: 'e' }],
  ])('has headers by lower-case name: %s', (_, event, headers) => {
    expect(Object.fromEntries(requestIn(event)?.headers ?? [])).toEqual(headers);
  });

  test.each<[object, string | null, boolean]>([
    [{ body: '{}' }, '{}', false],
    [{ body: 'e30=', isBase64Encoded: true }, 'e30=', true],
    [{ body: 'e30=', isBase64Encoded: 'true' }, 'e30=', false],
    [{ body: { a: 1 } }, null, false],
  ])('of %j has the body %p, base64: %p', (event, body, isBase64Encoded) => {
    expect(requestIn(event)).toMatchObject({ body, isBase64Encoded });
  });
});

const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString('base64');
const plain = (body: string | null, headers: Record<string, string> = {}): HttpRequest => ({
  ...{ body, headers: new Map(Object.entries(headers)), isBase64Encoded: false, responseForm: 'apiGateway' },
});
const encoded = (body: string): HttpRequest => ({ ...plain(body), isBase64Encoded: true });

/** What is made of a request; or the reason of its refusal. */
function outcomeOf(read: (request: HttpRequest) => unknown, request: HttpRequest): unknown {
  try {
    return { read: read(request) };
  } catch (error) {
    const { code, details } = asLoginError(error);
    return { code, details };
  }
}

const maxBytes = 100;
const guard = limitBody(maxBytes) as (request: HttpRequest) => void;

test.each<[string, boolean, HttpRequest]>([
  ['text of this size', true, plain('x'.repeat(maxBytes))],
  ['base64 of this size', true, encoded(base64('x'.repeat(maxBytes)))],
  ['no body', true, plain(null)],
  ['a byte more', false, plain('x'.repeat(maxBytes + 1))],
  ['more letters of two bytes', false, plain('é'.repeat(maxBytes / 2 + 1))],
])('under the limit of a body, %s passes: %p', (_, passes, request) => {
  const refused = { code: 'body_too_large', details: { maxBytes } };
  expect(outcomeOf(guard, request)).toEqual(passes ? {} : refused);
});

test.each<[string | undefined, boolean]>([
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json ; charset=utf-8', true],
  [' application/json ', true],
  ['application/problem+json', true],
  [undefined, false],
  ['application/+json', false],
  ['text/plain, application/json', false],
])('the content type %p is JSON: %p', (type, isJson) => {
  const request = plain('{}', type === undefined ? {} : { 'content-type': type });
  const refused = { code: 'content_type_not_json', details: {} };
  expect(outcomeOf(requireJson as () => void, request)).toEqual(isJson ? {} : refused);
});

describe('the JSON of a body', () => {
  const FORBIDDEN_KEY = 'expected no key named __proto__, and no prototype in a constructor';
  const REFUSED = { code: 'event_invalid', details: { problems: [FORBIDDEN_KEY] } };

  test.each<[string, HttpRequest, unknown]>([
    ['an object', plain('{"a":[1,"é"]}'), { a: [1, 'é'] }],
    ['base64', encoded(base64('{"a":"é"}')), { a: 'é' }],
    ['a constructor without a prototype', plain('{"constructor":{"a":1}}'), { constructor: { a: 1 } }],
  ])('%s is the event', (_, request, event) => {
    expect(outcomeOf(jsonIn, request)).toEqual({ read: event });
  });

  test.each<[string, string, HttpRequest]>([
    ['no body', 'body_missing', plain(null)],
    ['a word', 'body_not_json', plain('hello')],
    ['cut off behind a key that would be refused', 'body_not_json', plain('{"__proto__":1')],
    ['not UTF-8', 'body_not_json', encoded(base64(new Uint8Array([0x22, 0xff, 0x22])))],
    ['too deep', 'body_not_json', plain(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ])('%s is refused: %s', (_, code, request) => {
    expect(outcomeOf(jsonIn, request)).toMatchObject({ code });
  });

  test.each<[string, HttpRequest]>([
    ['what gzip compressed', encoded(base64(new Uint8Array([0x1f, 0x8b, 8, 0])))],
    ['a byte order mark', encoded(base64('\ufeff{"a":1}'))],
    ['UTF-16', encoded(Buffer.from('{"a":1}', 'utf16le').toString('base64'))],
    ['base64 that isBase64Encoded does not tell', plain(base64('{"a":1}'))],
    ['other text', encoded(base64(new Uint8Array([0x78, 0x1f, 0x8b])))],
    ['other text', plain('ab\u0000')],
    ['other text', plain('xey')],
  ])('the log says that it found %s', (found, request) => {
    const problems = [`expected JSON in UTF-8, found ${found}`];
    expect(outcomeOf(jsonIn, request)).toEqual({ code: 'body_not_json', details: { problems } });
  });

  test.each([
    '{"__proto__":{"a":1}}',
    '[{"b":{"\\u005f_prot\\u006F__":{"a":1}}}]',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"c\\u006fnstructor":{"prototype":{"a":1}}}',
  ])('has no key that could change a prototype: %s', (body) => {
    expect(outcomeOf(jsonIn, plain(body))).toEqual(REFUSED);
  });
});
