/** The role of the login functions: who may assume it, and what it may do beyond what `serverless` and the plugin grant. */
import { isDeepStrictEqual } from 'node:util';
import { secretResource, usedSecretIds } from '../rights.ts';
import { addedTo } from './resources.ts';
import { NAME_IT, neverNamed, type Resource, type Stack, variablesOf } from './stack.ts';
import { isMap, listOf, mapOf, textOf, textsOf, type Values } from './values.ts';

const PROPERTIES = [
  ...['AssumeRolePolicyDocument', 'Description', 'ManagedPolicyArns', 'MaxSessionDuration', 'Path'],
  ...['PermissionsBoundary', 'Policies', 'RoleName', 'Tags'],
];
const FOR_LAMBDA = {
  Effect: 'Allow',
  Principal: { Service: ['lambda.amazonaws.com'] },
  Action: ['sts:AssumeRole'],
};
const LOGS = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents', 'logs:TagResource'];
const LOG_GROUPS =
  /^arn:\$\{AWS::Partition\}:logs:\$\{AWS::Region\}:\$\{AWS::AccountId\}:log-group:\/aws\/lambda\//;
/** For a VPC. */
const NETWORK = /:iam::aws:policy\/service-role\/AWSLambdaVPCAccessExecutionRole$/;

/** @returns sentences; what is refused until it is named is called e.g. `IamRoleLambdaExecution.Table` */
export function judgeRole(role: Resource, stack: Stack): string[] {
  const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies } = role.properties;
  const [own, ...more] = listOf(Policies).map(mapOf);
  const statements = listOf(mapOf(own?.PolicyDocument).Statement).map(mapOf);
  const managed = listOf(ManagedPolicyArns).map((arn) => textOf(arn) ?? '');
  const names = [
    ...statements.filter((one) => !isMade(one, stack)).map(({ Sid }) => (typeof Sid === 'string' ? Sid : '')),
    ...managed.filter((arn) => !NETWORK.test(arn)).map((arn) => /([\w+=,.@-]+)\}?$/.exec(arn)?.[1] ?? ''),
    ...more.map(({ PolicyName }) => textOf(PolicyName) ?? ''),
  ];
  const open = addedTo(role, PROPERTIES).map((name) => `${name} is not as serverless makes it`);
  if (!isDeepStrictEqual(mapOf(AssumeRolePolicyDocument).Statement, [FOR_LAMBDA]))
    open.push('more than lambda.amazonaws.com may assume it');
  // A document may also be a text, or filled in: nothing shows what that allows.
  if (own !== undefined && !isMap(own.PolicyDocument)) open.push('its policy is not written out');
  if (names.includes(''))
    open.push('a statement has no Sid, or a policy no name, by which it could be named');
  const full = names.filter((name) => name !== '').map((name) => `${role.id}.${name}`);
  const unnamed = full.filter((name) => !stack.isNamed(name));
  return [
    ...open.map((problem) => neverNamed(role, problem)),
    ...unnamed.map((name) => `${name}: more than the login functions need: ${NAME_IT}`),
  ];
}

/** Whether a statement is one that `serverless` or the plugin makes of what the functions have. */
function isMade({ Effect, Action, Resource, ...more }: Values, stack: Stack): boolean {
  if (Effect === 'Deny') return true;
  if (Effect !== 'Allow' || Object.keys(more).length > 0) return false;
  const resources = listOf(Resource);
  const isFor = (...allowed: string[]) => listOf(Action).every((one) => allowed.includes(String(one)));
  if (isFor(...LOGS)) return resources.every((one) => LOG_GROUPS.test(textOf(one) ?? ''));
  if (isFor('xray:PutTraceSegments', 'xray:PutTelemetryRecords')) return true;
  const used = stack.loginFunctions.map(({ properties }) => properties);
  const ofUsed = (allowed: readonly unknown[]) =>
    resources.every((one) => allowed.some((other) => isDeepStrictEqual(one, other)));
  if (isFor('secretsmanager:GetSecretValue'))
    return ofUsed(used.flatMap((fn) => usedSecretIds(textsOf(variablesOf(fn))).map(secretResource)));
  if (isFor('kms:Decrypt')) return ofUsed(used.map(({ KmsKeyArn }) => KmsKeyArn));
  if (isFor('elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'))
    return ofUsed(used.flatMap((fn) => listOf(fn.FileSystemConfigs).map((one) => mapOf(one).Arn)));
  const destinations = stack.ofType('AWS::Lambda::EventInvokeConfig').flatMap(({ properties }) => {
    const { OnFailure, OnSuccess } = mapOf(properties.DestinationConfig);
    return [OnFailure, OnSuccess].map((one) => mapOf(one).Destination);
  });
  const letters = used.map(({ DeadLetterConfig }) => mapOf(DeadLetterConfig).TargetArn);
  return isFor('sqs:SendMessage', 'sns:Publish', 'events:PutEvents') && ofUsed([...destinations, ...letters]);
}
