/** Look-ups of the handler of a running function: what the person and the log get, and what the process is left with. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, handlerName } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { customHandler } from '../support/customHandler.ts';
import { withProbe } from '../support/probe.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';

const SECRET = 'SECRET-7f3a';

let server: LocalServer;

beforeAll(async () => {
  server = await httpServer(({ url = '' }, response) => {
    if (url.startsWith('/well')) sendJson(response, { ok: true });
    if (url.startsWith('/missing')) sendJson(response, { SECRET }, 404);
  });
});
afterAll(() => server.close());

test('what a handler looks up is its own to use, in many logins', async () => {
  await withProbe({ PROBE_URL: server.url }, async (probe) => {
    const asked = (path: string) => probe.ask({ op: 'lookUp', path, id: SECRET });
    expect((await asked('well')).result).toEqual({ ok: true });
    expect((await asked('missing')).result).toMatchObject({ code: 'lookup_status', status: 404 });
    expect((await asked('well')).result).toEqual({ ok: true });
    expect(probe.output()).not.toContain(SECRET);
  });
});

describe('a failure that a handler lets out', () => {
  test('is an error that says so, with the reference; the log has code, host and status', async () => {
    await withProbe({ PROBE_URL: server.url }, async (probe) => {
      const { message } = await probe.ask({ op: 'lookUp', path: 'missing', id: SECRET, catches: false });
      expect(message).toMatch(
        /^Your login failed because another system did not respond as expected\. Please try again later\. \(Reference: .*\)$/,
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
      await probe.ask({ op: 'lookUp', path: 'never', catches: false });
      expect(probe.records().at(-1)).toMatchObject({ reason: 'handler_timed_out' });
    });
  });
});

test.each([
  ['localhost', { ok: true }],
  ['elsewhere.example', { code: 'lookup_connection_failed' }],
])('the function trusts the certificates that it is told of: one for %s', async (name, expected) => {
  const secure = await httpsServer((_, response) => sendJson(response, { ok: true }), name);
  const file = await customHandler(secure.ca, '.pem');
  await withProbe({ PROBE_URL: secure.url, NODE_EXTRA_CA_CERTS: file }, async (probe) => {
    const options = { allowHttp: false };
    expect((await probe.ask({ op: 'lookUp', path: 'well', options })).result).toMatchObject(expected);
    if ('ok' in expected) return;
    await probe.ask({ op: 'lookUp', path: 'well', options, catches: false });
    expect(probe.records().at(-1)?.problems).toEqual([
      expect.stringContaining('the certificate is for another host'),
    ]);
  });
  await secure.close();
});

test('a process that has looked something up can end: nothing holds it open', async () => {
  const script = await customHandler(
    `import { endpoint, lookUp, url } from 'login-hooks';
     import * as v from 'valibot';
     await lookUp(url\`\${endpoint(process.env.PROBE_URL)}/well\`, v.object({}), { allowHttp: true, cacheSeconds: 9 });
     export default () => {};`,
    '.ts',
  );
  const root = await mkdtemp(join(PROJECT, '.build-test-'));
  await build({ outdir: root, extraHandler: script });
  const module = join(root, `${handlerName(script)}.mjs`);
  await promisify(execFile)(process.execPath, [module], { env: { PROBE_URL: server.url }, timeout: 30_000 });
  await rm(root, { recursive: true });
});
