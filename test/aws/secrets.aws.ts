/** Secrets Manager as moto plays it: what becomes of a secret over its life, seen by a handler. */

import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, test } from '@jest/globals';
import { awsEnvironment, clientConfig } from '../support/aws.ts';
import { answerOf, type RunningFunction, withFunction } from '../support/bundle.ts';
import { withProbe } from '../support/probe.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const env = { ...awsEnvironment(), SECRET_TTL_SECONDS: '1' };
const id = `login-hooks/test-${process.pid}`;
const client = new SecretsManagerClient(clientConfig());
afterAll(() => client.destroy());

/** Past the secret's time to live. */
const pass = () => new Promise((resolve) => setTimeout(resolve, 1_100));

test('a secret is created, read as text, JSON and bytes, rotated, and deleted', async () => {
  await withProbe(env, async ({ ask }) => {
    const read = async (options = {}) => (await ask({ op: 'secret', id, options })).result;
    expect(await read()).toMatchObject({ code: 'secret_not_found', id });
    const { ARN } = await client.send(new CreateSecretCommand({ Name: id, SecretString: 'first' }));
    expect(await read()).toBe('first');
    expect((await ask({ op: 'secret', id: ARN })).result).toBe('first');
    expect(await read({ version: 'previous' })).toMatchObject({ code: 'secret_not_found', id });

    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString: 'second' }));
    expect(await read()).toBe('first');
    await pass();
    expect(await read()).toBe('second');
    expect(await read({ version: 'previous' })).toBe('first');

    await client.send(new PutSecretValueCommand({ SecretId: id, SecretString: '{"ok":true}' }));
    await pass();
    expect((await ask({ op: 'json', id })).result).toEqual({ ok: true });

    const SecretBinary = Uint8Array.from([0, 1, 255]);
    await client.send(new PutSecretValueCommand({ SecretId: id, SecretBinary }));
    await pass();
    expect((await ask({ op: 'binary', id })).result).toEqual([0, 1, 255]);

    await client.send(new DeleteSecretCommand({ SecretId: id }));
    await pass();
    expect(await read()).toMatchObject({ code: 'secret_not_found', id });
  });
});

test('a signing secret is rotated while requests come: the one before stays good, the one before that does not', async () => {
  const [first, second, third] = [newSecret(), newSecret(), newSecret()];
  const SecretId = `${id}-signing`;
  const settings = { ...awsEnvironment(), CALLER_CHECK: 'signature', SIGNING_SECRET_ID: SecretId };
  const rotate = (SecretString: string) => client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  const body = JSON.stringify(openIdEvent());
  const statusOf = async (fn: RunningFunction, secret: string) =>
    (await answerOf(fn, overHttp(body, { headers: signed(body, { secret }) }))).status;
  await client.send(new CreateSecretCommand({ Name: SecretId, SecretString: first }));
  await withFunction('openidLoggedIn', { env: settings }, async (fn) => {
    expect(await statusOf(fn, first)).toBe(200);
    await rotate(second);
    expect([await statusOf(fn, second), await statusOf(fn, first)]).toEqual([200, 200]);
  });
  await rotate(third);
  await withFunction('openidLoggedIn', { env: settings }, async (fn) => {
    expect([await statusOf(fn, third), await statusOf(fn, second), await statusOf(fn, first)]).toEqual([
      200, 200, 401,
    ]);
  });
});
