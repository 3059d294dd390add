/** Stand-ins of whole logins: proven by how a handler answers them, and made again where chance spoils them. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { provenSubstitution } from '../../tools/keep/proven.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { openIdEvent } from '../support/wire.ts';
import {
  ADA,
  asking,
  byDefault,
  claimsOf,
  type Event,
  eventOf,
  exchange,
  knownOf,
  Requested,
  type Respond,
} from './answering.ts';
import { COLLIDING, MET } from './collision.ts';

async function kept(
  event: Event,
  respond: Respond,
  mapping: Mapping | null = null,
  exchanges: Exchange[] = [],
) {
  const ask = asking(respond);
  const before = await ask(event, exchanges);
  const made = await provenSubstitution({ event, exchanges }, before, knownOf(event, mapping), ask);
  return { ...made, claims: (made.event as Event).idToken.otherClaims };
}

describe('a login', () => {
  test('has no text of the original, and is answered alike', async () => {
    const { event, claims, problems, after, isNamed } = await kept(eventOf(ADA), byDefault);
    expect(problems).toEqual([]);
    expect(JSON.stringify(event)).not.toMatch(/adaq|quxen|lovelaqe|7711|client-1|access-token-1/i);
    expect(after.response).toMatchObject({ first_name: claims.given_name, email: claims.email });
    expect(isNamed('adaq-login')).toBe(true);
    expect(isNamed('ad-aq')).toBe(true);
    expect(isNamed('other')).toBe(false);
  });

  test('keeps what a standard or the mapping names, each with its reason', async () => {
    const mapping: Mapping = { groups: { from: ['teams'], table: [] }, rules: [{ any_group: ['staffq'] }] };
    const event = eventOf({ ...ADA, teams: ['staffq', 'otherq'], email_verified: true });
    const { claims, stays, problems } = await kept(
      event,
      (one) => ({ ...mapOpenIdLogin(mapping)(one) }),
      mapping,
    );
    expect(problems).toEqual([]);
    expect(claims.teams).toEqual(['staffq', expect.not.stringMatching(/otherq/)]);
    expect(claims.email_verified).toBe(true);
    expect(stays).toEqual(
      expect.arrayContaining([
        { text: 'https://idp.example.org', why: 'the issuer', isPart: false },
        { text: 'given_name', why: 'the name of a claim, out of a standard or the mapping', isPart: false },
        { text: 'staffq', why: 'a group that the mapping names', isPart: true },
        { text: '3600', why: 'the lifetime of the access token, in seconds', isPart: false },
        { text: 'Bearer', why: 'the type of the token', isPart: false },
      ]),
    );
    expect(stays.map(({ text }) => text)).not.toContain('otherq');
  });

  test('has times that agree with each other', async () => {
    const { iat, exp } = openIdEvent().idToken;
    const old = { auth_time: iat - 5, updated_at: iat - 9_000_000, born: 19_151_210, flag: 1, zero: 0 };
    const { claims, event, problems } = await kept(eventOf({ ...ADA, ...old }), byDefault);
    const moved = (event as Event).idToken;
    const shift = iat - moved.iat;
    expect(problems).toEqual([]);
    expect(shift).toBeGreaterThanOrEqual(86_400);
    expect(moved.exp).toBe(exp - shift);
    expect(claims.auth_time).toBe(old.auth_time - shift);
    expect(claims.updated_at).not.toBe(old.updated_at - shift);
    expect(claims.updated_at).toBeLessThan(moved.iat);
    expect(Object.values(claims)).not.toContain(old.born);
    expect(Object.values(claims)).toEqual(expect.arrayContaining([0, 1]));
  });

  test('may have a name that the function cuts, or from which it takes what cannot be shown', async () => {
    for (const given_name of [`Adaq ${'Lovelaqe '.repeat(40)}x`, 'Ad\u0007aq Kinq\u202e']) {
      const shortened = (event: Parameters<Respond>[0]) => {
        const { given_name: name } = event.id_token.other_claims as { given_name: string };
        return {
          first_name: name.replaceAll('\u0007', '').replaceAll('\u202e', '').slice(0, 200).trim(),
        };
      };
      const { problems } = await kept(eventOf({ ...ADA, given_name }), shortened);
      expect(problems).toEqual([]);
    }
  });
});

describe('what stands in the way is said:', () => {
  test.each([
    [1, []],
    [5, []],
    [7, ['Texts of the original occur in 2 more places.']],
  ])('texts of the original in %i places of the response', async (count, more) => {
    const items = Array.from({ length: count }, () => ({ x: 'Lovelaqe' }));
    const { problems } = await kept(eventOf(ADA), () => ({ message: items }));
    const named = Array.from({ length: Math.min(count, 5) }, (_, index) => `answer.message[${index}].*`);
    expect(problems).toEqual([...named.map((path) => `A text of the original occurs in ${path}.`), ...more]);
  });
});

describe('stand-ins are made', () => {
  /** How often, and what stands in the way of the last. */
  async function tries(claims: Record<string, unknown>, respond: Respond) {
    const tokens = new Set<string>();
    const { problems } = await kept(eventOf(claims), (event, outside) => {
      tokens.add(event.access_token);
      return respond(event, outside);
    });
    return [tokens.size - 1, problems.length];
  }
  const anybody: Respond = () => ({ type: 'Authorized' });
  const onlyAda: Respond = (event) => ({ name: claimsOf(event).given_name === 'Adaq' ? 'Authorized' : 'No' });

  test.each<[string, Record<string, unknown>, Respond, number, number]>([
    ['once where they are proven', ADA, anybody, 1, 0],
    ['five times where the response is another one', ADA, onlyAda, 5, 1],
    ['five times where a text of the original occurs', ADA, () => ({ a: [{ x: 'Lovelaqe' }] }), 5, 1],
    ['three times where words always collide', { nickname: COLLIDING, words: MET.join(' ') }, anybody, 3, 0],
    [
      'five times where words always collide, and the response is another one',
      { ...ADA, nickname: COLLIDING, words: MET.join(' ') },
      onlyAda,
      5,
      1,
    ],
  ])('%s', async (_, claims, respond, count, problems) => {
    expect(await tries(claims, respond)).toEqual([count, problems]);
  });

  test('until they are proven', async () => {
    const seen = new Set<string>();
    const luckyAtThird: Respond = (event) => {
      seen.add(event.access_token);
      return { type: [1, 4].includes(seen.size) ? 'Authorized' : 'Forbidden' };
    };
    expect(await tries(ADA, luckyAtThird)).toEqual([3, 0]);
  });

  describe('for three seconds', () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    test.each([
      [1_400, 3],
      [1_500, 3],
      [1_501, 2],
      [3_001, 1],
    ])('where each takes %i ms, %i times', async (ms, count) => {
      let now = 10_000;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
      const slow: Respond = (...args) => {
        now += ms;
        return onlyAda(...args);
      };
      expect(await tries(ADA, slow)).toEqual([count, 1]);
    });
  });
});

test('of recorded responses, requests are those that the handler makes for the stand-in', async () => {
  const json = { mail: 'adaq@quxen.example', department: 'Qinetiqs', 'xq-7711': true };
  const exchanges = [
    exchange('GET https://x.example/people/xq-7711', json),
    { request: 'GET https://x.example/never', status: 200, headers: {}, text: 'Lovelaqe' },
  ];
  const respond: Respond = (event, outside) => {
    const request = `GET https://x.example/people/${event.id_token.sub}`;
    const found = outside.find((one) => one.request === request);
    return found ? { email: (found.json as { mail: string }).mail } : new Requested(request);
  };
  const made = await kept(eventOf(ADA), respond, null, exchanges);
  expect(made.problems).toEqual([]);
  const sub = (made.event as Event).idToken.sub;
  const [first] = made.exchanges;
  expect(first?.request).toBe(`GET https://x.example/people/${sub}`);
  expect(first?.headers).toEqual({ 'content-type': 'application/json' });
  expect(Object.keys(first?.json as object)).toEqual(['mail', 'department', sub]);
  expect(JSON.stringify(made.exchanges)).not.toMatch(/adaq|quxen|lovelaqe|7711|qinetiq/i);
});
