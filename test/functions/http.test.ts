/** HTTP in, HTTP out, through the built function. */
import { expect, test } from '@jest/globals';
import { sharedFunction } from '../support/bundle.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const send = sharedFunction('openidLoggedIn');
const valid = openIdEvent();
const { accessToken: _, ...withoutAccessToken } = valid;
const rest = JSON.stringify(valid).slice(1);
const large = 'x'.repeat(100_000);
const alb = { requestContext: { elb: {} }, headers: { 'content-type': 'application/json' } };

test.each<[number, string | null, string, Record<string, unknown>]>([
  [200, null, 'a valid event', overHttp(valid)],
  [200, null, 'a valid event by way of ALB', { ...alb, body: JSON.stringify(valid) }],
  [200, null, 'harmless escapes', overHttp(`{"a":"\\u00e9\\u0041\\u2028","b":"${large}",${rest}`)],
  [200, null, 'a value named like a refused key', overHttp(`{"a":"\\u005F_proto__","b":"${large}",${rest}`)],
  [400, 'body_missing', 'no body', overHttp(valid, { body: null })],
  [400, 'body_not_json', 'cut-off JSON', overHttp(JSON.stringify(valid).slice(0, -1))],
  [413, 'body_too_large', 'a large body', overHttp(`"${'x'.repeat(300_000)}"`)],
  [415, 'content_type_not_json', 'no content type', overHttp(valid, { headers: {} })],
  [422, 'event_invalid', 'a missing field', overHttp(withoutAccessToken)],
  [422, 'event_invalid', 'a refused key', overHttp(`{"\\u005F_proto__":"a","b":"${large}",${rest}`)],
  [422, 'event_invalid', 'nesting', overHttp(`{"a":${'['.repeat(900)}${']'.repeat(900)}}`)],
  [422, 'event_invalid', 'JSON in JSON', overHttp(JSON.stringify(JSON.stringify(valid)))],
  [422, 'event_invalid', 'an envelope in an envelope', overHttp(overHttp(valid))],
])('%i %s: %s', async (expectedStatus, reason, _case, event) => {
  const { status, answer, record } = await send(event);
  expect(status).toBe(expectedStatus);
  expect(answer.type).toBe(reason ? 'ErrorResponse' : 'AuthorizedUserResponse');
  expect(record).toMatchObject({ reason: reason ?? 'authorized', status });
});
