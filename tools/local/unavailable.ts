/** Why another system, a secret or an issuer's keys did not serve a login, and what to do about it on this machine. */
import { STAND_INS } from '../shared/stage.ts';
import type { LogRecord } from './process/logRecords.ts';

const OR_A_FILE = 'or set SECRETS_FILE on your machine';

/** By the reason, where the record of the login says no more. */
export const CURES = {
  secret_not_found: `AWS has no such secret in this account and region: create it, ${OR_A_FILE}`,
  secret_access_denied: `these credentials may not read it: allow secretsmanager:GetSecretValue, ${OR_A_FILE}`,
  secret_throttled: `AWS throttles the requests: try again later, ${OR_A_FILE}`,
  secret_service_failed: `AWS cannot be reached: check the region, the network and the proxy, ${OR_A_FILE}`,
  secret_timed_out: `AWS did not respond in time: check the region, the network and the proxy, ${OR_A_FILE}`,
  secret_unusable: 'correct its value',
  lookup_timed_out: 'it did not respond in time: check the network and the proxy, or set tryTimeoutMs',
  lookup_connection_failed: 'it cannot be reached: check the host, the port, the network and the proxy',
  lookup_redirected: 'it redirects to another address: use that address',
  lookup_too_large: 'its response is too large: request less, or set maxBytes',
  lookup_not_json: 'expected a response of JSON: check the URL',
  lookup_unexpected: 'correct the schema of the look-up, or the data',
  lookup_url_refused: 'correct the URL in the handler',
} as const satisfies Readonly<Record<string, string>>;

const KEYS_EXPECTED =
  'expected a discovery document and a key set: check the issuer and its jwks_uri in OPENID_ISSUERS';

/** By the cause of `keys_unavailable`, where it is another one than not finding keys there. */
const CURES_OF_KEYS: Readonly<Record<string, string>> = {
  lookup_connection_failed: CURES.lookup_connection_failed,
  lookup_timed_out: 'it did not respond in time: check the network and the proxy',
  deadline: 'the login had no time left: check the network, the proxy and HANDLER_TIMEOUT_MS',
  key_unusable: 'the key of the token cannot be used: check the key set of the issuer',
};

/** Of these the problems, where there are some, say what to do. */
const CURED_BY_PROBLEMS = ['secret_access_denied', 'secret_failed', 'lookup_connection_failed'];

/**
 * @param records of one login
 * @param secretsFile as `SECRETS_FILE` has it; undefined where secrets are in AWS
 * @returns a line for the reasons `secret_…`, `lookup_…` and `keys_unavailable`; null for any other
 */
export function unavailableIn(records: readonly LogRecord[], secretsFile: string | undefined): string | null {
  const login = records.findLast(({ event }) => event === 'login') ?? {};
  const reason = String(login.reason);
  const problems = Array.isArray(login.problems) ? login.problems.map(String) : [];
  if (reason === 'keys_unavailable')
    return `${reason}: ${login.host ?? login.issuer}: ${problems.join('; ') || cureOfKeys(login)}`;
  if (!/^(secret|lookup)_/.test(reason)) return null;
  const isCured = problems.length > 0 && CURED_BY_PROBLEMS.includes(reason);
  const cures = isCured ? [] : [cureOf(reason, login, secretsFile)];
  const what = reason.startsWith('secret_') ? `secret ${login.secretId}` : String(login.host);
  return `${reason}: ${what}: ${[...problems, ...cures].join('; ')}`;
}

function cureOfKeys({ cause, lookUpStatus }: LogRecord): string {
  if (cause === 'lookup_status') return `it responded with status ${lookUpStatus}: ${KEYS_EXPECTED}`;
  return CURES_OF_KEYS[String(cause)] ?? KEYS_EXPECTED;
}

function cureOf(reason: string, { cause, lookUpStatus }: LogRecord, secretsFile: string | undefined): string {
  if (reason === 'lookup_status')
    return `it responded with status ${lookUpStatus}: ${ofStatus(Number(lookUpStatus))}`;
  if (reason === 'secret_not_found' && secretsFile?.includes(STAND_INS))
    return 'SECRET_IDS does not list it: list it in the settings of the stage';
  if (reason === 'secret_not_found' && secretsFile)
    return `SECRETS_FILE has no such secret: add it to ${secretsFile}`;
  return (
    new Map<string, string>(Object.entries(CURES)).get(reason) ?? failureOfAws(String(cause ?? 'unknown'))
  );
}

function ofStatus(status: number): string {
  if (status === 401 || status === 403) return 'check the credentials and rights of the look-up';
  if (status === 429) return 'send fewer requests, or set cacheSeconds';
  return status < 500 ? 'check the URL and the request' : 'the other system failed: try again later';
}

function failureOfAws(name: string): string {
  if (name.startsWith('ExpiredToken'))
    return `the AWS credentials have expired: log in with the AWS CLI, ${OR_A_FILE}`;
  return `AWS cannot be asked (${name}): check the network and the proxy, ${OR_A_FILE}`;
}
