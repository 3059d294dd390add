/** The settings of a deployment that CloudFormation would take as they are, or `serverless` refuse without naming them. */
import { CAPACITY_SETTINGS, capacityProblems } from './capacitySettings.ts';

/** Those that `serverless` accepts of those that CloudWatch has. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 2192, 2557, 2922, 3288, 3653,
];
const NUMBER = { pattern: /^\d{1,9}$/, expected: 'a whole number' };
const NUMBER_ABOVE_0 = { pattern: /^[1-9]\d{0,8}$/, expected: 'a whole number above 0' };

const RULES: Readonly<Record<string, { pattern: RegExp; expected: string }>> = {
  MONITORING: { pattern: /^(?:on|off)$/, expected: 'on or off' },
  LOG_RETENTION_DAYS: {
    pattern: new RegExp(`^(?:${RETENTION_DAYS.join('|')})$`),
    expected: `one of ${RETENTION_DAYS.join(', ')}`,
  },
  THROTTLING_RATE: NUMBER_ABOVE_0,
  THROTTLING_BURST: NUMBER_ABOVE_0,
  ALARM_TOPIC_ARN: { pattern: /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w.-]+$/, expected: 'the ARN of an SNS topic' },
  RESERVED_CONCURRENCY: NUMBER,
  PROVISIONED_CONCURRENCY: NUMBER,
};

/**
 * What is wrong with the settings of a deployment in an environment. `serverless` reads them later, in its own words.
 *
 * @returns e.g. `MONITORING: expected on or off`
 */
export function deploymentProblems(env: NodeJS.ProcessEnv): string[] {
  return [...problemsOf(env), ...capacityProblems(env)];
}

/** The part of a service of `serverless` that is judged here. */
interface Service {
  custom?: { alarmTopicArn?: unknown };
  resources?: {
    extensions?: { HttpApiStage?: { Properties?: { DefaultRouteSettings?: Record<string, unknown> } } };
  };
}

/** The same of what a service has, where a setting may be written out. */
export function problemsOfService({ custom, resources }: Service): string[] {
  const { ThrottlingRateLimit, ThrottlingBurstLimit } =
    resources?.extensions?.HttpApiStage?.Properties?.DefaultRouteSettings ?? {};
  return problemsOf({
    THROTTLING_RATE: ThrottlingRateLimit,
    THROTTLING_BURST: ThrottlingBurstLimit,
    ALARM_TOPIC_ARN: custom?.alarmTopicArn,
  });
}

function problemsOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(RULES)
    .filter(([setting, { pattern }]) => isText(values[setting]) && !pattern.test(String(values[setting])))
    .map(([setting, { expected }]) => `${setting}: expected ${expected}`);
}

/** What else there is, CloudFormation fills in. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

export const DEPLOYMENT_SETTINGS = [...Object.keys(RULES), ...CAPACITY_SETTINGS];
