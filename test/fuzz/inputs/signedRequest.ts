/** HTTP requests that are signed with the secret of the functions. */
import { newSecret, signed } from '../../support/signedRequest.ts';
import { overHttp } from '../../support/wire.ts';

export const SIGNING_SECRET = newSecret();

export function signedRequest(body: string, isBase64Encoded = false) {
  const bytes = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
  return overHttp(bytes, { isBase64Encoded, headers: signed(body, { secret: SIGNING_SECRET }) });
}
