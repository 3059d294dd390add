/** What the functions are set up with: settings are read once, so each situation has processes of its own. */

import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handlerName } from '../../tools/bundle/build.ts';
import { loadFunctions } from './functions.ts';
import { SAML_ISSUERS } from './inputs/assertions.ts';
import { CLIENTS, ISSUER, KEYS, OTHER_ISSUER } from './inputs/tokens.ts';
import type { Invariant } from './invariant.ts';
import { addressInvariants } from './invariants/addresses.ts';
import { anyInvariants } from './invariants/any.ts';
import { checkInvariants } from './invariants/checks.ts';
import { groupInvariants } from './invariants/groups.ts';
import { nameInvariants } from './invariants/names.ts';
import { ruleInvariants } from './invariants/rules.ts';
import { signatureInvariants } from './invariants/signatures.ts';

export const HANDLER = fileURLToPath(new URL('handlers/fuzzed.ts', import.meta.url));

const SIGNING_KEY = Buffer.from('a secret of thirty-two bytes ...');

/** @param root of the bundle */
type Situation = (root: string) => Promise<Invariant[]>;

/** Mappings, and callers that sign their requests. */
const mappings: Situation = async (root) => {
  const secrets = join(mkdtempSync(join(tmpdir(), 'login-hooks-')), 'secrets.json');
  writeFileSync(secrets, JSON.stringify({ signing: `whsec_${SIGNING_KEY.toString('base64')}` }));
  Object.assign(process.env, {
    OPENID_HANDLER_MODULE: handlerName(HANDLER),
    SAML_HANDLER_MODULE: handlerName(HANDLER),
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'signing',
    SECRETS_FILE: secrets,
  });
  const functions = await loadFunctions(root);
  return [
    ...groupInvariants(functions),
    ...ruleInvariants(functions),
    ...nameInvariants(functions),
    ...addressInvariants(functions),
    ...signatureInvariants(functions, SIGNING_KEY),
    ...(await anyInvariants(functions, SIGNING_KEY)),
  ];
};

/** Tokens and assertions that are checked. */
const checks: Situation = async (root) => {
  const keys = new Map(Object.entries(KEYS).map(([issuer, keys]) => [`/${new URL(issuer).host}`, { keys }]));
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(keys.get(url)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  const issuers = [ISSUER, OTHER_ISSUER].map((issuer) => {
    const jwks_uri = `http://localhost:${port}/${new URL(issuer).host}`;
    return [issuer, { audiences: CLIENTS, jwks_uri }];
  });
  Object.assign(process.env, {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify(Object.fromEntries(issuers)),
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify(SAML_ISSUERS),
  });
  return checkInvariants(await loadFunctions(root));
};

export const SITUATIONS = { mappings, checks } satisfies Record<string, Situation>;
export type SituationName = keyof typeof SITUATIONS;
