/** Bodies that are too long, and what every response says to browsers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Studio, startStudio } from '../support/studio.ts';
import { CHANGES, DETAIL, MAX_BYTES, PASTE, type Sender, START_TIMEOUT_MS, senderTo } from './hostile.ts';
import type { RawResponse } from './rawRequest.ts';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

let studio: Studio;
let send: Sender['send'];
let sendOwn: Sender['sendOwn'];
beforeAll(async () => {
  studio = await startStudio();
  ({ send, sendOwn } = senderTo(studio));
  await studio.ready();
}, START_TIMEOUT_MS);
afterAll(() => studio?.close());

test.each([
  ['of a known length', false],
  ['of no known length', true],
])('a body of more than 10 MB is refused: %s', async (_, isChunked) => {
  const body = Buffer.alloc(MAX_BYTES + 1, 'a');
  for (const path of [PASTE, `${DETAIL}/ask`]) {
    const response = await sendOwn(path, { method: 'POST', body, isChunked });
    expect(response.status).toBe(413);
    expect(JSON.parse(response.body)).toEqual({ message: expect.any(String) });
  }
});

describe('every response is kept to oneself', () => {
  const responses: [string, () => Promise<RawResponse>, number][] = [
    ['the shell', () => send('/'), 200],
    ['the script', () => send('/studio.js'), 200],
    ['the styles', () => send('/studio.css'), 200],
    ['a login', () => sendOwn(DETAIL), 200],
    ['the changes', () => sendOwn(CHANGES), 200],
    ['no such file', () => send('/nothing'), 404],
    ['no such login', () => sendOwn('/api/logins/nothing'), 404],
    ['no token', () => send(DETAIL), 401],
    ['another name', () => send('/', { headers: { host: 'evil.example' } }), 421],
    ['too long', () => sendOwn(PASTE, { method: 'POST', body: Buffer.alloc(MAX_BYTES + 1) }), 413],
  ];

  test.each(responses)('%s', async (_, sent, status) => {
    const { headers, status: received } = await sent();
    expect(received).toBe(status);
    expect(headers).toMatchObject(HEADERS);
    const told = /^(access-control-|set-cookie|server$|x-powered-by$|etag$|last-modified$)/;
    expect(Object.keys(headers).filter((name) => told.test(name))).toEqual([]);
  });

  test('the shell and its files have nothing of a login', async () => {
    for (const path of ['/', '/studio.js', '/studio.css']) {
      const { body } = await send(path);
      expect(body).not.toContain(studio.token);
      expect(body).not.toContain('Lovelace');
    }
  });
});

test('after all of this, it answers, and printed nothing of it', async () => {
  expect((await sendOwn(DETAIL)).status).toBe(200);
  expect(studio.command.stderr()).toBe('');
});
