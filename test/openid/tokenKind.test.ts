/** ID tokens as providers make them, and the other tokens that the same providers sign for the same audience. */
import { describe, expect, test } from '@jest/globals';
import { isIdToken } from '../../lib/openid/tokenKind.ts';
import type { OpenIdEvent } from '../support/openIdLogin.ts';
import { projectSamples } from '../support/projectSamples.ts';
import type { Claims } from './logins.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const CLIENT = '6cb04018-a3f5-46a7-b995-940c78f5aef3';
const KEYCLOAK = 'https://sso.example.edu/realms/campus';
const COGNITO = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3';
const ZITADEL = 'https://campus-ab12cd.zitadel.cloud';
const AUTH0 = 'https://campus.eu.auth0.com/';
const OKTA = 'https://dev-1234567.okta.com/oauth2/default';
/** By their names in the tables below. */
const ENTRA: Readonly<Record<string, string>> = {
  'v2.0': `https://login.microsoftonline.com/${TENANT}/v2.0`,
  'v1.0': `https://sts.windows.net/${TENANT}/`,
  'US Government': `https://login.microsoftonline.us/${TENANT}/v2.0`,
  'without a version': `https://login.microsoftonline.com/${TENANT}/`,
  'US Government without a version': `https://login.microsoftonline.us/${TENANT}/`,
  'China v2.0': `https://login.partner.microsoftonline.cn/${TENANT}/`,
  'China v1.0': `https://sts.chinacloudapi.cn/${TENANT}/`,
  'China, formerly': `https://login.chinacloudapi.cn/${TENANT}/`,
  'Germany v2.0': `https://login.microsoftonline.de/${TENANT}/`,
  'Germany v1.0': `https://sts.microsoftonline.de/${TENANT}/`,
  'External ID': `https://con-toso_1.ciamlogin.com/${TENANT}/`,
  B2C: `https://contoso.b2clogin.com/tfp/${TENANT}/`,
  'B2C behind a domain of its own': `https://login.contoso.example/${TENANT}/v2.0/`,
  'External ID behind a domain of its own': `https://login.contoso.example/${TENANT.toUpperCase()}/v2.0`,
};
/** Issuers that only look like Entra's. */
const OTHERS = [
  'https://login.microsoftonline.com.example.org/x',
  'https://ciamlogin.com.example.org',
  'https://contoso.ciamlogin.com.example.org',
  'https://a.contoso.ciamlogin.com',
  'https://ciamlogin.com',
  `https://login.example.org/realms/${TENANT}/v2.0`,
  `https://login.example.org/${TENANT}/v2.0/more`,
  'https://login.example.org/a/v2.0',
  `https://login.example.org/${'x'.repeat(36)}/v2.0`,
  'no URL',
];

/** The wire form of each sample event that is not in an HTTP envelope. */
const samples = (await projectSamples()).flatMap(({ functionName, name, event }): [string, OpenIdEvent][] =>
  functionName === 'openidLoggedIn' && Object.hasOwn(event as object, 'idToken')
    ? [[name, event as OpenIdEvent]]
    : [],
);

const isAccepted = ({ iss, ...claims }: Claims, header: object = { typ: 'JWT' }): boolean =>
  isIdToken({ protectedHeader: { alg: 'RS256', ...header }, payload: claims }, String(iss));
/** Tokens of one issuer with this claim, each with a value of its own. */
const having = (claim: string, iss: string, ...values: unknown[]): [string, Claims][] =>
  values.map((value) => [`${claim} ${JSON.stringify(value)} of ${iss}`, { iss, [claim]: value }]);

describe('is accepted, as its provider makes it:', () => {
  test.each(samples)('%s', (_, { idToken: { otherClaims, ...own } }) => {
    expect(isAccepted({ ...otherClaims, ...own })).toBe(true);
  });

  const OF_ENTRA = { oid: 'x', tid: TENANT, rh: '0.A', uti: 'y', ver: '2.0', aio: 'z', idp: 'live.com' };

  test.each<[string, Claims]>([
    ['Keycloak', { iss: KEYCLOAK, aud: 'campus-app', azp: 'campus-app', typ: 'ID', acr: '1', sid: 'x' }],
    ['Cognito', { iss: COGNITO, token_use: 'id', 'cognito:username': 'ada', origin_jti: 'x', event_id: 'y' }],
    [
      'Okta',
      { iss: OKTA, ver: 1, jti: 'ID.x', amr: ['pwd'], idp: '00o1', auth_time: 1, groups: ['Everyone'] },
    ],
    ['ZITADEL', { iss: ZITADEL, aud: [CLIENT], azp: CLIENT, client_id: CLIENT, at_hash: 'x', amr: ['pwd'] }],
    ...having('typ', KEYCLOAK, 'at+jwt+x', 'x/at+jwt'),
    ...Object.entries(ENTRA).map(([name, iss]): [string, Claims] => [`Entra ${name}`, { iss, ...OF_ENTRA }]),
    ...[KEYCLOAK, ...OTHERS].flatMap((iss) => having('idtyp', iss, 'user')),
  ])('%s', (_, claims) => {
    expect(isAccepted(claims)).toBe(true);
  });

  test.each(['JWT', 'jwt', 'application/jwt'])('typ %j in the header', (typ) => {
    expect(isAccepted({ iss: KEYCLOAK }, { typ })).toBe(true);
  });
});

describe('is refused, rightly signed and of the right audience:', () => {
  const TYPES = ['Bearer', 'Refresh', 'Offline', 'Logout', 'DPoP'];

  test.each<[string, Claims]>([
    ...TYPES.flatMap((typ) => having('typ', KEYCLOAK, typ, typ.toLowerCase(), typ.toUpperCase())),
    ...having('typ', KEYCLOAK, ['Bearer'], null, 1, {}),
    ...having('token_use', COGNITO, 'access', 'refresh', 'ID', '', null, ['id'], true),
    ...having('typ', KEYCLOAK, 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/At+Jwt'),
    ...having('scope', ZITADEL, 'openid email', '', ['openid'], null),
    ...having('gty', AUTH0, 'client-credentials', '', null),
    ...having('typ', OKTA, 'Bearer'),
    ...having('scp', OKTA, ['openid']),
    ...having('token_use', KEYCLOAK, 'access'),
    ...having('events', KEYCLOAK, {}, null),
    ...Object.values(ENTRA).flatMap((iss) => [
      ...having('scp', iss, 'access_as_user', '', null),
      ...having('azpacr', iss, '1'),
      ...having('appidacr', iss, '1'),
      ...having('idtyp', iss, 'app', 'user'),
    ]),
  ])('%s', (_, claims) => {
    expect(isAccepted(claims)).toBe(false);
  });

  test.each(['at+jwt', 'application/at+jwt', 'logout+jwt', 'jwt+x'])('typ %j in the header', (typ) => {
    expect(isAccepted({ iss: KEYCLOAK }, { typ })).toBe(false);
  });
});
