/** Signed HTTP requests, and what somebody may change about one. */
import fc from 'fast-check';
import { overHttp } from '../../support/wire.ts';
import { signatureOf } from '../oracle/signature.ts';

export interface SignedRequest {
  body: string;
  isBase64Encoded: boolean;
  id: string;
  /** In seconds: how long ago it was signed. */
  age: number;
  key: Buffer;
}

type Headers = Record<string, unknown>;
type HttpRequest = ReturnType<typeof rightlySigned>;

export function rightlySigned({ body, isBase64Encoded, id, age, key }: SignedRequest) {
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const headers: Headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(key, id, timestamp, Buffer.from(body)),
  };
  const sent = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
  return { ...overHttp(sent, { isBase64Encoded, multiValueHeaders: null as unknown }), headers };
}

export interface Change {
  what: keyof typeof CHANGES;
  /** Where, of the bytes or characters there are. */
  at: number;
  by: number;
}

export function changed(signed: SignedRequest, { what, at, by }: Change): HttpRequest {
  return CHANGES[what](signed, at, by);
}

/** Some of them leave the signature right; the oracle knows which. */
const CHANGES = {
  nothing: rightlySigned,
  'a character of the body': (signed, at, by) => withBody(signed, (text) => withCharacter(text, at, by)),
  'the body cut off': (signed, at) => withBody(signed, (text) => text.slice(0, at % text.length)),
  'the body longer': (signed, at) => withBody(signed, (text) => text + ' '.repeat(at % 3)),
  'the body marked as base64, or not': (signed) => {
    const request = rightlySigned(signed);
    return { ...request, isBase64Encoded: !request.isBase64Encoded };
  },
  'a lone surrogate in the place of the character that it becomes in UTF-8': (signed, at) => {
    const texts = at % 2 ? { ...signed, id: `${signed.id}\ufffd` } : withReplacement(signed);
    const request = rightlySigned({ ...texts, isBase64Encoded: false });
    const id = String(request.headers['webhook-id']).replace('\ufffd', '\udfff');
    return {
      ...request,
      headers: { ...request.headers, 'webhook-id': id },
      body: request.body.replace('\ufffd', '\ud800'),
    };
  },
  'a character of the id': (signed, at, by) => withHeader(signed, 'id', (id) => withCharacter(id, at, by)),
  'the time read as part of the id, and the start of the body as the time': (signed) => {
    const now = String(Math.floor(Date.now() / 1_000));
    const request = rightlySigned({ ...signed, body: `${now}.${signed.body}`, isBase64Encoded: false });
    const { 'webhook-id': id, 'webhook-timestamp': time } = request.headers;
    const headers = { ...request.headers, 'webhook-id': `${id}.${time}`, 'webhook-timestamp': now };
    return { ...request, headers, body: signed.body };
  },
  'a character of the signature': (signed, at, by) =>
    withHeader(signed, 'signature', (text) => withCharacter(text, at, by)),
  'the signature cut off': (signed, at) =>
    withHeader(signed, 'signature', (text) => text.slice(0, at % text.length)),
  'another scheme': (signed, at) =>
    withHeader(signed, 'signature', (text) => text.replace('v1', ['v1a', 'v2', 'V1', ''][at % 4] ?? '')),
  'a wrong signature before the right one': (signed, at) =>
    withHeader(signed, 'signature', (text) => `v1,${'A'.repeat(at % 60)} ${text}`),
  'the time moved': (signed, at, by) =>
    withHeader(signed, 'timestamp', (time) => String(Number(time) + (at % 2 ? by : -by))),
  'the time written otherwise': (signed, at) =>
    withHeader(
      signed,
      'timestamp',
      (time) => [`0${time}`, `${time}.0`, `${time}000`, `+${time}`][at % 4] ?? '',
    ),
  'signed too long ago': (signed, at) => rightlySigned({ ...signed, age: 310 + at }),
  'signed ahead of time': (signed, at) => rightlySigned({ ...signed, age: -310 - at }),
  'another key': (signed, at, by) => {
    const key = Buffer.from(signed.key);
    key.writeUInt8((key[at % key.length] ?? 0) ^ by, at % key.length);
    return rightlySigned({ ...signed, key });
  },
  'a header left out': (signed, at) => withHeader(signed, HEADERS[at % 3] ?? 'id', () => undefined),
  'a header twice': (signed, at) => withHeader(signed, HEADERS[at % 3] ?? 'id', (text) => [text, text]),
  'header names in capitals': (signed) => {
    const { headers, ...request } = rightlySigned(signed);
    const inCapitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    return { ...request, headers: Object.fromEntries(inCapitals) };
  },
  'multi-value headers': (signed) => {
    const { headers, ...request } = rightlySigned(signed);
    const multiValueHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    return { ...request, headers: {}, multiValueHeaders };
  },
} satisfies Record<string, (signed: SignedRequest, at: number, by: number) => unknown>;

/** U+FFFD at the start of the first text. */
function withReplacement(signed: SignedRequest): SignedRequest {
  return { ...signed, body: signed.body.replace(':"', ':"\ufffd') };
}

const HEADERS = ['id', 'timestamp', 'signature'] as const;

export const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(...(Object.keys(CHANGES) as Change['what'][])),
  at: fc.nat(10_000),
  by: fc.integer({ min: 1, max: 127 }),
});

function withBody(signed: SignedRequest, edit: (text: string) => string): HttpRequest {
  const request = rightlySigned(signed);
  const body = edit(signed.body);
  return { ...request, body: signed.isBase64Encoded ? Buffer.from(body).toString('base64') : body };
}

function withHeader(
  signed: SignedRequest,
  name: (typeof HEADERS)[number],
  edit: (text: string) => unknown,
): HttpRequest {
  const request = rightlySigned(signed);
  const header = `webhook-${name}`;
  return { ...request, headers: { ...request.headers, [header]: edit(String(request.headers[header])) } };
}

function withCharacter(text: string, at: number, by: number): string {
  const index = at % text.length;
  return text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ by) + text.slice(index + 1);
}
