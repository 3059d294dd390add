import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { withProbe } from '../support/probe.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

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

  test('that is of no use is not shown', async () => {
    state = { status: 200, json: { SecretString: VALUE } };
    await withProbe(env, async ({ ask, output }) => {
      const { result, message } = await ask({ op: 'json', id: 'a' });
      expect(result).toMatchObject({ code: 'secret_unusable', id: 'a' });
      await ask({ op: 'json', id: 'a', catches: false });
      expect(message + output()).not.toContain(VALUE);
    });
  });

  test('that is not available: the log says why', async () => {
    state = failure('AccessDeniedException');
    await withProbe(env, async ({ ask, records, output }) => {
      expect((await ask({ op: 'secret', id: 'a' })).result).toMatchObject({
        code: 'secret_access_denied',
        id: 'a',
      });
      await ask({ op: 'secret', id: 'a', catches: false });
      expect(manager.requests).toHaveLength(2);
      const expected = { reason: 'secret_access_denied', secretId: 'a', status: 500 };
      expect(records().at(-1)).toMatchObject({ ...expected, cause: 'AccessDeniedException' });
      expect(output()).not.toContain(VALUE);
    });
  });

  test('that is not answered ends the login by its deadline', async () => {
    state = 'hang';
    await withProbe({ ...env, HANDLER_TIMEOUT_MS: '500' }, async ({ ask, records }) => {
      await ask({ op: 'secret', id: 'a', catches: false });
      expect(records().at(-1)).toMatchObject({ reason: 'handler_timed_out' });
    });
  });
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
