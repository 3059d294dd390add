/** Direct invocation of a function: the address of Lambda's Invoke API. */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { UnusableInput } from '../shared/commandLine.ts';

export interface Invoked {
  /** A name or an ARN. */
  name: string;
  /** A version or an alias. */
  qualifier?: string | undefined;
  /** Not used where the name is an ARN, which has a region of its own. */
  region: string;
}

const REGION_OF_ARN = /^arn:[\w-]+:lambda:([\w-]+):/;

export function regionOfFunction({ name, region }: Invoked): string {
  return REGION_OF_ARN.exec(name)?.[1] ?? region;
}

/**
 * At the endpoint of the environment, as the AWS SDK reads it, or at that of the region.
 *
 * @throws {UnusableInput} for an endpoint of the environment that is no URL
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function invokeUrl(invoked: Invoked, env: NodeJS.ProcessEnv = process.env): string {
  const base = endpointIn(env) ?? endpointOf(regionOfFunction(invoked));
  const path = `2015-03-31/functions/${encodeURIComponent(invoked.name)}/invocations`;
  const url = new URL(path, base.replace(/\/*$/, '/'));
  if (invoked.qualifier !== undefined) url.searchParams.set('Qualifier', invoked.qualifier);
  return url.href;
}

const ENDPOINTS = ['AWS_ENDPOINT_URL_LAMBDA', 'AWS_ENDPOINT_URL'];

function endpointIn(env: NodeJS.ProcessEnv): string | undefined {
  const setting = ENDPOINTS.find((name) => env[name]);
  const endpoint = setting && env[setting];
  if (endpoint && !URL.canParse(endpoint)) throw new UnusableInput(`${setting}: expected a URL`);
  return endpoint;
}

function endpointOf(region: string): string {
  const { config } = new LambdaClient({ region });
  return config.endpointProvider({ Region: region, UseDualStack: false, UseFIPS: false }).url.href;
}
