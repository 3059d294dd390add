/** ID tokens as providers make them, and the other tokens that the same providers sign for the same audience. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/engine/events.ts';
import { type CheckedLogins, checkedLogins, TELLTALE } from '../support/checkedLogins.ts';
import { customHandler } from '../support/customHandler.ts';
import { eventOf, type OpenIdEvent } from '../support/openIdLogin.ts';
import { httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { publicPart, type SigningKey, sign, signingKey } from '../support/signingKeys.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const CLIENT = '6cb04018-a3f5-46a7-b995-940c78f5aef3';
const KEYCLOAK = 'https://sso.example.edu/realms/campus';
const COGNITO = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3';
const OKTA = 'https://dev-1234567.okta.com/oauth2/default';
/** By their names in the tables below. */
const ENTRA: Readonly<Record<string, string>> = {
  'v2.0': `https://login.microsoftonline.com/${TENANT}/v2.0`,
  'v1.0': `https://sts.windows.net/${TENANT}/`,
  'US Government': `https://login.microsoftonline.us/${TENANT}/v2.0`,
  'China v2.0': `https://login.partner.microsoftonline.cn/${TENANT}/v2.0`,
  'China v1.0': `https://sts.chinacloudapi.cn/${TENANT}/`,
  'China, formerly': `https://login.chinacloudapi.cn/${TENANT}/`,
  Germany: `https://login.microsoftonline.de/${TENANT}/v2.0`,
  'External ID': `https://contoso.ciamlogin.com/${TENANT}/v2.0`,
  B2C: `https://contoso.b2clogin.com/${TENANT}/v2.0/`,
};
const B2C_DOMAIN = 'https://login.contoso.example/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0/';
/** Hosts that only look like Entra's. */
const OTHERS = ['https://login.microsoftonline.com.example.org/x', 'https://ciamlogin.com.example.org'];

/** The wire form of each sample event that is not in an HTTP envelope. */
const samples = (await sampleEvents()).flatMap(({ functionName, name, event }): [string, OpenIdEvent][] =>
  functionName === 'openidLoggedIn' && Object.hasOwn(event as object, 'idToken')
    ? [[name, event as OpenIdEvent]]
    : [],
);

let key: SigningKey;
let server: LocalServer & { ca: string };
let logins: CheckedLogins;

beforeAll(async () => {
  key = await signingKey('RS256');
  server = await httpsServer((_, response) => sendJson(response, { keys: [publicPart(key)] }));
  const issuers = [
    ...samples.map(([, { idToken }]) => idToken.iss),
    ...[KEYCLOAK, COGNITO, OKTA, ...Object.values(ENTRA), B2C_DOMAIN, ...OTHERS],
  ];
  const audiences = [CLIENT, 'campus-app', ...samples.flatMap(([, { idToken }]) => idToken.aud)];
  const listed = issuers.map((iss) => [iss, { audiences, jwks_uri: server.url }]);
  logins = await checkedLogins([{ issuer: server.url, ca: server.ca }], {
    OPENID_ISSUERS: JSON.stringify(Object.fromEntries(listed)),
    OPENID_HANDLER_MODULE: await customHandler(TELLTALE),
  });
});
afterAll(() => Promise.all([logins.stop(), server.close()]));

/** The event of a token that is valid now. */
async function issued(claims: Record<string, unknown>, header?: object): Promise<OpenIdEvent> {
  const now = Math.floor(Date.now() / 1_000);
  const id_token = await sign(
    { sub: 'subject-1', aud: CLIENT, iat: now, nbf: now, exp: now + 300, ...claims },
    key,
    { typ: 'JWT', ...header },
  );
  return eventOf({ access_token: 'access-token-1', token_type: 'Bearer', id_token, expires_in: 300 });
}

describe('is accepted, as its provider makes it:', () => {
  const AT_HASH = createHash('sha256')
    .update('access-token-1')
    .digest()
    .subarray(0, 16)
    .toString('base64url');

  test.each(samples)('%s', async (_, { idToken }) => {
    const { iss, sub, aud, nonce, otherClaims } = idToken;
    // The times of the token are those of now, also where the sample repeats its own.
    const { nbf: _nbf, exp: _exp, iat: _iat, at_hash, ...others } = otherClaims;
    const event = await issued({
      ...others,
      ...(nonce !== null && { nonce }),
      ...(at_hash !== undefined && { at_hash: AT_HASH }),
      ...{ iss, sub, aud },
    });
    expect(await logins.send(event)).toMatchObject({ reason: 'authorized', handlerRan: true });
  });

  test.each<[string, Record<string, unknown>]>([
    ['Keycloak', { iss: KEYCLOAK, aud: 'campus-app', azp: 'campus-app', typ: 'ID', acr: '1', sid: 'x' }],
    ['Cognito', { iss: COGNITO, token_use: 'id', 'cognito:username': 'ada', origin_jti: 'x', event_id: 'y' }],
    [
      'Okta',
      { iss: OKTA, ver: 1, jti: 'ID.x', amr: ['pwd'], idp: '00o1', auth_time: 1, groups: ['Everyone'] },
    ],
    ...Object.entries(ENTRA).map(([name, iss]): [string, Record<string, unknown>] => [
      `Entra ${name}`,
      {
        iss,
        oid: 'x',
        tid: TENANT,
        rh: '0.A',
        uti: 'y',
        ver: '2.0',
        aio: 'z',
        idp: 'live.com',
        amr: ['pwd'],
      },
    ]),
    ...[KEYCLOAK, ...OTHERS].map((iss): [string, Record<string, unknown>] => [
      `a claim idtyp of ${iss}, which is not Entra`,
      { iss, idtyp: 'user' },
    ]),
  ])('%s', async (_, claims) => {
    expect(await logins.send(await issued(claims))).toMatchObject({ reason: 'authorized', handlerRan: true });
  });
});

describe('is refused, rightly signed and of the right audience:', () => {
  const TYPES = ['Bearer', 'Refresh', 'Offline', 'Logout', 'DPoP'];
  const ofEntra: Record<string, unknown>[] = [
    ...[{ scp: 'access_as_user' }, { scp: '' }, { scp: null }],
    ...[{ azpacr: '1' }, { appidacr: '1' }, { idtyp: 'app' }, { idtyp: 'user' }],
  ];

  test.each<[string, Record<string, unknown>]>([
    ...TYPES.flatMap((typ): [string, Record<string, unknown>][] =>
      [typ, typ.toLowerCase(), typ.toUpperCase()].map((written) => [
        `Keycloak, typ ${written}`,
        { iss: KEYCLOAK, aud: ['campus-app'], azp: 'campus-app', typ: written, scope: 'openid email' },
      ]),
    ),
    ...[['Bearer'], null, 1, {}].map((typ): [string, Record<string, unknown>] => [
      `typ ${JSON.stringify(typ)}`,
      { iss: KEYCLOAK, typ },
    ]),
    ...['access', 'refresh', 'ID', '', null, ['id'], true].map(
      (token_use): [string, Record<string, unknown>] => [
        `token_use ${JSON.stringify(token_use)}`,
        { iss: COGNITO, token_use },
      ],
    ),
    ['typ Bearer of Okta', { iss: OKTA, typ: 'Bearer' }],
    ['azpacr of Azure AD B2C behind a domain of its own', { iss: B2C_DOMAIN, azpacr: '1' }],
    ['scp of Okta', { iss: OKTA, cid: CLIENT, scp: ['openid'] }],
    ['token_use access of Keycloak', { iss: KEYCLOAK, token_use: 'access' }],
    ...Object.entries(ENTRA).flatMap(([name, iss]) =>
      ofEntra.map((claims): [string, Record<string, unknown>] => [
        `Entra ${name}, ${JSON.stringify(claims)}`,
        { iss, tid: TENANT, ...claims },
      ]),
    ),
  ])('%s', async (_, claims) => {
    expect(await logins.send(await issued(claims))).toMatchObject({
      type: 'ErrorResponse',
      reason: 'token_type_refused',
      record: { status: 422 },
      handlerRan: false,
    });
  });
});
