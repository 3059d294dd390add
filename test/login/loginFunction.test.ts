/** The whole path of a login, in the order in which it is refused. */
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LoginContext } from '../../lib/login/login.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { Kind } from '../../lib/profile/kind.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { customHandler } from '../support/customHandler.ts';
import { failure, playSecretsManager, version } from '../support/secretsManager.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { publicPart, sign, signingKey } from '../support/signingKeys.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);
// What it loads reads the environment.
const { loginFunction } = await import('../../lib/login/loginFunction.ts');
const { remainingMs } = await import('../../lib/invocation.ts');
const { mapOpenIdLogin } = await import('../../lib/sdk.ts');

type Records = Record<string, unknown>[];

let written: Records = [];
beforeEach(() => {
  written = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, level).mockImplementation((line) => void written.push(JSON.parse(String(line))));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const ROOT = new URL('../../', import.meta.url);

/** A function that has started, and what it answers and writes of each login. */
async function started<TEvent>(kind: Kind<TEvent>, env: Record<string, string> = {}) {
  const handler = await loginFunction(kind, ROOT, readConfiguration(kind.names.kind, env));
  return async (event: unknown, remainingMs = 10_000) => {
    const context = { awsRequestId: 'r-7', getRemainingTimeInMillis: () => remainingMs } as LoginContext;
    const response = (await handler(event, context, {} as never)) as Record<string, unknown>;
    return { response, record: written.findLast((one) => one.event === 'login') };
  };
}

/** For a handler that is loaded as a file, in whichever instances of our modules it would find itself; and what the build defines. */
Object.assign(globalThis, { remainingMs, LOGIN_HOOKS_VERSION: '1.2.3' });
const MODULE = `export default () => ({ type: 'ErrorResponse', message: String(globalThis.remainingMs()) });`;

test('the first start of a process listens for what a handler leaves running', async () => {
  const on = jest.spyOn(process, 'on').mockReturnValue(process);
  await started(OPENID);
  expect(on.mock.calls.map(([event]) => event)).toEqual(['unhandledRejection', 'uncaughtException']);
});

describe('a login', () => {
  test('is answered and recorded, the first of a process as a cold start', async () => {
    const login = await started(SAML);
    const { response, record } = await login(samlEvent());
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', email: 'ada@example.org' });
    const first = { requestId: 'r-7', function: 'samlLoggedIn', handler: 'default', coldStart: true };
    expect(record).toMatchObject(first);
    expect((await login(overHttp(samlEvent()))).response).toMatchObject({ statusCode: 200 });
    expect(written.map(({ event, coldStart }) => [event, coldStart])).toEqual([
      ['cold_start', undefined],
      ['login', true],
      ['login', false],
    ]);
  });

  test('has the time that the invocation and the operator allow, and no other time-out', async () => {
    jest.spyOn(process, 'uptime').mockReturnValue(1);
    const module = await customHandler(MODULE);
    const deadlineOf = async (env: Record<string, string>, remainingMs: number) => {
      const login = await started(OPENID, { OPENID_HANDLER_MODULE: module, ...env });
      return (await login(openIdEvent(), remainingMs)).response.message;
    };
    expect(await deadlineOf({}, 10_000)).toBe('9500');
    expect(await deadlineOf({ HANDLER_TIMEOUT_MS: '3000' }, 10_000)).toBe('3000');
    expect(await deadlineOf({}, 500)).toBe('0');
  });
});

describe('a function that cannot answer', () => {
  async function expectUnready<TEvent>(kind: Kind<TEvent>, env: Record<string, string>, reason: string) {
    const login = await started(kind, env);
    expect(written).toMatchObject([{ level: 'ERROR', event: 'cold_start', reason }]);
    expect((await login(overHttp('no JSON'))).response).toMatchObject({ statusCode: 500 });
    const { response, record } = await login({});
    expect(response.type).toBe('ErrorResponse');
    expect(record).toMatchObject({ reason, status: 500 });
    return { start: written[0], record };
  }

  test.each(SETTING_NAMES)('because of %s says so at its start, and in each login', async (name) => {
    const kind = (name.startsWith('SAML_') ? SAML : OPENID) as Kind<unknown>;
    const { start, record } = await expectUnready(kind, { [name]: '' }, 'configuration_unusable');
    const problems = [expect.stringMatching(`^${name}.*: expected`)];
    expect(start).toMatchObject({ handler: 'undecided', problems });
    expect(start).not.toHaveProperty('callerCheck');
    expect(record).toMatchObject({ problems });
  });

  test('because of its handler tells the error at its start alone', async () => {
    const OPENID_HANDLER_MODULE = await customHandler(`throw new RangeError('x')`);
    const env = { OPENID_HANDLER_MODULE, OPENID_EXTERNAL_ID: 'sub' };
    const { start, record } = await expectUnready(OPENID, env, 'handler_not_loaded');
    expect(start?.error).toMatch(/^RangeError: x\n/);
    expect(start).not.toHaveProperty('sharedIdentifiers');
    expect(record).not.toHaveProperty('error');
    expect(record).toMatchObject({ problem: 'threw while loading' });
  });

  test('because its handler is not there has no other one', async () => {
    await expectUnready(SAML, { SAML_HANDLER_MODULE: 'handlers/none' }, 'handler_not_loaded');
  });

  test('because of a check is not ready', async () => {
    const loadCheck = () => Promise.reject(new Error('no such chunk'));
    const { start } = await expectUnready({ ...OPENID, loadCheck }, {}, 'internal_error');
    expect(start?.error).toMatch(/^Error: no such chunk\n/);
  });
});

const ISSUERS = JSON.stringify({ 'https://a': { audiences: ['a'] } });
const TWO = JSON.stringify({ 'https://a': { audiences: ['a'] }, 'https://b': { audiences: ['a'] } });

test.each<[Record<string, string>, object]>([
  [{}, { callerCheck: 'iam', openidTokenCheck: 'off', requiredFields: ['email', 'first_name', 'last_name'] }],
  [
    { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: ISSUERS, REQUIRED_FIELDS: 'email' },
    { callerCheck: 'iam', openidTokenCheck: 'on', issuers: ['https://a'], requiredFields: ['email'] },
  ],
])('the start of a function with %j says what is in force', async (env, inForce) => {
  await started(OPENID, env);
  expect(written).toEqual([
    { level: 'INFO', event: 'cold_start', function: 'openidLoggedIn', handler: 'default', ...inForce },
  ]);
});

test.each<[Record<string, string>, true | undefined]>([
  [{ OPENID_EXTERNAL_ID: 'sub' }, true],
  [{ OPENID_EXTERNAL_ID: 'sub', OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: ISSUERS }, undefined],
  [{ OPENID_EXTERNAL_ID: 'sub', OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: TWO }, true],
])('the start with %j tells whether issuers may share identifiers: %p', async (env, isShared) => {
  await started(OPENID, env);
  expect(written[0]?.sharedIdentifiers).toBe(isShared);
});

test('a mapping says itself whether its issuers share identifiers', async () => {
  Object.assign(globalThis, { mapped: mapOpenIdLogin({ external_id: { issuer: true } }) });
  const OPENID_HANDLER_MODULE = await customHandler('export default globalThis.mapped');
  await started(OPENID, { OPENID_EXTERNAL_ID: 'sub', OPENID_HANDLER_MODULE });
  expect(written).toMatchObject([{ level: 'INFO', handler: OPENID_HANDLER_MODULE }]);
  expect(written[0]).not.toHaveProperty('sharedIdentifiers');
});

const SECRET = newSecret();
const BODY = JSON.stringify(openIdEvent());
const request = (body = BODY, headers: Record<string, string> = {}) =>
  overHttp(body, { headers: { ...signed(body, { secret: SECRET }), ...headers } });

describe('a function that asks for a signature', () => {
  let id = 'signing';
  beforeEach(() => {
    // Each test has a secret of its own.
    id += '-';
    manager.AWSCURRENT = version(SECRET, 30);
    manager.requests.length = 0;
  });

  const signing = (env: Record<string, string> = {}) =>
    started(OPENID, { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: id, MAX_BODY_BYTES: '2000', ...env });

  const LARGE = 'x'.repeat(2_001);
  const HTML = { 'content-type': 'text/html' };

  test.each<[number, string, string, object]>([
    [200, 'authorized', 'a signed request', request()],
    [413, 'body_too_large', 'a large body, signed', request(LARGE)],
    [401, 'signature_missing', 'neither signed nor JSON', overHttp('not JSON', { headers: HTML })],
    [415, 'content_type_not_json', 'not JSON, and signed', request('not JSON', HTML)],
    [422, 'event_invalid', 'signed null', request('null')],
  ])('%i %s: %s', async (status, reason, _, event) => {
    const { response, record } = await (await signing())(event);
    expect(response).toMatchObject({ statusCode: status });
    expect(record).toMatchObject({ reason, status });
  });

  test('asks for no secret before a body is small enough, nor for a direct invocation', async () => {
    const login = await signing();
    expect((await login(overHttp(LARGE))).record?.reason).toBe('body_too_large');
    expect((await login(openIdEvent())).record?.reason).toBe('authorized');
    expect(manager.requests).toEqual([]);
  });

  test('lets no request pass without its secret', async () => {
    manager.AWSCURRENT = failure('ResourceNotFoundException');
    const { record } = await (await signing())(request());
    expect(record).toMatchObject({ reason: 'secret_not_found', secretId: id });
  });

  test('lets no request pass whose secret does not come in its time', async () => {
    const late = Promise.withResolvers<ReturnType<typeof version>>();
    manager.AWSCURRENT = late.promise;
    const { record } = await (await signing({ HANDLER_TIMEOUT_MS: '60' }))(request());
    expect(record).toMatchObject({ reason: 'secret_timed_out', secretId: id });
    late.resolve(version(SECRET, 30));
  });
});

test('a login after a self-test is no cold start', async () => {
  const login = await started(SAML);
  expect((await login({ selfTest: true })).response).toMatchObject({ function: 'samlLoggedIn', ok: true });
  expect((await login(samlEvent())).record).toMatchObject({ coldStart: false });
});

describe('a function that checks tokens', () => {
  const asked = (url: string) => ({
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ [url]: { audiences: ['client-1'], jwks_uri: `${url}/keys` } }),
  });

  test('lets the person of the token in, and no other', async () => {
    const key = await signingKey('ES256');
    const provider = await httpServer((_, response) => sendJson(response, { keys: [publicPart(key)] }));
    const { iss, sub, aud, exp, iat } = { ...openIdEvent().idToken, iss: provider.url, exp: 9_999_999_999 };
    const claims = { iss, sub, aud, exp, iat, email: 'ada@example.org', given_name: 'Ada', family_name: 'L' };
    const idToken = { iss, sub, aud, exp, iat, nonce: null, otherClaims: {} };
    const event = { ...openIdEvent(), idToken, idTokenJwt: await sign(claims, key) };
    const login = await started(OPENID, asked(provider.url));
    expect((await login(event)).response).toMatchObject({ email: 'ada@example.org' });
    const { record } = await login({ ...event, idToken: { ...idToken, sub: 'eve' } });
    expect(record).toMatchObject({ reason: 'token_claims_differ', status: 422 });
    await provider.close();
  });

  test('lets nobody in whose issuer’s keys do not come in time', async () => {
    const key = await signingKey('ES256');
    const late = await httpServer(() => {});
    const idToken = { ...openIdEvent().idToken, iss: late.url };
    const event = { ...openIdEvent(), idToken, idTokenJwt: await sign(idToken, key) };
    const login = await started(OPENID, { ...asked(late.url), HANDLER_TIMEOUT_MS: '60' });
    const { record } = await login(event);
    expect(record).toMatchObject({ reason: 'keys_unavailable', cause: 'deadline' });
    await late.close();
  });
});

describe('a function that checks assertions', () => {
  const MINUTE_MS = 60_000;
  const ISSUER = 'https://idp.example.org/saml';
  const audiences = ['https://app.example.net/saml/metadata'];
  const recipients = ['https://app.example.net/saml/acs'];
  const SAML_ISSUERS = JSON.stringify({ [ISSUER]: { audiences, recipients } });

  function assertionOf(issuer: string, endMs: number) {
    const event = samlEvent();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const { assertionConditions, assertionSubject } = event.assertion;
    event.assertion.assertionIssuer = issuer;
    assertionConditions.conditionsNotBefore = at(-2 * MINUTE_MS);
    assertionConditions.conditionsNotOnOrAfter = at(endMs);
    for (const confirmation of assertionSubject.subjectConfirmations)
      confirmation.subjectConfirmationNotOnOrAfter = at(endMs);
    return event;
  }

  test.each<[string, string, number]>([
    ['assertion_issuer_refused', 'https://evil.example', MINUTE_MS],
    ['assertion_expired', ISSUER, -1.5 * MINUTE_MS],
  ])('%s: of %s, with %i ms left', async (reason, issuer, endMs) => {
    const login = await started(SAML, { SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS });
    const { record } = await login(assertionOf(issuer, endMs));
    expect(record?.reason).toBe(reason);
  });
});
