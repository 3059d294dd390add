/** What the compiler must accept and refuse in a custom handler. Checked by `npm run typecheck`. */
import {
  authorizedUser,
  error,
  handleSamlUserLoggedIn,
  mapOpenIdLogin,
  mapSamlLogin,
  type OpenIdHandler,
  type OpenIdMapping,
  type OpenIdUserLoggedInEvent,
  type SamlHandler,
  type SamlMapping,
  type UserLoginAnswer,
  type UserLoginResponse,
} from 'login-hooks';

const PLAIN = {
  type: 'AuthorizedUserResponse',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
} as const;

export const plainObject: OpenIdHandler = () => PLAIN;

export const defaultFirst: SamlHandler = (event) => {
  const answer: UserLoginResponse = handleSamlUserLoggedIn(event);
  return answer.type === 'AuthorizedUserResponse' ? { ...answer, affiliation: 'Analytical Society' } : answer;
};

export function attributeNames(event: OpenIdUserLoggedInEvent): unknown[] {
  const expires: number = event.expires_in;
  const nonce: string | null = event.id_token.nonce;
  return [expires, nonce, event.id_token.other_claims.given_name];
}

// @ts-expect-error: a handler has one parameter
export const twoParameters: OpenIdHandler = (event, context) => error(String(event) + String(context));

// @ts-expect-error: a response has a type
export const noType: OpenIdHandler = () => ({ message: 'x' });

// @ts-expect-error: an authorized user has an e-mail address
export const noEmail: OpenIdHandler = () => authorizedUser({ first_name: 'Ada', last_name: 'Lovelace' });

export function claimAsString(event: OpenIdUserLoggedInEvent): string {
  // @ts-expect-error: a claim may hold anything until it was looked at
  return event.id_token.other_claims.given_name;
}

// @ts-expect-error: a SAML event has no ID token
export const wrongEvent: SamlHandler = (event) => error(event.id_token.sub);

export function unknownField(): UserLoginAnswer {
  // @ts-expect-error: an unknown field, where the type is written
  return { ...PLAIN, nickname: 'Countess' };
}

// @ts-expect-error: a field of an issuer that no mapping has
export const misspelledPart = mapSamlLogin({ issuers: { 'https://idp.example.org': { rule: [] } } });

// @ts-expect-error: two rules in one object
export const twoRules = mapOpenIdLogin({ rules: [{ any_group: ['a'], email_domains: ['a.example'] }] });

// @ts-expect-error: two conditions on one claim
export const twoConditions = mapOpenIdLogin({ rules: [{ claim: 'a', is: ['b'], present: true }] });

// @ts-expect-error: an ID token has no attributes
export const attributeOfOpenId = mapOpenIdLogin({ rules: [{ attribute: 'a', is: ['b'] }] });

// @ts-expect-error: an assertion has no claims
export const claimOfSaml = mapSamlLogin({ issuers: { a: { rules: [{ claim: 'a', present: true }] } } });

const OF_SAML: SamlMapping = { rules: [{ attribute: 'a', is_not: [{ prefix: 'b' }], absent: 'allow' }] };

export const ofSaml: SamlHandler = mapSamlLogin(OF_SAML);

const ASKING: OpenIdMapping = { issuers: { 'https://idp.example.org': { userinfo: true } } };

export const asking: OpenIdHandler = mapOpenIdLogin(ASKING);

export const atOnce: (event: OpenIdUserLoggedInEvent) => UserLoginResponse = mapOpenIdLogin({});

// @ts-expect-error: what asks another system responds as a promise
export const askingAtOnce: (event: OpenIdUserLoggedInEvent) => UserLoginResponse = mapOpenIdLogin(ASKING);

// @ts-expect-error: SAML has no UserInfo
export const askingOfSaml = mapSamlLogin({ issuers: { 'https://idp.example.org': { userinfo: true } } });

// @ts-expect-error: a misspelled part of a mapping that asks
export const misspelledAsking = mapOpenIdLogin({ issuers: { 'https://a.example': { userInfo: true } } });

// @ts-expect-error: an unknown field in a constructor
export const unknownArgument = authorizedUser({ ...PLAIN, nickname: 'Countess' });
