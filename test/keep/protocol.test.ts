/** Texts of protocols are kept, and no others. */
import { expect, test } from '@jest/globals';
import { protocolReason } from '../../tools/keep/protocol.ts';
import type { Role } from '../../tools/keep/texts.ts';

const SAML = 'urn:oasis:names:tc:SAML:2.0';
const MICROSOFT = 'http://schemas.microsoft.com';
const WINDOWS = `${MICROSOFT}/ws/2008/06/identity/authenticationmethod`;
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const URI = `${SAML}:attrname-format:uri`;
const BEARER = `${SAML}:cm:bearer`;
const NAMES = [
  ...['urn:oid:2.5.4.42', 'GIVENNAME', 'urn:mace:dir:attribute-def:uid', 'emailVerified', '@odata.nextLink'],
  ...['urn:oasis:names:tc:SAML:attribute:pairwise-id', '_claim_sources', 'realm_access', 'uids'],
  ...['voperson_id', 'jwks_uri'],
  ...['upn', 'nameidentifier'].map((name) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`),
  ...['objectidentifier', 'tenantid', 'identityprovider'].map(
    (name) => `${MICROSOFT}/identity/claims/${name}`,
  ),
  ...['authnmethodsreferences', 'groups.link'].map((name) => `${MICROSOFT}/claims/${name}`),
];
const NO_NAMES = ['ada', 'urn:oid:2.5.4.42.1', 'kind', 'department'];

const NO_FORMATS = [`${SAML}:attrname-format:ada`, 'x:uri', BEARER, 'urix', `x${URI}`];
const TYPES = ['application/json', 'application/problem+json; charset=UTF-8', 'text/html;charset=utf-8'];
const NO_TYPES = ['ada/lovelace', 'application/ada+xml', 'text/plain; ada', 'x application/json'];
const METHODS = [BEARER, 'Bearer', `${SAML}:ac:classes:PasswordProtectedTransport`, `${WINDOWS}/password`];
const NO_METHODS = ['ada', `${SAML}:cm:ada`, `x${BEARER}`, `${BEARER}x`, 'bearer', 'true'];
const VALUES = [
  ...['Kerberos', 'Smartcard', 'unspecified'].map((name) => `${SAML}:ac:classes:${name}`),
  `${MICROSOFT}/claims/multipleauthn`,
  `${WINDOWS}/windows`,
];
const NO_VALUES = ['Password', `${WINDOWS}/ada`, `${WINDOWS}/windows/ada`];
const NAME = 'the name of a claim or attribute';
const LIFETIME = 'the lifetime of the access token, in seconds';

test.each<[role: Role, under: string[], reason: string, known: string[], others: string[]]>([
  ['attributeName', [], NAME, NAMES, NO_NAMES],
  ['claimName', [], NAME, NAMES, NO_NAMES],
  ['format', [], 'a format', [URI, EMAIL, 'Transient'], NO_FORMATS],
  ['contentType', [], 'the type of a response', TYPES, NO_TYPES],
  ['tokenType', [], 'the type of the token', ['Bearer', 'dpop'], ['ada', 'xbearer', 'bearerx']],
  ['lifetime', [], LIFETIME, ['3600'], ['ada', '36 00', '3600x', 'x3600']],
  ['method', [], 'a method', METHODS, NO_METHODS],
  ['value', [], 'a method', VALUES, NO_VALUES],
  [
    'value',
    [],
    'a boolean',
    ['true', 'FALSE', ' 0 ', '1', 'truefalse'],
    ['2', '10', 'trueada', 'adatrue', ''],
  ],
  ['value', ['x', 'amr'], 'a method', ['pwd', 'mfa'], ['apwd', 'pwda', 'ID']],
  ['value', ['typ'], 'the type of the token', ['ID'], ['idx', 'xid', 'pwd']],
  ['value', ['token_use'], 'the type of the token', ['id'], []],
])('as %s below %j, %s is kept', (role, names, reason, known, others) => {
  const reasons = (texts: string[]) => texts.map((text) => protocolReason(text, { path: '', role, names }));
  expect(reasons(known)).toEqual(known.map(() => reason));
  expect(reasons(others)).toEqual(others.map(() => null));
});
