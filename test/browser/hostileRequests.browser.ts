/** What other programs of this machine, and names that are rebound to it, may ask the studio for. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Studio, startStudio } from '../support/studio.ts';
import {
  CHANGES,
  DETAIL,
  expectNothingIn,
  LOGIN,
  PASTE,
  type Sender,
  START_TIMEOUT_MS,
  senderTo,
} from './hostile.ts';
import type { RawRequest } from './rawRequest.ts';

/** A name that cannot be part of a URL is no request. */
const MISDIRECTED = [421, 400];

let studio: Studio;
let before: string[];
let send: Sender['send'];
let sendOwn: Sender['sendOwn'];
beforeAll(async () => {
  studio = await startStudio();
  ({ send, sendOwn } = senderTo(studio));
  await studio.ready();
  before = await names();
}, START_TIMEOUT_MS);
afterAll(() => studio?.close());

async function names(): Promise<string[]> {
  return (await studio.logins()).map(({ id }) => id);
}

describe('a name', () => {
  test.each(['localhost:PORT', '127.0.0.1:PORT'])('of this machine is served: %s', async (host) => {
    const { status } = await sendOwn(DETAIL, { headers: { host: withPort(host) } });
    expect(status).toBe(200);
  });

  test.each([
    ['rebound', 'evil.example:PORT'],
    ['rebound, without a port', 'evil.example'],
    ['without a port', 'localhost'],
    ['with another port', 'localhost:3999'],
    ['with a port that only begins alike', 'localhost:PORT0'],
    ['with a final dot', 'localhost.:PORT'],
    ['below another one', 'localhost.evil.example:PORT'],
    ['below localhost', 'evil.localhost:PORT'],
    ['with another one behind', 'localhost:PORT@evil.example'],
    ['with another one before', 'evil.example@localhost:PORT'],
    ['of all addresses', '0.0.0.0:PORT'],
    ['of this network', '127.1:PORT'],
    ['of this network, as a number', '2130706433:PORT'],
    ['of IPv6', '[::1]:PORT'],
    ['of IPv4 within IPv6', '[::ffff:127.0.0.1]:PORT'],
  ])('%s is refused, with the token too: %s', async (_, host) => {
    for (const path of [DETAIL, CHANGES, '/', '/studio.js']) {
      const response = await sendOwn(path, { headers: { host: withPort(host) } });
      expect([path, MISDIRECTED.includes(response.status)]).toEqual([path, true]);
      expectNothingIn(response);
    }
  });

  test('that is left out is refused', async () => {
    const response = await sendOwn(DETAIL, { headers: { host: undefined } });
    expect(response.status).toBe(400);
    expectNothingIn(response);
  });

  test('that a proxy forwards does not count', async () => {
    const forwarded = { 'x-forwarded-host': `localhost:${studio.ports.studio}`, host: 'evil.example' };
    expect((await sendOwn(DETAIL, { headers: forwarded })).status).toBe(421);
  });
});

function withPort(host: string): string {
  return host.replace('PORT', String(studio.ports.studio));
}

const TOKENS: [string, (token: string) => Partial<RawRequest> & { path?: string }][] = [
  ['left out', () => ({})],
  ['empty', () => ({ headers: { authorization: 'Bearer ' } })],
  ['guessed', (token) => bearer('A'.repeat(token.length))],
  ['cut', (token) => bearer(token.slice(0, -1))],
  ['longer', (token) => bearer(`${token}A`)],
  ['repeated', (token) => bearer(`${token},${token}`)],
  ['in another case', (token) => bearer(swapCase(token))],
  ['in an array', (token) => bearer(`["${token}"]`)],
  ['of another scheme', (token) => ({ headers: { authorization: `Basic ${token}` } })],
  ['without a scheme', (token) => ({ headers: { authorization: token } })],
  ['in a cookie', (token) => ({ headers: { cookie: `token=${token}; login-studio-token=${token}` } })],
  ['in a header of its own', (token) => ({ headers: { token, 'x-token': token } })],
  ['in the query', (token) => ({ path: `?token=${token}&access_token=${token}` })],
];

function bearer(token: string): Partial<RawRequest> {
  return { headers: { authorization: `Bearer ${token}` } };
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));
}

describe('a token', () => {
  test.each(TOKENS)('that is %s opens nothing', async (_, made) => {
    const { path: query = '', ...request } = made(studio.token);
    for (const path of [DETAIL, CHANGES, '/api/nothing', '/api/', '/api//changes', '/API/changes']) {
      const response = await send(path + query, request);
      expect([path, response.status]).toEqual([path, path.startsWith('/api/') ? 401 : 404]);
      expectNothingIn(response);
    }
    const posted = await send(PASTE + query, {
      ...request,
      method: 'POST',
      body: '{"text":"{}","form":"plain"}',
    });
    expect(posted.status).toBe(401);
  });

  test('opens what it is for', async () => {
    expect(JSON.parse((await sendOwn(DETAIL)).body)).toMatchObject({ id: LOGIN });
  });
});

test.each([
  '/api/logins/..%2f..%2fetc%2fpasswd',
  '/api/logins/..%2f..%2fpackage.json',
  '/api/logins/../../package.json',
  '/api/logins/%2e%2e/%2e%2e/package.json',
  '/api/logins/..%5c..%5cpackage.json',
  '/api/logins/%00',
  `/api/logins/${LOGIN}%00.json`,
  '/api/logins/%',
  '/api/logins/%c0%ae%c0%ae',
  '/api/logins/__proto__',
  '/api/logins/constructor',
  `/api/logins/${'a'.repeat(10_000)}`,
  '/api/compare/openidLoggedIn?with=..%2f..%2fpackage.json',
  '/api/compare/openidLoggedIn?with=__proto__',
  '/api/compare/..%2f..%2fpackage.json',
  '/../package.json',
  '/..%2fpackage.json',
  '/studio.js/../../api.ts',
  '/tools/studio/api.ts',
  '/studio.js.map',
  '//evil.example/',
  '/.env',
])('a path in place of an id names no file: %s', async (path) => {
  const response = await sendOwn(path);
  expect([400, 404]).toContain(response.status);
  expectNothingIn(response);
});

test.each([
  ['/api/logins/..%2fpackage.json/editor', undefined],
  ['/api/functions/..%2fpackage.json/editor', undefined],
  ['/api/functions/__proto__/editor', undefined],
  ['/api/logins/..%2fpackage.json/ask', undefined],
  ['/api/logins/..%2fpackage.json/keep', { name: 'x' }],
])('POST %s with %j does nothing', async (path, body) => {
  const response = await sendOwn(path, { method: 'POST', body: body && JSON.stringify(body) });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
});

test.each(['/api/coverage/..%2f..%2fpackage.json', '/api/coverage/__proto__'])(
  'a path in place of a function names none: %s',
  async (path) => {
    expect((await sendOwn(path)).body).toMatch(/^(\[\]|\{"message":.*\})$/);
  },
);

test.each(['../../x', 'a/b', '..\\x', 'x\u0000', '', '.hidden', 'CON', 'x.expected', 'a'.repeat(1_000)])(
  'a sample of the name %j is not written',
  async (name) => {
    const body = JSON.stringify({ name });
    const { status, body: answer } = await sendOwn(`${DETAIL}/keep`, { method: 'POST', body });
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toMatchObject({ id: null, blockers: [expect.any(String)] });
  },
);

describe('a method', () => {
  test.each(['TRACE', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST', 'PROPFIND'])(
    'that is not for it does nothing: %s',
    async (method) => {
      for (const path of ['/', '/studio.js', DETAIL, CHANGES]) {
        const response = await sendOwn(path, { method });
        expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
        expectNothingIn(response);
      }
    },
  );

  test('OPTIONS before another site asks: no header lets it', async () => {
    const asks = {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
      'access-control-request-private-network': 'true',
    };
    for (const path of ['/', DETAIL, PASTE, CHANGES]) {
      const { status, headers } = await send(path, { method: 'OPTIONS', headers: asks });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

test('after all of this, the list is as it was, and nothing was printed of it', async () => {
  expect(await names()).toEqual(before);
  expect(studio.command.stderr()).toBe('');
  expect(studio.command.stdout().split(studio.token)).toHaveLength(2);
});
