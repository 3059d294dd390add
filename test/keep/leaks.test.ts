/** The search for the original in what would be written: it does not rely on what made the stand-in. */
import { describe, expect, test } from '@jest/globals';
import { type Allowed, leaksIn, tracesOf } from '../../tools/keep/leaks.ts';

const NAMES = [
  'given_name',
  'family_name',
  'uidNumber',
  'ipaddr',
  'name',
  'mail',
  'email',
  'picture',
  'groups',
].map((text) => ({ text, why: 'the name of a claim', isPart: false }));
const NOTHING: Allowed = { stays: [], written: new Set(), withoutHandlersWords: (text) => text };
const UUID = '690222be-ff1a-4d56-abd1-7e4f7d38e474';
const ORIGINAL = {
  idToken: {
    sub: UUID,
    otherClaims: {
      given_name: 'Zoë',
      family_name: 'Müller-Straße',
      uidNumber: 48213,
      ipaddr: '203.0.113.77',
      'zoë of york': true,
    },
  },
};

function token(payload: object): string {
  const parts = [{ alg: 'RS256' }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, 'c2lnbmF0dXJl'].join('.');
}

function found(written: unknown, allowed: Partial<Allowed> = {}): string[] {
  const all = { ...NOTHING, ...allowed, stays: [...NAMES, ...(allowed.stays ?? [])] };
  return leaksIn(written, tracesOf({ event: ORIGINAL }, all), all);
}

describe('finds', () => {
  test.each<[string, unknown, string]>([
    ['a text', { event: { given_name: 'Zoë' } }, 'event.given_name'],
    ['another case', { event: { sub: 'MÜLLER' } }, 'event.sub'],
    ['another Unicode form', { event: { sub: 'Zoë'.normalize('NFD') } }, 'event.sub'],
    ['a transliteration', { event: { sub: 'mueller' } }, 'event.sub'],
    [
      'a text without diacritics, in a longer one',
      { event: { groups: ['a', 'xmullery'] } },
      'event.groups[1]',
    ],
    ['a part of a text', { answer: { email: 'a.strasse@b.example' } }, 'answer.email'],
    ['a key, whose name is not told', { event: { 'x-zoe': 1 } }, 'event.*'],
    ['a number in a text', { event: { sub: 'p48213' } }, 'event.sub'],
    ['a number', { event: { sub: 48213 } }, 'event.sub'],
    ['a UUID', { event: { sub: `x${UUID.toUpperCase()}` } }, 'event.sub'],
    ['the address of a machine', { event: { sub: '203.0.113.77' } }, 'event.sub'],
    ['percent-encoding', { event: { picture: 'https://x.example/M%C3%BCller' } }, 'event.picture'],
    [
      'a claim in a token',
      { event: { idTokenJwt: token({ name: 'Zoe' }) } },
      'event.idTokenJwt.payload.name',
    ],
    ['a recorded response', { outside: [{ json: { mail: 'york' } }] }, 'outside[0].json.*'],
  ])('%s', (_, written, path) => {
    expect(found(written)).toEqual([path]);
  });
});

describe('passes over', () => {
  test.each<[string, unknown, Partial<Allowed>]>([
    [
      'what stays as a whole',
      { event: { sub: 'York' } },
      { stays: [{ text: 'York', why: 'a group', isPart: false }] },
    ],
    [
      'what stays inside others',
      { event: { sub: 'x.york' } },
      { stays: [{ text: 'York', why: 'a domain', isPart: true }] },
    ],
    ['what the handler wrote', { answer: { message: 'Zoë' } }, { written: new Set(['Zoë']) }],
    ['names of fields', { event: { assertion: { assertionSubject: null } } }, {}],
    ['times', { event: { iat: 1_795_482_130 } }, {}],
    ['other texts', { event: { sub: 'Ada', given_name: 'Zo' } }, {}],
  ])('%s', (_, written, allowed) => {
    expect(found(written, allowed)).toEqual([]);
  });
});

/** The paths of what is found of an original, where nothing else is known. */
function foundOf(original: unknown, written: unknown, allowed: Partial<Allowed> = {}): string[] {
  const all = { ...NOTHING, ...allowed };
  return leaksIn(written, tracesOf(original, all), all);
}
const part = (text: string) => ({ text, why: 'a domain', isPart: true });

test.each([
  ...['event', 'answer', 'outside', 'request', 'status', 'headers', 'json', 'text', 'body_sha256'],
  ...['content-type', 'location', 'retry-after', 'www-authenticate', 'type', 'message'],
  ...['first_name', 'last_name', 'email', 'image_url', 'affiliation', 'user_group_uuids'],
  ...['external_id', 'external_label', 'firstName', 'lastName', 'imageUrl', 'userGroupUuids'],
  ...['externalId', 'externalLabel', 'assertionId', 'otherClaims'],
])('the name %s is that of a field, whatever the original says', (key) => {
  expect(foundOf({ a: key }, { [key]: null })).toEqual([]);
  expect(foundOf({ a: key }, { [`x${key}`]: null })).toEqual(['*']);
});

describe('requests that the handler sends for the stand-in', () => {
  const outside = Array.from({ length: 11 }, () => ({
    request: 'GET https://x/zoe',
    status: 7,
    body_sha256: 'zoe',
  }));

  test('are not looked at', () => {
    expect(foundOf({ a: ['Zoë', 7] }, { outside })).toEqual([]);
  });

  test('are those of recorded responses alone', () => {
    expect(foundOf({ a: 'Zoë' }, { event: { outside: [{ request: 'zoe' }] } })).toEqual([
      'event.outside[0].request',
    ]);
    expect(foundOf({ a: 'Zoë' }, { outside: [{ requests: 'zoe' }] })).toEqual(['outside[0].*']);
  });
});

describe('numbers', () => {
  test.each<[unknown, unknown, boolean]>([
    ['Zoë', 'zoe 123456789', true],
    ['Zoë', '123456789 zoe', true],
    [987_654_321, 987_654_321, true],
    [987_654_321, '1987654321', false],
    [87_654_321, 187_654_321, false],
    [7_654_321, 17_654_321, true],
    ['Bo', 'boat', false],
    [12, 'x12', false],
    [123, 'x123', true],
  ])('%p in %p is found: %p', (original, written, isFound) => {
    expect(foundOf({ a: original }, { event: written })).toEqual(isFound ? ['event'] : []);
  });
});

describe('what every text may have', () => {
  test.each(['http://zoe', 'https://zoe', 'urn:zoe', 'mailto:zoe', 'ldap://zoe', 'ldaps://zoe'])(
    'is the scheme of %s',
    (url) => {
      const [scheme = ''] = url.split(':');
      expect(foundOf({ a: url }, { event: `the ${scheme} page` })).toEqual([]);
      expect(foundOf({ a: `see ${url}` }, { event: `the ${scheme} page` })).toEqual(['event']);
    },
  );

  test('is the end of stand-in domains', () => {
    const original = { a: 'an example' };
    expect(foundOf(original, { event: 'ada@x.example, eve@y.example' })).toEqual([]);
    expect(foundOf(original, { event: 'ada@x.examples' })).toEqual(['event']);
    expect(foundOf(original, { event: 'example' })).toEqual(['event']);
  });

  test('are parts that stay, the longest first', () => {
    const stays = [part('york'), part('york-zoe')];
    expect(foundOf({ a: 'zoe' }, { event: 'at York-Zoe' }, { stays })).toEqual([]);
    expect(foundOf({ a: 'zoe' }, { event: 'zYorkoe' }, { stays })).toEqual([]);
    expect(
      foundOf({ a: 'old york' }, { event: 'new york' }, { stays: [{ ...part('york'), isPart: false }] }),
    ).toEqual(['event']);
    expect(foundOf({ a: 'zoe' }, { event: 'zoe' }, { stays: [part('z.e')] })).toEqual(['event']);
    expect(foundOf({ a: 'zoe' }, { event: 'zoe' }, { stays: [part('z.oe')] })).toEqual(['event']);
    expect(foundOf({ a: 'zoe' }, { event: 'x(zoe)+' }, { stays: [part('(zoe)+')] })).toEqual([]);
  });
});

describe('a token', () => {
  const [header, payload, signature] = token({ sub: 'zoe' }).split('.');

  test('is looked into, its signature as a whole', () => {
    const original = { idTokenJwt: `${header}.${payload}.${signature}` };
    expect(foundOf(original, { event: original })).toEqual([
      ...['event.idTokenJwt.header.*', 'event.idTokenJwt.header.*'],
      ...['event.idTokenJwt.payload.sub', 'event.idTokenJwt.signature'],
    ]);
    expect(foundOf(original, { event: `x${signature}` })).toEqual([]);
  });

  test('may have a short word in its signature by chance', () => {
    const written = {
      idTokenJwt: `${Buffer.from('{}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.zoeAAAA`,
    };
    expect(foundOf({ a: 'zoe' }, { event: written })).toEqual([]);
  });
});
