/** Stand-ins of whole logins: proven by how a handler answers them, and what is said where they cannot be. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { type Mapping, parseMapping } from '../../lib/profile/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import type { Ask } from '../../tools/keep/proof.ts';
import { provenSubstitution } from '../../tools/keep/proven.ts';
import type { Exchange } from '../../tools/lambda/local.ts';
import { openIdEvent } from '../support/wire.ts';

type Event = ReturnType<typeof openIdEvent>;
type Response = Record<string, unknown>;
type Respond = (event: OpenIdUserLoggedInEvent, outside: readonly Exchange[]) => Response | Requested;
/** A request that the handler makes, and that is not recorded. */
class Requested {
  readonly request: string;
  constructor(request: string) {
    this.request = request;
  }
}

function eventOf(otherClaims: Record<string, unknown>, more: object = {}): Event {
  const event = openIdEvent();
  Object.assign(event.idToken, { otherClaims, sub: 'xq-7711', ...more });
  return event;
}

/** Answers in this process, as a handler would. */
function asking(respond: Respond): Ask {
  return (async (event, exchanges) => {
    const made = respond(v.parse(OpenIdUserLoggedInEvent, event), exchanges);
    const isMissing = made instanceof Requested;
    const response = isMissing ? { type: 'ErrorResponse' } : made;
    const served = exchanges.map((_, index) => index);
    return {
      response,
      status: 200,
      reason: 'x',
      asked: { unanswered: isMissing ? [made.request] : [], served: isMissing ? [] : served },
    };
  }) as Ask;
}

async function kept(
  event: Event,
  respond: Respond,
  mapping: Mapping | null = null,
  exchanges: Exchange[] = [],
) {
  const ask = asking(respond);
  const texts = mappingTexts(mapping && parseMapping(mapping), OPENID_NAMES);
  const known = { issuer: event.idToken.iss, mapping: texts };
  const made = await provenSubstitution({ event, exchanges }, await ask(event, exchanges), known, ask);
  return { ...made, claims: (made.event as Event).idToken.otherClaims };
}

const ADA = { email: 'adaq@quxen.example', given_name: 'Adaq', family_name: 'Lovelaqe' };
const byDefault = (event: OpenIdUserLoggedInEvent) => ({ ...mapOpenIdLogin({})(event) }) as Response;

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
      (one) => ({ ...mapOpenIdLogin(mapping)(one) }) as Response,
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
      const shortened = (event: OpenIdUserLoggedInEvent) => {
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
  const claimsOf = (event: OpenIdUserLoggedInEvent) => event.id_token.other_claims as Record<string, string>;

  test.each<[string, Respond, string]>([
    [
      'a text that the handler compares',
      (event) => ({ type: claimsOf(event).given_name === 'Adaq' ? 'Authorized' : 'Forbidden' }),
      'The kept event would be answered with another type, because the handler looks at idToken.otherClaims.given_name, which is replaced. Only texts that a mapping names can stay.',
    ],
    [
      'several of them, that count each for itself',
      (event) => ({
        first_name:
          claimsOf(event).given_name === 'Adaq' || claimsOf(event).family_name === 'Lovelaqe'
            ? 'Authorized'
            : 'Forbidden',
      }),
      'The kept event would be answered with another first_name, because the handler looks at idToken.otherClaims.given_name, idToken.otherClaims.family_name, which are replaced. Only texts that a mapping names can stay.',
    ],
    [
      'texts that the handler compares with each other',
      (event) => ({ a: claimsOf(event).given_name === 'Adaq' && claimsOf(event).family_name === 'Lovelaqe' }),
      'The kept event would be answered with another a, and no single text explains it: the handler compares replaced texts with each other, or with texts of its own.',
    ],
  ])('%s', async (_, respond, problem) => {
    const { problems } = await kept(eventOf(ADA), respond);
    expect(problems).toEqual([problem]);
  });

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

  test('a request that is not recorded', async () => {
    const exchanges = [
      { request: 'GET https://x.example/people/adaq', status: 200, headers: {}, json: {} },
    ] as Exchange[];
    const respond: Respond = (event, outside) => {
      const isRecorded = outside.length > 0 && claimsOf(event).given_name === 'Adaq';
      return isRecorded ? { type: 'Authorized' } : new Requested('GET https://y.example/other');
    };
    const { problems } = await kept(eventOf(ADA), respond, null, exchanges);
    expect(problems).toEqual([
      expect.stringMatching(/^The kept event would be answered with another type, because/),
      expect.stringMatching(
        /^The handler asks https:\/\/y\.example something that is not recorded for the stand-in, because the handler looks at idToken\.otherClaims\.given_name/,
      ),
    ]);
  });
});

test.each([
  ['a recorded response', /looks at outside\[0\]\.json\.[\w-]+\.nickname, which is replaced/],
  ['a token', /looks at idTokenJwt\.payload\.[\w-]+\.nickname, which is replaced/],
])('a name in %s is shown as its stand-in where it is data', async (place, where) => {
  const data = { 'xq-7711': { nickname: 'Qinetiqs' } };
  const isToken = place === 'a token';
  const json = isToken ? {} : data;
  const exchanges = [{ request: 'GET https://x.example/all', status: 200, headers: {}, json }] as Exchange[];
  const event = eventOf(ADA);
  if (isToken) event.idTokenJwt = `${base64url({ alg: 'none' })}.${base64url(data)}.AAAA`;
  const respond: Respond = ({ id_token_jwt, id_token: { sub } }, outside) => {
    const [, payload = ''] = id_token_jwt.split('.');
    const read = isToken ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : outside[0]?.json;
    return { type: read[sub]?.nickname === 'Qinetiqs' ? 'Authorized' : 'Forbidden' };
  };
  const { problems } = await kept(event, respond, null, exchanges);
  expect(problems).toEqual([expect.stringMatching(where)]);
  expect(problems.join()).not.toMatch(/xq|7711/);
});

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('of recorded responses, requests are those that the handler makes for the stand-in', async () => {
  const exchanges = [
    {
      request: 'GET https://x.example/people/xq-7711',
      status: 200,
      headers: { 'content-type': 'application/json' },
      json: { mail: 'adaq@quxen.example', department: 'Qinetiqs', 'xq-7711': true },
    },
    { request: 'GET https://x.example/never', status: 200, headers: {}, text: 'Lovelaqe' },
  ] as Exchange[];
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
