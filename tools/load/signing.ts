/** The proof of who calls, in the form that the way in demands. Each request has its own. */
import { LambdaClient } from '@aws-sdk/client-lambda';
import aws4 from 'aws4';
import { SecretFailed } from '../../lib/reasons.ts';
import { signingKeys } from '../../lib/webhook/signingKeys.ts';
import { signed } from '../local/signature.ts';
import { awsFailure } from '../shared/awsFailures.ts';
import { UnusableInput } from '../shared/commandLine.ts';

export const SIGNED_BY = ['none', 'iam', 'signature'] as const;
export type SignedBy = (typeof SIGNED_BY)[number];

export type Headers = Record<string, string>;
/** The headers of a request with this body. */
export type Sign = (body: string) => Promise<Headers>;

const JSON_BODY: Headers = { 'content-type': 'application/json' };

/** The service and the region are in the names of AWS's own hosts. */
const AWS_HOST = /\.(execute-api|lambda-url)\.([\w-]+)\.(?:amazonaws\.com(?:\.cn)?|on\.aws)$/;
const SERVICES: Readonly<Record<string, string>> = { 'execute-api': 'execute-api', 'lambda-url': 'lambda' };

export interface Place {
  url: URL;
  /** The service to sign for, where the host does not tell. */
  service: string;
  /** Where the host does not tell. */
  region: string;
}

/** @throws {UnusableInput} where there are no credentials, or no secret */
export async function signer(by: SignedBy, place: Place): Promise<Sign> {
  if (by === 'iam') return byIam(place);
  if (by === 'signature') return bySignature();
  return async () => JSON_BODY;
}

/** Signature Version 4, with the credentials of the AWS SDK: AWS_PROFILE and so on. */
async function byIam({ url, service, region }: Place): Promise<Sign> {
  const [, ofHost = '', regionOfHost = region] = AWS_HOST.exec(url.hostname) ?? [];
  const scope = { service: SERVICES[ofHost] ?? service, region: regionOfHost };
  const { credentials } = new LambdaClient({ region }).config;
  await credentials().catch((error: Error) => {
    throw new UnusableInput(awsFailure(error) ?? `no AWS credentials (${error.name})`);
  });
  const request = { ...scope, method: 'POST', host: url.host, path: url.pathname + url.search };
  return async (body) => {
    // Those of a role or of single sign-on expire: the SDK keeps them, and renews them in time.
    const { headers } = aws4.sign({ ...request, headers: { ...JSON_BODY }, body }, await credentials());
    return headers as Headers;
  };
}

/** Standard Webhooks, with the secret that the functions check: `SIGNING_SECRET_ID`, of `SECRETS_FILE` or of AWS. */
async function bySignature(): Promise<Sign> {
  const { SIGNING_SECRET_ID: id } = process.env;
  if (!id) throw new UnusableInput('SIGNING_SECRET_ID: expected the name or ARN of the secret to sign with');
  const [key = Buffer.alloc(0)] = await signingKeys(id).catch(refuseSecret);
  const secret = `whsec_${key.toString('base64')}`;
  return async (body) => ({ ...JSON_BODY, ...signed(secret, body) });
}

function refuseSecret(error: unknown): never {
  if (!(error instanceof SecretFailed)) throw error;
  const { code, secretId, details } = error;
  const problems = Array.isArray(details.problems) ? `: ${details.problems.join('; ')}` : '';
  throw new UnusableInput(
    `secret ${secretId}: ${code}${problems}, see the table of reasons in docs/operate.md`,
  );
}
