/** Where secrets come from: the real SDK and a server of its protocol that fails as the real one may; or `SECRETS_FILE`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SecretFailed } from '../../lib/reasons.ts';
import { fetchSecret, loadSecretSource } from '../../lib/toolkit/secrets.ts';
import { secretsFromManager } from '../../lib/toolkit/secretsManager.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const VALUE = 'SECRET-VALUE-91c4';
const CONFIG = { region: 'eu-central-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

/** What a request gets; null: no answer. */
let state: { status: number; json: object } | null;
const manager = sharedServer((_, response) => {
  if (state) sendJson(response, state.json, state.status);
});
beforeEach(() => {
  manager.requests.length = 0;
  // The waiting before another try is random: here it is none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** A version of a secret; or the code of the failure with what the log says of it. */
function fetched(config: object = {}): Promise<unknown> {
  return secretsFromManager({ ...CONFIG, endpoint: manager.url, ...config })('a', 'current').catch(
    (error) => {
      expect(error).toBeInstanceOf(SecretFailed);
      expect(JSON.stringify(error) + error.message).not.toContain(VALUE);
      const { secretId, ...details } = error.details;
      expect([secretId, error.secretId]).toEqual(['a', 'a']);
      return { code: error.code, ...details };
    },
  );
}

describe('a version', () => {
  test.each<[object, unknown]>([
    [{ SecretString: VALUE }, VALUE],
    [{}, ''],
  ])('of %j is %j', async (json, value) => {
    state = { status: 200, json };
    expect(await fetched()).toEqual({ value, createdAt: null });
  });

  test('is asked for by its label', async () => {
    state = { status: 200, json: { SecretString: VALUE } };
    await fetched();
    expect(manager.requests).toHaveLength(1);
    expect(manager.requests[0]?.headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
    const asked = { SecretId: 'a', VersionStage: 'AWSCURRENT' };
    expect(JSON.parse(manager.requests[0]?.body ?? '')).toEqual(asked);
  });
});

describe('a failure', () => {
  test.each([
    ['ResourceNotFoundException', 400, 'secret_not_found', 1],
    ['InvalidRequestException', 400, 'secret_not_found', 1],
    ['AccessDeniedException', 400, 'secret_access_denied', 1],
    ['UnrecognizedClientException', 400, 'secret_access_denied', 1],
    ['DecryptionFailure', 400, 'secret_access_denied', 1],
    ['ThrottlingException', 400, 'secret_throttled', 2],
    ['TooManyRequestsException', 400, 'secret_throttled', 2],
    ['SlowerPlease', 429, 'secret_throttled', 2],
    ['InternalServiceError', 500, 'secret_service_failed', 2],
  ])('%s with %i is %s, after %i tries', async (cause, status, code, tries) => {
    state = { status, json: { __type: cause, Message: VALUE } };
    expect(await fetched()).toEqual({ code, cause });
    expect(manager.requests).toHaveLength(tries);
  });

  test.each([
    ['Ab', true],
    ['A'.repeat(62), false],
    ['Ada@Example', false],
  ])('that is called %s is told by its name: %p', async (name, isTold) => {
    state = { status: 400, json: { __type: name, Message: VALUE } };
    expect(await fetched()).toEqual({ code: 'secret_failed', ...(isTold && { cause: name }) });
  });

  const rejecting = (more: object) => () => Promise.reject(Object.assign(new Error(VALUE), more));

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])(
    'of the connection, %s, says what to check',
    async (code) => {
      const told = await fetched({ requestHandler: { handle: rejecting({ code }) } });
      const problems = [expect.stringMatching(/: .*check /)];
      expect(told).toEqual({ code: 'secret_service_failed', cause: 'Error', problems });
    },
  );

  test.each(['TimeoutError', 'AbortError'])('of the name %s is one of time', async (name) => {
    const told = await fetched({ requestHandler: { handle: rejecting({ name }) } });
    expect(told).toEqual({ code: 'secret_timed_out', cause: name });
  });

  test('for want of credentials says what to do', async () => {
    const cause = 'CredentialsProviderError';
    const problems = [
      'no AWS credentials: log in with the AWS CLI; on your machine you can set SECRETS_FILE',
    ];
    const told = await fetched({ credentials: rejecting({ name: cause }) });
    expect(told).toEqual({ code: 'secret_access_denied', cause, problems });
  });

  test('for want of a region says what to do', async () => {
    const problems = ['no AWS region: set AWS_REGION; on your machine set SECRETS_FILE'];
    const told = await fetched({ region: rejecting({ message: 'Region is missing' }) });
    expect(told).toEqual({ code: 'secret_failed', cause: 'Error', problems });
  });
});

describe('silence', () => {
  test('ends after two tries of 2.5 seconds', async () => {
    state = null;
    const { setTimeout } = globalThis;
    // Time runs five times as fast.
    const faster = ((run: () => void, ms = 0) => setTimeout(run, ms / 5)) as typeof setTimeout;
    const timer = jest.spyOn(globalThis, 'setTimeout').mockImplementation(faster);
    expect(await fetched()).toEqual({ code: 'secret_timed_out', cause: 'TimeoutError' });
    expect(manager.requests).toHaveLength(2);
    expect(timer).toHaveBeenCalledWith(expect.any(Function), 2_500);
    timer.mockRestore();
  });

  test('and whatever else takes time ends after six seconds', async () => {
    state = null;
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    expect(await fetched()).toEqual({ code: 'secret_timed_out', cause: 'AbortError' });
    expect(timeout.mock.calls).toEqual([[6_000]]);
    timeout.mockRestore();
  });
});

describe('the file of a developer’s machine', () => {
  const file = join(temporaryFolder(), 'secrets.json');
  process.env.SECRETS_FILE = file;
  beforeEach(() => rmSync(file, { force: true }));

  const failureOf = (id: string, version: 'current' | 'previous' = 'current') =>
    fetchSecret(id, version).then(
      () => null,
      ({ code, details }: SecretFailed) => ({ code, ...details }),
    );

  test('is loaded once, and read each time', async () => {
    expect(loadSecretSource()).toBe(loadSecretSource());
    for (const value of [VALUE, 'another']) {
      writeFileSync(file, JSON.stringify({ a: value }));
      expect(await fetchSecret('a', 'current')).toEqual({ value, createdAt: null });
    }
  });

  test('may begin with a byte order mark, and holds JSON as an object', async () => {
    writeFileSync(file, '\ufeff{"a":{"ok":true,"of":[1]}}');
    expect(await fetchSecret('a', 'current')).toEqual({ value: '{"ok":true,"of":[1]}', createdAt: null });
  });

  test.each([
    ['none', 'current'],
    ['constructor', 'current'],
    ['a', 'previous'],
  ] as const)('has no secret %s in a version %s that it does not hold', async (secretId, version) => {
    writeFileSync(file, JSON.stringify({ a: VALUE }));
    expect(await failureOf(secretId, version)).toEqual({ code: 'secret_not_found', secretId });
  });

  test.each([
    ['cannot be read (ENOENT)', null],
    ['is not a JSON object of id to secret', `{"a": "${VALUE}"`],
    ['is not a JSON object of id to secret', `["${VALUE}"]`],
  ])('%s: the error says so, and not what it holds', async (problem, content) => {
    if (content !== null) writeFileSync(file, content);
    const problems = [`SECRETS_FILE ${problem}: ${file}`];
    expect(await failureOf('a')).toEqual({ code: 'secret_failed', secretId: 'a', problems });
  });
});
