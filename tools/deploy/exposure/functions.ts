/** A login function of the finished template: this project's code, handler and role, and an environment that changes neither. */
import { isJudged, templateProblems } from '../../../lib/forbiddenVariables.ts';
import { SETTING_NAMES } from '../../../lib/settings.ts';
import { mistake } from '../../shared/settingNames.ts';
import { addedTo } from './resources.ts';
import { LOGIN_FUNCTIONS, type Resource, type Stack } from './stack.ts';
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

/** @returns sentences without any value */
export function judgeFunction(resource: Resource, stack: Stack): string[] {
  const { id, type, properties } = resource;
  const { Code, Role, Handler, Environment = {} } = properties;
  const { S3Bucket, S3Key, ...more } = mapOf(Code);
  const { Variables = {} } = mapOf(Environment);
  const problems = addedTo(resource, PROPERTIES).map((name) => `${name} is not as serverless makes it`);
  if (type !== 'AWS::Lambda::Function') problems.push('it is not a function of Lambda');
  if (S3Bucket === undefined || isFilledIn(S3Key) || Object.keys(more).length > 0)
    problems.push('Code is not the package of this project');
  if (Handler !== `dist/functions/${LOGIN_FUNCTIONS[id]}.handler`)
    problems.push("Handler is not the plugin's: a layer may wrap it by AWS_LAMBDA_EXEC_WRAPPER");
  const ofVariables =
    isMap(Environment) && isMap(Variables)
      ? problemsOfVariables(Variables)
      : ['expected a literal map, because its other variables are unknown'];
  problems.push(...ofVariables.map((problem) => `Environment.Variables: ${problem}`));
  const isMade = stack.referredTo(Role, 'Arn')?.type === 'AWS::IAM::Role';
  return [
    ...problems.map((problem) => `${id}: ${problem}`),
    ...(isMade || stack.isNamed(`${id}.Role`)
      ? []
      : [`${id}.Role: it is not in this template: name it with a reason below custom.loginHooks.others`]),
  ];
}

/** Of the variables that the template sets, from the service or from another plugin. */
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
