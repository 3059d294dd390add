/** Names, formats and methods that say nothing about a person, because standards and providers' documents have them. */
import { CLAIM_NAMES } from '../../lib/openid/claims.ts';
import { ATTRIBUTE_NAMES, sameAttribute } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import type { Place, Role } from './texts.ts';

/** Those that the default handlers look for stand in `lib`. */
const KNOWN_NAMES = new Set(
  [
    ...[...Object.values(CLAIM_NAMES), ...Object.values(ATTRIBUTE_NAMES)].flat().map(({ name }) => name),
    // OpenID Connect Core 2, 3.1.3.6, 5.1, 5.1.1 and 5.6.2; RFC 7519 section 4.1; RFC 9068; OpenID Connect sessions
    'iss sub aud exp iat nbf jti nonce auth_time acr amr azp at_hash c_hash s_hash sid scope client_id entitlements',
    'middle_name nickname preferred_username profile website email_verified gender birthdate zoneinfo locale',
    'phone_number phone_number_verified address updated_at formatted street_address locality region postal_code country',
    '_claim_names _claim_sources endpoint access_token JWT',
    // Providers and research federations
    'oid tid upn rh uti ver idp acct hasgroups xms_edov hd typ event_id token_use origin_jti org env nonce_supported',
    'is_private_email sub_legacy groups_direct realm_access resource_access session_state cognito:username',
    'eduperson_affiliation eduperson_orcid eduperson_principal_name eduperson_unique_id uids',
    'schac_home_organization_type voperson_id',
    // Entra, AD FS, SAML V2.0 Subject Identifier Attributes Profile, Auth0
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
    'http://schemas.microsoft.com/identity/claims/objectidentifier',
    'http://schemas.microsoft.com/identity/claims/tenantid',
    'http://schemas.microsoft.com/identity/claims/identityprovider',
    'http://schemas.microsoft.com/claims/authnmethodsreferences',
    'http://schemas.microsoft.com/claims/groups.link',
    'urn:oasis:names:tc:SAML:attribute:subject-id urn:oasis:names:tc:SAML:attribute:pairwise-id',
    'emailVerified http://schemas.auth0.com/email_verified',
    // OpenID Connect Discovery 3, OAuth 2.0 (RFC 6749 section 5.1), Microsoft Graph, ORCID
    'issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri token_type expires_in refresh_token id_token',
    'value id @odata.context @odata.nextLink @odata.type path primary verified visibility',
  ]
    .flatMap((names) => names.split(' '))
    .map(asciiLowerCase),
);

/** SAML Core 8.2, 8.3; SAML Profiles 3; SAML Authentication Context 3.4; with the short forms that some services write. */
const URN = 'urn:oasis:names:tc:SAML:[12]\\.[01]:';
const FORMAT = new RegExp(
  `^(?:${URN}(?:attrname-format|nameid-format):)?(?:unspecified|uri|basic|emailAddress|X509SubjectName|WindowsDomainQualifiedName|kerberos|entity|persistent|transient|encrypted)$`,
  'i',
);
const CLASSES = [
  'InternetProtocol InternetProtocolPassword Kerberos MobileOneFactorUnregistered MobileTwoFactorUnregistered',
  'MobileOneFactorContract MobileTwoFactorContract Password PasswordProtectedTransport PreviousSession X509 PGP SPKI',
  'XMLDSig Smartcard SmartcardPKI SoftwarePKI Telephony NomadTelephony PersonalTelephony AuthenticatedTelephony',
  'SecureRemotePassword TLSClient TimeSyncToken unspecified',
].flatMap((names) => names.split(' '));
const METHOD = new RegExp(
  `^(?:${URN}cm:(?:bearer|holder-of-key|sender-vouches)|Bearer|${URN}ac:classes:(?:${CLASSES.join('|')})` +
    '|http://schemas\\.microsoft\\.com/(?:ws/2008/06/identity/authenticationmethod/(?:password|windows|x509|tlsclient|unspecified|federation)|claims/(?:multipleauthn|wiaormultiauthn)))$',
);
/** RFC 8176 section 2. */
const METHOD_REFERENCE =
  /^(?:face|fpt|geo|hwk|iris|kba|mca|mfa|otp|pin|pop|pwd|rba|retina|sc|sms|swk|tel|user|vbm|wia)$/;
const CONTENT_TYPE =
  /^(?:application\/(?:[a-z]+\+)?json|text\/(?:plain|html)|application\/xml)(?:; ?charset=utf-8)?$/i;
/** `true`, in text too, and as some services join several. */
const BOOLEANS = /^\s*(?:(?:true|false)+|[01])\s*$/i;

interface Row {
  role: Role;
  why: string;
  pattern: RegExp;
  /** The claims in which it is known; default: all. */
  claims?: readonly string[];
}

const ROWS: readonly Row[] = [
  { role: 'format', why: 'a format', pattern: FORMAT },
  { role: 'contentType', why: 'the type of a response', pattern: CONTENT_TYPE },
  { role: 'lifetime', why: 'the lifetime of the access token, in seconds', pattern: /^\d+$/ },
  { role: 'tokenType', why: 'the type of the token', pattern: /^(?:bearer|dpop)$/i },
  { role: 'method', why: 'a method', pattern: METHOD },
  { role: 'value', why: 'a method', pattern: METHOD },
  { role: 'value', why: 'a method', pattern: METHOD_REFERENCE, claims: ['amr'] },
  { role: 'value', why: 'a boolean', pattern: BOOLEANS },
  { role: 'value', why: 'the type of the token', pattern: /^id$/i, claims: ['typ', 'token_use'] },
];

/** Why a whole text is one of a protocol; null where it is none. */
export function protocolReason(text: string, { role, names }: Place): string | null {
  // A FriendlyName is one of these names too.
  if (role === 'attributeName' || role === 'claimName') {
    const isKnown = KNOWN_NAMES.has(asciiLowerCase(text)) || sameAttribute(text).length > 1;
    return isKnown ? 'the name of a claim or attribute' : null;
  }
  const isHere = ({ claims }: Row) => !claims || claims.some((claim) => names.includes(claim));
  return ROWS.find((row) => row.role === role && row.pattern.test(text) && isHere(row))?.why ?? null;
}
