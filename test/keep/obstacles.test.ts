/** What stands in the way of a proof, in sentences: which texts a handler looks at, where they are, and none of them. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fitted } from '../../tools/keep/fitting.ts';
import { obstacles } from '../../tools/keep/obstacles.ts';
import { type Ask, differingFields } from '../../tools/keep/proof.ts';
import { Substitution } from '../../tools/keep/substitution.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import {
  ADA,
  asking,
  claimsOf,
  type Event,
  eventOf,
  exchange,
  knownOf,
  Requested,
  type Respond,
} from './answering.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The sentences, and how often the handler is asked for them. */
async function said(event: Event, respond: Respond, exchanges: Exchange[] = []) {
  let asks = 0;
  const ask: Ask = (...args) => {
    asks += 1;
    return asking(respond)(...args);
  };
  const before = await ask(event, exchanges);
  const substitution = new Substitution({ event, exchanges }, knownOf(event));
  const fit = await fitted(substitution.event, substitution.exchanges, ask);
  const fields = differingFields(before, fit.after, substitution);
  asks = 0;
  return { sentences: await obstacles({ fields, before, substitution, fit, ask }), asks };
}

const LOOKS = 'because the handler looks at';
const ONLY = 'Only texts that a mapping names can stay.';
const NO_SINGLE =
  'and no single text explains it: the handler compares replaced texts with each other, or with texts of its own.';
const isAda = (event: Parameters<Respond>[0]) => claimsOf(event).given_name === 'Adaq';
const isLovelaqe = (event: Parameters<Respond>[0]) => claimsOf(event).family_name === 'Lovelaqe';

test.each<[string, Respond, string[]]>([
  [
    'a text that the handler compares',
    (event) => ({ type: isAda(event) ? 'Authorized' : 'Forbidden' }),
    [
      `The kept event would be answered with another type, ${LOOKS} idToken.otherClaims.given_name, which is replaced. ${ONLY}`,
    ],
  ],
  [
    'several of them, that count each for itself',
    (event) => ({ first_name: isAda(event) || isLovelaqe(event) ? 'Authorized' : 'Forbidden' }),
    [
      `The kept event would be answered with another first_name, ${LOOKS} idToken.otherClaims.given_name, idToken.otherClaims.family_name, which are replaced. ${ONLY}`,
    ],
  ],
  [
    'texts that the handler compares with each other',
    (event) => ({ a: isAda(event) && isLovelaqe(event) }),
    [`The kept event would be answered with another a, ${NO_SINGLE}`],
  ],
  [
    'several fields, of which each has a text of its own',
    (event) => ({ a: isAda(event), b: isLovelaqe(event) }),
    ['a', 'b'].map(
      (field) =>
        `The kept event would be answered with another ${field}, ${LOOKS} idToken.otherClaims.given_name, idToken.otherClaims.family_name, which are replaced. ${ONLY}`,
    ),
  ],
  [
    'another type, and with it other fields',
    (event) => (isAda(event) ? { type: 'Authorized', email: 'a' } : { type: 'Forbidden', message: 'b' }),
    [
      `The kept event would be answered with another type, ${LOOKS} idToken.otherClaims.given_name, which is replaced. ${ONLY}`,
    ],
  ],
  [
    'no response',
    (event) => (isAda(event) ? {} : null),
    ['The function does not answer the stand-in (exited). Please try again.'],
  ],
])('%s', async (_, respond, expected) => {
  const { sentences } = await said(eventOf(ADA), respond);
  expect(sentences).toEqual(expected);
});

test('nothing, for which nobody is asked', async () => {
  expect(await said(eventOf(ADA), () => ({ type: 'Authorized' }))).toEqual({ sentences: [], asks: 0 });
});

test('a text in a list, in which others are', async () => {
  const { sentences } = await said(eventOf({ groups: ['Adaq', 'Kinq'] }), (event) => ({
    a: claimsOf(event).groups?.[1] === 'Kinq',
  }));
  expect(sentences).toEqual([expect.stringContaining(`${LOOKS} idToken.otherClaims.groups[1], which is`)]);
});

test.each([
  ['a recorded response', /looks at outside\[0\]\.json\.[\w-]+\.nickname, which is replaced/],
  ['a token', /looks at idTokenJwt\.payload\.[\w-]+\.nickname, which is replaced/],
])('a name in %s is shown as its stand-in where it is data', async (place, where) => {
  const data = { 'xq-7711': { nickname: 'Qinetiqs' } };
  const isToken = place === 'a token';
  const json = isToken ? {} : data;
  const exchanges = [exchange('GET https://x.example/all', json)];
  const event = eventOf(ADA);
  if (isToken) event.idTokenJwt = `${base64url({ alg: 'none' })}.${base64url(data)}.AAAA`;
  const respond: Respond = ({ id_token_jwt, id_token: { sub } }, outside) => {
    const [, payload = ''] = id_token_jwt.split('.');
    const read = isToken ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : outside[0]?.json;
    return { type: read[sub]?.nickname === 'Qinetiqs' ? 'Authorized' : 'Forbidden' };
  };
  const { sentences } = await said(event, respond, exchanges);
  expect(sentences).toEqual([expect.stringMatching(where)]);
  expect(sentences.join()).not.toMatch(/xq|7711/);
});

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a request', () => {
  test('that is not recorded', async () => {
    const respond: Respond = (event, outside) => {
      const isRecorded = outside.length > 0 && isAda(event);
      return isRecorded ? { type: 'Authorized' } : new Requested('GET https://y.example/other');
    };
    const exchanges = [exchange('GET https://x.example/people/adaq')];
    const { sentences } = await said(eventOf(ADA), respond, exchanges);
    const because = `${LOOKS} idToken.otherClaims.given_name, which is replaced. ${ONLY}`;
    expect(sentences).toEqual([
      `The kept event would be answered with another type, ${because}`,
      `The handler asks https://y.example something that is not recorded for the stand-in, ${because}`,
    ]);
  });

  test('that fits the stand-in is answered while a text is looked for', async () => {
    const respond: Respond = (event, outside) => {
      // In an order that nobody could guess.
      const request = `GET https://x.example/${event.id_token.aud[0]?.split('').reverse().join('')}`;
      if (!outside.some((one) => one.request === request)) return new Requested(request);
      return { a: isAda(event) };
    };
    const { sentences } = await said(eventOf(ADA), respond, [exchange('GET https://x.example/1-tneilc')]);
    expect(sentences).toEqual([expect.stringContaining(`${LOOKS} idToken.otherClaims.given_name, which is`)]);
  });
});

describe('of many texts', () => {
  test('five are named', async () => {
    const groups = Array.from('abcdefg', (letter) => `kinq${letter}`);
    const respond: Respond = (event) => ({
      a: groups.some((name) => claimsOf(event).groups?.includes(name)),
    });
    const { sentences } = await said(eventOf({ groups }), respond);
    const named = [0, 1, 2, 3, 4].map((index) => `idToken.otherClaims.groups[${index}]`).join(', ');
    expect(sentences).toEqual([expect.stringContaining(`${LOOKS} ${named}, which are replaced.`)]);
  });

  test.each([
    [0, 300],
    [500, 11],
    [501, 10],
  ])('three hundred are tried, for five seconds: where each takes %i ms, %i', async (ms, count) => {
    let now = 10_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const event = eventOf(ADA);
    const times = Array.from({ length: 300 }, (_, index) => event.idToken.iat - index);
    event.idToken.otherClaims = { ...ADA, times };
    const respond: Respond = (one) => {
      now += ms;
      return { a: isAda(one) && isLovelaqe(one) };
    };
    expect(await said(event, respond)).toMatchObject({ asks: count });
  });
});
