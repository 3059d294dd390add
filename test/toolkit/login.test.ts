/** What a handler asks for in a login: what the person and the log get of it, and what the process is left with. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { describeWhole, describeWithoutMessage } from '../../lib/login/log.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { lookUp } from '../../lib/toolkit/lookUp.ts';
import { endpoint, url } from '../../lib/toolkit/url.ts';
import { answerOf, login, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { inLogin } from '../support/logins.ts';
import { PROBE_BUNDLE, PROBE_SDK } from '../support/probeBundle.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';
import { openIdEvent } from '../support/wire.ts';

const SECRET = 'SECRET-7f3a';

/** What the next requests get. */
let answer = { status: 200, body: '' };
const server = sharedServer(({ url = '' }, response) => {
  if (url.startsWith('/well')) sendJson(response, { ok: true });
  else if (url.startsWith('/missing')) sendJson(response, { SECRET }, 404);
  else if (!url.startsWith('/never'))
    response.writeHead(answer.status, { location: answer.body }).end(answer.body);
});

test('what a handler looks up is its own to use; what it lets out is an error with code, host and status', async () => {
  const env = { OPENID_HANDLER_MODULE: 'handlers/probe', HANDLER_TIMEOUT_MS: '2000', PROBE_URL: server.url };
  await withFunction('openidLoggedIn', { root: PROBE_BUNDLE.outdir, env }, async (fn) => {
    const ask = (path: string, more = {}) => {
      const event = openIdEvent();
      event.idToken.otherClaims = { path, id: SECRET, ...more };
      return answerOf(fn, event);
    };
    const found = async (path: string) => JSON.parse(`${(await ask(path)).answer.message}`);
    expect(await found('well')).toEqual({ ok: true });
    expect(await found('missing')).toMatchObject({ code: 'lookup_status', status: 404 });
    const { answer: shown, record } = await ask('missing', { catches: false });
    expect(shown.message).toMatch(/^Your login failed because another system .* \(Reference: .*\)$/);
    const { host } = new URL(server.url);
    expect(record).toMatchObject({ reason: 'lookup_status', status: 500, host, lookUpStatus: 404 });
    const late = await ask('never', { catches: false });
    expect(late.record).toMatchObject({ reason: 'handler_timed_out' });
    expect(late.output).not.toContain(SECRET);
  });
});

test('a process that has looked something up can end: nothing holds it open', async () => {
  const module = await customHandler(
    `import { endpoint, lookUp, url, v } from '${PROBE_SDK}';
     await lookUp(url\`\${endpoint(process.env.PROBE_URL)}/well\`, v.object({}), { allowHttp: true, cacheSeconds: 9 });`,
  );
  await promisify(execFile)(process.execPath, [module], { env: { PROBE_URL: server.url }, timeout: 30_000 });
});

test('a marker in query, headers and bodies is in no error, whatever the answer is', async () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{12}$/).map((text) => `MARK${text}`);
  const status = fc.constantFrom(200, 204, 301, 400, 401, 404, 418);
  const Schema = v.object({ a: v.pipe(v.string(), v.maxLength(3)) });
  const bodies = (marker: string) => [marker, `{"a":"${marker}"}`, `{"${marker}":1}`, `{"a":"${marker}`];
  const index = fc.nat(3);
  await fc.assert(
    fc.asyncProperty(word, status, index, async (marker, code, kind) => {
      answer = { status: code, body: bodies(marker)[kind] ?? '' };
      const sent = { headers: { authorization: marker }, json: { marker } };
      const options = { allowHttp: true, retries: 0, ...sent };
      const asked = inLogin(() => lookUp(url`${endpoint(server.url)}/x?q=${marker}`, Schema, options));
      const error = await asked.catch((failed: LookUpFailed) => failed);
      expect(error).toBeInstanceOf(LookUpFailed);
      const { message, stack } = error as LookUpFailed;
      const said = [message, stack, JSON.stringify(error), describeWhole(error)];
      expect([...said, JSON.stringify(describeWithoutMessage(error))].join()).not.toContain(marker);
    }),
    { numRuns: 60 },
  );
});

test('a handler that throws while it loads, after it asked for a secret, is described by class and frames', async () => {
  const module = await customHandler(`
    import { getSecret } from '${PROBE_SDK}';
    new URL(await getSecret('a'));
    export default () => ({ type: 'ForbiddenResponse' });`);
  const env = {
    OPENID_HANDLER_MODULE: module,
    SECRETS_FILE: await customHandler(JSON.stringify({ a: SECRET }), '.json'),
    AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
  };
  const { records, output } = await login('openidLoggedIn', openIdEvent(), {
    root: PROBE_BUNDLE.outdir,
    env,
  });
  expect(output).not.toContain(SECRET);
  const record = records.find(({ event }) => event === 'cold_start');
  const problem = expect.stringContaining('its message may contain the response and is not logged');
  expect(record).toMatchObject({ reason: 'handler_not_loaded', problem });
  expect(record?.error).toMatch(/^\w+\n {4}at .*handler-\d+\.mjs/s);
});
