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
