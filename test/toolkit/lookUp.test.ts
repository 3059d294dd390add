/** Look-ups over real connections to servers that behave, and to servers that do not; and what a failed connection is. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { hasAsked } from '../../lib/invocation.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { connectionFailure } from '../../lib/toolkit/connectionFailure.ts';
import { type LookUpOptions, lookUp } from '../../lib/toolkit/lookUp.ts';
import { endpoint, url } from '../../lib/toolkit/url.ts';
import { inLogin } from '../support/logins.ts';
import { httpsServer, sendJson } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';
import { fakeTimeouts } from '../support/timeouts.ts';
import { trust } from '../support/trust.ts';

const SECRET = 'SECRET-7f3a';
/** Longer than a try, and longer than the logins here. */
const PATIENCE_MS = 30_000;
const Answer = v.object({ ok: v.literal(true), n: v.optional(v.number()) });

/** Of the responses, which are numbered. */
let answered = 0;
/** How many requests fail before one succeeds. */
let failuresLeft: number;
/** How a failure is told. */
let failure: { status: number; headers?: Record<string, string> };

const other = sharedServer((_, response) => sendJson(response, { ok: true }));
const server = sharedServer((request, response) => {
  const path = request.url?.split(/[?/]/)[1] ?? '';
  const redirect = (status: number, location: string) => response.writeHead(status, { location }).end(SECRET);
  const answers: Record<string, () => void> = {
    well: () => sendJson(response, { ok: true, n: ++answered }),
    never: passTime,
    'never-body': () => void response.writeHead(200).write('{'),
    'then-well': () => sendUnlessFailing(response, failure),
    missing: () => sendJson(response, { SECRET }, 404),
    truncated: () => {
      response.writeHead(200, { 'content-length': '100' }).write('{"ok":', () => response.destroy());
    },
    'no-json': () => response.end(`<html>${SECRET}`),
    'no-content': () => response.writeHead(204, { location: '/well' }).end(),
    'not-utf8': () => response.end(Buffer.from([0x22, 0xff, 0x22])),
    unexpected: () => sendJson(response, { ok: SECRET }),
    'of-20-bytes': () => response.end('{"ok":true}'.padEnd(20)),
    megabyte: () => response.end(`{"ok":true}`.padEnd(1_048_576)),
    'no-such-status': () => response.writeHead(799).end('{}'),
    elsewhere: () => redirect(302, `${other.url}/well`),
    nowhere: () => sendJson(response, { ok: true }, 300),
    circle: () => redirect(302, '/circle'),
  };
  if (/^3\d\d$/.test(path)) redirect(Number(path), '/well');
  else (answers[path] ?? (() => sendJson(response, { path: request.url }, 404)))();
});
beforeEach(() => {
  server.requests.length = 0;
  failuresLeft = 1;
  failure = { status: 500 };
  // The waiting before another try is random: here it is none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  fakeTimeouts();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function sendUnlessFailing(response: ServerResponse, { status, headers }: typeof failure): void {
  if (failuresLeft-- > 0) sendJson(response, { SECRET }, status, headers);
  else sendJson(response, { ok: true });
}

/** What is under way has no time left. */
function passTime(): void {
  jest.advanceTimersByTime(PATIENCE_MS);
}

/** Lets the time pass once the headers of a response are there. */
function passTimeOfBody(): void {
  const { fetch } = globalThis;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (...sent) => {
    const response = await fetch(...sent);
    setImmediate(passTime);
    return response;
  });
}

const asked = (path: string, options: LookUpOptions = {}) =>
  lookUp(url`${endpoint(server.url)}/${path}`, Answer, { allowHttp: true, ...options });

/** What a look-up gave; or the code of its failure, the status, and what else the log says. */
function told(look: Promise<unknown>): Promise<unknown> {
  return look.catch((error) => {
    if (!(error instanceof LookUpFailed)) throw error;
    const { code, host, status, details } = error;
    expect([host, details.host]).toEqual([new URL(server.url).host, host]);
    expect(JSON.stringify(error) + error.message).not.toContain(SECRET);
    const problems = details.problems as string[] | undefined;
    return { code, status, ...(problems && { problems }) };
  });
}
const failed = (code: string, status: number | null = null, ...problems: string[]) =>
  problems.length > 0 ? { code, status, problems } : { code, status };
const OK = { ok: true };
const WELL = { ok: true, n: expect.any(Number) };
const ONCE_MORE = { retries: 1 };
const LOST = 'the connection failed: check the network and the proxy';
const JSON_POST = { method: 'POST', json: { a: 1 } } as const;

test('errors may hold what is looked up from then on', async () => {
  expect(hasAsked()).toBe(false);
  await asked('well');
  expect(hasAsked()).toBe(true);
});

test.each<[string, LookUpOptions, object, number]>([
  ['never', ONCE_MORE, failed('lookup_timed_out'), 2],
  ['missing', {}, failed('lookup_status', 404), 1],
  ['truncated', ONCE_MORE, failed('lookup_connection_failed', null, LOST), 2],
  ['no-json', {}, failed('lookup_not_json', 200), 1],
  ['no-content', {}, failed('lookup_not_json', 204), 1],
  ['not-utf8', {}, failed('lookup_not_json', 200), 1],
  ['unexpected', {}, failed('lookup_unexpected', 200, 'expected a valid literal'), 1],
  ['of-20-bytes', { maxBytes: 20 }, OK, 1],
  ['of-20-bytes', { maxBytes: 19 }, failed('lookup_too_large', 200), 1],
  ['no-such-status', {}, failed('lookup_status', 599), 1],
  ['elsewhere', {}, failed('lookup_redirected', 302), 1],
  ['nowhere', {}, failed('lookup_not_json', 300), 1],
  ['300', {}, WELL, 2],
  ['circle', {}, failed('lookup_redirected'), 4],
])('%s, asked with %j: %j', async (path, options, expected, requests) => {
  expect(await told(asked(path, options))).toEqual(expected);
  expect(server.requests).toHaveLength(requests);
  expect(other.requests).toEqual([]);
});

test('a body that does not end has the time of its try, and is asked for again', async () => {
  passTimeOfBody();
  const started = jest.spyOn(globalThis, 'setTimeout');
  expect(await told(asked('never-body', ONCE_MORE))).toEqual(failed('lookup_timed_out'));
  expect(started.mock.calls[0]?.[1]).toBe(3_000);
  expect(server.requests).toHaveLength(2);
});

describe('what is sent', () => {
  const JSON_TYPE = 'application/json';

  test.each<[LookUpOptions, method: string, type: string | undefined, body: string, accept: string]>([
    [{}, 'GET', undefined, '', JSON_TYPE],
    [{ json: null }, 'POST', JSON_TYPE, 'null', JSON_TYPE],
    [{ headers: { accept: 'application/scim+json' } }, 'GET', undefined, '', 'application/scim+json'],
  ])('%j', async (options, ...expected) => {
    await asked('well', options);
    const { method, headers, body } = server.requests.at(-1) ?? {};
    expect([method, headers?.['content-type'], body, headers?.accept]).toEqual(expected);
  });
});

describe('a redirect to the same origin', () => {
  test.each<[string, LookUpOptions, string, string]>([
    ['301', JSON_POST, 'GET', ''],
    ['302', JSON_POST, 'GET', ''],
    ['303', { form: { a: 'b' } }, 'GET', ''],
    ['307', JSON_POST, 'POST', '{"a":1}'],
    ['308', { form: { a: 'b' } }, 'POST', 'a=b'],
  ])('%s of %j becomes %s %j', async (path, options, method, body) => {
    const headers = { authorization: 'Bearer x' };
    expect(await asked(path, { ...options, headers })).toEqual(WELL);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]).toMatchObject({ method, path: '/well', body, headers });
  });

  test.each<[string, LookUpOptions & { method: string }]>([
    ['300', { method: 'DELETE' }],
    ['300', JSON_POST],
    ['301', { method: 'DELETE' }],
    ['303', { method: 'PUT', json: { a: 1 } }],
    ['307', { method: 'DELETE' }],
  ])('%s of %j is refused, because nothing was changed', async (path, options) => {
    const problem = `expected no redirect of ${options.method}: use the address that it leads to`;
    expect(await told(asked(path, options))).toEqual(failed('lookup_redirected', Number(path), problem));
    expect(server.requests).toHaveLength(1);
  });
});

describe('another try', () => {
  type Row = [LookUpOptions, number, Record<string, string>, number];
  test.each<Row>([
    ...[408, 429, 500, 502, 503, 504].map((status) => [{}, status, {}, 2] satisfies Row),
    ...[400, 401, 403, 404, 413, 501].map((status) => [{}, status, {}, 1] satisfies Row),
    [{ method: 'PUT', json: { a: 1 } }, 500, {}, 2],
    [{ method: 'DELETE' }, 500, {}, 2],
    [JSON_POST, 500, {}, 1],
    [{ retries: 0 }, 500, {}, 1],
    [{}, 429, { 'retry-after': '10' }, 1],
    [{}, 503, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }, 1],
    [{}, 503, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 2],
    [{}, 429, { 'retry-after': '3600 or 7200' }, 2],
  ])('with %j after %i with %j: %i requests', async (options, status, headers, requests) => {
    failure = { status, headers };
    const expected = requests === 1 ? failed('lookup_status', status) : OK;
    expect(await told(asked('then-well', options))).toEqual(expected);
    expect(server.requests).toHaveLength(requests);
  });

  test('is made after a random time', async () => {
    expect(await asked('then-well')).toEqual(OK);
    expect(Math.random).toHaveBeenCalledTimes(1);
  });

  test('is not made where the system asks for more time than the login has', async () => {
    failure = { status: 429, headers: { 'retry-after': '2' } };
    const answer = await told(inLogin(() => asked('then-well'), { ms: 1_500 }));
    expect(answer).toEqual(failed('lookup_status', 429));
    expect(server.requests).toHaveLength(1);
  });

  test('is made twice at most, unless the handler says otherwise', async () => {
    failuresLeft = 5;
    expect(await told(asked('then-well'))).toEqual(failed('lookup_status', 500));
    expect(server.requests).toHaveLength(3);
    expect(await asked('then-well', { retries: 4 })).toEqual(OK);
    expect(server.requests).toHaveLength(6);
  });
});

test('the end of a login ends what is under way', async () => {
  const longer = { tryTimeoutMs: 2 * PATIENCE_MS };
  const look = inLogin(() => asked('never', longer), { ms: PATIENCE_MS });
  expect(await told(look)).toEqual(failed('lookup_timed_out'));
  expect(server.requests).toHaveLength(1);
});

test('without a login, all tries of what is cached end after ten seconds', async () => {
  const late = AbortSignal.any([AbortSignal.abort(new Error('too late'))]);
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
  expect(await told(asked('never', { cacheSeconds: 60 }))).toEqual(failed('lookup_timed_out'));
  expect(timeout.mock.calls).toEqual([[10_000]]);
});

describe('a cached response', () => {
  /** The number that a response has tells which request it is of. */
  const numberOf = async (options: LookUpOptions) => (await asked('well', options)).n;
  const PAIRS: [LookUpOptions, LookUpOptions][] = [
    [{ headers: { authorization: 'of Ada' } }, { headers: { authorization: 'of Eve' } }],
    [{ method: 'PUT' }, { method: 'DELETE' }],
    [{ json: { id: 'ada' } }, { json: { id: 'eve' } }],
    [{ json: null }, {}],
    [{ form: { id: 'ada' } }, { form: { id: 'eve' } }],
    // Handlers in JavaScript may give what no type allows.
    [{ form: new URLSearchParams('id=ada') as never }, { form: new URLSearchParams('id=eve') as never }],
  ];

  test.each(PAIRS)('serves who sends the same, %j, and not who sends %j', async (one, another) => {
    const first = await numberOf({ ...one, cacheSeconds: 60 });
    const second = await numberOf({ ...another, cacheSeconds: 60 });
    expect(second).not.toBe(first);
    expect(await numberOf({ ...one, cacheSeconds: 60 })).toBe(first);
    expect(await numberOf({ ...another, cacheSeconds: 60 })).toBe(second);
    expect(await numberOf(one)).not.toBe(first);
  });

  test('is of its own address', async () => {
    const options = { allowHttp: true, cacheSeconds: 60 };
    const of = async (name: string) =>
      (await lookUp(url`${endpoint(server.url)}/well?of=${name}`, Answer, options)).n;
    const [ada, eve] = [await of('ada'), await of('eve')];
    expect(eve).not.toBe(ada);
    expect([await of('ada'), await of('eve')]).toEqual([ada, eve]);
  });

  test('serves for as long as the handler says', async () => {
    const started = 100_000;
    const clock = jest.spyOn(process, 'uptime').mockReturnValue(started);
    const options = { cacheSeconds: 60, headers: { 'x-for': 'time' } };
    const first = await numberOf(options);
    clock.mockReturnValue(started + 59);
    expect(await numberOf(options)).toBe(first);
    clock.mockReturnValue(started + 60);
    expect(await numberOf(options)).not.toBe(first);
  });

  test('is a copy of each login', async () => {
    const look = () => asked('well', { cacheSeconds: 60, headers: { 'x-for': 'copies' } });
    Object.assign(await look(), { ok: false });
    expect(await look()).toEqual(WELL);
  });

  test.each(['no-json', 'unexpected'])('is not what is of no use: %s', async (path) => {
    for (const requests of [1, 2]) {
      expect(await told(asked(path, { cacheSeconds: 60 }))).toMatchObject({ code: expect.any(String) });
      expect(server.requests).toHaveLength(requests);
    }
  });
});

describe('TLS', () => {
  test('is needed, unless http is allowed', async () => {
    const refused = failed('lookup_url_refused', null, 'expected https');
    expect(await told(asked('well', { allowHttp: false }))).toEqual(refused);
    expect(await told(lookUp(url`${endpoint(server.url)}/well`, Answer))).toEqual(refused);
    expect(server.requests).toEqual([]);
  });

  /** What a look-up over TLS gives, and how many connections it took. */
  async function overTls(isTrusted: boolean) {
    const secure = await httpsServer((_, response) => sendJson(response, { ok: true }), 'localhost');
    const distrust = isTrusted ? trust(secure.ca) : () => {};
    try {
      const refused = ({ code, details }: LookUpFailed) => ({ code, problems: details.problems });
      const answer = await lookUp(url`${endpoint(secure.url)}/well`, Answer).catch(refused);
      return { answer, connections: secure.connections() };
    } finally {
      distrust();
      await secure.close();
    }
  }

  test('is used where the certificate is trusted', async () => {
    expect(await overTls(true)).toEqual({ answer: OK, connections: 1 });
  });

  test('fails at once where the certificate is not trusted, and says what to do', async () => {
    const { answer, connections } = await overTls(false);
    const cure = /^the certificate is not trusted: .* NODE_EXTRA_CA_CERTS to the file of its authority$/;
    const problems = [expect.stringMatching(cure)];
    expect(answer).toEqual({ code: 'lookup_connection_failed', problems });
    expect(connections).toBe(1);
  });
});

test('a cached response is dropped where all together are larger than 16 MiB', async () => {
  const look = (index: number) => asked('megabyte', { cacheSeconds: 60, headers: { 'x-for': `${index}` } });
  for (let index = 0; index < 17; index++) await look(index);
  // A connection may be lost, and a try be one more.
  const isAskedAgain = async (index: number) => {
    const before = server.requests.length;
    await look(index);
    return server.requests.length > before;
  };
  expect([await isAskedAgain(16), await isAskedAgain(0)]).toEqual([false, true]);
});

const failing = (code: string) => Object.assign(new Error('SECRET'), { code });

test.each([
  ['CERT_HAS_EXPIRED', 'tls', /expired: have/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /for another host: use/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', /^TLS failed: .*https/],
  ['EPROTO', 'tls', /^TLS failed: .*https/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', /not trusted/],
  ['ENOTFOUND', 'name', /not found: correct/],
  ['ECONNREFUSED', 'refused', /no connection: check/],
  ['ECONNRESET', 'lost', /connection failed/],
])('%s, the cause of an error or of its cause, is of the kind %s', (code, kind, told) => {
  const found = connectionFailure(new Error('a', { cause: new Error('b', { cause: failing(code) }) }));
  expect(found).toMatchObject({ code, kind });
  expect(`${found?.what}: ${found?.cure}`).toMatch(told);
  expect(connectionFailure(failing(code))).toEqual(found);
});

test.each([
  ...['XENOTFOUND', 'XECONNREFUSED', 'XEPROTO', 'XUND_ERR_SOCKET', 'XTimeoutError', 'X_ERR_SSL_'],
  ...['EPROTOTYPE', 'TimeoutErrors'],
])('%s is of no connection', (code) => {
  expect(connectionFailure(failing(code))).toBeNull();
});
