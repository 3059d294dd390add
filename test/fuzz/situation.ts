/** What most files set the functions up with: mappings that come with the events, and callers that sign their requests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type Functions, type Login, loadFunctions } from './functions.ts';
import { type Claims, type Mapping, openIdLogin, samlLogin } from './inputs/logins.ts';
import { SIGNING_SECRET } from './inputs/signedRequest.ts';

interface BothFunctions extends Functions {
  /** Logins of the same person by each kind. */
  both(mapping: Mapping, claims: Claims, issuer?: string): Promise<Login[]>;
}

export async function mappings(): Promise<BothFunctions> {
  const SECRETS_FILE = join(temporaryFolder(), 'secrets.json');
  writeFileSync(SECRETS_FILE, JSON.stringify({ signing: SIGNING_SECRET }));
  const functions = await loadFunctions({
    OPENID_HANDLER_MODULE: 'handlers/fuzzed',
    SAML_HANDLER_MODULE: 'handlers/fuzzed',
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'signing',
    SECRETS_FILE,
  });
  const { openId, saml } = functions;
  return {
    ...functions,
    both: async (mapping, claims, issuer) => [
      await openId(openIdLogin(mapping, claims, issuer)),
      await saml(samlLogin(mapping, claims, issuer)),
    ],
  };
}
