/** What an operator reads after a deployment. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createLog } from '../../lib/login/log.ts';
import type { StartedFunction } from '../../lib/login/login.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { LoginError } from '../../lib/reasons.ts';
import { customHandler } from '../support/customHandler.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';

const SECRETS = { text: 'MARKER-1', json: { password: 'MARKER-2' }, short: 'whsec_TUFSS0VS' };
process.env.SECRETS_FILE = await customHandler(JSON.stringify(SECRETS), '.json');
// By the build, elsewhere.
Object.assign(globalThis, { LOGIN_HOOKS_VERSION: '1.2.3' });
const { answerSelfTest } = await import('../../lib/login/start.ts');

afterEach(() => {
  jest.restoreAllMocks();
});

type Parts = Partial<StartedFunction<never>>;

async function answered(event: unknown, env: Record<string, string> = {}, fn: Parts = {}, options = {}) {
  const info = jest.spyOn(console, 'info').mockImplementation(() => {});
  const { settings } = readConfiguration('OpenID', env);
  const log = createLog({ level: 'INFO', isJson: true });
  const middleware = answerSelfTest(startedFunction({ settings, log, ...fn }));
  const login = await loginThrough([middleware], event, options);
  return { ...login, records: info.mock.calls.map(([record]) => record) };
}

async function report(env: Record<string, string> = {}, fn: Parts = {}, options = {}) {
  return (await answered({ selfTest: true }, env, fn, options)).response as Record<string, unknown>;
}

test('says what is in force, and that all is well', async () => {
  const { response, records, events } = await answered({ selfTest: true }, { RESPONSE_NAMES: 'camelCase' });
  expect(response).toEqual({
    version: '1.2.3',
    function: 'openidLoggedIn',
    ok: true,
    handler: { source: 'handlers/staff', loaded: true },
    settings: expect.objectContaining({ responseNames: 'camelCase', callerCheck: 'iam', openidIssuers: {} }),
    secrets: {},
    keySets: {},
  });
  expect(records).toEqual([
    { event: 'self_test', requestId: 'request-1', function: 'openidLoggedIn', ok: true },
  ]);
  expect(events).toEqual([]);
});

test.each([
  { selfTest: 'true' },
  { selfTest: true, more: 1 },
  { selfTest: true, requestContext: {} },
  { requestContext: {}, body: '{"selfTest":true}' },
])('%j is a login', async (event) => {
  const { events, records } = await answered(event);
  expect(events).toEqual([event]);
  expect(records).toEqual([]);
});

test('says why no login can be answered', async () => {
  const details = { module: 'handlers/none', problem: 'found no such file' };
  const failure = new LoginError('handler_not_loaded', details);
  const given = await report({}, { handlerSource: 'handlers/none', failure });
  expect(given).toMatchObject({ ok: false });
  expect(given.handler).toEqual({ source: 'handlers/none', loaded: false, reason: failure.code, ...details });
});

const SIGNING = { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'short' };

test.each<[Record<string, string>, boolean, Record<string, string>]>([
  [{ SECRET_IDS: 'text,json' }, true, { text: 'ok', json: 'ok' }],
  [{ SECRET_IDS: 'text,none' }, false, { text: 'ok', none: 'secret_not_found' }],
  [{ SIGNING_SECRET_ID: 'short' }, true, {}],
  [{ SECRET_IDS: 'text', ...SIGNING }, false, { text: 'ok', short: 'secret_unusable' }],
  // As a text it is within reach, and as a signing secret of no use.
  [{ SECRET_IDS: 'short', ...SIGNING }, false, { short: 'secret_unusable' }],
])('secrets with %j', async (env, ok, secrets) => {
  const given = await report(env);
  expect(given).toMatchObject({ ok });
  expect(given.secrets).toEqual(secrets);
  expect(JSON.stringify(given)).not.toMatch(/MARKER|TUFSS0VS/);
});

describe('the keys of issuers', () => {
  const server = sharedServer((request, response) => {
    if (request.url === '/keys') sendJson(response, { keys: [] });
    else if (request.url === '/none') sendJson(response, {}, 404);
  });

  const issuerAt = (iss: string, path: string) => ({
    [iss]: { audiences: ['client-1'], jwks_uri: `${server.url}${path}` },
  });

  test('are asked for where the check is on', async () => {
    const issuers = { ...issuerAt('https://a.example', '/keys'), ...issuerAt('https://b.example', '/none') };
    const env = { OPENID_ISSUERS: JSON.stringify(issuers) };
    expect(await report(env)).toMatchObject({ ok: true, keySets: {}, settings: { openidIssuers: issuers } });
    expect(server.requests).toEqual([]);
    expect(await report({ ...env, OPENID_TOKEN_CHECK: 'on' })).toMatchObject({
      ok: false,
      keySets: { 'https://a.example': 'ok', 'https://b.example': 'lookup_status' },
    });
  });

  test('that do not come in the time of a login are named', async () => {
    const issuers = issuerAt('https://c.example', '/never');
    const env = { OPENID_ISSUERS: JSON.stringify(issuers), OPENID_TOKEN_CHECK: 'on' };
    const given = await report(env, {}, { handlerTimeoutMs: 20 });
    expect(given).toMatchObject({ ok: false, keySets: { 'https://c.example': 'handler_timed_out' } });
  });
});
