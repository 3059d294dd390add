/** The functions with mappings that come with the events, for callers that sign their requests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret, signed } from '../support/signedRequest.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { overHttp } from '../support/wire.ts';
import { type Login, loadFunctions } from './functions.ts';
import { type Claims, type Mapping, openIdLogin, samlLogin } from './inputs/logins.ts';

const signing = newSecret();
const SECRETS_FILE = join(temporaryFolder(), 'secrets.json');
writeFileSync(SECRETS_FILE, JSON.stringify({ signing }));

export const { openId, saml } = await loadFunctions({
  OPENID_HANDLER_MODULE: 'handlers/fuzzed',
  SAML_HANDLER_MODULE: 'handlers/fuzzed',
  CALLER_CHECK: 'signature',
  SIGNING_SECRET_ID: 'signing',
  SECRETS_FILE,
});

/** Logins of the same person by each kind. */
export async function both(mapping: Mapping, claims: Claims, issuer?: string): Promise<Login[]> {
  return [await openId(openIdLogin(mapping, claims, issuer)), await saml(samlLogin(mapping, claims, issuer))];
}

export function signedRequest(text: string, isBase64Encoded: boolean) {
  const body = isBase64Encoded ? Buffer.from(text).toString('base64') : text;
  return overHttp(body, { isBase64Encoded, headers: signed(text, { secret: signing }) });
}
