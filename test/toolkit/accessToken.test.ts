/** Access tokens by client credentials, from a server that grants another one each time. */
import { afterEach, expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { withProbe } from '../support/probe.ts';
import { httpsServer, type LocalServer, sendJson } from '../support/servers.ts';

let server: LocalServer & { ca: string };
afterEach(() => server.close());

async function granting(expires_in: unknown) {
  let grants = 0;
  server = await httpsServer((_, response) => {
    grants += 1;
    sendJson(response, { access_token: `token-${grants}`, token_type: 'Bearer', expires_in });
  });
  return {
    PROBE_URL: server.url,
    NODE_EXTRA_CA_CERTS: await customHandler(server.ca, '.pem'),
    SECRETS_FILE: await customHandler('{"client":{"client_id":"a","client_secret":"b"}}', '.json'),
  };
}

const REFRESH = { options: { refresh: true } };

test.each([
  [3_599, ['token-1', 'token-1', 'token-2', 'token-2', 'token-2']],
  ['3599', ['token-1', 'token-1', 'token-2', 'token-2', 'token-2']],
  [undefined, ['token-1', 'token-2', 'token-3', 'token-4', 'token-5']],
  [30, ['token-1', 'token-2', 'token-3', 'token-4', 'token-5']],
])(
  'one that lives %p seconds is cached, and asked for again where it was refused, not too often',
  async (expiresIn, tokens) => {
    await withProbe(await granting(expiresIn), async ({ ask }) => {
      const asked = [];
      for (const more of [{}, {}, REFRESH, REFRESH, {}]) {
        asked.push((await ask({ op: 'accessToken', id: 'client', ...more })).message);
      }
      expect(asked.map((message) => message.match(/token-\d/)?.[0])).toEqual(tokens);
    });
  },
);

test('a lifetime that cannot be read is refused', async () => {
  await withProbe(await granting('soon'), async ({ ask }) => {
    expect((await ask({ op: 'accessToken', id: 'client' })).result).toMatchObject({
      code: 'lookup_unexpected',
    });
  });
});
