/** HTTP requests as Lambda events, as JSON text: the usual ones, and what no proxy would send. Nobody signed them. */
import fc from 'fast-check';
import { anyJson } from './json.ts';

const anyText = fc.string({ unit: 'binary' });
const headerName = fc.oneof(
  fc.constantFrom('content-type', 'Content-Type', 'content-type ', 'webhook-id', 'Webhook-Signature'),
  anyText,
);
const headerValue = fc.oneof(
  {
    weight: 25,
    arbitrary: fc.constantFrom('application/json', 'Application/JSON ; charset="x"', 'text/plain'),
  },
  { weight: 25, arbitrary: anyText },
  { weight: 1, arbitrary: fc.nat(50_000).map((length) => `application/${'a+'.repeat(length)}json`) },
);

const jsonType = { 'content-type': 'application/json' };
/** Of now, or nearly. */
const forged = fc
  .record({ id: fc.string(), shift: fc.integer({ min: -400, max: 400 }), signature: fc.base64String() })
  .map(({ id, shift, signature }) => ({
    ...jsonType,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + shift),
    'webhook-signature': `v1,${signature}`,
  }));
const headers = fc.oneof(
  fc.constant(jsonType),
  forged,
  fc.dictionary(headerName, fc.oneof(headerValue, anyJson), { noNullPrototype: true }),
  anyJson,
);
const multiValueHeaders = fc.oneof(
  fc.dictionary(headerName, fc.array(headerValue, { maxLength: 3 }), { noNullPrototype: true }),
  anyJson,
);
const requestContext = fc.oneof(fc.constantFrom({}, { elb: {} }, { http: { method: 'POST' } }), anyJson);

/** Any envelope around any body, most of them a login event's text. */
export function envelopes(eventText: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const body = fc.oneof(
    { weight: 4, arbitrary: eventText },
    { weight: 2, arbitrary: eventText.map((text) => Buffer.from(text).toString('base64')) },
    { weight: 1, arbitrary: anyJson },
  );
  const isBase64Encoded = fc.oneof(fc.boolean(), anyJson);
  const parts = { requestContext, headers, multiValueHeaders, body, isBase64Encoded };
  return fc
    .record(parts, { requiredKeys: ['requestContext', 'body'], noNullPrototype: true })
    .map((event) => JSON.stringify(event));
}
