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
    ['ZITADEL', { aud: [CLIENT], azp: CLIENT, client_id: CLIENT, at_hash: 'x', amr: ['pwd'] }],
    ['a longer typ', { typ: 'at+jwt+x' }],
    ['another typ', { typ: 'x/at+jwt' }],
  ])('%s', (_, claims) => {
    expect(isAccepted(claims)).toBe(true);
  });

  test.each(['jwt', 'application/jwt'])('typ %j in the header', (typ) => {
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

  test.each([
    ...having('typ', 'Bearer', 'BEARER', 'Refresh', 'Offline', 'Logout', 'DPoP', 'at+jwt', null),
    ...having('token_use', 'access', ['id']),
    ...having('scope', 'openid email'),
    ...having('gty', 'client-credentials'),
    ...having('scp', ['openid']),
    ...having('azpacr', '1'),
    ...having('appidacr', '1'),
    ...having('idtyp', 'app'),
    ...having('events', {}),
  ])('%s %j', (claim, value) => {
    expect(isAccepted({ [claim]: value })).toBe(false);
  });

  test.each(['at+jwt', 'jwt+x'])('typ %j in the header', (typ) => {
    expect(isAccepted({}, { typ })).toBe(false);
  });
});
