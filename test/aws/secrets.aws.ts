/** Secrets Manager as moto plays it: what becomes of a secret over its life, as the toolkit reads it. */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect, jest, test } from '@jest/globals';
import { getBinarySecret, getSecret } from '../../lib/toolkit/secrets.ts';
import { inLogin } from '../support/logins.ts';
import { awsEnvironment, clientConfig } from './machine/aws.ts';

Object.assign(process.env, awsEnvironment());
const id = `login-hooks/test-${process.pid}`;
const client = new SecretsManagerClient(clientConfig());

/** In seconds; past a secret's time to live from one value to the next. */
let uptime = process.uptime();
jest.spyOn(process, 'uptime').mockImplementation(() => uptime);
const put = async (value: { SecretString: string } | { SecretBinary: Uint8Array }) => {
  await client.send(new PutSecretValueCommand({ SecretId: id, ...value }));
  uptime += 600;
};

const read = (options = {}, secretId = id) =>
  inLogin(() => getSecret(secretId, options)).catch(({ code }) => code);

test('a secret is created, read as text and bytes, rotated, and deleted', async () => {
  expect(await read()).toBe('secret_not_found');
  const { ARN } = await client.send(new CreateSecretCommand({ Name: id, SecretString: 'first' }));
  expect(await read()).toBe('first');
  expect(await read({}, ARN)).toBe('first');
  expect(await read({ version: 'previous' })).toBe('secret_not_found');

  await put({ SecretString: 'second' });
  expect(await read()).toBe('second');
  expect(await read({ version: 'previous' })).toBe('first');

  await put({ SecretBinary: Uint8Array.from([0, 1, 255]) });
  expect([...(await inLogin(() => getBinarySecret(id)))]).toEqual([0, 1, 255]);

  await client.send(new DeleteSecretCommand({ SecretId: id }));
  uptime += 600;
  expect(await read()).toBe('secret_not_found');
});
