/** What sign-ins by OpenID share: the clients of a real provider, and why a sign-in is refused. */
import { expect } from '@jest/globals';
import { SignInRefused } from '../../tools/signIn/refusals.ts';

export const REDIRECT = 'http://localhost:3003/callback/openid';
/** It has the characters that client_secret_basic escapes (RFC 6749 section 2.3.1). */
export const SECRET = 'the secret of the client+/=%';
export const OF_ANOTHER_ADDRESS = 'of_another_address';
export const OF_ONE_SCOPE = 'of_one_scope';

/** Each client has the name of the method by which it authenticates. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export function clientsAt(redirectUri: string) {
  const client = (method: (typeof METHODS)[number]) => ({
    client_id: method as string,
    redirect_uris: [redirectUri],
    response_types: ['code' as const],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: method,
    application_type: 'native' as const,
    ...(method !== 'none' && { client_secret: SECRET }),
  });
  return [
    ...METHODS.map(client),
    { ...client('none'), client_id: OF_ANOTHER_ADDRESS, redirect_uris: ['http://localhost:3004/other'] },
    { ...client('none'), client_id: OF_ONE_SCOPE, scope: 'openid' },
  ];
}

/** What a promise is refused with. */
export async function refusalOf(promise: Promise<unknown>): Promise<SignInRefused> {
  await expect(promise).rejects.toBeInstanceOf(SignInRefused);
  return promise.catch((error) => error) as Promise<SignInRefused>;
}
