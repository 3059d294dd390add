/** Texts of protocols are kept, and no others. */
import { expect, test } from '@jest/globals';
import { protocolReason } from '../../tools/keep/protocol.ts';
import type { Role } from '../../tools/keep/texts.ts';

const reasonOf = (text: string, role: Role, names: string[] = []) =>
  protocolReason(text, { path: '', role, names });

const SAML = 'urn:oasis:names:tc:SAML:2.0';
const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com';
const METHODS = `${MICROSOFT}/ws/2008/06/identity/authenticationmethod`;
const NAMES = [
  ...['urn:oid:2.5.4.42', 'GIVENNAME', 'urn:mace:dir:attribute-def:uid', 'emailVerified', 'Email'],
  ...['urn:oasis:names:tc:SAML:attribute:pairwise-id', `${XMLSOAP}/upn`, `${XMLSOAP}/nameidentifier`],
  ...['objectidentifier', 'tenantid', 'identityprovider'].map((one) => `${MICROSOFT}/identity/claims/${one}`),
  ...['authnmethodsreferences', 'groups.link'].map((one) => `${MICROSOFT}/claims/${one}`),
  ...[
    'sub',
    'gender',
    'name',
    'realm_access',
    'eduperson_orcid',
    'voperson_id',
    '_claim_names',
    'formatted',
    'oid',
  ],
  ...['userinfo_endpoint', '@odata.nextLink', 'givenName', 'verified'],
];
const NO_NAMES = ['ada', 'urn:oid:2.5.4.42.1', 'kind', 'department'];
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const FORMATS = [`${SAML}:attrname-format:uri`, EMAIL, 'Transient'];
const NO_FORMATS = [
  ...[`${SAML}:attrname-format:ada`, 'x:uri', `${SAML}:cm:bearer`, 'urix', `x${SAML}:attrname-format:uri`],
];
const TYPES = ['application/json', 'application/problem+json; charset=UTF-8', 'text/html;charset=utf-8'];
const NO_TYPES = ['ada/lovelace', 'application/ada+xml', 'text/plain; ada', 'x application/json'];
const CLASSES = ['PasswordProtectedTransport', 'Kerberos', 'Smartcard'].map(
  (one) => `${SAML}:ac:classes:${one}`,
);
const NO_METHODS = ['ada', `${SAML}:cm:ada`, `x${SAML}:cm:bearer`, `${SAML}:cm:bearerx`, 'bearer', 'true'];
const MULTIPLE = `${MICROSOFT}/claims/multipleauthn`;

test.each<[Role, string, string[], string[]]>([
  ['attributeName', 'the name of a claim or attribute', NAMES, NO_NAMES],
  ['claimName', 'the name of a claim or attribute', NAMES, NO_NAMES],
  ['format', 'a format', FORMATS, NO_FORMATS],
  ['contentType', 'the type of a response', TYPES, NO_TYPES],
  ['tokenType', 'the type of the token', ['Bearer', 'dpop'], ['ada', 'xbearer', 'bearerx']],
  ['lifetime', 'the lifetime of the access token, in seconds', ['3600'], ['ada', '36 00', '3600x', 'x3600']],
  ['method', 'a method', [`${SAML}:cm:bearer`, 'Bearer', ...CLASSES, `${METHODS}/password`], NO_METHODS],
  [
    'value',
    'a method',
    [`${SAML}:ac:classes:unspecified`, MULTIPLE, `${METHODS}/windows`],
    ['Password', `${METHODS}/ada`, `${METHODS}/windows/ada`],
  ],
  ['value', 'a boolean', ['true', 'FALSE', ' 0 ', '1', 'truefalse'], ['2', '10', 'trueada', 'adatrue', '']],
])('as %s, %s is kept', (role, reason, known, others) => {
  for (const text of known) expect([text, reasonOf(text, role)]).toEqual([text, reason]);
  for (const text of others) expect([text, reasonOf(text, role)]).toEqual([text, null]);
});

test.each<[string, string[], string | null]>([
  ['pwd', ['amr'], 'a method'],
  ['mfa', ['x', 'amr'], 'a method'],
  ['apwd', ['amr'], null],
  ['pwda', ['amr'], null],
  ['pwd', ['x'], null],
  ['ID', ['typ'], 'the type of the token'],
  ['id', ['token_use'], 'the type of the token'],
  ['idx', ['typ'], null],
  ['xid', ['typ'], null],
  ['ID', ['sub'], null],
])('the value %s under %j: %j', (text, names, reason) => expect(reasonOf(text, 'value', names)).toBe(reason));

test.each<Role>(['token', 'nameId', 'time', 'request'])('nothing is kept as %s', (role) => {
  expect(reasonOf('true', role)).toBeNull();
});
