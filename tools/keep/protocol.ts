/** Names, formats and methods that say nothing about a person, because standards and providers' documents have them. */
import { CLAIM_NAMES } from '../../lib/openid/claims.ts';
import type { Name, NameLists } from '../../lib/profile/fields/reader.ts';
import { ATTRIBUTE_NAMES, sameAttribute } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import type { Place } from './texts.ts';

const CLAIMS = wordsOf(
  // OpenID Connect Core 2, 3.1.3.6, 5.1, 5.1.1 and 5.6.2; RFC 7519 section 4.1; RFC 9068; OpenID Connect sessions
  'iss sub aud exp iat nbf jti nonce auth_time acr amr azp at_hash c_hash s_hash sid scope client_id roles entitlements',
  'name given_name family_name middle_name nickname preferred_username profile picture website email email_verified',
  'gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at groups',
  'formatted street_address locality region postal_code country',
  '_claim_names _claim_sources endpoint access_token JWT',
  // Providers and research federations
  'oid tid upn rh uti ver idp acct hasgroups xms_edov hd typ event_id token_use origin_jti org env nonce_supported',
  'is_private_email sub_legacy groups_direct realm_access resource_access session_state cognito:groups cognito:username',
  'eduperson_affiliation eduperson_assurance eduperson_orcid eduperson_principal_name eduperson_unique_id uids',
  'schac_home_organization_type voperson_id',
);
const ATTRIBUTES = wordsOf(
  // Entra, AD FS, SAML V2.0 Subject Identifier Attributes Profile, Auth0
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  'http://schemas.microsoft.com/identity/claims/objectidentifier',
  'http://schemas.microsoft.com/identity/claims/tenantid',
  'http://schemas.microsoft.com/identity/claims/identityprovider',
  'http://schemas.microsoft.com/claims/authnmethodsreferences',
  'http://schemas.microsoft.com/claims/groups.link',
  'urn:oasis:names:tc:SAML:attribute:subject-id urn:oasis:names:tc:SAML:attribute:pairwise-id',
  'emailVerified email_verified http://schemas.auth0.com/email_verified',
);
/** OpenID Connect Discovery 3 and OAuth 2.0 (RFC 6749 section 5.1), Microsoft Graph, ORCID. */
const RESPONSE_FIELDS = wordsOf(
  'issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri token_type expires_in refresh_token id_token',
  'value id @odata.context @odata.nextLink @odata.type path primary verified visibility',
);
/** RFC 7515 section 4.1. */
const TOKEN_HEADERS = wordsOf('alg typ cty kid jku jwk x5u x5c x5t x5t#S256 crit enc zip b64');

const DEFAULT_NAMES = { claims: namesIn(CLAIM_NAMES), attributes: namesIn(ATTRIBUTE_NAMES) };
const KNOWN_CLAIMS = new Set([...CLAIMS, ...DEFAULT_NAMES.claims]);
const KNOWN_ATTRIBUTES = new Set([...ATTRIBUTES, ...DEFAULT_NAMES.attributes].map(asciiLowerCase));
const KNOWN_FIELDS = new Set([...KNOWN_CLAIMS, ...RESPONSE_FIELDS]);

/** SAML Core 8.2, 8.3; SAML Profiles 3; SAML Authentication Context 3.4; with the short forms that some services write. */
const URN = 'urn:oasis:names:tc:SAML:[12]\\.[01]:';
const FORMAT = new RegExp(
  `^(?:${URN}(?:attrname-format|nameid-format):)?(?:unspecified|uri|basic|emailAddress|X509SubjectName|WindowsDomainQualifiedName|kerberos|entity|persistent|transient|encrypted)$`,
  'i',
);
const CLASSES = wordsOf(
  'InternetProtocol InternetProtocolPassword Kerberos MobileOneFactorUnregistered MobileTwoFactorUnregistered',
  'MobileOneFactorContract MobileTwoFactorContract Password PasswordProtectedTransport PreviousSession X509 PGP SPKI',
  'XMLDSig Smartcard SmartcardPKI SoftwarePKI Telephony NomadTelephony PersonalTelephony AuthenticatedTelephony',
  'SecureRemotePassword TLSClient TimeSyncToken unspecified',
);
const METHOD = new RegExp(
  `^(?:${URN}cm:(?:bearer|holder-of-key|sender-vouches)|Bearer|${URN}ac:classes:(?:${CLASSES.join('|')})` +
    '|http://schemas\\.microsoft\\.com/(?:ws/2008/06/identity/authenticationmethod/(?:password|windows|x509|tlsclient|unspecified|federation)|claims/(?:multipleauthn|wiaormultiauthn)))$',
);
/** RFC 8176 section 2. */
const METHOD_REFERENCES = wordsOf(
  'face fpt geo hwk iris kba mca mfa otp pin pop pwd rba retina sc sms swk tel user vbm wia',
);
/** RFC 7518 section 3.1. */
const TOKEN_HEADER_VALUE = /^(?:JWT|at\+jwt|JOSE|none|(?:RS|PS|ES|HS)(?:256|384|512)|EdDSA|Ed25519)$/;
const CONTENT_TYPE =
  /^(?:application\/(?:[a-z]+\+)?json|text\/(?:plain|html)|application\/xml)(?:; ?charset=utf-8)?$/i;
/** `true`, in text too, and as some services join several. */
const BOOLEANS = /^(?:(?:true|false)+|[01])$/i;
/** The vocabulary of eduPerson 2.2.1. */
export const AFFILIATIONS = wordsOf('faculty student staff alum member affiliate employee library-walk-in');
/** Types in distinguished names (RFC 4514 section 3), and those that directories add. */
export const NAME_TYPES = wordsOf('CN OU DC O C L ST SN GN UID MAIL STREET EMAILADDRESS E');

/** Why a whole text is one of a protocol; null where it is none. */
export function protocolReason(text: string, { role, names }: Place): string | null {
  switch (role) {
    case 'attributeName':
      return isKnownAttribute(text) ? 'the name of an attribute' : null;
    case 'claimName':
      return KNOWN_CLAIMS.has(text) ? 'the name of a claim' : null;
    case 'fieldName':
      return KNOWN_FIELDS.has(text) || isKnownAttribute(text) ? 'the name of a field' : null;
    case 'headerName':
      return TOKEN_HEADERS.includes(text) ? 'the name of a field of a token' : null;
    case 'header':
      return TOKEN_HEADER_VALUE.test(text) ? 'the type or algorithm of a token' : null;
    case 'format':
      return FORMAT.test(text) ? 'a format' : null;
    case 'contentType':
      return CONTENT_TYPE.test(text) ? 'the type of a response' : null;
    case 'lifetime':
      return /^\d+$/.test(text) ? 'the lifetime of the access token, in seconds' : null;
    case 'tokenType':
      return /^(?:bearer|dpop)$/i.test(text) ? 'the type of the token' : null;
    case 'method':
      return METHOD.test(text) ? 'a method' : null;
    case 'value':
      return valueReason(text, names);
    default:
      return null;
  }
}

function valueReason(text: string, names: readonly string[]): string | null {
  if (BOOLEANS.test(text.trim())) return 'a boolean';
  if (METHOD.test(text) || (names.includes('amr') && METHOD_REFERENCES.includes(text))) return 'a method';
  const isTokenType = (names.includes('typ') || names.includes('token_use')) && /^id$/i.test(text);
  return isTokenType ? 'the type of the token' : null;
}

/** A FriendlyName is one of these too. */
function isKnownAttribute(name: string): boolean {
  return KNOWN_ATTRIBUTES.has(asciiLowerCase(name)) || sameAttribute(name).length > 1;
}

function namesIn(lists: NameLists): string[] {
  const names: Name[] = Object.values(lists).flat();
  return names.map(({ name }) => name);
}

function wordsOf(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
