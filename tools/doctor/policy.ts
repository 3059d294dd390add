/** The rights that the doctor needs in AWS: each of them reads, and none reads a secret, code or a log. */
import { usedSecretIds } from '../deploy/secretRights.ts';
import { regionOf } from '../shared/awsAccess.ts';
import type { Stage } from '../shared/stage.ts';
import { stackName } from './functions.ts';

interface Statement {
  Sid: string;
  Effect: 'Allow';
  Action: string[];
  Resource: string | string[];
}

const FUNCTIONS = ['GetFunctionConcurrency', 'GetFunctionConfiguration', 'GetPolicy', 'ListAliases'];

/** A policy for the role or the user that runs the doctor on a stage, in any account. */
export function doctorPolicy(stage: Stage): { Version: string; Statement: Statement[] } {
  const name = stackName(stage);
  const region = regionOf(undefined);
  const partition = /^cn-/.test(region) ? 'aws-cn' : /^us-gov-/.test(region) ? 'aws-us-gov' : 'aws';
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:${region}:*:${resource}`;
  const ids = usedSecretIds(stage.env);
  return {
    Version: '2012-10-17',
    Statement: [
      allow(
        'Functions',
        [...FUNCTIONS, 'ListFunctionUrlConfigs'].map((action) => `lambda:${action}`),
        arn('lambda', `function:${name}-*`),
      ),
      allow('Routes', ['apigateway:GET'], `arn:${partition}:apigateway:${region}::/apis/*/routes`),
      ...(ids.length > 0
        ? [
            allow(
              'Secrets',
              ['secretsmanager:DescribeSecret'],
              ids.map((id) => (id.startsWith('arn:') ? id : arn('secretsmanager', `secret:${id}-??????`))),
            ),
          ]
        : []),
    ],
  };
}

function allow(Sid: string, Action: string[], Resource: string | string[]): Statement {
  return { Sid, Effect: 'Allow', Action, Resource };
}
