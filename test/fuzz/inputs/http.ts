/** HTTP requests as Lambda events, as JSON text: the usual ones, and what no proxy would send. */
import fc from 'fast-check';

import { anyJson, hostileKey } from './json.ts';

const headerName = fc.oneof(
  fc.constantFrom('content-type', 'Content-Type', 'CONTENT-TYPE', 'content-type ', 'accept', 'host'),
  fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'Webhook-Signature'),
  hostileKey.map((key) => JSON.parse(key) as string),
);

const longType = fc.nat(50_000).map((length) => `application/${'a+'.repeat(length)}json`);

const usualHeaderValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'Application/JSON ; charset="x"',
    'application/a+json',
    '\tapplication/json\n',
  ),
  fc.constantFrom('text/plain', 'application/jsonp', 'json', '', 'application/json, text/plain', '\ud800'),
  fc.string(),
);
const headerValue = fc.oneof({ weight: 50, arbitrary: usualHeaderValue }, { weight: 1, arbitrary: longType });

const jsonType = { 'content-type': 'application/json' };
const hostileHeaders = fc.oneof(
  fc.dictionary(headerName, fc.oneof(headerValue, anyJson), { noNullPrototype: true }),
  anyJson,
);
/** Signed now, by nobody that may. */
const garbageSignature = fc
  .record({ id: fc.string(), shift: fc.integer({ min: -400, max: 400 }), signature: fc.base64String() })
  .map(({ id, shift, signature }) => ({
    ...jsonType,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + shift),
    'webhook-signature': `v1,${signature}`,
  }));
const headers = fc.oneof(
  { weight: 2, arbitrary: fc.constant(jsonType) },
  { weight: 1, arbitrary: garbageSignature },
  { weight: 1, arbitrary: hostileHeaders },
);
const multiValueHeaders = fc.oneof(
  fc.dictionary(headerName, fc.array(headerValue, { maxLength: 3 }), { noNullPrototype: true }),
  anyJson,
);
const requestContext = fc.oneof(
  fc.constantFrom({}, { elb: {} }, { elb: null }, { http: { method: 'POST' } }, { constructor: null }),
  anyJson,
);

/** Any envelope around any body, most of them a login event's text. */
export function envelopes(eventText: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const body = fc.oneof(
    { weight: 4, arbitrary: eventText },
    { weight: 2, arbitrary: eventText.map((text) => Buffer.from(text).toString('base64')) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: anyJson },
  );
  const isBase64Encoded = fc.oneof(fc.boolean(), anyJson);
  const parts = { requestContext, headers, multiValueHeaders, body, isBase64Encoded };
  return fc
    .record(parts, { requiredKeys: ['requestContext', 'body'], noNullPrototype: true })
    .map((event) => JSON.stringify(event));
}
