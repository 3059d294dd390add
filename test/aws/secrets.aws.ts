/** Secrets Manager as moto plays it: what becomes of a secret over its life, seen by a handler. */

import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, test } from '@jest/globals';
import { awsEnvironment, clientConfig } from '../support/aws.ts';
import { withProbe } from '../support/probe.ts';

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
