/** What a custom handler may import, as `#sdk`. Everything else of this bundle may change without notice. */
import './core.ts';
import type { OpenIdUserLoggedInEvent } from './openid/model.ts';
import type { UserLoginAnswer } from './profile/response.ts';
import type { SamlUserLoggedInEvent } from './saml/model.ts';

export { abortSignal, remainingMs } from './deadline.ts';
export { handleOpenIdUserLoggedIn } from './openid/handler.ts';
export { mapOpenIdLogin } from './openid/mapping.ts';
export type { IdToken, OpenIdUserLoggedInEvent } from './openid/model.ts';
export type { Mapping } from './profile/mapping.ts';
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
export { DEFAULTS, NAME_ID } from './profile/sources.ts';
export { getEmail, getFirstName, getLastName } from './profileHelpers.ts';
export { attributeValues } from './saml/attributes.ts';
export { handleSamlUserLoggedIn } from './saml/handler.ts';
export { mapSamlLogin } from './saml/mapping.ts';
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
export { type AccessTokenOptions, getAccessToken } from './toolkit/accessToken.ts';
export { type LookUpCode, LookUpFailed, type SecretCode, SecretFailed } from './toolkit/errors.ts';
export { type LookUpOptions, lookUp } from './toolkit/lookUp.ts';
export { getBinarySecret, getJsonSecret, getSecret, type SecretOptions } from './toolkit/secrets.ts';
export { endpoint, followLink, type LookUpUrl, url } from './toolkit/url.ts';
export { type UserInfoOptions, userInfo } from './toolkit/userInfo.ts';

/** A custom handler of OpenID logins: exactly one argument, the answer at once or as a promise. */
export type OpenIdHandler = (event: OpenIdUserLoggedInEvent) => UserLoginAnswer | Promise<UserLoginAnswer>;

/** A custom handler of SAML logins: exactly one argument, the answer at once or as a promise. */
export type SamlHandler = (event: SamlUserLoggedInEvent) => UserLoginAnswer | Promise<UserLoginAnswer>;
