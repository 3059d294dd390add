/** An OpenID provider that answers as no real one does: each answer is a login, or a refusal that names no secret. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { refusalOf } from '../support/openIdSignIn.ts';
import {
  asPage,
  CLIENT,
  never,
  type Script,
  SECRET,
  scriptedOpenIdProvider,
  signIns,
  tokenResponse,
  withoutEnd,
} from '../support/scriptedOpenIdProvider.ts';
import { httpsServer, sendJson } from '../support/servers.ts';
import { compact } from '../support/signingKeys.ts';

const provider = await scriptedOpenIdProvider();
afterAll(() => provider.close());
beforeEach(() => provider.play({}));

/** The fix of the refusal to start. */
const fixOf = async (changes: object, options = {}) =>
  (await refusalOf(signIns(options).start(provider.asked(changes)))).fix;

const UNKNOWN_HOST = /^sso\.invalid cannot be reached \(E\w+\): the name of the host is not found: /;
const WELL_KNOWN = 'https://sso.example.org/.well-known/openid-configuration';

describe('What is asked for', () => {
  test.each<[string, object, RegExp]>([
    ['no URL', { issuer: 'sso.example.org' }, /^Give the issuer as it is in iss of ID tokens/],
    ['plain HTTP elsewhere', { issuer: 'http://sso.example.org' }, /https URL/],
    ['a query', { issuer: 'https://sso.example.org/?a=1' }, /without query/],
    ['a password', { issuer: 'https://me:secret@sso.example.org' }, /^Give the issuer as it is in iss/],
    ['the address of the document', { issuer: WELL_KNOWN }, /^Give the issuer without \/.well-known\//],
    ['a name that nobody has', { issuer: 'https://sso.invalid' }, UNKNOWN_HOST],
    ['no client id', { clientId: '   ' }, /Give the client id/],
    ['no scope openid', { scopes: 'email profile' }, /^Add openid to the scopes/],
  ])('with %s is refused', async (_, changes, fix) => {
    const refused = await refusalOf(signIns().start(provider.asked(changes)));
    expect(refused.fix).toMatch(fix);
    expect(refused.message).not.toContain('secret');
  });

  test.each(['/', '/realms/campus'])('with %s at the end of the issuer is another one', async (end) => {
    const fix = await fixOf({ issuer: provider.issuer + end });
    expect(fix).toContain(`is of the issuer ${provider.issuer}: give exactly this issuer`);
  });
});

test('A certificate that is not trusted is told with NODE_EXTRA_CA_CERTS', async () => {
  const server = await httpsServer((_, response) => void response.end());
  const fix = await fixOf({ issuer: server.url }).finally(() => server.close());
  expect(fix).toMatch(/^localhost:\d+ .* the certificate is not trusted: .*NODE_EXTRA_CA_CERTS .*\.$/);
});

const OF_TENANTS = { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' };
const FULL = /sent more than 1048576 bytes/;
const LATE = /did not respond in time/;
const ELSEWHERE = { location: 'https://sso.example.org' };
const OF_OTHER = { issuer: 'https://a.example.org' };
const SCRIPT = { authorization_endpoint: 'javascript:alert(1)' };
const BY_KEY = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };

test.each<[string, Script, RegExp]>([
  ['is not there', { discovery: (response) => sendJson(response, {}, 404) }, /with status 404: check/],
  ['is elsewhere', { discovery: (response) => response.writeHead(301, ELSEWHERE).end() }, /with status 301/],
  ['is a page', { discovery: asPage }, /is not a discovery document/],
  ['has no issuer', { metadata: { issuer: undefined } }, /is not a discovery document/],
  ['is of another issuer', { metadata: OF_OTHER }, /issuer https:\/\/a\.example\.org:/],
  ['has a placeholder for the tenant', { metadata: OF_TENANTS }, /give the issuer of your tenant/],
  ['has no token endpoint', { metadata: { token_endpoint: undefined } }, /has no token_endpoint/],
  ['has no address of keys', { metadata: { jwks_uri: undefined } }, /has no jwks_uri with an https address/],
  ['has a script for a page', { metadata: SCRIPT }, /authorization_endp/],
  ['offers neither secret', { metadata: BY_KEY }, /accepts no client secret/],
  ['has no end', { discovery: withoutEnd }, FULL],
  ['never ends', { discovery: never }, LATE],
])('A discovery document that %s is refused', async (_, script, fix) => {
  provider.play(script);
  expect(await fixOf({ clientSecret: SECRET }, { timeoutMs: 1_000 })).toMatch(fix);
});

test('A provider on this machine may speak plain HTTP, and spells the type of its token', async () => {
  const { idToken, userInfo, captured } = await provider.signIn();
  expect(idToken.sub).toBe('ada');
  expect(userInfo).toEqual({ sub: 'ada', email: 'ada@example.org' });
  expect(captured.events?.plain).toMatchObject({ tokenType: 'Bearer' });
});

const error = (status: number, code: string, error_description: string, headers = {}): Script => ({
  token: (response) => sendJson(response, { error: code, error_description }, status, headers),
});
const token = (make: () => unknown): Script => ({
  token: async (response) => sendJson(response, tokenResponse(await make())),
});
const NO_CREDENTIALS = 'Invalid client or Invalid client credentials';
const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
const withSecret = () =>
  new SignJWT({ iss: provider.issuer, sub: 'ada', aud: CLIENT })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.alloc(32));
const DEEP = JSON.parse('['.repeat(500) + ']'.repeat(500));
const REPLACED = /the secret may be replaced/;

const OVER = error(400, 'invalid_grant', 'Not valid.');
const REPEATED = error(401, 'invalid_client', `${SECRET} of ada@example.org for the-code`);
const OF_CREDENTIALS = error(401, 'unauthorized_client', NO_CREDENTIALS);
const CHALLENGED = error(401, 'invalid_client', 'no', { 'www-authenticate': 'Basic realm="x"' });

test.each<[string, Script, RegExp, RegExp?]>([
  ['says that the code is over', OVER, /^The code was used/, /Not valid$/],
  ['repeats what is secret', REPEATED, REPLACED, /^invalid_client: … of … for …$/],
  ['says it of credentials', OF_CREDENTIALS, REPLACED, /^unauthorized_client/],
  ['has its error beside a challenge', CHALLENGED, REPLACED, /^invalid_client: no$/],
  ['is a fault', { token: (response) => response.writeHead(502).end('<p>') }, /responds with status 502/],
  ['is a page', { token: asPage }, /without an OAuth error/],
  ['has no ID token', token(() => undefined), /no ID token/],
  ['never ends', { token: never }, LATE],
  ['has no end', { token: withoutEnd }, FULL],
  ['has no nonce', { claims: { nonce: undefined } }, /nonce is missing or different/],
  ['is for another client', { claims: { aud: 'another' } }, /aud is not as expected/],
  ['is old by this clock', { claims: { exp: ago(300) } }, /expired 5 minutes ago: set the clocks/],
  ['is new by this clock', { claims: { nbf: ago(-300) } }, /becomes valid in [45] minutes: set the/],
  ['is signed by nobody known', { jwks: (response) => sendJson(response, { keys: [] }) }, /jwks_uri/],
  ['has no subject', { claims: { sub: undefined } }, /cannot be used \(JWT "sub".*report it/],
  ['is signed with a secret', token(withSecret), /RS256 or ES256/],
  ['is encrypted', token(() => 'eyJhbGciOiJSU0EifQ.a.b.c.d'), /not encrypt them/],
  ['is nested too deeply', { claims: { deep: DEEP } }, /nested too deeply/],
])('A token response that %s is refused', async (...[_, script, fix, said]) => {
  const refused = await refusalOf(provider.signIn(script, { timeoutMs: 1_000 }));
  expect(refused.fix).toMatch(fix);
  expect(refused.providerMessage).toEqual(said ? expect.stringMatching(said) : null);
  const all = `${refused.message} ${refused.stack} ${JSON.stringify(refused)}`;
  for (const secret of [SECRET, 'the-code', 'an access token', 'eyJ']) expect(all).not.toContain(secret);
  expect(refused.cause).toBeUndefined();
});

describe('UserInfo', () => {
  const json = (content: object, status = 200, headers = {}): Script => ({
    userinfo: (response) => sendJson(response, content, status, headers),
  });
  const typed = (type: string, make: () => string | Promise<string>): Script => ({
    userinfo: async (response) => response.setHeader('content-type', type).end(await make()),
  });
  const SIGNED = typed('application/jwt', () => compact({ alg: 'RS256' }, { sub: 'ada' }, 'c2ln'));
  const REFUSES = { 'www-authenticate': 'Bearer error="invalid_token"' };
  const deep = `{"sub":"ada","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

  test.each<[string, Script, string, RegExp]>([
    ['is not there', { metadata: { userinfo_endpoint: undefined } }, 'userinfo_missing', /has no UserInfo/],
    ['is of somebody else', json({ sub: 'eve' }), 'userinfo_subject_differs', /sub/],
    ['is refused', json({}, 401, REFUSES), 'userinfo_failed', /the provider says invalid_token\.$/],
    ['is a fault', json({}, 500), 'userinfo_failed', /status 500/],
    ['is signed by nobody known', SIGNED, 'userinfo_failed', /UserInfo is encrypted, or signed with an/],
    ['is nested too deeply', typed('application/json', () => deep), 'userinfo_failed', /nested too deeply/],
  ])('that %s leaves the login, with a finding', async (_, script, code, message) => {
    const { userInfo, captured, idToken, sources } = await provider.signIn(script, { timeoutMs: 1_000 });
    expect(userInfo).toBeNull();
    expect(idToken.sub).toBe('ada');
    expect(sources.every((one) => one.idToken && !one.userInfo)).toBe(true);
    const finding = { code, message: expect.stringMatching(message) };
    expect(captured.findings).toContainEqual(expect.objectContaining(finding));
  });

  test('that has another value says so', async () => {
    const claims = { email_verified: true, email: 'ada@example.com' };
    const { captured, sources } = await provider.signIn({ claims });
    expect(sources).toContainEqual({ name: 'email', idToken: true, userInfo: true, isSame: false });
    const message = expect.stringMatching(/different values for: email\./);
    expect(captured.findings).toContainEqual(expect.objectContaining({ code: 'claims_differ', message }));
    expect(JSON.stringify(captured.findings)).not.toContain('ada@');
  });
});
