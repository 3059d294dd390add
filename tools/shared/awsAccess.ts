/** How commands get to AWS: the region, and the certificates that they trust. */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const DEFAULT_REGION = 'eu-central-1';

/** The option of every command that asks AWS. */
export const REGION = {
  type: 'string',
  value: '<region>',
  about: `default: AWS_REGION, or ${DEFAULT_REGION}`,
} as const;

export function regionOf(option: string | undefined): string {
  return option ?? (process.env.AWS_REGION || DEFAULT_REGION);
}

/** Node itself reads the setting when a process starts, before the file of the stage is read. */
export function trustExtraCertificates(): void {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (file) setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
}
