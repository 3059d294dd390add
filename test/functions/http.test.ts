/** HTTP in, HTTP out: the statuses, the envelopes, the headers. */
import { describe, expect, test } from '@jest/globals';
import { sharedFunction, withFunction } from '../support/bundle.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');

describe('a body is parsed whatever its texts look like', () => {
  const rest = JSON.stringify(openIdEvent()).slice(1);
  const large = 'x'.repeat(100_000);
  const send = sharedFunction('openidLoggedIn');

  test.each([
    [200, 'harmless escapes in a large body', `{"a":"\\u00e9\\u0041\\u2028","b":"${large}",${rest}`],
    [200, 'the same escaped in a large body', `{"a":"\\u005F_proto__","b":"${large}",${rest}`],
    [422, 'such a key in a large body', `{"\\u005F_proto__":"a","b":"${large}",${rest}`],
  ])('%i: %s', async (status, _, body) => {
    expect((await send(overHttp(body))).status).toBe(status);
  });
});

describe('the status says what became of the request', () => {
  const send = sharedFunction('openidLoggedIn', { env: { MAX_BODY_BYTES: '2000' } });
  const valid = openIdEvent();
  const { accessToken: _, ...withoutAccessToken } = valid;
  const protoKey = `{"__proto__": {"x": 1}, ${JSON.stringify(valid).slice(1)}`;

  test.each<[number, string | null, string, Record<string, unknown>]>([
    [200, null, 'a valid event', overHttp(valid)],
    [200, null, 'base64', overHttp(valid, { body: base64(JSON.stringify(valid)), isBase64Encoded: true })],
    [
      200,
      null,
      'a +json type',
      overHttp(valid, { headers: { 'content-type': 'application/cloudevents+json;v=1' } }),
    ],
    [400, 'body_missing', 'no body', overHttp(valid, { body: null })],
    [400, 'body_not_json', 'cut-off JSON', overHttp(JSON.stringify(valid).slice(0, -1))],
    [
      400,
      'body_not_json',
      'base64 that is not UTF-8',
      overHttp('', { body: base64(new Uint8Array([0x22, 0xff, 0x22])), isBase64Encoded: true }),
    ],
    [413, 'body_too_large', 'a large body', overHttp(`"${'x'.repeat(2_000)}"`)],
    [413, 'body_too_large', 'a large body of an unknown type', overHttp('x'.repeat(2_001), { headers: {} })],
    [415, 'content_type_not_json', 'no content type', overHttp(valid, { headers: {} })],
    [
      415,
      'content_type_not_json',
      'a form',
      overHttp(valid, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    [422, 'event_invalid', 'null', overHttp('null')],
    [422, 'event_invalid', 'a missing field', overHttp(withoutAccessToken)],
    [422, 'event_invalid', 'a key named __proto__', overHttp(protoKey)],
    [422, 'event_invalid', 'nesting', overHttp(`{"a":${'['.repeat(900)}${']'.repeat(900)}}`)],
    [422, 'event_invalid', 'JSON in JSON', overHttp(JSON.stringify(JSON.stringify(valid)))],
    [422, 'event_invalid', 'an envelope in an envelope', overHttp(overHttp(valid))],
  ])('%i %s: %s', async (expectedStatus, reason, _case, event) => {
    const { status, answer, record } = await send(event);
    expect(status).toBe(expectedStatus);
    expect(answer.type).toBe(reason ? 'ErrorResponse' : 'AuthorizedUserResponse');
    expect(record).toMatchObject({ reason: reason ?? 'authorized', status });
  });
});

describe('the envelope is the sender’s', () => {
  const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const alb = { requestContext: { elb: { targetGroupArn: 'arn' } }, body: JSON.stringify(samlEvent()) };

  test.each([
    ['HTTP API', overHttp(samlEvent()), { headers: HEADERS }],
    ['REST API', overHttp(samlEvent(), { version: undefined, multiValueHeaders: {} }), { headers: HEADERS }],
    ['ALB', { ...alb, headers: JSON_TYPE }, { headers: HEADERS, statusDescription: '200 OK' }],
    [
      'ALB with multi-value headers',
      { ...alb, multiValueHeaders: { 'content-type': ['application/json'] } },
      {
        multiValueHeaders: { 'content-type': [HEADERS['content-type']], 'cache-control': ['no-store'] },
        statusDescription: '200 OK',
      },
    ],
  ])('%s', async (_, event, envelope) => {
    await withFunction('samlLoggedIn', {}, async (fn) => {
      expect(await fn.invoke(event)).toEqual({
        statusCode: 200,
        body: expect.stringContaining('"AuthorizedUserResponse"'),
        isBase64Encoded: false,
        ...envelope,
      });
    });
  });
});
