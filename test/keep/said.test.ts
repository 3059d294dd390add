/** What a login says: in its texts and in recorded responses, but not in URLs and names of fields. */
import { describe, expect, test } from '@jest/globals';
import { isSaid, saidIn } from '../../tools/keep/said.ts';
import type { Exchange } from '../../tools/local/process/local.ts';

const saidByClaims = (...values: unknown[]) =>
  saidIn({ event: { idToken: { otherClaims: { values } } }, exchanges: [] });

test.each<[string, unknown, string[], string[]]>([
  ['a text', 'Ada King', ['Ada King'], ['ada', 'king']],
  ['a text with white space around it', ' Ada ', ['Ada'], ['ada']],
  ['a number', 4711, ['4711'], ['4711']],
  ['a word of two characters', 'Bo Li Eva', ['Bo Li Eva'], ['eva']],
  ['a word with two spellings', 'Müller', ['Müller'], ['muller', 'mueller']],
  ['a URL', 'https://x.example/ada', [], []],
  ['a URL with white space before it', ' https://x.example/ada', [], []],
  ['a URL in capitals', 'HTTPS://x.example/ada', [], []],
  ['a URL with a scheme of few letters', 'a+b.1-c://ada', [], []],
  [
    'a URL inside a text',
    'ada (https://x.example)',
    ['ada (https://x.example)'],
    ['ada', 'https', 'example'],
  ],
  ['what only looks like a URL', '1://ada', ['1://ada'], ['ada']],
  ['a domain', 'ada.example', ['ada.example'], ['ada', 'example']],
])('of %s', (_, value, texts, words) => {
  const said = saidByClaims(value);
  expect([...said.texts]).toEqual(texts);
  expect([...said.words]).toEqual(words);
});

test('by a name ID and a recorded response, but by no name, request, token or issuer', () => {
  const exchange = {
    request: 'GET https://x.example/requested',
    status: 200,
    headers: { 'content-type': 'application/json', location: 'located' },
    json: { named: ['answered'] },
  } as Exchange;
  const event = {
    assertion: {
      assertionIssuer: 'issued',
      assertionSubject: { subjectNameID: { nameIDValue: 'identified' } },
    },
    idToken: { otherClaims: { claimed: 'valued' } },
    accessToken: 'accessed',
  };
  const { texts } = saidIn({
    event,
    exchanges: [exchange, { ...exchange, json: undefined, text: 'written' }],
  });
  expect([...texts]).toEqual(['identified', 'valued', 'located', 'answered', 'written']);
});

describe('a name is said', () => {
  const said = saidByClaims('Ada King', 'Mueller', 'Bo');

  test.each([
    ['ada', true],
    ['ADA_orders', true],
    ['orders/king', true],
    ['adaOrders', false],
    ['Müller', true],
    ['bo', false],
    ['', false],
  ])('%p: %p', (name, isThere) => {
    expect(isSaid(name, said)).toBe(isThere);
  });
});
