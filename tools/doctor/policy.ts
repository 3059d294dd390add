/** The rights that the doctor needs in AWS: each of them reads, and none reads a secret, code or a log. */
import { usedSecretIds } from '../deploy/secretRights.ts';
import { regionOf } from '../shared/awsAccess.ts';
import type { Stage } from '../shared/stage.ts';
import { stackName } from './stack.ts';

interface Statement {
  Sid: string;
  Effect: 'Allow';
  Action: string[];
  Resource: string | string[];
}

const FUNCTIONS = ['GetFunctionConcurrency', 'GetFunctionConfiguration', 'GetPolicy', 'ListAliases'];
const LISTS = ['ListFunctionEventInvokeConfigs', 'ListFunctionUrlConfigs'];
/** They take no resource, or cannot be limited to those of one stage. */
const LOOK = ['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData', 'lambda:ListEventSourceMappings'];

/** A policy for the role or the user that runs the doctor on a stage, in any account. */
export function doctorPolicy(stage: Stage): { Version: string; Statement: Statement[] } {
  const name = stackName(stage);
  const region = regionOf(undefined);
  const partition = /^cn-/.test(region) ? 'aws-cn' : /^us-gov-/.test(region) ? 'aws-us-gov' : 'aws';
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:${region}:*:${resource}`;
  const routes = ['apis/*/routes', 'restapis/*/resources'];
  const ids = usedSecretIds(stage.env);
  const { ALARM_TOPIC_ARN: topic } = stage.env;
  return {
    Version: '2012-10-17',
    Statement: [
      allow(
        'Stack',
        ['cloudformation:GetTemplate', 'cloudformation:ListStackResources'],
        arn('cloudformation', `stack/${name}/*`),
      ),
      allow(
        'Functions',
        [...FUNCTIONS, ...LISTS].map((action) => `lambda:${action}`),
        arn('lambda', `function:${name}-*`),
      ),
      allow(
        'Routes',
        ['apigateway:GET'],
        routes.map((path) => `arn:${partition}:apigateway:${region}::/${path}`),
      ),
      allow('Look', [...LOOK, 'logs:DescribeLogGroups'], '*'),
      ...(topic ? [allow('Topic', ['sns:ListSubscriptionsByTopic'], topic)] : []),
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
