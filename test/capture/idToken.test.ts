/** Tokens of a real provider and of its signing keys: the event of each, and all that is wrong. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Captured } from '../../tools/capture/captured.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { eventOf, logInByCode, logInImplicitly, type Tokens } from '../support/openIdLogin.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { compact, type SigningKey, sign, signingKey } from '../support/signingKeys.ts';

let key: SigningKey;
let provider: OpenIdProvider;
let tokens: Tokens;
beforeAll(async () => {
  key = await signingKey('RS256');
  provider = await openIdProvider([key], { conformIdTokenClaims: false });
  tokens = await logInByCode(provider);
});
afterAll(() => provider.close());

const ISSUER = 'https://idp.example.org';
const issuersOf = (issuer: string, audience: string) =>
  JSON.stringify({ [issuer]: { audiences: [audience] } });

async function read(text: string, settings: Record<string, string> = {}): Promise<Captured> {
  const [captured] = await readCapture(text, { environment: () => settings });
  if (!captured) throw new Error('nothing was read');
  return captured;
}

function codes({ findings }: Captured): string[] {
  return findings.map(({ code, level }) => `${level} ${code}`);
}

const NOT_CHECKED = 'note signature_not_checked';
const NO_ACCESS_TOKEN = 'note access_token_missing';

describe('of a real login', () => {
  const settings = () => ({ OPENID_ISSUERS: issuersOf(provider.issuer, 'client-RS256') });

  test('the token response gives the event, and nothing is wrong', async () => {
    const captured = await read(JSON.stringify({ ...tokens, scope: 'openid' }), settings());
    expect(captured).toMatchObject({ kind: 'token response', functionName: 'openidLoggedIn' });
    expect(captured.events?.plain).toEqual(eventOf(tokens));
    expect(codes(captured)).toEqual([NOT_CHECKED]);
  });

  test('the ID token alone gives the event without an access token', async () => {
    const captured = await read(tokens.id_token, settings());
    expect(captured.kind).toBe('ID token');
    const { idToken, idTokenJwt } = eventOf(tokens);
    expect(captured.events?.plain).toMatchObject({ idToken, idTokenJwt, accessToken: '' });
    expect(codes(captured)).toEqual([NOT_CHECKED, NO_ACCESS_TOKEN]);
  });

  test('the address of an implicit login is read, and its access token compared', async () => {
    const implicit = await logInImplicitly(provider);
    const hash = new URLSearchParams({ ...implicit, expires_in: '60' } as unknown as Record<string, string>);
    hash.delete('refresh_token');
    const captured = await read(`https://app.example.net/callback#state=x&${hash}`, settings());
    expect(captured.events?.plain).toEqual({ ...eventOf(implicit), expiresIn: 60 });
    expect(codes(captured)).toEqual([NOT_CHECKED]);
    hash.set('access_token', tokens.access_token);
    expect(codes(await read(`https://app.example.net/callback#${hash}`, settings()))).toEqual([
      'error token_access_token_differs',
      NOT_CHECKED,
    ]);
  });
});

const now = () => Math.floor(Date.now() / 1_000);
const claims = () => ({
  ...{ iss: ISSUER, sub: 'ada', aud: 'client', iat: now(), exp: now() + 300 },
  ...{ email: 'ada@example.org', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
});

test.each<[string, object, string[]]>([
  ['nothing', {}, []],
  ['another audience', { aud: 'other' }, ['error token_audience_refused']],
  ['an issuer that is not listed', { iss: 'https://other.example' }, ['error token_issuer_refused']],
  ['a token that has expired', { exp: 1_795_255_200 }, ['warning token_expired']],
  ['a token of the future', { iat: 4_000_000_000, exp: 4_000_000_300 }, ['error token_not_yet_valid']],
  ['no subject', { sub: undefined }, ['error event_invalid', 'error token_malformed']],
  [
    'times in milliseconds',
    { iat: Date.now(), exp: Date.now() + 300_000 },
    ['error token_times_in_milliseconds'],
  ],
  [
    'no audience',
    { aud: undefined },
    ['error event_invalid', 'error token_malformed', 'error token_audience_refused'],
  ],
  ['an access token', { scp: 'read' }, ['error token_type_refused']],
  ['groups joined', { groups: 'staff,data' }, ['warning groups_ambiguous']],
  [
    'everything',
    { aud: 'other', exp: 1_795_255_200, email: undefined, hasgroups: true, typ: 'Bearer' },
    [
      'error token_type_refused',
      'error token_audience_refused',
      'warning token_expired',
      'warning groups_unknown',
    ],
  ],
])('%s', async (_, changes, expected) => {
  const token = await sign({ ...claims(), ...changes }, key);
  const captured = await read(token, { OPENID_ISSUERS: issuersOf(ISSUER, 'client') });
  expect(codes(captured).sort()).toEqual([...expected, NOT_CHECKED, NO_ACCESS_TOKEN].sort());
});

test('a claim that is missing is told as what it should be', async () => {
  const messages = async (changes: object) =>
    (await read(await sign({ ...claims(), ...changes }, key))).findings.map(({ message }) => message);
  expect(await messages({ aud: undefined })).toContain('The claim aud is missing, or is not a text.');
  expect(await messages({ exp: undefined })).toContain('The claim exp is missing, or is not a number.');
});

test.each(['none', 'HS256'])('a token with the algorithm %s', async (alg) => {
  const captured = await read(compact({ alg }, claims()), { OPENID_ISSUERS: issuersOf(ISSUER, 'client') });
  expect(captured.findings[0]).toMatchObject({ code: 'token_algorithm_refused', level: 'error' });
  expect(captured.findings[0]?.message).toContain(alg);
});

test('without issuers in the settings, it says what it does not check', async () => {
  const captured = await read(await sign({ ...claims(), aud: 'other' }, key));
  expect(codes(captured)).toEqual(['note issuers_not_configured', NOT_CHECKED, NO_ACCESS_TOKEN]);
});

test('an encrypted token cannot be opened, and says so', async () => {
  const header = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString('base64url');
  const captured = await read(`${header}.a2V5.aXY.dGV4dA.dGFn`);
  expect(captured.events).toBeNull();
  expect(codes(captured)).toEqual(['warning token_encrypted']);
});

test.each([
  ['whose payload is no JSON', () => `${compact({ alg: 'RS256' }, {}).split('.')[0]}.bm8.x`],
  [
    'whose payload is nested too deeply',
    () => `eyJhIjoxfQ.${Buffer.from('['.repeat(40_000)).toString('base64url')}.x`,
  ],
])('a token %s is malformed', async (_, make) => {
  const captured = await read(make());
  expect(captured.events).toBeNull();
  expect(codes(captured)).toEqual(['error token_malformed']);
});

test('findings hold no value of the person and no part of a token', async () => {
  const token = await sign(
    {
      ...claims(),
      email: 'canary1',
      sub: 'canary2',
      given_name: '',
      groups: 'canary3,canary4',
      aud: 'other',
    },
    key,
  );
  const { findings } = await read(token, { OPENID_ISSUERS: issuersOf(ISSUER, 'client') });
  expect(findings.length).toBeGreaterThan(3);
  expect(JSON.stringify(findings)).not.toContain('canary');
  for (const part of token.split('.')) expect(JSON.stringify(findings)).not.toContain(part.slice(0, 12));
});
