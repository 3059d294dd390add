/** Names, formats and methods that say nothing about a person, because standards and providers' documents have them. */
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames } from '../../lib/profile/reader.ts';
import { SAML_NAMES, sameAttribute } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';

/** OpenID Connect Core 2, 3.1.3.6, 5.1, 5.1.1 and 5.6.2; RFC 7519 section 4.1; RFC 9068; OpenID Connect sessions. */
const STANDARD_CLAIMS = [
  'iss sub aud exp iat nbf jti nonce auth_time acr amr azp at_hash c_hash s_hash sid scope client_id roles entitlements',
  'name given_name family_name middle_name nickname preferred_username profile picture website email email_verified',
  'gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at groups',
  'formatted street_address locality region postal_code country',
  '_claim_names _claim_sources endpoint access_token JWT',
];
/** Claims that providers document, and those of research federations. */
const PROVIDERS_CLAIMS = [
  'oid tid upn rh uti ver idp acct hasgroups xms_edov hd typ event_id token_use origin_jti org env nonce_supported',
  'is_private_email sub_legacy groups_direct realm_access resource_access session_state cognito:groups cognito:username',
  'eduperson_affiliation eduperson_assurance eduperson_orcid eduperson_principal_name eduperson_unique_id uids',
  'schac_home_organization_type voperson_id',
];
/** Claim URIs of Entra and AD FS, and attributes of other standards. */
const PROVIDERS_ATTRIBUTES = [
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  'http://schemas.microsoft.com/identity/claims/objectidentifier',
  'http://schemas.microsoft.com/identity/claims/tenantid',
  'http://schemas.microsoft.com/identity/claims/identityprovider',
  'http://schemas.microsoft.com/claims/authnmethodsreferences',
  'http://schemas.microsoft.com/claims/groups.link',
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  ...['emailVerified', 'email_verified', 'http://schemas.auth0.com/email_verified'],
];

const CLAIMS: ReadonlySet<string> = new Set([
  ...[...STANDARD_CLAIMS, ...PROVIDERS_CLAIMS].flatMap((names) => names.split(' ')),
  ...defaultNames(OPENID_NAMES),
]);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  [...defaultNames(SAML_NAMES), ...PROVIDERS_ATTRIBUTES].map(asciiLowerCase),
);

function defaultNames({ kind: _, emailNameId: __, expand: ___, ...lists }: DefaultNames): string[] {
  return Object.values(lists)
    .flat()
    .map(({ name }) => name);
}

export function isKnownClaim(name: string): boolean {
  return CLAIMS.has(name);
}

/** A FriendlyName is one of these too. */
export function isKnownAttribute(name: string): boolean {
  return ATTRIBUTES.has(asciiLowerCase(name)) || sameAttribute(name).length > 1;
}

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
  `^(?:${URN}cm:(?:bearer|holder-of-key|sender-vouches)|Bearer|${URN}ac:classes:(?:${CLASSES.join('|')}))$`,
);
/** RFC 8176 section 2, and `ID` as the type of a token. */
const METHOD_REFERENCES =
  /^(?:face|fpt|geo|hwk|iris|kba|mca|mfa|otp|pin|pop|pwd|rba|retina|sc|sms|swk|tel|user|vbm|wia)$/;
const MICROSOFT_METHOD =
  /^http:\/\/schemas\.microsoft\.com\/(?:ws\/2008\/06\/identity\/authenticationmethod\/(?:password|windows|x509|tlsclient|unspecified|federation)|claims\/(?:multipleauthn|wiaormultiauthn))$/;

export function isFormat(text: string): boolean {
  return FORMAT.test(text);
}

export function isMethod(text: string): boolean {
  return METHOD.test(text) || MICROSOFT_METHOD.test(text);
}

export function isMethodReference(text: string): boolean {
  return METHOD_REFERENCES.test(text);
}

/** `true`, in text too, and as some services join several. */
export function isBooleanText(text: string): boolean {
  return /^(?:(?:true|false)+|[01])$/i.test(text.trim());
}

/** RFC 7515 section 4.1, RFC 7518 section 3.1. */
export function isTokenHeader(name: string): boolean {
  return /^(?:alg|typ|cty|kid|jku|jwk|x5u|x5c|x5t|x5t#S256|crit|enc|zip|b64)$/.test(name);
}

export function isTokenHeaderValue(text: string): boolean {
  return /^(?:JWT|at\+jwt|JOSE|none|(?:RS|PS|ES|HS)(?:256|384|512)|EdDSA|Ed25519)$/.test(text);
}

/** Types in distinguished names (RFC 4514 section 3), and those that directories add. */
export const NAME_TYPE =
  /(?<![\p{L}\p{N}])(?:CN|OU|DC|O|C|L|ST|SN|GN|UID|MAIL|STREET|EMAILADDRESS|E)(?=\s*=)/giu;
