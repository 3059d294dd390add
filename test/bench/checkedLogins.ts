/** Logins with each check switched on: an issuer with its keys, a secret, and events that pass. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleEvent } from '../../tools/local/events.ts';
import { awsConfigFile } from '../support/awsConfigFile.ts';
import { httpServer, httpsServer, sendJson } from '../support/servers.ts';
import { signed } from '../support/signedRequest.ts';
import { publicPart, sign, signingKey } from '../support/signingKeys.ts';
import { overHttp } from '../support/wire.ts';

const CLIENT = 'client-1';
const HOUR_SECONDS = 3_600;
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;

export interface CheckedLogin {
  label: string;
  name: 'openidLoggedIn' | 'samlLoggedIn';
  event: unknown;
  env: Record<string, string>;
}

/** For as long as `use` runs. */
export async function withCheckedLogins<TResult>(
  use: (logins: CheckedLogin[]) => Promise<TResult>,
): Promise<TResult> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const key = await signingKey('RS256');
  const keys = await httpsServer((_, response) => sendJson(response, { keys: [publicPart(key)] }));
  const secrets = await httpServer((_, response) =>
    sendJson(response, { SecretString: SECRET, CreatedDate: 0 }),
  );
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, keys.ca);
  try {
    return await use([
      await withIdToken(key, keys.url, ca),
      await withAssertion(),
      await withSignature(secrets.url),
    ]);
  } finally {
    await Promise.all([keys.close(), secrets.close(), rm(folder, { recursive: true })]);
  }
}

async function withIdToken(
  key: Awaited<ReturnType<typeof signingKey>>,
  keysUrl: string,
  ca: string,
): Promise<CheckedLogin> {
  const event = (await sampleEvent('openidLoggedIn', 'entra')) as {
    idTokenJwt: string;
    idToken: Record<string, unknown> & { iss: string; otherClaims: object };
  };
  const now = Math.floor(Date.now() / 1_000);
  Object.assign(event.idToken, { aud: [CLIENT], iat: now, exp: now + HOUR_SECONDS, nonce: null });
  const { otherClaims, nonce: _, ...claims } = event.idToken;
  event.idTokenJwt = await sign({ ...claims, ...otherClaims }, key);
  const issuers = { [event.idToken.iss]: { audiences: [CLIENT], jwks_uri: `${keysUrl}/keys` } };
  const env = {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify(issuers),
    NODE_EXTRA_CA_CERTS: ca,
  };
  return { label: 'openidLoggedIn, ID token checked', name: 'openidLoggedIn', event, env };
}

async function withAssertion(): Promise<CheckedLogin> {
  const sample = JSON.stringify(await sampleEvent('samlLoggedIn', 'keycloak'));
  const event = JSON.parse(sample, (name, value) => (/NotOnOrAfter$/.test(name) ? inAnHour() : value));
  const { assertionIssuer, assertionConditions, assertionSubject } = event.assertion;
  const issuers = {
    [assertionIssuer]: {
      audiences: assertionConditions.conditionsAudienceRestrictions[0].audienceRestrictionAudience,
      recipients: [assertionSubject.subjectConfirmations[0].subjectConfirmationRecipient],
    },
  };
  const env = { SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS: JSON.stringify(issuers) };
  event.assertion.assertionConditions.conditionsNotBefore = new Date(0).toISOString();
  return { label: 'samlLoggedIn, assertion checked', name: 'samlLoggedIn', event, env };
}

const inAnHour = () => new Date(Date.now() + HOUR_SECONDS * 1_000).toISOString();

async function withSignature(secretsUrl: string): Promise<CheckedLogin> {
  const body = JSON.stringify(await sampleEvent('samlLoggedIn', 'keycloak'));
  const headers = signed(body, { secret: SECRET, id: `msg_${randomUUID()}` });
  const env = {
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'bench',
    AWS_CONFIG_FILE: awsConfigFile(secretsUrl),
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  };
  return {
    label: 'samlLoggedIn, caller checked',
    name: 'samlLoggedIn',
    event: overHttp(body, { headers }),
    env,
  };
}
