/** What the functions are set up with, each in a process of its own, because settings are read once. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { build, handlerName } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import type { LocalServer } from '../support/servers.ts';
import { SAML_ISSUERS } from './arbitraries/assertions.ts';
import { mapping } from './arbitraries/mappings.ts';
import { CLIENTS, ENTRA_ISSUERS, ISSUER, type IssuerKeys, newKeys, OTHER_ISSUER } from './keys.ts';
import { FIXED } from './mappings.ts';
import { outsideSystems } from './outside.ts';
import type { Mappings } from './properties/mappings.ts';

export type SituationName =
  | 'defaults, OpenID'
  | 'defaults, SAML'
  | 'signature'
  | 'token and assertion'
  | 'mappings, OpenID'
  | 'mappings, SAML'
  | 'fewer required fields, OpenID'
  | 'fewer required fields, SAML'
  | 'side by side'
  | 'worked handlers';

export interface Situation {
  name: SituationName;
  /** Of all cases, relative to the other situations. */
  share: number;
  /** The whole environment of the process. */
  env: Record<string, string>;
  setup: Setup;
}

/** What a process must know besides, to play the service and the issuers. */
export interface Setup {
  signingKey?: string;
  keys?: IssuerKeys;
  /** Of the bundle that has the handlers under test. */
  root?: string;
  mappings?: Mappings;
  outsideUrl?: string;
}

const SIGNING_KEY_BYTES = 32;
const GENERATED_MAPPINGS = 60;
const HANDLERS = fileURLToPath(new URL('handlers/fuzzed.ts', import.meta.url));

/**
 * @param folder for the files that settings name
 * @param seed of the mappings that are made up
 */
export async function situations(
  folder: string,
  seed: number,
): Promise<{ situations: Situation[]; outside: LocalServer }> {
  const signingKey = randomBytes(SIGNING_KEY_BYTES).toString('base64');
  const secretsFile = join(folder, 'secrets.json');
  await writeFile(
    secretsFile,
    JSON.stringify({
      signing: `whsec_${signingKey}`,
      'login-hooks/directory-token': 'directory-token',
      'login-hooks/entra-graph': { client_id: 'client', client_secret: 'secret' },
    }),
  );
  const keys = newKeys();
  const outside = await outsideSystems(keys);
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, outside.ca);

  const signature = { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing', SECRETS_FILE: secretsFile };
  const checks = {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({
      ...Object.fromEntries(
        ENTRA_ISSUERS.map((issuer) => [issuer, { audiences: CLIENTS, jwks_uri: `${outside.url}/keys` }]),
      ),
      [ISSUER]: { audiences: CLIENTS, jwks_uri: `${outside.url}/keys` },
      [OTHER_ISSUER]: { audiences: CLIENTS, jwks_uri: `${outside.url}/other` },
    }),
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify(SAML_ISSUERS),
    NODE_EXTRA_CA_CERTS: ca,
    // So that what is logged besides is looked at too.
    AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
  };
  const root = join(PROJECT, '.build', 'fuzz');
  await build({ outdir: root, extraHandler: HANDLERS });
  const handlerModule = handlerName(HANDLERS);
  const mappings = { ...FIXED, ...generatedMappings(seed) };
  const mappingsFile = join(folder, 'mappings.json');
  await writeFile(mappingsFile, JSON.stringify(mappings));
  const handlers = {
    OPENID_HANDLER_MODULE: handlerModule,
    SAML_HANDLER_MODULE: handlerModule,
    FUZZ_MAPPINGS: mappingsFile,
    FUZZ_OUTSIDE_URL: outside.url,
    NODE_EXTRA_CA_CERTS: ca,
    SECRETS_FILE: secretsFile,
    DIRECTORY_URL: `${outside.url}/directory`,
    ORCID_API_URL: `${outside.url}/orcid`,
    ...outside.env,
    USERINFO_ISSUER: outside.url,
  };
  return {
    outside,
    situations: [
      { name: 'defaults, OpenID', share: 3, env: {}, setup: {} },
      { name: 'defaults, SAML', share: 3, env: {}, setup: {} },
      { name: 'signature', share: 2, env: signature, setup: { signingKey } },
      { name: 'token and assertion', share: 3, env: checks, setup: { keys } },
      { name: 'mappings, OpenID', share: 4, env: handlers, setup: { root, mappings } },
      { name: 'mappings, SAML', share: 4, env: handlers, setup: { root, mappings } },
      {
        name: 'fewer required fields, OpenID',
        share: 1,
        env: { ...handlers, REQUIRED_FIELDS: 'none', OPENID_EXTERNAL_ID: 'sub' },
        setup: { root, mappings },
      },
      {
        name: 'fewer required fields, SAML',
        share: 1,
        env: { ...handlers, REQUIRED_FIELDS: 'email' },
        setup: { root, mappings },
      },
      { name: 'side by side', share: 0.1, env: handlers, setup: { root } },
      { name: 'worked handlers', share: 1, env: handlers, setup: { root, outsideUrl: outside.url } },
    ],
  };
}

function generatedMappings(seed: number): Mappings {
  const made = fc.sample(mapping, { seed, numRuns: GENERATED_MAPPINGS });
  return Object.fromEntries(made.map((mapping, index) => [`generated ${index}`, mapping]));
}
