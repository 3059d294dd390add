/** How commands get to AWS, and what to do where it refuses a request, or does not get it. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { connectionFailure } from '../../lib/toolkit/connectionFailure.ts';
import { Stage } from './stage.ts';

const DEFAULT_REGION = 'eu-central-1';

/** In milliseconds: a nightly run must end. */
export const REQUEST_TIMEOUTS = {
  connectionTimeout: 5_000,
  requestTimeout: 20_000,
  throwOnRequestTimeout: true,
};

/**
 * A stage that may be one that only AWS knows. From now on this process asks AWS as the stage does: AWS's own library reads
 * `process.env`, and Node did when the process started.
 */
export function stageOnAws(name: string): { stage: Stage; region: string } {
  const stage = new Stage(name, process.env, { mayBeDeployed: true });
  Object.assign(process.env, stage.env);
  const { NODE_EXTRA_CA_CERTS: file, AWS_REGION } = stage.env;
  if (file) setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
  return { stage, region: AWS_REGION || DEFAULT_REGION };
}

const LOG_IN = 'log in with the AWS CLI, or set AWS_PROFILE';
/** By the names of the SDK's exceptions. */
const CURES: Readonly<Record<string, string>> = {
  CredentialsProviderError: `no AWS credentials: ${LOG_IN}`,
  ExpiredTokenException: `the AWS credentials have expired: ${LOG_IN}`,
  UnrecognizedClientException: `AWS does not know these credentials: ${LOG_IN}`,
  InvalidClientTokenId: `AWS does not know these credentials: ${LOG_IN}`,
  ThrottlingException: 'AWS throttles the requests: try again later',
  InvalidSignatureException: `AWS does not accept these credentials, or the clock of this machine is wrong: ${LOG_IN}`,
};

type Failure = Partial<Record<'name' | 'code' | 'hostname', string>>;

/** @returns a sentence; null for an error that is of the request itself */
export function awsFailure({ name = '', code, hostname }: Failure): string | null {
  const failure = connectionFailure({ code }) ?? connectionFailure({ code: name });
  if (failure !== null) {
    const cure = failure.kind === 'tls' ? failure.cure : 'check the region, the network and the proxy';
    return `AWS cannot be reached${hostname ? ` at ${hostname}` : ''} (${failure.what}): ${cure}`;
  }
  const { AWS_PROFILE } = process.env;
  if (name === 'CredentialsProviderError' && AWS_PROFILE)
    return `no AWS credentials in the profile ${AWS_PROFILE}: ${LOG_IN}`;
  return CURES[name] ?? null;
}

/** @param right the action that the request needs, e.g. `lambda:GetPolicy` */
export function requestFailure(error: Error, right: string): string {
  const failed = error.name.startsWith('AccessDenied')
    ? `these credentials may not ask: allow ${right} (docs/deploy.md)`
    : `${right} failed: ${error.name}`;
  return awsFailure(error) ?? failed;
}
