/** Tokens of a real provider and of its signing keys: the event of each, and all that is wrong. */
import { afterAll, expect, test } from '@jest/globals';
import { eventOf, logInByCode, logInImplicitly } from '../support/openIdLogin.ts';
import { openIdProvider } from '../support/openIdProvider.ts';
import { compact, sign, signingKey } from '../support/signingKeys.ts';
import { codes, readOne } from './caught.ts';

const key = await signingKey('RS256');
const provider = await openIdProvider([key], { conformIdTokenClaims: false });
const tokens = await logInByCode(provider);
afterAll(() => provider.close());

const ISSUER = 'https://idp.example.org';
const settingsOf = (issuer: string, audience: string) => ({
  OPENID_ISSUERS: JSON.stringify({ [issuer]: { audiences: [audience] } }),
});
const SETTINGS = settingsOf(ISSUER, 'client');

const read = (text: string, settings: Record<string, string> = SETTINGS) => readOne(text, settings);

const NOT_CHECKED = 'note signature_not_checked';

test('of a real login, the tokens give its event, and nothing is wrong', async () => {
  const settings = settingsOf(provider.issuer, 'client-RS256');
  const whole = await read(JSON.stringify({ ...tokens, scope: 'openid' }), settings);
  expect(whole.events?.plain).toEqual(eventOf(tokens));
  expect(codes(whole)).toEqual([NOT_CHECKED]);

  const alone = await read(tokens.id_token, settings);
  const { idToken, idTokenJwt } = eventOf(tokens);
  expect(alone.events?.plain).toMatchObject({ idToken, idTokenJwt, accessToken: '' });
  expect(codes(alone)).toEqual([NOT_CHECKED]);

  const implicit = await logInImplicitly(provider);
  const hash = new URLSearchParams({ ...implicit, expires_in: '60' } as unknown as Record<string, string>);
  hash.delete('refresh_token');
  const fromAddress = await read(`https://app.example.net/callback#state=x&${hash}`, settings);
  expect(fromAddress.events?.plain).toEqual({ ...eventOf(implicit), expiresIn: 60 });
  expect(codes(fromAddress)).toEqual([NOT_CHECKED]);

  hash.set('access_token', tokens.access_token);
  const mixed = await read(`https://app.example.net/callback#${hash}`, settings);
  expect(codes(mixed)).toEqual(['error token_access_token_differs', NOT_CHECKED]);
  expect(mixed.findings[0]?.message).toMatch(/\(at_hash\)\.$/);
});

const now = () => Math.floor(Date.now() / 1_000);
const claims = () => ({
  ...{ iss: ISSUER, sub: 'ada', aud: 'client', iat: now(), exp: now() + 300 },
  ...{ email: 'ada@example.org', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
});
const INCOMPLETE = ['error event_invalid', 'error token_malformed', 'error token_audience_refused'];
const EVERYTHING = [
  ...['error token_type_refused', 'error token_audience_refused'],
  ...['warning token_expired', 'warning groups_unknown'],
];
const FAULTS = { aud: 'other', exp: 1_795_255_200, email: undefined, hasgroups: true, typ: 'Bearer' };
const IN_MILLISECONDS = { iat: Date.now(), exp: Date.now() + 300_000 };

test.each<[string, object, string[]]>([
  ['nothing', {}, []],
  ['an issuer that is not listed', { iss: 'https://other.example' }, ['error token_issuer_refused']],
  ['a token of the future', { iat: 4_000_000_000, exp: 4_000_000_300 }, ['error token_not_yet_valid']],
  ['times in milliseconds', IN_MILLISECONDS, ['error token_times_in_milliseconds']],
  ['no audience', { aud: undefined }, INCOMPLETE],
  ['an access token', { scp: 'read' }, ['error token_type_refused']],
  ['groups joined', { groups: 'staff,data' }, ['warning groups_ambiguous']],
  ['everything', FAULTS, EVERYTHING],
])('%s', async (_, changes, expected) => {
  const captured = await read(await sign({ ...claims(), ...changes }, key));
  expect(codes(captured).sort()).toEqual([...expected, NOT_CHECKED].sort());
  const ofClaims = await read(JSON.stringify({ ...claims(), ...changes }));
  expect(codes(ofClaims).sort()).toEqual([...expected, 'warning claims_unproven'].sort());
});

test.each(['aud', 'exp'])('a token without %s: the claim is named', async (claim) => {
  const { findings } = await read(await sign({ ...claims(), [claim]: undefined }, key));
  const message = expect.stringContaining(`\`${claim}\` is absent`);
  expect(findings).toContainEqual(expect.objectContaining({ code: 'token_malformed', message }));
});

test.each(['none', 'HS256'])('a token with the algorithm %s', async (alg) => {
  const { findings } = await read(compact({ alg }, claims()));
  const message = expect.stringContaining(alg);
  expect(findings[0]).toMatchObject({ code: 'token_algorithm_refused', level: 'error', message });
});

test('without issuers in the settings, it says what it does not check', async () => {
  const captured = await read(await sign({ ...claims(), aud: 'other' }, key), {});
  expect(codes(captured)).toEqual(['note issuers_not_configured', NOT_CHECKED]);
});

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const DEEP = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
const ENCRYPTED = `${base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.a2V5.aXY.dGV4dA.dGFn`;

test.each<[string, string, string]>([
  ['that is encrypted', ENCRYPTED, 'warning token_encrypted'],
  ['whose payload is no JSON', `${base64url('{"alg":"RS256"}')}.bm8.x`, 'error token_malformed'],
  ['nested too deeply', `eyJhIjoxfQ.${base64url(DEEP)}.x`, 'error token_malformed'],
])('no event is made of a token %s', async (_, token, code) => {
  const captured = await read(token);
  expect(captured.events).toBeNull();
  expect(codes(captured)).toEqual([code]);
});

test('findings hold no value of the person and no part of a token', async () => {
  const secret = { email: 'canary1', sub: 'canary2', given_name: '', groups: 'canary3,canary4' };
  const token = await sign({ ...claims(), ...secret, aud: 'other' }, key);
  const { findings } = await read(token);
  expect(findings.length).toBeGreaterThan(2);
  expect(JSON.stringify(findings)).not.toContain('canary');
  for (const part of token.split('.')) expect(JSON.stringify(findings)).not.toContain(part.slice(0, 12));
});
