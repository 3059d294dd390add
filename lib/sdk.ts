/** What a custom handler may import, as `login-hooks`. Everything else of this bundle may change without notice. */
import { OPENID } from './openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from './openid/model.ts';
import type * as UserInfo from './openid/userInfo.ts';
import { defaultMapping } from './profile/compiledMapping.ts';
import { findField } from './profile/fields/findField.ts';
import { findNames } from './profile/fields/findNames.ts';
import { mappingHandler } from './profile/mapping.ts';
import type { UserLoginAnswer, UserLoginResponse } from './profile/response.ts';
import type { OpenIdMapping, OpenIdMappingAtOnce, SamlMapping } from './profile/schema/mappingSchema.ts';
import { SAML } from './saml/kind.ts';
import type { SamlUserLoggedInEvent } from './saml/model.ts';
import type * as AccessTokens from './toolkit/accessToken.ts';
import type * as LookUps from './toolkit/lookUp.ts';
import type * as Secrets from './toolkit/secrets.ts';

export { abortSignal, remainingMs } from './invocation.ts';
export { handleOpenIdUserLoggedIn } from './openid/kind.ts';
export type { IdToken, OpenIdUserLoggedInEvent } from './openid/model.ts';
export type { UserInfoOptions } from './openid/userInfo.ts';
export {
  type AuthorizedUserResponse,
  authorizedUser,
  type ErrorResponse,
  error,
  type ForbiddenResponse,
  forbidden,
  type UserLoginAnswer,
  type UserLoginResponse,
} from './profile/response.ts';
export type { OpenIdMapping, SamlMapping } from './profile/schema/mappingSchema.ts';
export { DEFAULTS, NAME_ID } from './profile/schema/profileFields.ts';
export { type LookUpCode, LookUpFailed, type SecretCode, SecretFailed } from './reasons.ts';
export { attributeValues } from './saml/attributes.ts';
export { handleSamlUserLoggedIn } from './saml/kind.ts';
export type {
  Assertion,
  AssertionAttribute,
  AudienceRestriction,
  AuthnStatement,
  Conditions,
  NameID,
  SamlUserLoggedInEvent,
  Subject,
  SubjectConfirmation,
} from './saml/model.ts';
export type { AccessTokenOptions } from './toolkit/accessToken.ts';
export type { LookUpOptions } from './toolkit/lookUp.ts';
export type { SecretOptions } from './toolkit/secrets.ts';
export { endpoint, followLink, type LookUpUrl, url } from './toolkit/url.ts';

/** A custom handler of OpenID logins: exactly one argument, the response at once or as a promise. */
export type OpenIdHandler = (event: OpenIdUserLoggedInEvent) => UserLoginAnswer | Promise<UserLoginAnswer>;

/** A custom handler of SAML logins: exactly one argument, the response at once or as a promise. */
export type SamlHandler = (event: SamlUserLoggedInEvent) => UserLoginAnswer | Promise<UserLoginAnswer>;

/**
 * Makes a handler of OpenID logins out of a profile mapping. For an issuer that has other systems to ask (`userinfo`,
 * `groups.overage`) it responds as a promise, which rejects with `LookUpFailed` or `SecretFailed` where one cannot be asked.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapOpenIdLogin(
  mapping: OpenIdMappingAtOnce,
): (event: OpenIdUserLoggedInEvent) => UserLoginResponse;
export function mapOpenIdLogin(
  mapping: OpenIdMapping,
): (event: OpenIdUserLoggedInEvent) => UserLoginResponse | Promise<UserLoginResponse>;
export function mapOpenIdLogin(mapping: OpenIdMapping) {
  return mappingHandler(OPENID, mapping);
}

/**
 * Makes a handler of SAML logins out of a profile mapping.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapSamlLogin(mapping: SamlMapping): (event: SamlUserLoggedInEvent) => UserLoginResponse {
  return mappingHandler(SAML, mapping);
}

/**
 * The e-mail address as the default handlers find it: the `email` claim (OpenID Connect Core 5.1); of an assertion an
 * attribute, or the NameID where its format says that it is an address.
 *
 * @returns null where there is none, or the provider says that it is unverified
 */
export function getEmail(event: LoginEvent): string | null {
  const { reader, mapping } = byDefault(event);
  return findField(reader, mapping.fields.email).value;
}

/** The first name as the default handlers find it: `given_name` or an attribute, or made of a full name; or null. */
export function getFirstName(event: LoginEvent): string | null {
  return namesIn(event).first_name.value;
}

/** The last name as the default handlers find it: `family_name` or an attribute, or made of a full name; or null. */
export function getLastName(event: LoginEvent): string | null {
  return namesIn(event).last_name.value;
}

type LoginEvent = OpenIdUserLoggedInEvent | SamlUserLoggedInEvent;

function namesIn(event: LoginEvent) {
  const { reader, mapping } = byDefault(event);
  return findNames(reader, mapping);
}

function byDefault(event: LoginEvent) {
  return 'assertion' in event
    ? { reader: SAML.read(event), mapping: defaultMapping(SAML.names) }
    : { reader: OPENID.read(event), mapping: defaultMapping(OPENID.names) };
}

/**
 * Asks another system for JSON, inside the login's deadline: `lookUp(url, schema, options?)`. The result is the output of the
 * schema, which says what the other system must send.
 *
 * Tries again, after a pause that grows, on connection errors and on 408, 429 and 5xx, heeding `Retry-After`.
 * Follows only redirects to the same origin.
 *
 * @throws {LookUpFailed} whose `code` says why: a time-out, the connection, the status, the content
 */
export const lookUp: typeof LookUps.lookUp = async (...asked) =>
  (await import('./toolkit/lookUp.ts')).lookUp(...asked);

/**
 * A secret's text, by its name or ARN, out of AWS Secrets Manager or `SECRETS_FILE`; cached for `SECRET_TTL_SECONDS`.
 *
 * @throws {SecretFailed} whose `code` says why: not found, access denied, a time-out, a binary secret, …
 */
export const getSecret: typeof Secrets.getSecret = async (...asked) => (await secrets()).getSecret(...asked);

/**
 * A secret that holds JSON, checked by a schema. The result is the output of the schema.
 *
 * @throws {SecretFailed} also `secret_unusable`, for anything but such JSON
 */
export const getJsonSecret: typeof Secrets.getJsonSecret = async (...asked) =>
  (await secrets()).getJsonSecret(...asked);

/**
 * A binary secret.
 *
 * @throws {SecretFailed} also `secret_unusable`, for a secret that holds text
 */
export const getBinarySecret: typeof Secrets.getBinarySecret = async (...asked) =>
  (await secrets()).getBinarySecret(...asked);

const secrets = () => import('./toolkit/secrets.ts');

/**
 * An access token of this service's own, by client credentials (RFC 6749 section 4.4). Cached for all logins until
 * shortly before it expires. Where the authorization server refuses the client, its secret is refreshed once.
 *
 * @throws {LookUpFailed}
 * @throws {SecretFailed}
 */
export const getAccessToken: typeof AccessTokens.getAccessToken = async (...asked) =>
  (await import('./toolkit/accessToken.ts')).getAccessToken(...asked);

/**
 * Adds the claims of the provider's UserInfo endpoint (OpenID Connect Core 5.3) to the claims of the event.
 *
 * The endpoint is the one in the discovery document of an issuer that the operator configured (OpenID Connect
 * Discovery 1.0 section 4), never one that an event names. The access token goes there as bearer token.
 *
 * @returns the event, with the claims of UserInfo added to its `other_claims`; of a claim that both have, the signed ID
 *   token's counts. An e-mail address that either source calls unverified stays unverified
 * @throws {LookUpFailed} where UserInfo is not available, or its `sub` is not the ID token's (OpenID Connect Core 5.3.2)
 */
export const userInfo: typeof UserInfo.userInfo = async (...asked) =>
  (await import('./openid/userInfo.ts')).userInfo(...asked);
