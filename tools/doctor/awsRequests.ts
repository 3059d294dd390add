/** How the doctor asks AWS: by requests that read, each with the right that it needs. */
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsFailure, REQUEST_TIMEOUTS, requestFailure } from '../shared/awsAccess.ts';
import type { Finding } from '../shared/finding.ts';
import { inconclusive } from './findings.ts';

const ABSENT = ['ResourceNotFoundException', 'NotFoundException', 'NotFound'];

export class Aws {
  readonly region: string;
  readonly httpApis;
  readonly restApis;
  readonly functions;
  readonly secrets;
  readonly unanswered: Finding[] = [];

  constructor(region: string) {
    this.region = region;
    const config = { region, requestHandler: REQUEST_TIMEOUTS };
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
  return inconclusive(awsFailure(error) === null ? subject : 'AWS', requestFailure(error, right));
}
