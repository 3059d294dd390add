/** Access tokens by client credentials, from a server that grants another one each time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { getAccessToken } from '../../lib/toolkit/accessToken.ts';
import { endpoint, url } from '../../lib/toolkit/url.ts';
import { sendJson } from '../support/servers.ts';
import { trustedServer } from '../support/sharedServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const file = join(temporaryFolder(), 'secrets.json');
process.env.SECRETS_FILE = file;

/** How long a token lives, as the server tells. */
let expiresIn: unknown;
/** The status of refusals; null: none. */
let refusal: number | null;
/** The client's secret that is in force. */
let inForce: string;
let grants: number;

const server = trustedServer((_, response, body) => {
  const isRefused = refusal !== null && new URLSearchParams(body).get('client_secret') !== inForce;
  if (isRefused) return sendJson(response, { error: 'invalid_client' }, refusal ?? 0);
  grants += 1;
  sendJson(response, { access_token: `token-${grants}`, token_type: 'Bearer', expires_in: expiresIn });
});

let started = 100_000;
let count = 0;
beforeEach(() => {
  // Each test has a server of its own, by its path, long after the one before.
  count += 1;
  started += 10_000;
  at(0);
  grants = 0;
  expiresIn = 3_599;
  refusal = null;
  inForce = 'b';
  publish('b');
  server.requests.length = 0;
});
function at(seconds: number): void {
  jest.spyOn(process, 'uptime').mockReturnValue(started + seconds);
}
function publish(client_secret: string): void {
  const client = { client_id: 'a', client_secret };
  const secrets = { [`client-${count}`]: client, [`other-${count}`]: client, broken: {} };
  writeFileSync(file, JSON.stringify(secrets));
}

const token = (options: object = {}) => {
  const tokenUrl = url`${endpoint(server.url)}/${count}/token`;
  return getAccessToken({ tokenUrl, secretId: `client-${count}`, scope: 'read', ...options });
};
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    ({ code, status }) => [code, status],
  );

test('is asked for with the client’s credentials, as RFC 6749 has it', async () => {
  expect(await token()).toBe('token-1');
  const { method, path, body } = server.requests[0] ?? {};
  expect({ method, path }).toEqual({ method: 'POST', path: `/${count}/token` });
  const client = { client_id: 'a', client_secret: 'b' };
  const grant = { grant_type: 'client_credentials', scope: 'read', ...client };
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual(grant);
});

describe('is cached', () => {
  test.each<[lifetime: unknown, askedAt: number[], tokens: number[]]>([
    [3_599, [0, 3_538, 3_539], [1, 1, 2]],
    ['3599', [0, 3_538, 3_539], [1, 1, 2]],
    [undefined, [0, 0], [1, 2]],
  ])('until a minute before it expires: %p', async (lifetime, askedAt, tokens) => {
    expiresIn = lifetime;
    for (const [index, seconds] of askedAt.entries()) {
      at(seconds);
      expect(await token()).toBe(`token-${tokens[index]}`);
    }
  });

  /** In turn. */
  const tokens = (asked: object[]) => Array.fromAsync(asked, (options) => token(options));

  test('unless it was refused, at most once in 30 seconds', async () => {
    const REFRESH = { refresh: true };
    const expected = ['token-1', 'token-1', 'token-2', 'token-2', 'token-2'];
    expect(await tokens([{}, {}, REFRESH, REFRESH, {}])).toEqual(expected);
  });

  test('for its server, its client and its scope alone', async () => {
    const other = { tokenUrl: url`${endpoint(server.url)}/${count}/other` };
    const asked = [{}, other, { secretId: `other-${count}` }, { scope: 'write' }];
    for (let round = 0; round < 2; round++)
      expect(await tokens(asked)).toEqual(['token-1', 'token-2', 'token-3', 'token-4']);
  });
});

test.each(['soon', '', '12s', ' 60', null])(
  'a lifetime that cannot be read, %p, is refused',
  async (lifetime) => {
    expiresIn = lifetime;
    expect(await codeOf(token())).toEqual(['lookup_unexpected', 200]);
  },
);

describe('credentials that are refused', () => {
  test.each([400, 401])('with %i are read again, because they may have been rotated', async (status) => {
    expect(await token()).toBe('token-1');
    refusal = status;
    inForce = 'new';
    publish('new');
    at(3_539);
    // The secret is cached for five minutes: another login has just asked for it.
    expect(await token()).toBe('token-2');
    server.requests.length = 0;
    inForce = 'newer';
    publish('newer');
    expect(await token({ scope: 'write' })).toBe('token-3');
    expect(server.requests).toHaveLength(2);
  });

  test('with 403 are told after a single request', async () => {
    refusal = 403;
    inForce = 'another';
    expect(await codeOf(token())).toEqual(['lookup_status', 403]);
    expect(server.requests).toHaveLength(1);
  });

  test('where the secret is not of a client, none is sent', async () => {
    expect(await codeOf(token({ secretId: 'broken' }))).toEqual(['secret_unusable', undefined]);
    expect(server.requests).toEqual([]);
  });
});
