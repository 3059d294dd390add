/** Secrets from AWS Secrets Manager, with time-outs of our own, and codes of our own for its failures. */
import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { type SecretCode, SecretFailed } from '../reasons.ts';
import { connectionFailure, problemOf } from './connectionFailure.ts';

export interface StoredSecret {
  value: string | Uint8Array;
  /** When this version was created; null where the source does not say. */
  createdAt: Date | null;
}

export type SecretVersion = 'current' | 'previous';
/** @throws {SecretFailed} */
export type SecretSource = (id: string, version: SecretVersion) => Promise<StoredSecret>;

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_500;
const MAX_TRIES = 2;
/** Of all tries together. Less than a handler's module has to load, where it may ask for a secret. */
const TOTAL_TIMEOUT_MS = 6_000;

/** The staging labels of versions. */
const STAGES = { current: 'AWSCURRENT', previous: 'AWSPREVIOUS' } as const;

/** What the SDK's exceptions mean, by their names. */
const CODES: ReadonlyMap<string | undefined, SecretCode> = new Map([
  ['ResourceNotFoundException', 'secret_not_found'],
  // A secret that is marked for deletion.
  ['InvalidRequestException', 'secret_not_found'],
  ['AccessDeniedException', 'secret_access_denied'],
  ['UnrecognizedClientException', 'secret_access_denied'],
  ['DecryptionFailure', 'secret_access_denied'],
  ['CredentialsProviderError', 'secret_access_denied'],
  ['ThrottlingException', 'secret_throttled'],
  ['TooManyRequestsException', 'secret_throttled'],
  ['TimeoutError', 'secret_timed_out'],
  ['AbortError', 'secret_timed_out'],
]);

/**
 * A source of secrets over one client of the SDK. The SDK has no time-outs by default, and by default its request
 * time-out only warns.
 *
 * @param config of the client, over our own
 */
export function secretsFromManager(config: SecretsManagerClientConfig = {}): SecretSource {
  const client = new SecretsManagerClient({
    maxAttempts: MAX_TRIES,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Of silence on the connection: a body may stop half-way.
      socketTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    ...config,
  });
  return async (id, version) => {
    const command = new GetSecretValueCommand({ SecretId: id, VersionStage: STAGES[version] });
    const abortSignal = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    try {
      const { SecretString, SecretBinary, CreatedDate } = await client.send(command, { abortSignal });
      return { value: SecretString ?? SecretBinary ?? '', createdAt: CreatedDate ?? null };
    } catch (error) {
      throw new SecretFailed(codeOf(error), id, cureOf(error), nameOf(error));
    }
  };
}

/** What an operator can do about a failure for which the SDK has no class of its own. */
function cureOf(error: unknown): string[] | undefined {
  const { name, message } = error as Partial<Error>;
  if (message === 'Region is missing')
    return ['no AWS region: set AWS_REGION; on your machine set SECRETS_FILE'];
  if (name === 'CredentialsProviderError')
    return ['no AWS credentials: log in with the AWS CLI; on your machine you can set SECRETS_FILE'];
  const failure = CODES.has(name) ? null : connectionFailure(error);
  return failure ? [problemOf(failure)] : undefined;
}

/** The name comes from the response: it is shown only where it looks like the name of an exception. */
function nameOf(error: unknown): string | undefined {
  const { name } = error as Partial<Error>;
  return /^[A-Z][A-Za-z]{1,60}$/.test(String(name)) ? name : undefined;
}

function codeOf(error: unknown): SecretCode {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const known = CODES.get(name);
  if (known) return known;
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === 429) return 'secret_throttled';
  const { kind = 'tls' } = connectionFailure(error) ?? {};
  return status >= 500 || kind !== 'tls' ? 'secret_service_failed' : 'secret_failed';
}
