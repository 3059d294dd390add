/** What the functions are set up with. Settings are read once: a file has one situation. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { httpServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type Functions, type Login, loadFunctions } from './functions.ts';
import { attributesOf, type Claims, type Mapping, openIdLogin, samlLogin } from './inputs/logins.ts';
import { CLIENTS, ISSUER, KEYS, OTHER_ISSUER } from './inputs/tokens.ts';

export const SIGNING_KEY = Buffer.from('a secret of thirty-two bytes ...');

interface BothFunctions extends Functions {
  /** Logins of the same person by each kind. */
  both(mapping: Mapping, claims: Claims, issuer?: string): Promise<Login[]>;
}

/** Mappings, and callers that sign their requests. */
export async function mappings(): Promise<BothFunctions> {
  const SECRETS_FILE = join(temporaryFolder(), 'secrets.json');
  writeFileSync(SECRETS_FILE, JSON.stringify({ signing: `whsec_${SIGNING_KEY.toString('base64')}` }));
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
      await saml(samlLogin(mapping, attributesOf(claims), issuer)),
    ],
  };
}

/** Tokens and assertions that are checked. */
export async function checks(): Promise<Functions> {
  const server = await httpServer(({ url = '' }, response) =>
    sendJson(response, { keys: KEYS[`https:/${url}`] }),
  );
  afterAll(server.close);
  const issuers = [ISSUER, OTHER_ISSUER].map((issuer) => {
    const jwks_uri = `${server.url}/${new URL(issuer).host}`;
    return [issuer, { audiences: CLIENTS, jwks_uri }];
  });
  return loadFunctions({
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify(Object.fromEntries(issuers)),
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify({
      'https://idp.example.org/saml': {
        audiences: ['https://app.example.net/saml/metadata'],
        recipients: ['https://app.example.net/saml/acs'],
      },
    }),
  });
}
