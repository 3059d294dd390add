/** Names, formats and methods that say nothing about a person. */
import { describe, expect, test } from '@jest/globals';
import {
  isBooleanText,
  isFormat,
  isKnownAttribute,
  isKnownClaim,
  isMethod,
  isMethodReference,
  isTokenHeader,
  isTokenHeaderValue,
  NAME_TYPE,
} from '../../tools/keep/knownNames.ts';

const SAML2 = 'urn:oasis:names:tc:SAML:2.0:';
const SAML1 = 'urn:oasis:names:tc:SAML:1.1:';

type Kind = [what: string, is: (text: string) => boolean, known: string[], unknown: string[]];

describe.each<Kind>([
  [
    'claims',
    isKnownClaim,
    [
      ...[
        'iss',
        'entitlements',
        'name',
        'email_verified',
        'gender',
        'address',
        'groups',
        'formatted',
        'country',
      ],
      ...['_claim_names', 'JWT', 'oid', 'nonce_supported', 'cognito:username', 'sub_legacy', 'voperson_id'],
      ...[
        'uids',
        'schac_home_organization_type',
        'realm_access',
        'realm_access.roles',
        'given_name',
        'picture',
      ],
    ],
    ['', ' ', 'Email', 'ada', 'realm_access.ada', 'name family_name'],
  ],
  [
    'attributes',
    isKnownAttribute,
    [
      ...[
        'emailVerified',
        'EMAIL_VERIFIED',
        'http://schemas.auth0.com/email_verified',
        'urn:oid:2.5.4.42',
        'URN:OID:2.5.4.42',
        'givenName',
        'memberOf',
      ],
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
      'http://schemas.microsoft.com/identity/claims/objectidentifier',
      'http://schemas.microsoft.com/identity/claims/tenantid',
      'http://schemas.microsoft.com/identity/claims/identityprovider',
      'http://schemas.microsoft.com/claims/authnmethodsreferences',
      'http://schemas.microsoft.com/claims/groups.link',
      'urn:oasis:names:tc:SAML:attribute:subject-id',
      'urn:oasis:names:tc:SAML:attribute:pairwise-id',
      'urn:mace:dir:attribute-def:eduPersonOrcid',
    ],
    ['', 'ada', 'urn:oid:1.2.3.4', 'http://schemas.example/upn'],
  ],
  [
    'formats',
    isFormat,
    [
      ...[
        'unspecified',
        'uri',
        'basic',
        'emailAddress',
        'emailaddress',
        'persistent',
        'transient',
        'encrypted',
      ],
      ...[
        `${SAML1}nameid-format:emailAddress`,
        `${SAML2}nameid-format:kerberos`,
        `${SAML2}nameid-format:entity`,
      ],
      ...[`${SAML2}attrname-format:uri`, `${SAML1}nameid-format:X509SubjectName`],
      `${SAML1}nameid-format:WindowsDomainQualifiedName`,
    ],
    [
      '',
      'ada',
      'uri ',
      ' uri',
      'x-uri',
      `x${SAML2}nameid-format:entity`,
      `${SAML2}other:entity`,
      `${SAML2}entity`,
    ],
  ],
  [
    'methods',
    isMethod,
    [
      ...[
        `${SAML2}cm:bearer`,
        `${SAML2}cm:holder-of-key`,
        'urn:oasis:names:tc:SAML:1.0:cm:sender-vouches',
        'Bearer',
      ],
      ...[
        'Password',
        'InternetProtocol',
        'X509',
        'XMLDSig',
        'Telephony',
        'TLSClient',
        'TimeSyncToken',
        'PGP',
      ].map((name) => `${SAML2}ac:classes:${name}`),
      `${SAML2}ac:classes:MobileOneFactorContract`,
      'http://schemas.microsoft.com/claims/multipleauthn',
      'http://schemas.microsoft.com/claims/wiaormultiauthn',
      ...['password', 'windows', 'x509', 'tlsclient', 'unspecified', 'federation'].map(
        (name) => `http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/${name}`,
      ),
    ],
    [
      ...[
        '',
        'bearer',
        'Bearer ada',
        'ada Bearer',
        `${SAML2}cm:ada`,
        `${SAML2}ac:classes:ada`,
        `${SAML2}ac:classes:`,
      ],
      ...['http://schemas.microsoft.com/claims/ada', 'x http://schemas.microsoft.com/claims/multipleauthn'],
      'http://schemas.microsoft.com/claims/multipleauthn/ada',
    ],
  ],
  [
    'references of methods',
    isMethodReference,
    'face fpt geo hwk iris kba mca mfa otp pin pop pwd rba retina sc sms swk tel user vbm wia'.split(' '),
    ['', 'PWD', 'pwdada', 'adapwd'],
  ],
  [
    'booleans',
    isBooleanText,
    ['true', 'FALSE', ' true ', 'truefalse', '0', '1'],
    ['', 'yes', '01', 'truex', 'xtrue', '2'],
  ],
  [
    'names in a token’s header',
    isTokenHeader,
    'alg typ cty kid jku jwk x5u x5c x5t x5t#S256 crit enc zip b64'.split(' '),
    ['', 'ada', 'algx', 'xalg', 'ALG'],
  ],
  [
    'values in a token’s header',
    isTokenHeaderValue,
    [...['JWT', 'at+jwt', 'JOSE', 'none', 'EdDSA', 'Ed25519'], ...['RS256', 'PS384', 'ES512', 'HS256']],
    ['', 'jwt', 'JWTx', 'xJWT', 'RS1', 'XS256'],
  ],
])('%s', (_, is, known, unknown) => {
  test.each(known)('%j is known', (text) => expect(is(text)).toBe(true));
  test.each(unknown)('%j is not', (text) => expect(is(text)).toBe(false));
});

test('types of a distinguished name are found before their sign', () => {
  const found = (text: string) => text.match(NAME_TYPE) ?? [];
  expect(found('CN=Ada O=King,ou = x,dc=y,UID =z')).toEqual(['CN', 'O', 'ou', 'dc', 'UID']);
  expect(found('xCN=a 1O=b CN:c NN=d üO=e')).toEqual([]);
});
