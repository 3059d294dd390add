/** Which bodies are read, and which are refused before anything reads them. */
import { describe, expect, test } from '@jest/globals';
import { httpEnvelope } from '../../lib/login/http.ts';
import { limitBody, parseBody, requireJson } from '../../lib/login/httpBody.ts';
import type { Middleware } from '../../lib/login/login.ts';
import { loginThrough } from '../support/oneLogin.ts';
import { overHttp } from '../support/wire.ts';

const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString('base64');
const inBase64 = (content: string | Uint8Array) =>
  overHttp('', { body: base64(content), isBase64Encoded: true });

/** What becomes of a request: the handler's event, or the reason of the refusal. */
async function through(check: Middleware, event: unknown) {
  const { events, error } = await loginThrough([httpEnvelope(), check], event);
  return error ? { code: error.code, details: error.details } : { event: events[0] };
}

describe('the limit', () => {
  const MAX_BYTES = 100;
  const check = limitBody({ maxBytes: MAX_BYTES });
  const tooLarge = { code: 'body_too_large', details: { maxBytes: MAX_BYTES } };

  test.each<[string, object]>([
    ['text of this size', overHttp('x'.repeat(MAX_BYTES))],
    ['letters of two bytes', overHttp('é'.repeat(MAX_BYTES / 2))],
    ['base64 of this size', inBase64('x'.repeat(MAX_BYTES))],
    [
      'base64 with line breaks',
      overHttp('', { body: `${base64('x'.repeat(MAX_BYTES))}${'\n'.repeat(99)}`, isBase64Encoded: true }),
    ],
    ['no body', overHttp('', { body: null })],
  ])('passes %s', async (_, event) => {
    expect(await through(check, event)).toEqual({ event });
  });

  test.each<[string, object]>([
    ['a byte more', overHttp('x'.repeat(MAX_BYTES + 1))],
    ['letters of two bytes', overHttp('é'.repeat(MAX_BYTES / 2 + 1))],
    ['a byte more in base64', inBase64('x'.repeat(MAX_BYTES + 1))],
  ])('refuses %s', async (_, event) => {
    expect(await through(check, event)).toEqual(tooLarge);
  });

  test('a direct event has no body', async () => {
    const event = { text: 'x'.repeat(2 * MAX_BYTES) };
    expect(await through(check, event)).toEqual({ event });
  });
});

describe('the content type', () => {
  const typed = (type?: string) =>
    overHttp('{}', { headers: { ...(type !== undefined && { 'content-type': type }) } });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json ; charset=utf-8',
    ' application/json ',
    'application/problem+json',
    'application/vnd.api+json;v=1',
    'application/a.b_c!#$&^-1+json',
  ])('%p is JSON', async (type) => {
    expect(await through(requireJson(), typed(type))).toHaveProperty('event');
  });

  test.each([
    undefined,
    '',
    'text/json',
    'text/plain, application/json',
    'application/jsonp',
    'application/+json',
    'application/a/b+json',
    'application/json charset=utf-8',
    'xapplication/json',
  ])('%p is not', async (type) => {
    expect(await through(requireJson(), typed(type))).toEqual({ code: 'content_type_not_json', details: {} });
  });

  test('a direct event has none', async () => {
    expect(await through(requireJson(), { a: 1 })).toEqual({ event: { a: 1 } });
  });
});

describe('JSON', () => {
  const NO_KEY = 'expected no key named __proto__, and no prototype in a constructor';
  const refused = { code: 'event_invalid', details: { problems: [NO_KEY] } };
  const notJson = { code: 'body_not_json', details: {} };
  const missing = { code: 'body_missing', details: {} };

  test.each<[string, object, unknown]>([
    ['an object', overHttp('{"a":[1,"é"]}'), { a: [1, 'é'] }],
    ['base64', inBase64('{"a":"é"}'), { a: 'é' }],
    [
      'a value named like a key that is refused',
      overHttp('{"a":"__proto__","b":"constructor"}'),
      { a: '__proto__', b: 'constructor' },
    ],
    ['a constructor without a prototype', overHttp('{"constructor":{"a":1}}'), { constructor: { a: 1 } }],
    ['null', overHttp('null'), null],
    ['base64 said by anything but true', overHttp('{"a":1}', { isBase64Encoded: 'true' }), { a: 1 }],
    ['an escape', overHttp('{"a":"\\u00e9\\u0063"}'), { a: 'éc' }],
  ])('%s is the event', async (_, request, event) => {
    expect(await through(parseBody(), request)).toEqual({ event });
  });

  test.each<[string, object]>([
    ['no body', overHttp('', { body: null })],
    ['an empty body', overHttp('')],
    ['a body that is no text', overHttp('', { body: { a: 1 } })],
  ])('missing: %s', async (_, request) => {
    expect(await through(parseBody(), request)).toEqual(missing);
  });

  test.each<[string, object]>([
    ['a word', overHttp('hello')],
    ['cut off', overHttp('{"a":1')],
    ['cut off behind a key that would be refused', overHttp('{"__proto__":1')],
    ['not UTF-8', inBase64(new Uint8Array([0x22, 0xff, 0x22]))],
    ['a byte order mark', inBase64('\ufeff{"a":1}')],
    ['base64 that is not said to be', overHttp(base64('{"a":1}'))],
    ['nested too deeply to be parsed', overHttp(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ])('not JSON: %s', async (_, request) => {
    expect(await through(parseBody(), request)).toEqual(notJson);
  });

  /** Of a key, one character at a time in the escapes that JSON has for it. */
  function escaped(key: string): string[] {
    return [...key].flatMap((character, index) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      return [code, code.toUpperCase()].map(
        (digits) => `${key.slice(0, index)}\\u${digits}${key.slice(index + 1)}`,
      );
    });
  }

  const PROTO = ['__proto__', ...escaped('__proto__')];
  const CONSTRUCTOR = ['constructor', ...escaped('constructor')];

  test('a key that could change a prototype, however it is written', async () => {
    const bodies = [
      ...PROTO.map((key) => `{"${key}":{"a":1}}`),
      ...PROTO.map((key) => `[{"b":{"${key}":{"a":1}}}]`),
      ...CONSTRUCTOR.map((key) => `{"${key}":{"prototype":{"a":1}}}`),
    ];
    for (const body of bodies) {
      expect([body, await through(parseBody(), overHttp(body))]).toEqual([body, refused]);
    }
  });

  test('a direct event is the event', async () => {
    const event = JSON.parse('{"__proto__":{"a":1},"body":"x"}');
    expect(await through(parseBody(), event)).toEqual({ event });
  });
});
