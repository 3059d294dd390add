/** Why another system, a secret or an issuer's keys did not serve a login, and what to do about it on this machine. */
import { STAND_INS } from '../shared/stage.ts';
import { type LogRecord, lastRecord } from './process/logRecords.ts';

const OR_A_FILE = 'or set SECRETS_FILE on your machine';

/** By the reason, where the record of the login says no more. */
export const CURES = {
  secret_not_found: `AWS has no such secret in this account and region: create it, ${OR_A_FILE}`,
  secret_access_denied: `these credentials may not read it: allow secretsmanager:GetSecretValue, ${OR_A_FILE}`,
  secret_throttled: `AWS throttles the requests: try again later, ${OR_A_FILE}`,
  secret_service_failed: `AWS cannot be reached: check the region, the network and the proxy, ${OR_A_FILE}`,
  secret_timed_out: `AWS did not respond in time: check the region, the network and the proxy, ${OR_A_FILE}`,
  secret_failed: `AWS cannot be asked: log in with the AWS CLI, check the network and the proxy, ${OR_A_FILE}`,
  secret_unusable: 'correct its value',
  lookup_timed_out: 'it did not respond in time: check the network and the proxy, or set tryTimeoutMs',
  lookup_connection_failed: 'it cannot be reached: check the host, the port, the network and the proxy',
  lookup_redirected: 'it redirects to another address: use that address',
  lookup_status: 'check the URL, the credentials and the rights of the look-up',
  lookup_too_large: 'its response is too large: request less, or set maxBytes',
  lookup_not_json: 'expected a response of JSON: check the URL',
  lookup_unexpected: 'correct the schema of the look-up, or the data',
  lookup_url_refused: 'correct the URL in the handler',
  keys_unavailable:
    'expected a discovery document and a key set: check the network, the issuer, and its jwks_uri in OPENID_ISSUERS',
} as const satisfies Readonly<Record<string, string>>;

/**
 * @param records of one login
 * @param secretsFile as `SECRETS_FILE` has it; undefined where secrets are in AWS
 */
export function unavailableIn(records: readonly LogRecord[], secretsFile: string | undefined): string | null {
  const login = lastRecord(records, 'login');
  const reason = String(login.reason);
  const cures = new Map<string, string>(Object.entries(CURES));
  const cure = reason === 'secret_not_found' ? cureOfSecret(secretsFile) : cures.get(reason);
  if (cure === undefined) return null;
  const { secretId, host, issuer, cause, lookUpStatus } = login;
  const what = secretId ? `secret ${secretId}` : String(host ?? issuer);
  const problems = Array.isArray(login.problems) ? login.problems.map(String) : [];
  const found = lookUpStatus === undefined ? cause : `it responded with status ${lookUpStatus}`;
  const why = problems.join('; ') || [found, cure].filter((part) => part !== undefined).join(': ');
  return `${reason}: ${what}: ${why}`;
}

function cureOfSecret(secretsFile: string | undefined): string {
  if (secretsFile?.includes(STAND_INS))
    return 'SECRET_IDS does not list it: list it in the settings of the stage';
  return secretsFile ? `SECRETS_FILE has no such secret: add it to ${secretsFile}` : CURES.secret_not_found;
}
