/** How the doctor asks AWS: by requests that read, each with the right that it needs. */
import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsFailure } from '../shared/awsFailures.ts';
import type { Unasked } from './examination.ts';

/** In milliseconds: a nightly run must end. */
const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true };

const ABSENT = ['ResourceNotFoundException', 'NotFoundException', 'NotFound'];
const DENIED = /^(?:AccessDenied|UnauthorizedOperation|AuthorizationError|NotAuthorized)/;

export class Aws {
  readonly region: string;
  readonly apis;
  readonly functions;
  readonly secrets;
  /** What could not be asked. */
  readonly unasked: Unasked[] = [];

  constructor(region: string) {
    this.region = region;
    const config = { region, requestHandler: TIMEOUTS };
    this.apis = new ApiGatewayV2Client(config);
    this.functions = new LambdaClient(config);
    this.secrets = new SecretsManagerClient(config);
  }

  /**
   * @param right the action that the request needs, e.g. `lambda:GetPolicy`
   * @returns undefined for what is not there, null where it could not be asked
   */
  async ask<TAnswer>(
    right: string,
    subject: string,
    request: () => Promise<TAnswer>,
  ): Promise<TAnswer | undefined | null> {
    try {
      return await request();
    } catch (caught) {
      const error = caught as Error;
      if (isAbsent(error)) return undefined;
      this.unasked.push(failureOf(error, right, subject));
      return null;
    }
  }
}

function isAbsent({ name }: Error): boolean {
  return ABSENT.includes(name);
}

/** Where AWS takes no request at all, there is one sentence for all of them. */
function failureOf(error: Error, right: string, subject: string): Unasked {
  const failure = awsFailure(error);
  if (failure !== null) return { subject: 'AWS', message: failure };
  return DENIED.test(error.name)
    ? { subject, message: `these credentials may not ask: allow ${right} (docs/permissions.md)` }
    : { subject, message: `${right} failed: ${error.name}` };
}
