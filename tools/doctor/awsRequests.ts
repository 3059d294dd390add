/** How the doctor asks AWS: by requests that read, each with the right that it needs. */
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsFailure } from '../shared/awsFailures.ts';
import type { Finding } from '../shared/finding.ts';
import { inconclusive } from './findings.ts';

/** In milliseconds: a nightly run must end. */
const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true };

const ABSENT = ['ResourceNotFoundException', 'NotFoundException', 'NotFound'];
const DENIED = /^(?:AccessDenied|UnauthorizedOperation|AuthorizationError|NotAuthorized)/;

export class Aws {
  readonly region: string;
  readonly httpApis;
  readonly restApis;
  readonly functions;
  readonly secrets;
  readonly unanswered: Finding[] = [];

  constructor(region: string) {
    this.region = region;
    const config = { region, requestHandler: TIMEOUTS };
    this.httpApis = new ApiGatewayV2Client(config);
    this.restApis = new APIGatewayClient(config);
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
      if (ABSENT.includes(error.name)) return undefined;
      this.unanswered.push(failureOf(error, right, subject));
      return null;
    }
  }
}

/** Where AWS takes no request at all, there is one sentence for all of them. */
function failureOf(error: Error, right: string, subject: string): Finding {
  const failure = awsFailure(error);
  if (failure !== null) return inconclusive('AWS', failure);
  const message = DENIED.test(error.name)
    ? `these credentials may not ask: allow ${right} (docs/deploy.md)`
    : `${right} failed: ${error.name}`;
  return inconclusive(subject, message);
}
