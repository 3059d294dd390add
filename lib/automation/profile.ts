import { authorizedUser, error, type UserLoginResponse } from './response.ts';

/** What the helpers found out about a person; null where the event says nothing. */
export interface FoundProfile {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}

/** Authorizes the person whose profile is complete, and answers an error that names what is missing. */
export function authorizeComplete({ first_name, last_name, email }: FoundProfile): UserLoginResponse {
  if (first_name !== null && last_name !== null && email !== null) {
    return authorizedUser({ first_name, last_name, email });
  }
  const missing = [
    email === null && 'e-mail address',
    first_name === null && 'first name',
    last_name === null && 'last name',
  ].filter((name) => name !== false);
  return error(`Your identity provider did not send: ${missing.join(', ')}.`);
}
