/** Pastes that do harm elsewhere. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Studio, startStudio } from '../support/studio.ts';
import { DETAIL, MAX_BYTES, PASTE, type Sender, START_TIMEOUT_MS, senderTo } from './hostile.ts';

const DEPTH = 100_000;

let studio: Studio;
let sendOwn: Sender['sendOwn'];
beforeAll(async () => {
  studio = await startStudio();
  ({ sendOwn } = senderTo(studio));
  await studio.ready();
}, START_TIMEOUT_MS);
afterAll(() => studio?.close());

const deep = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH);

describe('a body', () => {
  test.each([
    ['of 10 MB that is no JSON', { body: Buffer.alloc(MAX_BYTES, 'a') }, 400],
    ['that is empty', { body: '' }, 400],
    ['that is no JSON', { body: 'text=a' }, 400],
    ['that is no UTF-8', { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }, 422],
    ['that is null', { body: 'null' }, 422],
    ['that is a text', { body: '"text"' }, 422],
    ['that is a list', { body: '[]' }, 422],
    ['without a text', { body: '{"form":"plain"}' }, 422],
    ['with another text than a text', { body: '{"text":{"a":1},"form":"plain"}' }, 422],
    ['with another form', { body: '{"text":"{}","form":"../plain"}' }, 422],
    ['of lists, nested 100,000 deep', { body: deep('[', ']') }, 422],
    ['of objects, nested 100,000 deep', { body: `${'{"text":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}` }, 422],
    [
      'that is a form',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      400,
    ],
  ])('%s is refused', async (_, request, status) => {
    const response = await sendOwn(PASTE, { method: 'POST', ...request });
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toEqual({ message: expect.stringMatching(/^.{10,300}$/) });
  });

  test.each([
    ['lists, nested 100,000 deep', deep('[', ']')],
    ['lists that never end', '['.repeat(DEPTH)],
    ['XML, nested 100,000 deep', `${'<a>'.repeat(DEPTH)}${'</a>'.repeat(DEPTH)}`],
    ['nothing', ''],
    ['binary', String.fromCharCode(...Array.from({ length: 1000 }, (_, index) => index))],
    ['a lone surrogate', '\ud800'],
  ])('with a paste of %s is answered', async (_, text) => {
    const response = await sendOwn(PASTE, { method: 'POST', body: JSON.stringify({ text, form: 'plain' }) });
    expect([200, 400]).toContain(response.status);
    if (response.status === 200) {
      expect(JSON.parse(response.body)).toEqual({ captures: [], problem: expect.any(String) });
    }
  });
});

test('after all of this, it answers, and printed nothing of it', async () => {
  expect((await sendOwn(DETAIL)).status).toBe(200);
  expect(studio.command.stderr()).toBe('');
});
