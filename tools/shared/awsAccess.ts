/** How commands get to AWS: the region, and the certificates that they trust. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Stage } from './stage.ts';

const DEFAULT_REGION = 'eu-central-1';

/** In milliseconds: a nightly run must end. */
export const REQUEST_TIMEOUTS = {
  connectionTimeout: 5_000,
  requestTimeout: 20_000,
  throwOnRequestTimeout: true,
};

export function regionInUse(): string {
  return process.env.AWS_REGION || DEFAULT_REGION;
}

/** Lets this process ask AWS as a stage does: AWS's own library reads `process.env`, and Node did when the process started. */
export function accessAws({ env }: Stage): void {
  Object.assign(process.env, env);
  const { NODE_EXTRA_CA_CERTS: file } = env;
  if (file) setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
}
