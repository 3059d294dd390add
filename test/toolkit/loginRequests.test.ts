/** Look-ups over real connections to servers that behave, and to servers that do not. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, handlerName, PROJECT } from '../../tools/build.ts';
import { customHandler } from '../support/customHandler.ts';
import { type Probe, withProbe } from '../support/probe.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';

const DEADLINE_MS = 2_000;
const SECRET = 'SECRET-7f3a';

let other: LocalServer;
let server: LocalServer;
let failuresLeft: number;

beforeAll(async () => {
  other = await httpServer((_, response) => sendJson(response, { ok: true }));
  server = await httpServer((request, response) => {
    const path = request.url?.split(/[?/]/)[1] ?? '';
    const answers: Record<string, () => void> = {
      well: () => sendJson(response, { ok: true, n: server.requests.length }),
      slow: () => setTimeout(() => sendJson(response, { ok: true }), 300),
      never: () => {},
      'never-body': () => void response.writeHead(200).write('{'),
      'then-well': () =>
        failuresLeft-- > 0 ? sendJson(response, { SECRET }, 500) : sendJson(response, { ok: true }),
      'retry-after': () =>
        failuresLeft-- > 0
          ? sendJson(response, {}, 429, { 'retry-after': '1' })
          : sendJson(response, { ok: true }),
      'always-500': () => sendJson(response, { SECRET }, 500),
      missing: () => sendJson(response, { SECRET }, 404),
      truncated: () => {
        response.writeHead(200, { 'content-length': '100' }).write('{"ok":');
        setTimeout(() => response.destroy(), 20);
      },
      'no-json': () => response.end(`<html>${SECRET}`),
      'not-utf8': () => response.end(Buffer.from([0x22, 0xff, 0x22])),
      unexpected: () => sendJson(response, { ok: SECRET }),
      huge: () => sendEndlessly(response),
      'missing-huge': () => sendEndlessly(response.writeHead(404)),
      'failing-huge': () => sendEndlessly(response.writeHead(500)),
      'missing-hangs': () => response.writeHead(404).write('{'),
      'no-such-status': () => response.writeHead(799).end('{}'),
      elsewhere: () => sendJson(response, {}, 302, { location: `${other.url}/well` }),
      here: () => sendJson(response, {}, 307, { location: '/well' }),
      'too-long': () => sendJson(response, {}, 429, { 'retry-after': '3600' }),
      'see-other': () => sendJson(response, {}, 303, { location: '/well' }),
      circle: () => sendJson(response, {}, 302, { location: '/circle' }),
      closed: () => response.destroy(),
    };
    (answers[path] ?? (() => sendJson(response, { path: request.url }, 404)))();
  });
});
afterAll(() => Promise.all([server.close(), other.close()]));

/** A body without end, and how much of it was taken. */
let bytesTaken = 0;
function sendEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000, 0x20);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  const { socket } = response;
  response.on('close', () => (bytesTaken += socket?.bytesWritten ?? 0));
  response.on('drain', write);
  write();
}

/** One function process for all of these: what one login leaves behind, the next would see. */
test('each ends in the right answer within the deadline', async () => {
  await withProbe({ PROBE_URL: server.url, HANDLER_TIMEOUT_MS: String(DEADLINE_MS) }, async (probe) => {
    const { host } = new URL(server.url);
    const quick = { tryTimeoutMs: 200, retries: 1 };
    const cases: [string, object, unknown, number][] = [
      ['well', {}, { ok: true, n: expect.any(Number) }, 1],
      ['slow', {}, { ok: true }, 1],
      ['slow', quick, { code: 'lookup_timed_out', host, status: null }, 2],
      ['never', quick, { code: 'lookup_timed_out', host, status: null }, 2],
      ['never-body', quick, { code: 'lookup_timed_out', host, status: 200 }, 1],
      ['then-well', {}, { ok: true }, 2],
      ['then-well', { method: 'POST', json: {} }, { code: 'lookup_status', host, status: 500 }, 1],
      ['then-well', { method: 'PUT', json: { a: 1 } }, { ok: true }, 2],
      ['retry-after', {}, { ok: true }, 2],
      ['always-500', quick, { code: 'lookup_status', host, status: 500 }, 2],
      ['missing', {}, { code: 'lookup_status', host, status: 404 }, 1],
      ['truncated', quick, { code: 'lookup_connection_failed', host, status: 200 }, 1],
      ['no-json', {}, { code: 'lookup_not_json', host, status: 200 }, 1],
      ['not-utf8', {}, { code: 'lookup_not_json', host, status: 200 }, 1],
      ['unexpected', {}, { code: 'lookup_unexpected', host, status: 200 }, 1],
      ['huge', {}, { code: 'lookup_too_large', host, status: 200 }, 1],
      ['missing-huge', {}, { code: 'lookup_status', host, status: 404 }, 1],
      ['failing-huge', quick, { code: 'lookup_status', host, status: 500 }, 2],
      ['missing-hangs', {}, { code: 'lookup_status', host, status: 404 }, 1],
      ['no-such-status', {}, { code: 'lookup_status', host, status: 599 }, 1],
      ['elsewhere', {}, { code: 'lookup_redirected', host, status: 302 }, 1],
      ['here', {}, { ok: true, n: expect.any(Number) }, 2],
      ['too-long', {}, { code: 'lookup_status', host, status: 429 }, 1],
      ['see-other', { method: 'POST', json: { a: 1 } }, { ok: true, n: expect.any(Number) }, 2],
      ['circle', {}, { code: 'lookup_redirected', host, status: null }, 4],
      ['closed', quick, { code: 'lookup_connection_failed', host, status: null }, 2],
      ['../well', {}, { code: 'lookup_url_refused', host, status: null }, 0],
      ['..', {}, { code: 'lookup_url_refused', host, status: null }, 0],
    ];
    for (const [path, options, expected, requests] of cases) {
      failuresLeft = 1;
      const before = server.requests.length;
      const { result, ms } = await probe.ask({ op: 'lookUp', path, id: 'a/b?c=d&e', options });
      expect([path, options, result]).toEqual([path, options, expect.objectContaining(expected as object)]);
      expect([path, options, server.requests.length - before]).toEqual([path, options, requests]);
      expect(ms).toBeLessThan(DEADLINE_MS + 200);
    }
    expect(server.requests.at(0)?.path).toBe('/well?value=a%2Fb%3Fc%3Dd%26e');
    const seen = server.requests.findIndex(({ path }) => path.startsWith('/see-other'));
    expect(server.requests[seen + 1]).toMatchObject({ method: 'GET', body: '' });
    expect(other.requests).toEqual([]);
    expect(probe.output()).not.toContain(SECRET);
  });
}, 60_000);

test.each([
  ['missing-huge', 0, 1],
  ['failing-huge', 2, 3],
])('the body of an error is not read: %s', async (path, retries, requests) => {
  await withProbe({ PROBE_URL: server.url }, async (probe) => {
    bytesTaken = 0;
    const before = server.requests.length;
    await probe.ask({ op: 'lookUp', path, options: { retries } });
    await setTimeoutPromise(50);
    expect(server.requests.length - before).toBe(requests);
    // What the sockets of both sides hold is beyond anybody's control.
    expect(bytesTaken / requests).toBeLessThan(6_000_000);
  });
});

test('an error whose body hangs is told at once', async () => {
  await withProbe({ PROBE_URL: server.url }, async (probe) => {
    const { result, ms } = await probe.ask({ op: 'lookUp', path: 'missing-hangs' });
    expect(result).toMatchObject({ code: 'lookup_status', status: 404 });
    expect(ms).toBeLessThan(2_500);
  });
});

describe('a failure that a handler lets out', () => {
  test('is an error that says so, with the reference; the log has code, host and status', async () => {
    await withProbe({ PROBE_URL: server.url }, async (probe) => {
      const { message } = await probe.ask({ op: 'lookUp', path: 'missing', id: SECRET, catches: false });
      expect(message).toMatch(
        /^The login could not be completed, because a look-up in another system failed\. \(Reference: .*\)$/,
      );
      expect(probe.records().at(-1)).toMatchObject({
        event: 'login',
        reason: 'lookup_status',
        status: 500,
        host: new URL(server.url).host,
        lookUpStatus: 404,
      });
      expect(probe.output()).not.toContain(SECRET);
    });
  });

  test('by the deadline is a time-out', async () => {
    await withProbe({ PROBE_URL: server.url, HANDLER_TIMEOUT_MS: '300' }, async (probe) => {
      const { ms } = await probe.ask({ op: 'lookUp', path: 'never', catches: false });
      expect(ms).toBeLessThan(1_000);
      expect(probe.records().at(-1)).toMatchObject({ reason: 'handler_timed_out' });
    });
  });
});

test('an answer that may be kept serves other logins, as a copy', async () => {
  await withProbe({ PROBE_URL: server.url }, async (probe) => {
    const options = { cacheSeconds: 60 };
    const [first, second] = [await well(probe, options), await well(probe, options)];
    expect(second).toEqual(first);
    expect(await well(probe, {})).not.toEqual(first);
    expect(await well(probe, { ...options, headers: { authorization: 'another' } })).not.toEqual(first);
  });

  async function well(probe: Probe, options: object): Promise<unknown> {
    return (await probe.ask({ op: 'lookUp', path: 'well', options })).result;
  }
});

describe('TLS', () => {
  test.each([
    ['localhost', {}, { ok: true }],
    ['elsewhere.example', {}, { code: 'lookup_connection_failed' }],
  ])('a certificate for %s', async (name, options, expected) => {
    const secure = await httpsServer((_, response) => sendJson(response, { ok: true }), name);
    const file = await customHandler(secure.ca, '.pem');
    await withProbe({ PROBE_URL: secure.url, NODE_EXTRA_CA_CERTS: file }, async (probe) => {
      const { result } = await probe.ask({
        op: 'lookUp',
        path: 'well',
        options: { ...options, allowHttp: false },
      });
      expect(result).toMatchObject(expected);
      // What does not fit is not tried again.
      expect(secure.connections()).toBe(1);
      if ('ok' in expected) return;
      await probe.ask({ op: 'lookUp', path: 'well', options: { allowHttp: false }, catches: false });
      expect(probe.records().at(-1)?.problems).toEqual([expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
    });
    await secure.close();
  });

  test('is needed, unless http is allowed', async () => {
    await withProbe({ PROBE_URL: server.url }, async (probe) => {
      const { result } = await probe.ask({ op: 'lookUp', path: 'well', options: { allowHttp: false } });
      expect(result).toMatchObject({ code: 'lookup_url_refused' });
    });
  });
});

test('a process that has looked something up can end: nothing holds it open', async () => {
  const script = await customHandler(
    `import { endpoint, lookUp, url } from '#sdk';
     import * as v from 'valibot';
     await lookUp(url\`\${endpoint(process.env.PROBE_URL)}/well\`, v.object({}), { allowHttp: true, cacheSeconds: 9 });
     export default () => {};`,
    '.ts',
  );
  const root = await mkdtemp(join(PROJECT, '.build-test-'));
  await build({ outdir: root, extraHandler: script });
  const module = join(root, `${handlerName(script)}.mjs`);
  const start = performance.now();
  await promisify(execFile)(process.execPath, [module], { env: { PROBE_URL: server.url }, timeout: 9_000 });
  expect(performance.now() - start).toBeLessThan(3_000);
  await rm(root, { recursive: true });
});

test('a failure that a handler changed is logged as it was', async () => {
  const env = { OPENID_SHADOW_HANDLER_MODULE: 'handlers/probe', PROBE_URL: server.url };
  await withProbe(env, async ({ ask, records, output }) => {
    await ask({ op: 'lookUp', path: 'missing', changes: true });
    const host = new URL(server.url).host;
    expect(records().slice(1)).toEqual([
      expect.objectContaining({
        event: 'login',
        reason: 'lookup_status',
        status: 500,
        host,
        lookUpStatus: 404,
      }),
      expect.objectContaining({ event: 'shadow_failed', shadowReason: 'lookup_status', host }),
    ]);
    expect(output()).not.toContain(SECRET);
  });
});
