/** Signed HTTP requests, and what somebody may change about one. */
import { signed as headersOf } from '../../support/signedRequest.ts';
import { overHttp } from '../../support/wire.ts';

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
  const secret = key.toString('base64');
  const headers: Headers = headersOf(body, { secret, id, ageSeconds: age });
  const sent = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
  return { ...overHttp(sent, { isBase64Encoded, multiValueHeaders: null as unknown }), headers };
}

export interface Change {
  what: keyof typeof CHANGES;
  /** Where, of the bytes or characters there are. */
  at: number;
  by: number;
}

export function broken(signed: SignedRequest, { what, at, by }: Change): HttpRequest {
  return CHANGES[what](signed, at, by);
}

const HEADERS = ['id', 'timestamp', 'signature'] as const;

const CHANGES = {
  'a character of the body': (signed, at, by) => withBody(signed, (text) => withCharacter(text, at, by)),
  'the body cut off': (signed, at) => withBody(signed, (text) => text.slice(0, at % text.length)),
  'the body longer': (signed, at) => withBody(signed, (text) => text + ' '.repeat(1 + (at % 3))),
  'a character of the id': (signed, at, by) => withHeader(signed, 'id', (id) => withCharacter(id, at, by)),
  'the start of the body as the time, and the time as the end of the id': (signed) => {
    const now = String(Math.floor(Date.now() / 1_000));
    const request = rightlySigned({ ...signed, body: `${now}.${signed.body}`, isBase64Encoded: false });
    const { 'webhook-id': id, 'webhook-timestamp': time } = request.headers;
    const headers = { ...request.headers, 'webhook-id': `${id}.${time}`, 'webhook-timestamp': now };
    return { ...request, headers, body: signed.body };
  },
  'a lone surrogate in the place of the character that it becomes in UTF-8': (signed) => {
    const body = signed.body.replace(':"', ':"\ufffd');
    const request = rightlySigned({ ...signed, body, isBase64Encoded: false });
    return { ...request, body: request.body.replace('\ufffd', '\ud800') };
  },
  'the signature cut off': (signed, at) =>
    withHeader(signed, 'signature', (text) => text.slice(0, at % (text.length - 1))),
  'another scheme': (signed, at) =>
    withHeader(signed, 'signature', (text) => text.replace('v1', ['v1a', 'v2', 'V1', ''][at % 4] ?? '')),
  'the time moved': (signed, at, by) =>
    withHeader(signed, 'timestamp', (time) => String(Number(time) + (at % 2 ? by : -by))),
  'signed too long ago': (signed, at) => rightlySigned({ ...signed, age: 310 + at }),
  'signed ahead of time': (signed, at) => rightlySigned({ ...signed, age: -310 - at }),
  'another key': (signed, at, by) => {
    const key = Buffer.from(signed.key);
    key.writeUInt8((key[at % key.length] ?? 0) ^ by, at % key.length);
    return rightlySigned({ ...signed, key });
  },
  'a header left out': (signed, at) => withHeader(signed, HEADERS[at % 3] ?? 'id', () => undefined),
  'a wrong signature before the right one': (signed, at) =>
    withHeader(signed, 'signature', (text) => `v1,${'A'.repeat(at % 60)} ${text}`),
  'header names in capitals': (signed) => {
    const { headers, ...request } = rightlySigned(signed);
    const inCapitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    return { ...request, headers: Object.fromEntries(inCapitals) };
  },
  'headers of several values': (signed) => {
    const { headers, ...request } = rightlySigned(signed);
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
    return { ...request, headers: {}, multiValueHeaders: Object.fromEntries(lists) };
  },
} satisfies Record<string, (signed: SignedRequest, at: number, by: number) => unknown>;

/** The same request, written in another way. */
export const HARMLESS: Change['what'][] = [
  'a wrong signature before the right one',
  'header names in capitals',
  'headers of several values',
];
export const BREAKING = (Object.keys(CHANGES) as Change['what'][]).filter((what) => !HARMLESS.includes(what));

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
