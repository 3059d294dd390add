/** Texts of protocols stay, and no others. */
import { describe, expect, test } from '@jest/globals';
import { protocolReason } from '../../tools/keep/protocol.ts';
import type { Place } from '../../tools/keep/texts.ts';

const reasonOf = (text: string, role: Place['role'], names: string[] = []) =>
  protocolReason(text, { path: '', role, names });

const SAML = 'urn:oasis:names:tc:SAML:2.0';
const METHODS = 'http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod';

describe.each<[Place['role'], string, string[], string[]]>([
  [
    'attributeName',
    'the name of an attribute',
    [
      ...['urn:oid:2.5.4.42', 'GIVENNAME', 'urn:mace:dir:attribute-def:uid'],
      ...['emailVerified', 'urn:oasis:names:tc:SAML:attribute:pairwise-id'],
      ...['upn', 'nameidentifier'].map(
        (one) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${one}`,
      ),
      ...[
        'identity/claims/objectidentifier',
        'identity/claims/tenantid',
        'identity/claims/identityprovider',
      ].map((one) => `http://schemas.microsoft.com/${one}`),
      ...['claims/authnmethodsreferences', 'claims/groups.link'].map(
        (one) => `http://schemas.microsoft.com/${one}`,
      ),
    ],
    ['ada', 'urn:oid:2.5.4.42.1', 'sub'],
  ],
  [
    'claimName',
    'the name of a claim',
    ['sub', 'realm_access', 'eduperson_orcid', 'voperson_id', '_claim_names', 'formatted', 'oid'],
    ['Email', 'ada', 'urn:oid:2.5.4.42', 'userinfo_endpoint', 'kind'],
  ],
  [
    'fieldName',
    'the name of a field',
    ['sub', 'userinfo_endpoint', '@odata.nextLink', 'givenName', 'verified', 'urn:oid:2.5.4.42'],
    ['ada', 'Sub', 'department'],
  ],
  ['headerName', 'the name of a field of a token', ['alg', 'kid', 'x5t#S256'], ['sub', 'ada']],
  [
    'header',
    'the type or algorithm of a token',
    ['JWT', 'at+jwt', 'none', 'RS256', 'ES512', 'EdDSA', 'Ed25519', 'JOSE'],
    ['RS257', 'xRS256', 'RS256x', 'ada'],
  ],
  [
    'format',
    'a format',
    [`${SAML}:attrname-format:uri`, 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'Transient'],
    [`${SAML}:attrname-format:ada`, 'x:uri', `${SAML}:cm:bearer`, 'urix', `x${SAML}:attrname-format:uri`],
  ],
  [
    'contentType',
    'the type of a response',
    ['application/json', 'application/problem+json; charset=UTF-8', 'text/html;charset=utf-8'],
    ['ada/lovelace', 'application/ada+xml', 'text/plain; ada', 'x application/json'],
  ],
  ['tokenType', 'the type of the token', ['Bearer', 'dpop'], ['ada', 'xbearer', 'bearerx']],
  ['lifetime', 'the lifetime of the access token, in seconds', ['3600'], ['ada', '36 00', '3600x', 'x3600']],
  [
    'method',
    'a method',
    [
      `${SAML}:cm:bearer`,
      'Bearer',
      `${SAML}:ac:classes:PasswordProtectedTransport`,
      `${SAML}:ac:classes:Kerberos`,
      `${SAML}:ac:classes:Smartcard`,
      `${METHODS}/password`,
    ],
    ['ada', `${SAML}:cm:ada`, `x${SAML}:cm:bearer`, `${SAML}:cm:bearerx`, 'bearer', 'true'],
  ],
  [
    'value',
    'a method',
    [
      `${SAML}:ac:classes:unspecified`,
      'http://schemas.microsoft.com/claims/multipleauthn',
      `${METHODS}/windows`,
    ],
    ['Password', `${METHODS}/ada`, `${METHODS}/windows/ada`],
  ],
  ['value', 'a boolean', ['true', 'FALSE', ' 0 ', '1', 'truefalse'], ['2', '10', 'trueada', 'adatrue', '']],
])('as %s, %s', (role, reason, known, others) => {
  test.each(known)('%j stays', (text) => {
    expect(reasonOf(text, role)).toBe(reason);
  });

  test.each(others)('%j does not', (text) => {
    expect(reasonOf(text, role)).toBeNull();
  });
});

describe('a value under the name of a claim', () => {
  test.each<[string, string[], string | null]>([
    ['pwd', ['amr'], 'a method'],
    ['mfa', ['x', 'amr'], 'a method'],
    ['ada', ['amr'], null],
    ['pwd', ['x'], null],
    ['ID', ['typ'], 'the type of the token'],
    ['id', ['token_use'], 'the type of the token'],
    ['idx', ['typ'], null],
    ['xid', ['typ'], null],
    ['ID', ['sub'], null],
  ])('%s under %j: %j', (text, names, reason) => {
    expect(reasonOf(text, 'value', names)).toBe(reason);
  });
});

test.each<Place['role']>(['token', 'nameId', 'time', 'request'])('nothing stays as %s', (role) => {
  expect(reasonOf('true', role)).toBeNull();
});
