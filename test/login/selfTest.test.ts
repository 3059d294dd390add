import { expect, test } from '@jest/globals';
import { login } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { overHttp } from '../support/wire.ts';

const SELF_TEST = { selfTest: true };

async function report(env: Record<string, string> = {}) {
  return (await login('openidLoggedIn', SELF_TEST, { env })).answer;
}

test('says what is in force, and that all is well', async () => {
  const { answer, records } = await login('samlLoggedIn', SELF_TEST, {
    env: { RESPONSE_NAMES: 'camelCase' },
  });
  expect(answer).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    function: 'samlLoggedIn',
    ok: true,
    handler: { source: 'default', loaded: true },
    settings: expect.objectContaining({
      responseNames: 'camelCase',
      callerCheck: 'iam',
      samlAssertionCheck: 'off',
    }),
    secrets: {},
    keySets: {},
  });
  expect(records.map(({ event }) => event)).toEqual(['cold_start', 'self_test']);
});

test.each([
  [{ OPENID_HANDLER_MODULE: 'handlers/none' }, 'handlers/none', 'handler_not_loaded'],
  [{ RESPONSE_NAMES: 'PascalCase' }, 'undecided', 'configuration_unusable'],
  [{ OPENID_TOKEN_CHECK: 'on' }, 'undecided', 'configuration_unusable'],
])('says why no login could be answered: %j', async (env, source, reason) => {
  const { ok, handler } = await report(env as Record<string, string>);
  expect(ok).toBe(false);
  expect(handler).toMatchObject({ source, loaded: false, reason });
});

test('says which secrets can be had, and never what they hold', async () => {
  const SECRETS_FILE = await customHandler(
    JSON.stringify({ text: 'MARKER-1', short: 'whsec_TUFSS0VS', json: { password: 'MARKER-2' } }),
    '.json',
  );
  const env = {
    SECRETS_FILE,
    SECRET_IDS: 'text,json',
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'short',
  };
  const { answer, output } = await login('openidLoggedIn', SELF_TEST, { env });
  expect(answer).toMatchObject({
    ok: false,
    secrets: { text: 'ok', json: 'ok', short: 'secret_unusable' },
  });
  expect(JSON.stringify(answer) + output).not.toMatch(/MARKER|TUFSS0VS/);
  const missing = await report({ SECRETS_FILE, SECRET_IDS: 'text,none' });
  expect(missing).toMatchObject({ ok: false, secrets: { text: 'ok', none: 'secret_not_found' } });
});

test('says which issuers’ keys can be had, within the time that a login has', async () => {
  const env = {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ 'https://localhost:9': { audiences: ['client-1'] } }),
    HANDLER_TIMEOUT_MS: '300',
  };
  const { ok, keySets, settings } = await report(env);
  expect(ok).toBe(false);
  expect(keySets).toEqual({
    'https://localhost:9': expect.stringMatching(/^(handler_timed_out|lookup_\w+)$/),
  });
  expect(settings).toMatchObject({ openidIssuers: { 'https://localhost:9': { audiences: ['client-1'] } } });
});

test.each([
  ['more than that', { selfTest: true, more: 1 }],
  ['another value', { selfTest: 'true' }],
  ['a list', [true]],
])('an event with %s is no self-test', async (_, event) => {
  const { answer } = await login('openidLoggedIn', event);
  expect(answer).toMatchObject({ type: 'ErrorResponse' });
  expect(answer).not.toHaveProperty('version');
});

test('there is none over HTTP', async () => {
  for (const event of [overHttp(SELF_TEST), { ...SELF_TEST, requestContext: {} }]) {
    const { status, answer } = await login('openidLoggedIn', event);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(answer).toMatchObject({ type: 'ErrorResponse' });
  }
});
