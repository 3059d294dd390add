/** What becomes of texts, requests, responses and times of a login. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  answering,
  claimsOf,
  eventOf,
  exchange,
  plan,
  type Respond,
  saying,
  seeded,
  writtenText,
} from './answering.ts';

const ADA = { email: 'ada@quxen.org', given_name: 'Adaq', family_name: 'Lovelace' };
const ALLOWED = { type: 'AuthorizedUserResponse' };
const isAda = (event: unknown) => claimsOf(event).given_name === 'Adaq';
const UNRECORDED = 'The handler asks x.org for something that is not recorded for the kept event.';

/** Asks for these in order, and answers when it has them. */
const asking =
  (requests: (claims: Record<string, string>) => string[]): Respond =>
  (event, outside) =>
    requests(claimsOf(event)).find((one) => !outside.some(({ request }) => request === one)) ?? ALLOWED;

describe('a recorded request', () => {
  test('becomes the one that the handler sends for the kept event', async () => {
    const byName = (claims: Record<string, string>) =>
      `GET https://x.org/by-name/${claims.family_name}?initial=${claims.given_name?.[0]}`;
    const first = (claims: Record<string, string>) => `GET https://x.org/first/${claims.given_name}`;
    const respond = asking((claims) => [byName(claims), first(claims)]);
    const recordedFor = (claims: Record<string, string>) => [
      exchange(first(claims), { name: claims.given_name }),
      exchange(byName(claims), { name: claims.family_name }),
    ];
    const kept = await plan(eventOf(ADA), { respond, exchanges: recordedFor(ADA) });
    expect(kept.blockers).toEqual([]);
    expect(kept.outside).toEqual(recordedFor(claimsOf(kept.event)));
  });

  const PUT = 'PUT https://x.org/first/kept';
  /** Asks the same for each event but the original, until that is recorded. */
  const once: Respond = (event, outside) =>
    isAda(event) || outside.some(({ request }) => request === PUT) ? ALLOWED : PUT;
  const always: Respond = (event) => (isAda(event) ? ALLOWED : PUT);
  let asked = 0;
  const another: Respond = (event) => (isAda(event) ? ALLOWED : `GET https://x.org/${asked}`);
  // The digest of the recorded body would tell it.
  const withBody = exchange(PUT, {}, { body_sha256: 'x' });

  test.each<[string, Respond, times: number, ReturnType<typeof exchange>[]]>([
    ['not of another host', once, 2, [exchange('PUT https://y.org/first/Adaq')]],
    ['not of another method', once, 2, [exchange('POST https://x.org/first/Adaq')]],
    ['not with another body', always, 2, [withBody, exchange('PUT https://x.org/other')]],
    ['once', another, 4, [exchange('GET https://x.org/a'), exchange('GET https://x.org/b')]],
  ])('is taken %s', async (_, respond, times, exchanges) => {
    asked = 0;
    const counting: Respond = (...all) => {
      asked += 1;
      return respond(...all);
    };
    const { blockers } = await plan(eventOf(ADA), { respond: counting, exchanges });
    expect([asked, blockers]).toEqual([times, [UNRECORDED]]);
  });
});

describe('a recorded response', () => {
  test('is left out where the handler does not ask for it', async () => {
    const requests = { recordings: [], missing: [], used: [1], secrets: [] };
    const engine = answering(() => ALLOWED, { requests });
    const exchanges = ['a', 'b', 'c'].map((letter) => exchange(`GET https://x.org/${letter}`));
    const kept = await plan(eventOf(ADA), { engine, exchanges });
    expect(kept.outside).toEqual([exchange('GET https://x.org/b')]);
  });

  test('keeps the fields of standards, its status and type, and the hosts of links that the handler asks', async () => {
    const request = 'GET https://X.org:8443/all';
    const respond = asking(() => [request]);
    const value = [{ id: 'ada', mail: ADA.email, department: 'Analysis' }];
    const links = { '@odata.nextLink': 'https://x.org:8443/next?of=ada', 'ada lovelace': true };
    const headers = { 'content-type': 'application/json', location: 'https://z.org/Adaq' };
    const { json: _, ...ofText } = exchange('GET https://X.org:8443/text', null, {
      text: 'Adaq',
      headers: { 'content-type': 'ada/lovelace' },
    });
    const exchanges = [exchange(request, { value, ...links }, { status: 206, headers }), ofText];
    const kept = await plan(eventOf(ADA), { respond, exchanges });
    expect(kept.blockers).toEqual([]);
    const name = expect.stringMatching(/^[A-Z][a-z]{7}$/);
    const [first, second] = kept.outside ?? [];
    expect(first).toEqual({
      ...{ request, status: 206 },
      headers: { ...headers, location: expect.stringMatching(/^https:\/\/\w{8}\.example\/\w{24}$/) },
      json: expect.objectContaining({
        value: [expect.objectContaining({ id: name, mail: claimsOf(kept.event).email })],
        '@odata.nextLink': expect.stringMatching(/^https:\/\/x\.org:8443\/\w{24}$/),
      }),
    });
    const type = expect.stringMatching(/^\w{24}$/);
    const text = claimsOf(kept.event).given_name;
    expect(second).toEqual({ ...ofText, headers: { 'content-type': type }, text });
    expect(writtenText(kept)).not.toMatch(/analysis|department|lovelace|adaq/i);
  });
});

test('what a handler computed from the person is in no request, no link and no response', async () => {
  const MD5 = createHash('md5').update(ADA.email).digest('hex');
  const PEOPLE = 'https://people.quxen.org/people';
  /** Asks for a page by initial and surname, and follows the link in it. */
  const directory: Respond = (event, outside) => {
    const { given_name = '', family_name = '' } = claimsOf(event);
    const first = `GET ${PEOPLE}/${(given_name.slice(0, 1) + family_name).toLowerCase()}`;
    const found = outside.find(({ request }) => request === first);
    if (!found) return first;
    const { '@odata.nextLink': link } = found.json as { '@odata.nextLink': string };
    const isFollowed = outside.some(({ request }) => request === `GET ${link}`);
    return isFollowed ? { ...ALLOWED, image_url: link } : `GET ${link}`;
  };
  const link = `${PEOPLE}/alovelace/groups`;
  const exchanges = [
    exchange(`GET ${PEOPLE}/alovelace`, { '@odata.nextLink': link, id: MD5 }),
    exchange(`GET ${link}`, { value: [`${PEOPLE}/alovelace/${MD5}`] }),
  ];
  const event = eventOf({ ...ADA, picture: `https://s.gravatar.com/avatar/${MD5}` });
  const kept = await plan(event, { respond: directory, exchanges });
  expect([kept.blockers, kept.outside?.length]).toEqual([[], 2]);
  expect(writtenText(kept)).not.toMatch(new RegExp(`lovelace|${MD5}`, 'i'));
});

const IAT = 1_795_255_200;
const planOf = (otherClaims: object, options: Parameters<typeof plan>[1] = {}) =>
  plan({ idToken: { iss: 'https://x.org', iat: IAT, otherClaims } }, { respond: () => ALLOWED, ...options });

test('it is told what stays, and what may be allowed, each once; times and requests may not', async () => {
  const claims = { email: 'ada@y.org', groups: ['z', 'z', ''], sub: 'x y', n: 7, 'k k': true };
  const { kept, replaced } = await planOf(claims, { exchanges: [exchange('GET https://y.org/z', null)] });
  expect(kept.map((one) => [...Object.values(one)])).toEqual([
    ['id_token.iss', 'https://x.org', 'the issuer', false],
    ...['email', 'groups', 'sub'].map((name) => [
      ...['id_token.other_claims.*', name, 'the name of a claim or attribute', true],
    ]),
    ['outside[].request', 'y.org', 'a system that the handler asks', false],
    ['outside[].headers.content-type', 'application/json', 'the type of a response', true],
  ]);
  const texts = replaced.map(({ path, text }) => `${path.replace('id_token.other_claims.', '')} ${text}`);
  expect(texts).toEqual(['email ada', 'email y.org', 'groups[] z', 'sub x y', '* n', '* 7', '* k k']);
});

test('a pseudonym with the person in it is made again', async () => {
  const zeros = Array.from({ length: 9 }, () => 0);
  const kept = await planOf({ name: 'Babab' }, { random: saying(...zeros) });
  expect(kept.blockers).toEqual([]);
  expect(claimsOf(kept.event).name).not.toMatch(/^Babab/);
});

test('the person in a pseudonym is found, with a star for a key that is replaced', async () => {
  const { blockers } = await planOf({ 'k k': { nickname: 'g0'.repeat(12) } }, { random: () => 0 });
  expect(blockers).toEqual([expect.stringContaining('is in id_token.other_claims.*.nickname: try')]);
});

test('a time of the login moves to digits of the person by chance, which is nothing', async () => {
  const { blockers } = await planOf({ nickname: '1795' }, { random: saying(0) });
  expect(blockers).toEqual([]);
});

test.each([
  ['adaq@quxen.org', 'quxen', true],
  ['adaq@quxen.org', 'adaq', false],
])('beside %j, a sample may be called %s: %s', async (nickname, name, mayBe) => {
  const { blockers } = await planOf({ nickname }, { name });
  expect(blockers).toHaveLength(mayBe ? 0 : 1);
});

test('times are of the login, whenever it was, and numbers stay which say nothing', async () => {
  const event = eventOf({ acct: 1, count: 7 }, { iat: 1_577_880_000, exp: 1_577_883_600 });
  const kept = (await plan(event)).event as typeof event;
  const { iat, exp } = kept.idToken;
  expect(exp - iat).toBe(3_600);
  expect(iat).toBeLessThan(1_577_880_000);
  expect([kept.expiresIn, claimsOf(kept).acct]).toEqual([3_600, 1]);
  expect(Object.values(claimsOf(kept))).not.toContain(7);
});

test.each([1, 5])('groups of the event are the same ones, in any order: %i', async (seed) => {
  const groups = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'];
  const respond: Respond = (event) => {
    const all = [claimsOf(event).groups].flat();
    return { ...ALLOWED, user_group_uuids: isAda(event) ? all : all.toReversed() };
  };
  const kept = await plan(eventOf({ ...ADA, groups }), { respond, random: seeded(seed) });
  expect(kept.blockers).toEqual([]);
  expect(kept.expected?.answer.user_group_uuids).not.toContain(groups[0]);
});

test.each([
  ['members', 0],
  ['Lovelace', 1],
])(
  'words that the handler writes for everybody may be of a claim, but not all of it: %s',
  async (word, found) => {
    const respond: Respond = (event) => ({
      type: 'F',
      message: `Only ${word} may? Not ${claimsOf(event).given_name}/x`,
    });
    const { blockers } = await plan(eventOf({ ...ADA, nickname: 'members of quxen' }), { respond });
    const expected = [expect.stringContaining('A text of the person is in response.message')];
    expect(blockers).toEqual(expected.slice(0, found));
  },
);

test('a claim in a claim does not tell by how much the login moved', async () => {
  const event = eventOf({ ...ADA, address: { exp: IAT + 3_600 } }, { iat: IAT });
  const kept = (await plan(event)).event as typeof event;
  const [seconds = 0] = Object.values(Object(claimsOf(kept).address)) as number[];
  expect(seconds).toBeGreaterThan(0);
  expect(seconds - kept.idToken.iat).not.toBe(3_600);
});
