/** What becomes of the requests and responses of other systems, and of groups. */
import { describe, expect, test } from '@jest/globals';
import {
  answering,
  claimsOf,
  eventOf,
  exchange,
  plan,
  Requested,
  type Respond,
  seeded,
  writtenText,
} from './answering.ts';

const ADA = { email: 'adaq@quxen.org', given_name: 'Adaq', family_name: 'Lovelaqe' };
const ALLOWED = { type: 'AuthorizedUserResponse' };

/** Asks for these in order, and answers when it has them. */
const asking =
  (requests: (claims: Record<string, string>) => string[]): Respond =>
  (event, outside) => {
    const missing = requests(claimsOf(event)).find((one) => !outside.some(({ request }) => request === one));
    return missing === undefined ? ALLOWED : new Requested(missing);
  };

describe('a recorded request', () => {
  test('becomes the one that the handler sends for the kept event', async () => {
    const respond = asking(({ given_name, family_name }) => [
      `GET https://x.org/by-name/${family_name}?initial=${given_name?.[0]}`,
      `GET https://x.org/first/${given_name}`,
    ]);
    const exchanges = [
      exchange('GET https://x.org/first/Adaq', { name: 'Adaq' }),
      exchange('GET https://x.org/by-name/Lovelaqe?initial=A', { name: 'Lovelaqe' }),
    ];
    const kept = await plan(eventOf(ADA), { respond, exchanges });
    const { given_name = '', family_name = '' } = claimsOf(kept.event);
    expect(kept.blockers).toEqual([]);
    expect(kept.outside).toEqual([
      exchange(`GET https://x.org/first/${given_name}`, { name: given_name }),
      exchange(`GET https://x.org/by-name/${family_name}?initial=${given_name[0]}`, { name: family_name }),
    ]);
  });

  test.each([
    ['of another host', exchange('PUT https://y.org/first/Adaq')],
    ['of another method', exchange('POST https://x.org/first/Adaq')],
  ])('%s is not taken for it', async (_, other) => {
    const asked = 'PUT https://x.org/first/kept';
    const respond: Respond = (event, outside) => {
      const isRecorded = outside.some(({ request }) => request === asked);
      return isRecorded || claimsOf(event).given_name === 'Adaq' ? ALLOWED : new Requested(asked);
    };
    const { blockers } = await plan(eventOf(ADA), { respond, exchanges: [other] });
    expect(blockers).toContain(
      'The handler asks x.org for something that is not recorded for the kept event.',
    );
  });

  test('with another body is not recorded: the digest of the recorded one would tell it', async () => {
    const request = 'POST https://x.org/search';
    let asked = 0;
    const respond: Respond = (event) => {
      asked += 1;
      return claimsOf(event).given_name === 'Adaq' ? ALLOWED : new Requested(request);
    };
    const exchanges = [exchange(request, {}, { body_sha256: 'x' }), exchange('POST https://x.org/other')];
    const { blockers } = await plan(eventOf(ADA), { respond, exchanges });
    expect(asked).toBe(2);
    expect(blockers[0]).toBe('The handler asks x.org for something that is not recorded for the kept event.');
  });

  test('that is asked again and again takes each recorded one once', async () => {
    let asked = 0;
    const respond: Respond = (event) => {
      if (claimsOf(event).given_name === 'Adaq') return ALLOWED;
      asked += 1;
      return new Requested(`GET https://x.org/${asked}`);
    };
    const exchanges = [exchange('GET https://x.org/a'), exchange('GET https://x.org/b')];
    const { blockers } = await plan(eventOf(ADA), { respond, exchanges });
    expect(asked).toBe(3);
    expect(blockers[0]).toContain('not recorded for the kept event');
  });
});

describe('a recorded response', () => {
  test('is left out where the handler does not ask for it', async () => {
    const { invoke, ...engineOf } = answering(() => ALLOWED);
    const engine: Parameters<typeof plan>[1] = {
      engine: {
        ...engineOf,
        invoke: async (invocation) => {
          const answered = await invoke(invocation);
          return { ...answered, requests: { ...answered.requests, used: [1] } };
        },
      },
    };
    const exchanges = ['a', 'b', 'c'].map((letter) => exchange(`GET https://x.org/${letter}`));
    const kept = await plan(eventOf(ADA), { ...engine, exchanges });
    expect(kept.outside).toEqual([exchange('GET https://x.org/b')]);
  });

  test('keeps the fields of standards, its status and type, and the hosts of links that the handler asks', async () => {
    const respond = asking(() => ['GET https://X.org:8443/all']);
    const json = {
      ...{
        issuer: 'https://idp.example.org',
        value: [{ id: 'ada', mail: 'adaq@quxen.org', department: 'Analysis' }],
      },
      ...{ '@odata.nextLink': 'https://x.org:8443/next/page?of=ada', 'ada lovelaqe': true },
    };
    const more = {
      status: 206,
      headers: { 'content-type': 'application/json', location: 'https://z.org/Adaq' },
    };
    const exchanges = [
      exchange('GET https://X.org:8443/all', json, more),
      exchange('GET https://X.org:8443/text'),
    ];
    Object.assign(exchanges[1] ?? {}, {
      json: undefined,
      text: 'Adaq',
      headers: { 'content-type': 'ada/lovelaqe' },
    });
    const kept = await plan(eventOf(ADA), { respond, exchanges });
    expect(kept.blockers).toEqual([]);
    const [first, second] = kept.outside ?? [];
    const name = expect.stringMatching(/^[A-Z][a-z]{7}$/);
    expect(first).toEqual({
      request: 'GET https://X.org:8443/all',
      status: 206,
      headers: {
        'content-type': 'application/json',
        location: expect.stringMatching(/^https:\/\/\w{8}\.example\/\w{8}$/),
      },
      json: expect.objectContaining({
        issuer: 'https://idp.example.org',
        value: [expect.objectContaining({ id: name, mail: claimsOf(kept.event).email })],
        '@odata.nextLink': expect.stringMatching(/^https:\/\/x\.org:8443\/\w{8}\/\w{8}\?\w{8}=\w{8}$/),
      }),
    });
    expect(second).toEqual({
      request: 'GET https://X.org:8443/text',
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^\w{24}$/) },
      text: claimsOf(kept.event).given_name,
    });
    expect(writtenText(kept)).not.toMatch(/analysis|department|lovelaqe|adaq/i);
  });
});

describe('of a login, it is told', () => {
  const login = { idToken: { iss: 'https://x.org', iat: 1_795_255_200, otherClaims: {} as object } };
  const planOf = (otherClaims: object, options: Parameters<typeof plan>[1] = {}) =>
    plan({ idToken: { ...login.idToken, otherClaims } }, { respond: () => ALLOWED, ...options });

  test('what stays, and what may be allowed, each once; times and requests may not', async () => {
    const claims = { email: 'ada@y.org', groups: ['z', 'z', ''], sub: 'x y', n: 7, 'k k': true };
    const exchanges = [exchange('GET https://y.org/z', null)];
    const { kept, replaced } = await planOf(claims, { exchanges });
    const claim = (text: string) => ({
      path: 'idToken.otherClaims.*',
      text,
      why: 'the name of a claim',
      isStandard: true,
    });
    expect(kept).toEqual([
      { path: 'idToken.iss', text: 'https://x.org', why: 'the issuer', isStandard: false },
      ...['email', 'groups', 'sub'].map(claim),
      { path: 'outside[].request', text: 'y.org', why: 'a system that the handler asks', isStandard: false },
      {
        path: 'outside[].headers.content-type',
        text: 'application/json',
        why: 'the type of a response',
        isStandard: true,
      },
    ]);
    expect(replaced).toEqual([
      { path: 'idToken.otherClaims.email', text: 'ada' },
      { path: 'idToken.otherClaims.email', text: 'y.org' },
      { path: 'idToken.otherClaims.groups[]', text: 'z' },
      { path: 'idToken.otherClaims.sub', text: 'x y' },
      { path: 'idToken.otherClaims.*', text: 'n' },
      { path: 'idToken.otherClaims.*', text: '7' },
      { path: 'idToken.otherClaims.*', text: 'k k' },
    ]);
  });

  test('that a pseudonym with the person in it is made again', async () => {
    const zeros = Array.from({ length: 9 }, () => 0);
    const rest = seeded(3);
    const kept = await planOf({ name: 'Babab' }, { random: (below) => zeros.shift() ?? rest(below) });
    expect(kept.blockers).toEqual([]);
    expect(claimsOf(kept.event).name).not.toMatch(/^Babab/);
  });

  test.each([
    ['adaq@quxen.org', 'quxen', true],
    ['adaq@quxen.org', 'adaq', false],
    [' quxen ', 'quxen', false],
    ['true', 'true', true],
    ['https://quxen.org', 'quxen', true],
  ])('whether, beside %j, a sample may be called %s: %s', async (nickname, name, mayBe) => {
    const { blockers } = await planOf({ nickname }, { name });
    expect(blockers).toHaveLength(mayBe ? 0 : 1);
  });

  test('that times are of the login, whenever it was', async () => {
    const event = eventOf({}, { iat: 1_577_880_000, exp: 1_577_883_600 });
    const { iat, exp } = ((await plan(event)).event as typeof event).idToken;
    expect(exp - iat).toBe(3_600);
    expect(iat).toBeLessThan(1_577_880_000);
  });

  test('that numbers stay which say nothing', async () => {
    const event = eventOf({ acct: 1, count: 7 });
    const kept = (await plan(event)).event as typeof event;
    expect([kept.expiresIn, claimsOf(kept).acct]).toEqual([3_600, 1]);
    expect(Object.values(claimsOf(kept))).not.toContain(7);
  });

  test('where a pseudonym has the person in it, with a star for a key that is replaced', async () => {
    const { blockers } = await planOf({ 'k k': { nickname: 'g0'.repeat(12) } }, { random: () => 0 });
    expect(blockers).toEqual([expect.stringContaining('is in idToken.otherClaims.*.nickname: try')]);
  });

  test('that times of the login move to digits of the person by chance, and that is nothing', async () => {
    const first = [0];
    const rest = seeded(4);
    const { blockers } = await planOf(
      { nickname: '1795' },
      { random: (below) => first.shift() ?? rest(below) },
    );
    expect(blockers).toEqual([]);
  });

  test('where the kept event has a moment of the original', async () => {
    const iat = 1_795_255_200;
    // No time moves: what is random is the whole span, backwards.
    const { blockers } = await planOf({ nbf: iat }, { random: () => -86_400 });
    expect(blockers).toEqual([
      'A text of the person is in idToken.iat, idToken.otherClaims.nbf: try again, or tick it if it may stay.',
    ]);
  });
});

describe('groups that the handler takes from the event', () => {
  const [ONE, TWO] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'];

  test.each([1, 2, 3, 4, 5, 6])('are the same ones, in any order of their pseudonyms: %i', async (seed) => {
    const respond: Respond = (event) => {
      const all = [claimsOf(event).groups].flat();
      return { ...ALLOWED, user_group_uuids: claimsOf(event).given_name === 'Adaq' ? all : all.toReversed() };
    };
    const kept = await plan(eventOf({ ...ADA, groups: [ONE, TWO] }), { respond, random: seeded(seed) });
    expect(kept.blockers).toEqual([]);
    expect(kept.expected?.answer.user_group_uuids).not.toContain(ONE);
  });
});

test('words that the handler writes for everybody may be those of a claim, unless they are the whole of it', async () => {
  const saying =
    (words: string): Respond =>
    (event) => ({ type: 'F', message: `${words} Not ${claimsOf(event).given_name}/x` });
  const claims = { ...ADA, nickname: 'members of quxen' };
  const kept = await plan(eventOf(claims), { respond: saying('Only members may?') });
  expect(kept.blockers).toEqual([]);
  const { blockers } = await plan(eventOf(claims), { respond: saying('Only Lovelaqe may?') });
  expect(blockers).toEqual([expect.stringContaining('A text of the person is in response.message')]);
});
