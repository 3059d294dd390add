/** What is checked of an ID token once its signature is: each rule by itself, without the issuer's keys. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JWTPayload } from 'jose';
import { ID_TOKEN_CHECKS, judgedToken, verifyIdToken } from '../../lib/openid/idTokenCheck.ts';
import { loginWith } from './logins.ts';

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');
const NOW = NOW_MS / 1_000;
const SKEW = 60;
const ISSUER = 'https://idp.example.org';
const ACCESS_TOKEN = 'access-token-1';
const settings = {
  openidIssuers: new Map([[ISSUER, { audiences: ['client', 'second'] }]]),
  clockSkewSeconds: SKEW,
};
const GOOD = { iss: ISSUER, sub: 'ada', aud: 'client', exp: NOW + 300, iat: NOW - 10 };

interface Judged {
  /** Of the header. */
  alg?: string;
  typ?: string;
  /** What the event says of its token. */
  said?: object;
  nowMs?: number;
}

const eventOf = (said: object) => loginWith({}, { ...GOOD, aud: ['client'], nonce: null, ...said });

function judged(claims: object, { alg = 'ES256', typ, said = {}, nowMs = NOW_MS }: Judged = {}) {
  const protectedHeader = { alg, ...(typ !== undefined && { typ }) };
  return judgedToken({ protectedHeader, payload: claims as JWTPayload }, eventOf(said), settings, nowMs);
}

/** The codes of all checks that do not hold, each with the claim that it names. */
function findingsOf(claims: object, how?: Judged): string[] {
  const token = judged(claims, how);
  return ID_TOKEN_CHECKS.filter(({ holds }) => !holds(token)).map(({ code, details }) => {
    const { claim } = details?.(token) ?? {};
    return claim === undefined ? code : `${code} ${claim}`;
  });
}

const ISS = 'token_issuer_refused iss';
const AUD = 'token_audience_refused';
const AZP = 'token_azp_refused';
const DIFFER = 'token_claims_differ';
const malformed = (...claims: string[]) => claims.map((claim) => `token_malformed ${claim}`);
const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);

describe('several at once', () => {
  test.each<[string, string[], object, Judged]>([
    ['a good token', [], GOOD, {}],
    ['no claims', [...malformed('iss', 'aud', 'sub', 'iat', 'exp'), ISS, AUD, DIFFER], {}, {}],
    ['no times', [...malformed('iat', 'exp', 'nbf'), DIFFER], { ...GOOD, iat: '1', nbf: null, exp: {} }, {}],
    ['an issuer that is not listed', [ISS, AUD], { ...GOOD, iss: 'x' }, { said: { iss: 'x' } }],
  ])('%s', (_, findings, claims, how) => {
    expect(findingsOf(claims, how)).toEqual(findings);
  });

  test('all wrong', () => {
    const wrong = { iss: 'https://evil.example', aud: 'x', azp: 'y', exp: 1, iat: NOW + 61, nbf: NOW + 61 };
    const said = { otherClaims: { email: 'eve@example.org' } };
    const claims = { ...GOOD, ...wrong, typ: 'Bearer', at_hash: 'z', deep };
    expect(findingsOf(claims, { alg: 'HS256', said })).toEqual([
      ...['token_algorithm_refused', ISS, 'token_not_yet_valid nbf', 'token_expired', 'token_type_refused'],
      ...['token_not_yet_valid iat', AUD, AZP, 'token_access_token_differs', DIFFER, 'token_malformed'],
    ]);
  });

  test('whatever the claims are', () => {
    const others = ['nbf', 'azp', 'at_hash', 'typ', 'token_use', '__proto__'];
    const names = fc.constantFrom(...Object.keys(GOOD), ...others);
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.string(), (claims, iss) => {
        expect(findingsOf(claims, { said: { iss } }).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('times', () => {
  const END_OF_SECOND = NOW_MS + 999;

  test.each<[object, string[], number]>([
    [{ exp: NOW - SKEW + 1 }, [], END_OF_SECOND],
    [{ exp: NOW - SKEW }, ['token_expired'], NOW_MS],
    [{ exp: 0 }, ['token_expired'], NOW_MS],
    [{ nbf: NOW + SKEW }, [], NOW_MS],
    [{ iat: NOW + SKEW + 0.5 }, [], END_OF_SECOND],
  ])('%j: %j at %i', (times, findings, nowMs) => {
    const claims = { ...GOOD, ...times };
    const said = { exp: Math.floor(claims.exp), iat: Math.floor(claims.iat) };
    expect(findingsOf(claims, { said, nowMs })).toEqual(findings);
  });

  test.each<[object, object, boolean]>([
    [{ exp: 1795258800.4 }, { exp: 1795258800 }, true],
    [{ exp: 1795258800.6 }, { exp: 1795258801 }, true],
    [{ exp: 1795258800 }, { exp: 1795258801 }, false],
    [{}, { otherClaims: { exp: GOOD.exp } }, true],
    [{}, { otherClaims: { exp: `${GOOD.exp}` } }, false],
  ])('a token with %j and an event with %j say the same: %p', (claims, said, isSame) => {
    expect(findingsOf({ ...GOOD, ...claims }, { said })).toEqual(isSame ? [] : [DIFFER]);
  });

  test('a time of the token that is a text is no time of the event', () => {
    expect(findingsOf({ ...GOOD, exp: `${GOOD.exp}` })).toEqual([...malformed('exp'), DIFFER]);
  });
});

test.each<[unknown, string[], string[]]>([
  [
    ['client', 'others'],
    ['others', 'client'],
    [AUD, AZP],
  ],
  [[], [], [AUD]],
  [['client', 'second'], ['client'], [AZP, DIFFER]],
])('the audience %j, and %j in the event: %j', (aud, said, findings) => {
  expect(findingsOf({ ...GOOD, aud }, { said: { aud: said } })).toEqual(findings);
});

test.each<[unknown, string[]]>([
  ['client', []],
  ['others', [AZP]],
])('for a single audience, azp of %j: %j', (azp, findings) => {
  expect(findingsOf({ ...GOOD, azp })).toEqual(findings);
});

test.each([
  ['RS256', 'sha256'],
  ['EdDSA', 'sha512'],
])('at_hash of %s is the left half of the %s of the access token', (alg, hash) => {
  const digest = createHash(hash).update(ACCESS_TOKEN).digest();
  const left = digest.subarray(0, digest.length / 2).toString('base64url');
  expect(findingsOf({ ...GOOD, at_hash: left }, { alg })).toEqual([]);
  for (const at_hash of [digest.toString('base64url'), left.slice(1), '', null, [left]]) {
    expect(findingsOf({ ...GOOD, at_hash }, { alg })).toEqual(['token_access_token_differs']);
  }
});

describe('what the event says of its token', () => {
  const check = ID_TOKEN_CHECKS.find(({ code }) => code === DIFFER);

  test.each<[object, object, string[]]>([
    [{ nonce: 'n' }, { nonce: 'n' }, []],
    [{ nonce: 'n' }, { nonce: null }, []],
    [{ nonce: 'n' }, { nonce: 'other' }, ['nonce']],
    [{}, { sub: 'eve' }, ['sub']],
    [{}, { otherClaims: { sub: 'eve' } }, ['sub']],
    [{}, { otherClaims: { groups: null } }, ['groups']],
    [{}, { otherClaims: { constructor: 'admin' } }, ['constructor']],
    [{ address: { country: 'GB' } }, { otherClaims: { address: { country: 'US' } } }, ['address']],
  ])('%j and %j differ in %j', (claims, said, names) => {
    const token = judged({ ...GOOD, ...claims }, { said });
    expect(check?.holds(token)).toBe(names.length === 0);
    expect(check?.details?.(token)).toEqual({ claims: { names: [...names].sort(), others: 0 } });
  });
});

describe('the other claims of the token', () => {
  test('are all for which the event has no name of its own', () => {
    const payload = JSON.parse(`{"email":"a@x.example","azp":"client","groups":["a"],"__proto__":{"x":1}}`);
    const { otherClaims, problems } = judged({ ...GOOD, nonce: 'n', ...payload });
    expect(otherClaims).toEqual({ email: 'a@x.example', azp: 'client', groups: ['a'] });
    expect(Object.getPrototypeOf(otherClaims)).toBe(Object.prototype);
    expect(problems).toEqual([]);
  });

  test('that exceed the bounds are none, and the token is malformed', () => {
    const token = judged({ ...GOOD, deep });
    expect(token.otherClaims).toEqual({});
    const check = ID_TOKEN_CHECKS.findLast(({ code }) => code === 'token_malformed');
    expect(check?.details?.(token)).toEqual({ problems: [expect.stringContaining('expected')] });
  });
});

const note = `OPENID_ISSUERS lists ${ISSUER} (a slash more or less): an issuer is written exactly as it arrives.`;

test.each([
  ['https://evil.example', {}],
  [`${ISSUER}/`, { note, near: ['slash'] }],
])(
  'an issuer that is not listed is asked for nothing, and told where one is near: %s',
  async (iss, details) => {
    const refused = verifyIdToken(eventOf({ iss }), settings);
    await expect(refused).rejects.toMatchObject({ code: 'token_issuer_refused', details });
  },
);
