/** A login function of the finished template: this project's code, handler and role, and an environment that changes neither. */
import { posix } from 'node:path';
import { isJudged, templateProblems } from '../../../lib/forbiddenVariables.ts';
import { SETTING_NAMES } from '../../../lib/settings.ts';
import { mistake } from '../../shared/settingNames.ts';
import { addedTo } from './expected.ts';
import { LOGIN_FUNCTIONS, type Resource, type Stack, variablesOf } from './stack.ts';
import { isFilledIn, isMap, mapOf, textsOf, type Values } from './values.ts';

const PROPERTIES = [
  ...['Architectures', 'Code', 'CodeSigningConfigArn', 'DeadLetterConfig', 'Description', 'Environment'],
  ...['EphemeralStorage', 'FileSystemConfigs', 'FunctionName', 'Handler', 'KmsKeyArn', 'Layers'],
  ...['LoggingConfig', 'MemorySize', 'RecursiveLoop', 'ReservedConcurrentExecutions', 'Role', 'Runtime'],
  ...['RuntimeManagementConfig', 'Tags', 'Timeout', 'TracingConfig', 'VpcConfig'],
];
const EXPECTED_TEXT =
  'expected a text, because a value that CloudFormation fills in cannot be verified before a deployment; ' +
  'serverless can fill it in by cf: or ssm:';
const OTHERS = 'custom.loginHooks.others';
const REDIRECTED =
  "Handler is not the plugin's: a layer may wrap it by AWS_LAMBDA_EXEC_WRAPPER, or by a Handler below /opt/ that reads ours from a variable";

/** @returns sentences without any value */
export function judgeFunction(resource: Resource, stack: Stack): string[] {
  const { id, properties } = resource;
  const { Code, Role, Environment = {} } = properties;
  const { S3Bucket, S3Key, ...more } = mapOf(Code);
  const problems = addedTo(resource, PROPERTIES).map((name) => `${name} is not as serverless makes it`);
  if (S3Bucket === undefined || isFilledIn(S3Key) || Object.keys(more).length > 0)
    problems.push('Code is not the package of this project');
  if (!runsLogin(id, properties)) problems.push(REDIRECTED);
  const sentences = [...problems, ...problemsOfEnvironment(Environment)].map((one) => `${id}: ${one}`);
  const isMade = stack.referredTo(Role, 'Arn')?.type === 'AWS::IAM::Role';
  if (!isMade && !stack.isNamed(`${id}.Role`))
    sentences.push(`${id}.Role: it is not in this template: name it with a reason below ${OTHERS}`);
  return sentences;
}

function runsLogin(id: string, properties: Values): boolean {
  const expected = `dist/functions/${LOGIN_FUNCTIONS[id]}.handler`;
  const { Handler } = properties;
  const isOfLayer = typeof Handler === 'string' && posix.normalize(Handler).startsWith('/opt/');
  return Handler === expected || (isOfLayer && Object.values(variablesOf(properties)).includes(expected));
}

/** Of the variables that the template sets, from the service or from another plugin. */
function problemsOfEnvironment(environment: unknown): string[] {
  const { Variables = {} } = mapOf(environment);
  const problems =
    isMap(environment) && isMap(Variables)
      ? problemsOfVariables(Variables)
      : ['expected a literal map, because its other variables are unknown'];
  return problems.map((problem) => `Environment.Variables: ${problem}`);
}

function problemsOfVariables(variables: Values): string[] {
  const unknown = Object.keys(variables).filter(
    (name) => (SETTING_NAMES.includes(name) || isJudged(name)) && isFilledIn(variables[name]),
  );
  return [
    ...unknown.map((name) => `${name}: ${EXPECTED_TEXT}`),
    ...templateProblems(textsOf(variables)).map(([name, expected]) => `${name}: ${expected}`),
    ...Object.keys(variables).flatMap((name) => mistake(name, [name]) ?? []),
  ];
}
