import { MAX_NAME_LENGTH } from '../text.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/** The `sub` claim (OpenID Connect Core 2): lasting, and never given to another person of the same issuer. */
export function openIdExternalId({ id_token: { sub } }: OpenIdUserLoggedInEvent): string | null {
  return sub !== '' && sub.length <= MAX_NAME_LENGTH ? sub : null;
}
