/** Which checks a login passes, by the settings: each check is on, and stops a login that does not pass, or is not there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { LoginKind } from '../../lib/kinds.ts';
import { httpEnvelope } from '../../lib/login/http.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { readConfiguration } from '../../lib/settings.ts';
import { loginThrough } from '../support/oneLogin.ts';
import { failure, playSecretsManager, version } from '../support/secretsManager.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { publicPart, type SigningKey, sign, signingKey } from '../support/signingKeys.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);
// What they load reads the environment.
const { checkCaller, checkLogin } = await import('../../lib/login/checks.ts');

function settings(kind: LoginKind, env: Record<string, string> = {}) {
  const { settings, problems } = readConfiguration(kind, env);
  expect(problems).toEqual([]);
  return settings;
}

const SOON = { handlerTimeoutMs: 60 };
const LATE_MS = 120;

describe('the signature of the service', () => {
  const SECRET = newSecret();
  const BODY = JSON.stringify(openIdEvent());
  const SIGNED = overHttp(BODY, { headers: signed(BODY, { secret: SECRET }) });
  const FORGED = overHttp(BODY, { headers: signed(BODY, { secret: newSecret() }) });
  const withSecret = (id: string) => settings('OpenID', { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: id });
  beforeAll(() => {
    manager.AWSCURRENT = version(SECRET, 30);
  });

  async function through(event: unknown, id = 'signing', options = {}) {
    const checks = await checkCaller(withSecret(id));
    return loginThrough([httpEnvelope(), ...checks], event, options);
  }

  test('is not asked for where IAM checks who calls', async () => {
    expect(await checkCaller(settings('OpenID'))).toEqual([]);
    expect(await checkCaller(settings('OpenID', { SIGNING_SECRET_ID: 'signing' }))).toEqual([]);
  });

  test.each<[string, string | null, unknown]>([
    ['a request that the service signed', null, SIGNED],
    ['a request that another signed', 'signature_wrong', FORGED],
    ['a request that nobody signed', 'signature_missing', overHttp(BODY)],
    ['a direct invocation', null, openIdEvent()],
  ])('%s: %p', async (_, code, event) => {
    const { error, events } = await through(event);
    expect(error?.code ?? null).toBe(code);
    expect(events).toHaveLength(code === null ? 1 : 0);
  });

  test.each(['no-such-secret', null])(
    'without its secret, no request passes: %p',
    async (signingSecretId) => {
      manager.AWSCURRENT = failure('ResourceNotFoundException');
      const checks = await checkCaller({ ...withSecret('signing'), signingSecretId });
      const { error, events } = await loginThrough([httpEnvelope(), ...checks], SIGNED);
      expect(error).toMatchObject({ code: 'secret_not_found', details: { secretId: signingSecretId ?? '' } });
      expect(events).toEqual([]);
      manager.AWSCURRENT = version(SECRET, 30);
    },
  );

  test('a secret that does not come in the login’s time stops the request', async () => {
    manager.delayMs = LATE_MS;
    const { error, events } = await through(SIGNED, 'slow', SOON);
    manager.delayMs = 0;
    expect(error).toMatchObject({ code: 'secret_timed_out', details: { secretId: 'slow' } });
    expect(events).toEqual([]);
  });
});

describe('the ID token', () => {
  const parsed = (event: object) => v.parse(OpenIdUserLoggedInEvent, event);
  let provider: LocalServer;
  let key: SigningKey;
  let event: Awaited<ReturnType<typeof goodEvent>>;

  async function goodEvent() {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: provider.url, sub: 'ada', aud: 'client-1', exp: now + 300, iat: now };
    const idToken = { ...claims, aud: ['client-1'], nonce: null, otherClaims: {} };
    return { ...openIdEvent(), idToken, idTokenJwt: await sign(claims, key) };
  }

  beforeAll(async () => {
    key = await signingKey('ES256');
    provider = await httpServer((_, response) => sendJson(response, { keys: [publicPart(key)] }));
    event = await goodEvent();
  });
  afterAll(() => provider.close());

  const on = (issuer = provider.url) =>
    settings('OpenID', {
      OPENID_TOKEN_CHECK: 'on',
      OPENID_ISSUERS: JSON.stringify({ [issuer]: { audiences: ['client-1'], jwks_uri: `${issuer}/keys` } }),
    });

  test('is not checked where the setting is off', async () => {
    expect(await checkLogin(OPENID, settings('OpenID'))).toEqual([]);
  });

  test.each<[string, string | null, () => object]>([
    ['a good one', null, () => event],
    [
      'one of another person',
      'token_claims_differ',
      () => ({ ...event, idToken: { ...event.idToken, sub: 'eve' } }),
    ],
    ['no token', 'token_malformed', () => ({ ...event, idTokenJwt: '' })],
  ])('%s: %p', async (_, code, changed) => {
    const { error, events } = await loginThrough(await checkLogin(OPENID, on()), parsed(changed()));
    expect(error?.code ?? null).toBe(code);
    expect(events).toHaveLength(code === null ? 1 : 0);
  });

  test('keys that do not come in the login’s time stop the login', async () => {
    const late = await httpServer((_, response) => {
      setTimeout(() => sendJson(response, { keys: [publicPart(key)] }), LATE_MS);
    });
    const idTokenJwt = await sign({ ...event.idToken, iss: late.url }, key);
    const asked = parsed({ ...event, idToken: { ...event.idToken, iss: late.url }, idTokenJwt });
    const { error, events } = await loginThrough(await checkLogin(OPENID, on(late.url)), asked, SOON);
    await sleep(LATE_MS);
    await late.close();
    expect(error).toMatchObject({ code: 'keys_unavailable', details: { cause: 'deadline' } });
    expect(events).toEqual([]);
  });
});

describe('the assertion', () => {
  const MINUTE_MS = 60_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  function assertionOf(issuer: string, endMs = MINUTE_MS) {
    const event = samlEvent();
    const { assertion } = event;
    const [confirmation] = assertion.assertionSubject.subjectConfirmations;
    assertion.assertionIssuer = issuer;
    Object.assign(assertion.assertionConditions, {
      conditionsNotBefore: at(-MINUTE_MS),
      conditionsNotOnOrAfter: at(endMs),
    });
    Object.assign(confirmation ?? {}, { subjectConfirmationNotOnOrAfter: at(endMs) });
    return v.parse(SamlUserLoggedInEvent, event);
  }

  const ISSUER = 'https://idp.example.org/saml';
  const on = settings('SAML', {
    SAML_ASSERTION_CHECK: 'on',
    CLOCK_SKEW_SECONDS: '0',
    SAML_ISSUERS: JSON.stringify({
      [ISSUER]: {
        audiences: ['https://app.example.net/saml/metadata'],
        recipients: ['https://app.example.net/saml/acs'],
      },
    }),
  });

  test('is not checked where the setting is off', async () => {
    expect(await checkLogin(SAML, settings('SAML'))).toEqual([]);
  });

  test.each<[string, string | null, SamlUserLoggedInEvent]>([
    ['a good one', null, assertionOf(ISSUER)],
    ['one of another issuer', 'assertion_issuer_refused', assertionOf('https://evil.example')],
    ['one that is over', 'assertion_expired', assertionOf(ISSUER, -1)],
  ])('%s: %p', async (_, code, event) => {
    const { error, events } = await loginThrough(await checkLogin(SAML, on), event);
    expect(error?.code ?? null).toBe(code);
    expect(events).toHaveLength(code === null ? 1 : 0);
  });
});
