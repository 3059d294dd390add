/** Secrets through the real SDK, against a server of Secrets Manager's protocol that fails as the real one may. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { type Probe, startProbe, withProbe } from '../support/probe.ts';
import { PROBE_BUNDLE } from '../support/probeBundle.ts';
import {
  failure as failureOf,
  type PlayedSecretsManager,
  playSecretsManager,
  version,
} from '../support/secretsManager.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { openIdEvent } from '../support/wire.ts';

const VALUE = 'SECRET-VALUE-91c4';
const failure = (type: string, status = 400) => ({ status, json: { __type: type, Message: VALUE } });

let manager: LocalServer;
/** What the next requests get: a secret's content, a failure, or nothing at all. */
let state: { status: number; json: object } | 'hang';
let env: Record<string, string>;

beforeAll(async () => {
  manager = await httpServer((_, response, body) => {
    if (state === 'hang') return;
    const { VersionStage } = JSON.parse(body);
    const isPrevious = VersionStage === 'AWSPREVIOUS' && state.status === 200;
    sendJson(response, isPrevious ? { SecretString: 'the one before' } : state.json, state.status);
  });
  env = {
    AWS_ENDPOINT_URL: manager.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    HANDLER_TIMEOUT_MS: '9000',
  };
});
beforeEach(() => {
  state = { status: 200, json: { SecretString: VALUE } };
  manager.requests.length = 0;
});
afterAll(() => manager.close());

describe('a secret', () => {
  let probe: Probe;
  beforeAll(async () => {
    probe = await startProbe(env);
  });
  afterAll(() => probe.stop());

  test('is asked for once, and is a string, JSON or bytes', async () => {
    await withProbe(env, async ({ ask, output }) => {
      for (let login = 0; login < 3; login++) {
        expect((await ask({ op: 'secret', id: 'a' })).result).toBe(VALUE);
      }
      expect(manager.requests).toHaveLength(1);
      expect(manager.requests[0]?.headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
      expect((await ask({ op: 'secret', id: 'a', options: { version: 'previous' } })).result).toBe(
        'the one before',
      );
      state = { status: 200, json: { SecretString: '{"ok":true,"more":1}' } };
      expect((await ask({ op: 'json', id: 'b' })).result).toEqual({ ok: true });
      state = { status: 200, json: { SecretBinary: Buffer.from([1, 2, 255]).toString('base64') } };
      expect((await ask({ op: 'binary', id: 'c' })).result).toEqual([1, 2, 255]);
      expect((await ask({ op: 'secret', id: 'c' })).result).toMatchObject({
        code: 'secret_unusable',
        id: 'c',
      });
      expect(output()).not.toContain(VALUE);
    });
  });

  test.each([
    ['no JSON', VALUE],
    ['other JSON', JSON.stringify({ ok: VALUE })],
  ])('that is %s is unusable, and is not shown', async (_, SecretString) => {
    state = { status: 200, json: { SecretString } };
    await withProbe(env, async ({ ask, output }) => {
      const { result, message } = await ask({ op: 'json', id: 'a' });
      expect(result).toMatchObject({ code: 'secret_unusable', id: 'a' });
      await ask({ op: 'json', id: 'a', catches: false });
      expect(message + output()).not.toContain(VALUE);
    });
  });

  test.each([
    ['ResourceNotFoundException', 400, 'secret_not_found', 1],
    ['InvalidRequestException', 400, 'secret_not_found', 1],
    ['AccessDeniedException', 400, 'secret_access_denied', 1],
    ['UnrecognizedClientException', 400, 'secret_access_denied', 1],
    ['DecryptionFailure', 400, 'secret_access_denied', 1],
    ['ThrottlingException', 400, 'secret_throttled', 2],
    ['InternalServiceError', 500, 'secret_service_failed', 2],
    ['ServiceUnavailable', 503, 'secret_service_failed', 2],
    ['SomethingElse', 400, 'secret_failed', 1],
  ])('that cannot be had: %s', async (type, status, code, requests) => {
    state = failure(type, status);
    const { ask, records, output } = probe;
    const id = `a/${type}`;
    expect((await ask({ op: 'secret', id })).result).toMatchObject({ code, id });
    expect(manager.requests).toHaveLength(requests);
    // A failure is not cached.
    await ask({ op: 'secret', id, catches: false });
    expect(manager.requests).toHaveLength(2 * requests);
    expect(records().at(-1)).toMatchObject({ reason: code, secretId: id, status: 500 });
    expect(output()).not.toContain(VALUE);
  });

  test('that is not answered ends the login by its deadline', async () => {
    state = 'hang';
    await withProbe({ ...env, HANDLER_TIMEOUT_MS: '500' }, async ({ ask, records }) => {
      const { ms } = await ask({ op: 'secret', id: 'a', catches: false });
      expect(ms).toBeLessThan(1_200);
      expect(records().at(-1)).toMatchObject({ reason: 'handler_timed_out' });
    });
  });
});

/** Each test has a Secrets Manager of its own, so that they wait at the same time. */
describe('a secret and time:', () => {
  const pass = () => new Promise((resolve) => setTimeout(resolve, 1_100));

  /** With a secret that is cached, and whose time is up. */
  async function withStaleSecret(
    use: (ask: Probe['ask'], manager: PlayedSecretsManager) => Promise<void>,
    more: Record<string, string> = {},
  ): Promise<void> {
    const manager = await playSecretsManager();
    manager.AWSCURRENT = version(VALUE, 0);
    await withProbe({ ...env, ...manager.env, SECRET_TTL_SECONDS: '1', ...more }, async ({ ask }) => {
      expect((await ask({ op: 'secret', id: 'a' })).result).toBe(VALUE);
      await pass();
      await use(ask, manager);
    });
    await manager.close();
  }

  test.concurrent('one that is not answered ends the login by a time-out of its own', async () => {
    const silent = await playSecretsManager();
    silent.AWSCURRENT = 'silence';
    await withProbe({ ...env, ...silent.env }, async ({ ask }) => {
      const { result, ms } = await ask({ op: 'secret', id: 'a' });
      expect(result).toMatchObject({ code: 'secret_timed_out' });
      expect(ms).toBeLessThan(8_000);
    });
    await silent.close();
  });

  test.concurrent('after its time to live, it is asked for again', () =>
    withStaleSecret(async (ask, manager) => {
      manager.AWSCURRENT = version('the new one', 0);
      expect((await ask({ op: 'secret', id: 'a' })).result).toBe('the new one');
      expect(manager.requests).toHaveLength(2);
    }));

  test.concurrent.each<[string, number, boolean]>([
    ['ThrottlingException', 400, true],
    ['InternalServiceError', 500, true],
    ['AccessDeniedException', 400, false],
    ['ResourceNotFoundException', 400, false],
  ])('after its time to live, with %s, what is kept serves: %i %p', (type, status, serves) =>
    withStaleSecret(async (ask, manager) => {
      manager.AWSCURRENT = failureOf(type, status);
      const { message } = await ask({ op: 'secret', id: 'a' });
      expect(message === JSON.stringify(VALUE)).toBe(serves);
      // While the service is in trouble, it is left alone.
      const before = manager.requests.length;
      await ask({ op: 'secret', id: 'a' });
      expect(manager.requests.length > before).toBe(!serves);
    }),
  );

  test.concurrent('what is kept serves while the service hangs, before the login’s deadline', () =>
    withStaleSecret(
      async (ask, manager) => {
        manager.AWSCURRENT = 'silence';
        for (let login = 0; login < 3; login++) {
          const { result, ms } = await ask({ op: 'secret', id: 'a' });
          expect(result).toBe(VALUE);
          expect(ms).toBeLessThan(1_500);
        }
      },
      { HANDLER_TIMEOUT_MS: '1500' },
    ));

  test.concurrent('what is kept is void once access is denied, whatever comes after', () =>
    withStaleSecret(async (ask, manager) => {
      manager.AWSCURRENT = failureOf('AccessDeniedException');
      expect((await ask({ op: 'secret', id: 'a' })).result).toMatchObject({ code: 'secret_access_denied' });
      manager.AWSCURRENT = failureOf('InternalServiceError', 500);
      expect((await ask({ op: 'secret', id: 'a' })).result).toMatchObject({ code: 'secret_service_failed' });
    }));
});

test('a refresh is limited in rate', async () => {
  await withProbe(env, async ({ ask }) => {
    await ask({ op: 'secret', id: 'a' });
    for (const expected of [2, 2, 2]) {
      await ask({ op: 'secret', id: 'a', options: { refresh: true } });
      expect(manager.requests).toHaveLength(expected);
    }
  });
});

test('a thousand logins at once make one request', async () => {
  const { href } = pathToFileURL(join(PROBE_BUNDLE.outdir, 'functions/openidLoggedIn.mjs'));
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { op: 'secret', id: 'a' });
  const script = await customHandler(`
    const { handler } = await import(${JSON.stringify(href)});
    const login = (_, index) => handler(${JSON.stringify(event)}, { awsRequestId: String(index), getRemainingTimeInMillis: () => 9_000 });
    const answers = await Promise.all(Array.from({ length: 1_000 }, login));
    console.log(answers.filter(({ message }) => message === ${JSON.stringify(JSON.stringify(VALUE))}).length);`);
  const settings = { ...env, OPENID_HANDLER_MODULE: 'handlers/probe', AWS_LAMBDA_LOG_LEVEL: 'FATAL' };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: settings });
  expect(stdout.trim()).toBe('1000');
  expect(manager.requests).toHaveLength(1);
});

describe('SECRETS_FILE', () => {
  test('stands in for Secrets Manager on a developer’s machine', async () => {
    const SECRETS_FILE = await customHandler(JSON.stringify({ text: VALUE, json: { ok: true } }), '.json');
    await withProbe({ SECRETS_FILE }, async ({ ask, output }) => {
      expect((await ask({ op: 'secret', id: 'text' })).result).toBe(VALUE);
      expect((await ask({ op: 'json', id: 'json' })).result).toEqual({ ok: true });
      for (const id of ['none', 'constructor', '__proto__']) {
        expect((await ask({ op: 'secret', id })).result).toMatchObject({ code: 'secret_not_found', id });
      }
      expect(output()).not.toContain(VALUE);
    });
  });

  test.each([
    ['is not there', null],
    ['is not a JSON object', `{"text": "${VALUE}"`],
    ['is not a JSON object', `["${VALUE}"]`],
  ])('that %s is told, and not what it holds: %#', async (problem, content) => {
    const SECRETS_FILE = content === null ? '/no/such/secrets.json' : await customHandler(content, '.json');
    await withProbe({ SECRETS_FILE }, async ({ ask, records, output }) => {
      await ask({ op: 'secret', id: 'text', catches: false });
      expect(records().at(-1)).toMatchObject({
        reason: 'secret_failed',
        problems: [`SECRETS_FILE ${problem}${content === null ? '' : ' of id to secret'}: ${SECRETS_FILE}`],
      });
      expect(output()).not.toContain(VALUE);
    });
  });

  test('is the cure where there is no AWS region', async () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    await withProbe({ ...credentials, AWS_CONFIG_FILE: '/no/such/config' }, async ({ ask, records }) => {
      await ask({ op: 'secret', id: 'text', catches: false });
      expect(records().at(-1)?.problems).toEqual([expect.stringMatching(/^no AWS region: .*SECRETS_FILE/)]);
    });
  });

  test('is refused on Lambda', async () => {
    await withProbe(
      { SECRETS_FILE: '/tmp/x.json', AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9' },
      async ({ ask, records }) => {
        await ask({ op: 'secret', id: 'a' });
        expect(records().at(-1)).toMatchObject({ reason: 'configuration_unusable' });
      },
    );
  });
});
