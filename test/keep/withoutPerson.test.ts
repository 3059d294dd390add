/** What must not tell who the person is, and logins that may be kept all the same. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Recording } from '../../tools/local/recordings.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { claimsOf, eventOf, exchange, plan, Requested, type Respond, writtenText } from './answering.ts';

const ADA = { email: 'ada@quxen.org', given_name: 'Ada', family_name: 'Lovelace' };
const OTHERS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `https://x.org/${letter}`);

describe('what a handler computed from the person', () => {
  const MD5 = createHash('md5').update(ADA.email).digest('hex');
  /** Asks for a page by initial and surname, and follows the link in it. */
  const directory: Respond = (event, outside) => {
    const { given_name = '', family_name = '' } = claimsOf(event);
    const user = (given_name.slice(0, 1) + family_name).toLowerCase();
    const first = `GET https://people.quxen.org/people/${user}`;
    const found = outside.find(({ request }) => request === first);
    if (!found) return new Requested(first);
    const { '@odata.nextLink': link } = found.json as { '@odata.nextLink': string };
    const second = `GET ${link}`;
    if (!outside.some(({ request }) => request === second)) return new Requested(second);
    return { type: 'AuthorizedUserResponse', image_url: link };
  };
  const link = 'https://people.quxen.org/people/alovelace/groups';
  const recorded: Recording[] = [
    exchange('GET https://people.quxen.org/people/alovelace', { '@odata.nextLink': link, id: MD5 }),
    exchange(`GET ${link}`, { value: [`https://people.quxen.org/people/alovelace/${MD5}`] }),
  ];

  test('is in no request, no link and no response', async () => {
    const kept = await plan(eventOf({ ...ADA, picture: `https://s.gravatar.com/avatar/${MD5}` }), {
      respond: directory,
      exchanges: recorded,
    });
    expect(kept.blockers).toEqual([]);
    expect(kept.outside).toHaveLength(2);
    const written = writtenText(kept);
    expect(written).not.toMatch(/lovelace/i);
    expect(written).not.toContain(MD5);
  });
});

describe('letters of a distinguished name', () => {
  const event = samlEvent([
    attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@quxen.org'),
    attribute('urn:oid:2.5.4.42', 'Ada'),
    attribute('urn:oid:2.5.4.4', 'Lovelace'),
    attribute('memberOf', 'CN=Ada,O=Quxen,L=London,C=GB,E=x,ST=y,SN=z,OU=v'),
  ]);

  test.each(['guest-lovelace-1', 'alovelace'])('do not hide the person in the name %s', async (name) => {
    const { blockers } = await plan(event, { name });
    expect(blockers).toEqual([expect.stringContaining('The name')]);
  });
});

test('an address has neither the length nor the labels of its original', async () => {
  const { event } = await plan(eventOf({ ...ADA, email: 'a.b-c1@x.maths.quxen.ac.uk' }));
  expect(claimsOf(event).email).toMatch(/^[a-z\d]{24}@[a-z]{8}\.example$/);
});

describe('moments', () => {
  test('lose their fractions, and keep their distances', async () => {
    const event = samlEvent();
    event.assertion.assertionIssued = '2026-11-21T10:00:00.123456Z';
    event.assertion.assertionConditions.conditionsNotOnOrAfter = '2026-11-21T10:05:00.123Z';
    const { assertion } = (await plan(event)).event as typeof event;
    expect(assertion.assertionIssued).toMatch(/T\d\d:\d\d:\d\dZ$/);
    const [from, to] = [assertion.assertionIssued, assertion.assertionConditions.conditionsNotOnOrAfter].map(
      Date.parse,
    );
    expect((to ?? 0) - (from ?? 0)).toBe(300_000);
  });

  test.each([
    ['a claim in a claim', (iat: number) => ({ address: { exp: iat + 3_600 } })],
    [
      'a claim in text',
      (iat: number) => ({ address: { profile: new Date((iat + 3_600) * 1_000).toISOString() } }),
    ],
  ])('in %s do not tell by how much the login moved', async (_, claims) => {
    const { iat } = eventOf(ADA).idToken;
    const { event } = await plan(eventOf({ ...ADA, ...claims(iat) }));
    const [value] = Object.values(Object(claimsOf(event).address));
    const seconds = typeof value === 'string' ? Date.parse(value) / 1_000 : Number(value);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds - (event as ReturnType<typeof eventOf>).idToken.iat).not.toBe(3_600);
  });
});

describe('a harmless login is kept:', () => {
  const unsigned = [{ alg: 'none' }, { sub: 'xq-7711' }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const auth0 =
    'https://s.gravatar.com/avatar/0123456789abcdef0123456789abcdef?s=480&r=pg&d=https%3A%2F%2Fcdn.auth0.com%2Favatars%2Fad.png';

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['with the default picture of Auth0', { picture: auth0 }, { iss: 'https://example.eu.auth0.com/' }],
    ['with a picture in its URL', { picture: 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==' }, {}],
    ['with a short picture in its URL', { picture: 'data:image/png;base64,AAAA' }, {}],
    ['with an unsigned token', { id_token: `${unsigned.join('.')}.` }, {}],
    [
      'with a distinguished name beside domains of examples',
      {
        groups: ['CN=Staff,L=London,DC=example,DC=org'],
        email: 'ada@example.org',
      },
      {},
    ],
  ])('%s', async (_, claims, idToken) => {
    const { blockers } = await plan(eventOf({ ...ADA, ...claims }, idToken));
    expect(blockers).toEqual([]);
  });

  test.each(['university', 'staffing', 'saml-guest', 'openid-guest', 'token', 'provider', 'staff', 'uni'])(
    'under the name %s, although a shorter word or a group is like it',
    async (name) => {
      const claims = {
        ...ADA,
        scope: 'openid profile',
        groups: ['staff', 'saml', 'uni'],
        email: 'ada@uni.quxen.org',
      };
      const { blockers } = await plan(
        eventOf({ ...claims, acr: 'prov', website: 'https://x.org/token/prov' }),
        { name },
      );
      expect(blockers).toEqual([]);
    },
  );
});

test('a key of a response that is a name is replaced, as its text is', async () => {
  const respond: Respond = (_, outside) =>
    outside[0] ? { type: 'ForbiddenResponse' } : new Requested('GET https://x.org/all');
  const exchanges = [exchange('GET https://x.org/all', { lovelace: { Turing: 1 }, value: OTHERS })];
  const kept = await plan(eventOf(ADA), { respond, exchanges });
  expect(kept.blockers).toEqual([]);
  expect(writtenText(kept)).not.toMatch(/lovelace|turing|x\.org\/[a-f]"/i);
});
