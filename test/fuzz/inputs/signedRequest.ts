/** HTTP requests that are signed with the secret of the functions. */
import { newSecret, type Signing, signed } from '../../support/signedRequest.ts';
import { overHttp } from '../../support/wire.ts';

export const SIGNING_SECRET = newSecret();

export interface Request {
  body: string;
  headers: Readonly<Record<string, unknown>>;
  multiValueHeaders?: object;
}

export function signedRequest(body: string, how: Partial<Signing> = {}): Request {
  return { body, headers: signed(body, { secret: SIGNING_SECRET, ...how }) };
}

/** As it gets to a function. */
export function sent({ body, ...request }: Request, isBase64Encoded: boolean) {
  const bytes = isBase64Encoded ? Buffer.from(body).toString('base64') : body;
  return overHttp(bytes, { isBase64Encoded, ...request });
}
