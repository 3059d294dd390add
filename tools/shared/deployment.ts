/** The settings of a deployment: the variables that `serverless` and its plugin read, and no function. */
import * as v from 'valibot';
import { oneOf, stringThat, wholeNumber } from '../../lib/schema.ts';

const TOPIC_ARN = /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w.-]+$/;
const NUMBER = wholeNumber(0, 999_999_999);
const NUMBER_ABOVE_0 = wholeNumber(1, 999_999_999);
/** CloudWatch takes no others: a deployment would fail after it began. */
const RETENTION_DAYS = [
  ...['1', '3', '5', '7', '14', '30', '60', '90', '120', '150', '180', '365', '400', '545', '731'],
  ...['1096', '1827', '2192', '2557', '2922', '3288', '3653'],
];

export interface DeploymentSetting {
  variable: string;
  /** What has it, which is a section of a service, each login function or the routes of an HTTP API, and its key there. */
  place: readonly ['custom' | 'functions' | 'provider' | 'routes', string];
  schema: v.GenericSchema<string, unknown>;
  /** What a stage has where the variable is not set. */
  unset?: { dev: string; prod: string; others: string };
  /** Whether it must be known before a deployment: otherwise an object that CloudFormation fills in may stand there too. */
  mustBeKnown?: boolean;
}

export const DEPLOYMENT: readonly DeploymentSetting[] = [
  {
    variable: 'MONITORING',
    place: ['custom', 'monitoring'],
    schema: oneOf(['on', 'off']),
    mustBeKnown: true,
    unset: { dev: 'off', prod: 'on', others: 'on' },
  },
  {
    variable: 'LOG_RETENTION_DAYS',
    place: ['provider', 'logRetentionInDays'],
    schema: v.pipe(oneOf(RETENTION_DAYS), v.transform(Number)),
    mustBeKnown: true,
    unset: { dev: '7', prod: '90', others: '30' },
  },
  {
    variable: 'THROTTLING_RATE',
    place: ['routes', 'ThrottlingRateLimit'],
    schema: NUMBER_ABOVE_0,
    unset: { dev: '50', prod: '200', others: '50' },
  },
  {
    variable: 'THROTTLING_BURST',
    place: ['routes', 'ThrottlingBurstLimit'],
    schema: NUMBER_ABOVE_0,
    unset: { dev: '100', prod: '400', others: '100' },
  },
  {
    variable: 'ALARM_TOPIC_ARN',
    place: ['custom', 'alarmTopicArn'],
    schema: stringThat((arn) => TOPIC_ARN.test(arn), 'expected the ARN of an SNS topic'),
  },
  {
    variable: 'RESERVED_CONCURRENCY',
    place: ['functions', 'reservedConcurrency'],
    schema: NUMBER,
  },
  {
    variable: 'PROVISIONED_CONCURRENCY',
    place: ['functions', 'provisionedConcurrency'],
    schema: NUMBER,
  },
];

/** AWS takes no more processes that stay started than there may be at all: the deployment would fail after it began. */
export function concurrencyProblems(reserved: unknown, provisioned: unknown): string[] {
  const isMore = Number(provisioned) > Number(reserved);
  return isMore ? ['PROVISIONED_CONCURRENCY: expected at most RESERVED_CONCURRENCY'] : [];
}
