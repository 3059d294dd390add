/** For how long a secret serves while Secrets Manager is down: told by a clock that the test turns. */
import { afterAll, expect, jest, test } from '@jest/globals';
import { httpServer, sendJson } from '../support/servers.ts';

let isDown = false;
const manager = await httpServer((_, response) =>
  isDown
    ? sendJson(response, { __type: 'InternalServiceError' }, 500)
    : sendJson(response, { SecretString: 'value' }),
);
afterAll(() => manager.close());
Object.assign(process.env, {
  AWS_ENDPOINT_URL: manager.url,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});
const { getSecret } = await import('../../lib/toolkit/secrets.ts');

const started = process.uptime();
const clock = jest.spyOn(process, 'uptime');
/** Turns the clock to so many seconds after the start. */
const at = (seconds: number) => clock.mockReturnValue(started + seconds);

test('while the service is down, a secret serves for 15 minutes after its time to live, and then fails closed', async () => {
  at(0);
  expect(await getSecret('a')).toBe('value');
  expect(manager.requests).toHaveLength(1);
  at(299);
  expect(await getSecret('a')).toBe('value');
  expect(manager.requests).toHaveLength(1);
  isDown = true;
  at(301);
  expect(await getSecret('a')).toBe('value');
  at(300 + 899);
  expect(await getSecret('a')).toBe('value');
  at(300 + 901);
  await expect(getSecret('a')).rejects.toMatchObject({ code: 'secret_service_failed' });
  isDown = false;
  expect(await getSecret('a')).toBe('value');
});
