import { expect, test } from '@jest/globals';
import { login } from '../support/bundle.ts';
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
    version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-rc\.\d+)?$/),
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

test('there is none over HTTP', async () => {
  for (const event of [overHttp(SELF_TEST), { ...SELF_TEST, requestContext: {} }]) {
    const { status, answer } = await login('openidLoggedIn', event);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(answer).toMatchObject({ type: 'ErrorResponse' });
  }
});
