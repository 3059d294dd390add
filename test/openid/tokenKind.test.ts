/** ID tokens as providers make them, and the other tokens that the same providers sign for the same audience. */
import { describe, expect, test } from '@jest/globals';
import { isIdToken } from '../../lib/openid/tokenKind.ts';
import type { OpenIdEvent } from '../support/openIdLogin.ts';
import { projectSamples } from '../support/projectSamples.ts';
import type { Claims } from './logins.ts';

const CLIENT = '6cb04018-a3f5-46a7-b995-940c78f5aef3';

/** The wire form of each sample event that is not in an HTTP envelope. */
const samples = (await projectSamples()).flatMap(({ functionName, name, event }): [string, OpenIdEvent][] =>
  functionName === 'openidLoggedIn' && Object.hasOwn(event as object, 'idToken')
    ? [[name, event as OpenIdEvent]]
    : [],
);

const isAccepted = (payload: Claims, header: object = { typ: 'JWT' }): boolean =>
  isIdToken({ protectedHeader: { alg: 'RS256', ...header }, payload });

describe('is accepted, as its provider makes it:', () => {
  test.each(samples)('%s', (_, { idToken: { otherClaims, ...own } }) => {
    expect(isAccepted({ ...otherClaims, ...own })).toBe(true);
  });

  test.each<[string, Claims]>([
    ['Keycloak', { aud: 'campus-app', azp: 'campus-app', typ: 'ID', acr: '1', sid: 'x' }],
    ['Cognito', { token_use: 'id', 'cognito:username': 'ada', origin_jti: 'x', event_id: 'y' }],
    ['Okta', { ver: 1, jti: 'ID.x', amr: ['pwd'], idp: '00o1', auth_time: 1, groups: ['Everyone'] }],
    ['ZITADEL', { aud: [CLIENT], azp: CLIENT, client_id: CLIENT, at_hash: 'x', amr: ['pwd'] }],
    ['Entra', { oid: 'x', tid: CLIENT, rh: '0.A', uti: 'y', ver: '2.0', aio: 'z', idp: 'live.com' }],
    ['a longer typ', { typ: 'at+jwt+x' }],
    ['another typ', { typ: 'x/at+jwt' }],
  ])('%s', (_, claims) => {
    expect(isAccepted(claims)).toBe(true);
  });

  test.each(['JWT', 'jwt', 'application/jwt'])('typ %j in the header', (typ) => {
    expect(isAccepted({}, { typ })).toBe(true);
  });

  test('no typ in the header', () => {
    expect(isAccepted({}, {})).toBe(true);
  });
});

describe('is refused, rightly signed and of the right audience:', () => {
  /** This claim with each of these values. */
  const having = (claim: string, ...values: unknown[]): [string, unknown][] =>
    values.map((value) => [claim, value]);
  const TYPES = ['Bearer', 'Refresh', 'Offline', 'Logout', 'DPoP', 'at+jwt', 'application/at+jwt'];

  test.each([
    ...TYPES.flatMap((typ) => having('typ', typ, typ.toLowerCase(), typ.toUpperCase())),
    ...having('typ', ['Bearer'], null, 1, {}),
    ...having('token_use', 'access', 'refresh', 'ID', '', null, ['id'], true),
    ...having('scope', 'openid email', '', ['openid'], null),
    ...having('gty', 'client-credentials', '', null),
    ...having('scp', ['openid'], 'access_as_user', '', null),
    ...having('azpacr', '1'),
    ...having('appidacr', '1'),
    ...having('idtyp', 'app', 'user'),
    ...having('events', {}, null),
  ])('%s %j', (claim, value) => {
    expect(isAccepted({ [claim]: value })).toBe(false);
  });

  test.each(['at+jwt', 'application/at+jwt', 'logout+jwt', 'jwt+x'])('typ %j in the header', (typ) => {
    expect(isAccepted({}, { typ })).toBe(false);
  });
});
