/** The claims of UserInfo: whose they are, and which of them count beside those of the ID token. */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ClaimsReader } from '../../lib/openid/claims.ts';
import { merged, type UserInfoOptions, userInfo } from '../../lib/openid/userInfo.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import type { OpenIdMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { getEmail, mapOpenIdLogin } from '../../lib/sdk.ts';
import { sendJson } from '../support/servers.ts';
import { trustedServer } from '../support/sharedServer.ts';
import { type Claims, loginWith } from './logins.ts';

const NAMES = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
const DISCOVERY = '/.well-known/openid-configuration';

let count = 0;
let issuer: string;
let claims: Claims;

const server = trustedServer(({ url = '', headers }, response) => {
  if (url.endsWith(DISCOVERY)) return sendJson(response, { issuer, userinfo_endpoint: `${issuer}/me` });
  sendJson(response, claims, headers.authorization === 'Bearer access-token-1' ? 200 : 401);
});
beforeEach(() => {
  // Discovery documents are cached: each test has an issuer of its own.
  issuer = `${server.url}/${++count}`;
  claims = { sub: 'subject-1', nickname: 'Countess', given_name: 'Augusta' };
  server.requests.length = 0;
});

const eventWith = (own: Claims = { given_name: 'Ada' }) => loginWith(own, { iss: issuer });
const asked = (options: Partial<UserInfoOptions> = {}, event = eventWith()) =>
  userInfo(event, { issuers: ['https://other.example', issuer], ...options });
const pathsAsked = () => server.requests.map(({ path }) => path.replace(/^\/\d+/, ''));

const refusal = (options?: Partial<UserInfoOptions>) =>
  asked(options).catch((error) => {
    expect(error).toBeInstanceOf(LookUpFailed);
    return { code: error.code, ...error.details };
  });

describe('the claims of UserInfo', () => {
  test('are added to the same event; those of the ID token count', async () => {
    const event = eventWith();
    expect(await asked({}, event)).toBe(event);
    expect(event.id_token.other_claims).toEqual({ nickname: 'Countess', given_name: 'Ada' });
  });

  test('are those of the person, and not of a token', async () => {
    const ofTheToken = 'iss aud exp iat nonce nbf jti sid azp acr acrs amr auth_time at_hash c_hash';
    for (const name of ofTheToken.split(' ')) claims[name] = 'x';
    Object.assign(claims, { issue: 'of the person', cross_iss: 'too' });
    const ofThePerson = { nickname: 'Countess', given_name: 'Ada', issue: 'of the person', cross_iss: 'too' };
    expect((await asked()).id_token.other_claims).toEqual(ofThePerson);
  });

  test('are told from those of the ID token in a trace', async () => {
    claims.groups = ['staff', 'suspended'];
    const event = await asked({}, eventWith({ ...NAMES, groups: ['staff'] }));
    const occurrences = new ClaimsReader(event).occurrencesEverywhere(namesOf('groups'));
    const paths = ['other_claims.groups[0]', 'userinfo.groups[0]', 'userinfo.groups[1]'];
    expect(occurrences.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ['nickname', 'userinfo.nickname'],
    ['constructor', 'other_claims.constructor'],
  ])('are named in a trace where they are used: %s', async (name, path) => {
    const own = { constructor: 'x' };
    const [first] = new ClaimsReader(await asked({}, eventWith(own))).occurrences(namesOf(name));
    expect(first?.path).toBe(path);
  });

  test('are asked for in each login; the discovery document serves for an hour', async () => {
    const clock = jest.spyOn(process, 'uptime');
    for (const seconds of [0, 3_599, 3_600]) {
      clock.mockReturnValue(100_000 + seconds);
      await asked();
    }
    expect(pathsAsked()).toEqual([DISCOVERY, '/me', '/me', DISCOVERY, '/me']);
    clock.mockRestore();
  });

  test.each<[what: string, sub: unknown, problem: string]>([
    ['of another person', 'x', 'userinfo.sub: expected the sub of the ID token'],
    ['of a number', 1, 'userinfo.sub: expected a text'],
    ['of nobody', undefined, 'userinfo.sub: expected a text'],
  ])('%s are refused', async (_, sub, problem) => {
    claims.sub = sub;
    const known = { host: new URL(server.url).host, lookUpStatus: 200 };
    expect(await refusal()).toEqual({ code: 'lookup_unexpected', ...known, problems: [problem] });
  });

  test('of an issuer that is not configured are refused', async () => {
    const problems = ['expected a configured issuer'];
    const expected = { code: 'lookup_url_refused', host: 'unknown', problems };
    expect(await refusal({ issuers: ['https://other.example'] })).toEqual(expected);
  });
});

describe('where both sources have a claim,', () => {
  const elsewhere = (names: unknown) => ({ _claim_names: names });

  test.each<[string, Claims, Claims, Claims]>([
    ['a null is absent', { name: null, groups: null }, { name: 'b', nickname: null }, { name: 'b' }],
    ['an object is joined', { o: { a: 1 } }, { o: { a: 2, b: 3 } }, { o: { a: 1, b: 3 } }],
    ['both name what is elsewhere', elsewhere({ a: 1 }), elsewhere({ g: 1 }), elsewhere({ a: 1, g: 1 })],
    ['no list of it hides another form', elsewhere({}), elsewhere('g'), elsewhere('g')],
    ['a no hides no overage', { hasgroups: false }, { hasgroups: true }, { hasgroups: true }],
    ['a no stays', { hasgroups: 'false' }, { hasgroups: 0 }, { hasgroups: 'false' }],
  ])('%s: %j and %j', (_, own, more, expected) => {
    expect(merged(own, more)).toEqual(expected);
  });

  const YES = { email: 'a@x', email_verified: true };
  const NO = { email: 'a@x', email_verified: false };
  const MY = 'my_verified_email';
  const MY_NO = { [`${MY}_verified`]: false };

  test.each<[Claims, Claims, Claims]>([
    [{ email: 'a@x' }, { email: 'b@x', email_verified: true }, { email: 'a@x' }],
    [{ email: 'a@x' }, YES, YES],
    [{ email: ['a@x'] }, YES, { ...YES, email: ['a@x'] }],
    [{ email: ['a@x', 'b@x'] }, YES, { email: ['a@x', 'b@x'] }],
    [{ email: ['a@x', 'b@x'] }, { ...YES, email: ['a@x', 'c@x'] }, { email: ['a@x', 'b@x'] }],
    [{ email_verified: true }, {}, { email_verified: true }],
    [{ email_verified: true, emailVerified: 1, xms_edov: 1 }, { email: 'b@x' }, { email: 'b@x' }],
    [{ email: 'a@x' }, { email: ' A@X ', xms_edov: 0 }, NO],
    [{ email: 'a@x' }, { email: 'a@x', verified_email: false }, { email: 'a@x', verified_email: false }],
    [{ email: 'strasse@x' }, { email: 'straße@x', email_verified: false }, { email: 'strasse@x' }],
    [{ work_email: 'a@x', xms_edov: true }, { xms_edov: false }, { work_email: 'a@x', xms_edov: false }],
    [{ emails_verified: true }, { emails_verified: false }, { emails_verified: true }],
    [{ work_email_verified: true }, { work_email_verified: false }, { work_email_verified: false }],
    [{ p: NO }, YES, { ...NO, p: NO }],
    [{ [MY]: 'a@x', [`${MY}_verified`]: true }, MY_NO, { [MY]: 'a@x', ...MY_NO }],
  ])('statements go with their address, and a no stays: %j and %j', (own, more, expected) => {
    expect(merged(own, more)).toEqual(expected);
  });

  const anyAddress = fc.constantFrom('ada@example.org', 'Ada@Example.org', 'eve@example.org');
  const email = fc.option(fc.oneof(anyAddress, fc.array(anyAddress, { minLength: 1, maxLength: 2 })));
  const said = fc.constantFrom(undefined, null, true, 'true', 1, false, 'false', 0, 'no', [true]);
  const statements = { email_verified: said, emailVerified: said, verified_email: said, xms_edov: said };
  const source = fc.record({ email, ...statements });

  test('no address leaves that either source speaks against, and what proves one stands beside it', () => {
    const isAgainst = (value: unknown) =>
      value !== undefined && value !== null && ![true, 'true', 1].includes(value as never);
    const keysOf = (value: unknown) => [value].flat().map((one) => String(one).toLowerCase());
    fc.assert(
      fc.property(source, source, (own, more) => {
        const other_claims = merged(own, more);
        const event = { id_token: { iss: 'https://idp', other_claims } } as never;
        const left = getEmail(event)?.toLowerCase();
        if (left === undefined) return;
        for (const { email: address, ...others } of [own, more]) {
          const denies = Object.values(others).some(isAgainst);
          expect(denies && (address === null || keysOf(address).includes(left))).toBe(false);
        }
      }),
    );
  });
});

describe('a mapping that asks UserInfo', () => {
  function answered(own: Claims, mapping: OpenIdMapping = {}, { iss = issuer, userinfo = true } = {}) {
    const handler = mapOpenIdLogin({ ...mapping, issuers: { [issuer]: { userinfo } } });
    return handler(loginWith(own, { iss }));
  }

  test('takes from it what the ID token lacks', async () => {
    Object.assign(claims, NAMES, { given_name: 'Augusta', org: { name: 'Analytical Society' } });
    expect(await answered({ given_name: 'Ada' }, { affiliation: ['org.name'] })).toMatchObject({
      ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
      affiliation: 'Analytical Society',
    });
  });

  const STAFF = { groups: ['staff'] };
  const UNI = 'ada@uni.example';
  const UNI_DENIED = { mail: UNI, email: null, email_verified: false };
  const ruled = (rule: object) => ({ groups: { from: ['groups'] }, rules: [rule] }) as OpenIdMapping;

  test.each<[reason: string, what: string, own: Claims, more: Claims, OpenIdMapping]>([
    ['rule_refused', 'denies by a group', STAFF, { groups: ['x'] }, ruled({ no_group: ['x'] })],
    ['groups_ambiguous', 'denies by one text', STAFF, { groups: 'staff' }, ruled({ no_group: ['x'] })],
    ['email_unverified', 'takes no denial over', UNI_DENIED, { email: 'b@x.example' }, { email: ['mail'] }],
    ['authorized', 'fulfils a rule', {}, { department: 'x' }, ruled({ claim: 'department', is: ['x'] })],
    ['assurance_unknown', 'tells no sign-in', {}, { acr: 'x' }, ruled({ assurance: { acr: ['x'] } })],
  ])('%s: UserInfo %s', async (reason, _, own, more, mapping) => {
    claims = { sub: 'subject-1', ...more };
    const response = await answered({ ...NAMES, ...own }, mapping);
    expect(decisionOf(response)?.reason).toBe(reason);
  });

  test('fails where UserInfo does', async () => {
    claims.sub = 'x';
    await expect(answered(NAMES)).rejects.toMatchObject({ code: 'lookup_unexpected' });
  });

  test('asks about nobody else, and then the response is there at once', () => {
    const typeOf = (options: object) => (answered(NAMES, {}, options) as { type: string }).type;
    expect(typeOf({ iss: 'https://elsewhere.example' })).toBe('ForbiddenResponse');
    expect(typeOf({ userinfo: false })).toBe('AuthorizedUserResponse');
    expect(server.requests).toEqual([]);
  });
});
