/** The role of the login functions: who may assume it, and what it may do beyond what `serverless` and the plugin grant. */
import { isDeepStrictEqual } from 'node:util';
import { readableSecrets } from '../secretRights.ts';
import { addedAttributes } from './forms.ts';
import { type Resource, type Stack, variablesOf } from './stack.ts';
import { listOf, mapOf, textOf, textsOf, type Values } from './values.ts';

const PROPERTIES = [
  ...['AssumeRolePolicyDocument', 'Description', 'ManagedPolicyArns', 'MaxSessionDuration', 'Path'],
  ...['PermissionsBoundary', 'Policies', 'RoleName', 'Tags'],
];
const LOGS = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents', 'logs:TagResource'];
const LOG_GROUPS =
  /^arn:\$\{AWS::Partition\}:logs:\$\{AWS::Region\}:\$\{AWS::AccountId\}:log-group:\/aws\/lambda\//;
const XRAY = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
const FILES = ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'];
/** For a VPC. */
const NETWORK = /:iam::aws:policy\/service-role\/AWSLambdaVPCAccessExecutionRole$/;

/** @returns `open`: what no name allows; `unnamed`: what is refused until it is named, e.g. `IamRoleLambdaExecution.Table` */
export function judgeRole(role: Resource, stack: Stack): { open: string[]; unnamed: string[] } {
  const { id, properties } = role;
  const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies } = properties;
  const [own, ...more] = listOf(Policies).map(mapOf);
  const statements = listOf(mapOf(own?.PolicyDocument).Statement).map(mapOf);
  const granted = statements.filter((statement) => !isMade(statement, stack));
  const managed = listOf(ManagedPolicyArns).map((arn) => textOf(arn) ?? '');
  const names = [
    ...granted.map(({ Sid }) => (typeof Sid === 'string' ? Sid : '')),
    ...managed.filter((arn) => !NETWORK.test(arn)).map((arn) => /([\w+=,.@-]+)\}?$/.exec(arn)?.[1] ?? ''),
    ...more.map(({ PolicyName }) => textOf(PolicyName) ?? ''),
  ];
  const unnamed = names.filter((name) => name !== '' && !stack.isNamed(`${id}.${name}`));
  const others = Object.keys(properties).filter((name) => !PROPERTIES.includes(name));
  return {
    open: [
      ...(isForLambda(AssumeRolePolicyDocument) ? [] : ['more than lambda.amazonaws.com may assume it']),
      ...[...others, ...addedAttributes(role)].map((name) => `${name} is not as serverless makes it`),
      ...(names.includes('')
        ? ['a statement has no Sid, or a policy no name, by which it could be named']
        : []),
    ],
    unnamed: unnamed.map((name) => `${id}.${name}`),
  };
}

function isForLambda(document: unknown): boolean {
  const statements = listOf(mapOf(document).Statement).map(mapOf);
  return (
    statements.length > 0 &&
    statements.every(({ Effect, Principal, Action, ...more }) => {
      const { Service, ...others } = mapOf(Principal);
      return (
        Effect === 'Allow' &&
        isDeepStrictEqual(listOf(Action), ['sts:AssumeRole']) &&
        isDeepStrictEqual(listOf(Service), ['lambda.amazonaws.com']) &&
        Object.keys(others).length === 0 &&
        Object.keys(more).every((name) => ['Condition', 'Sid'].includes(name))
      );
    })
  );
}

/** Whether a statement is one that `serverless` or the plugin makes of what the functions have. */
function isMade({ Effect, Action, Resource, ...more }: Values, stack: Stack): boolean {
  if (Effect === 'Deny') return true;
  if (Effect !== 'Allow' || Object.keys(more).length > 0) return false;
  const actions = listOf(Action);
  const resources = listOf(Resource);
  const all = (allowed: readonly unknown[]) =>
    resources.every((one) => allowed.some((other) => isDeepStrictEqual(one, other)));
  const only = (...allowed: string[]) => actions.every((one) => allowed.includes(String(one)));
  const functions = stack.loginFunctions.map(({ properties }) => properties);
  if (only(...LOGS)) return resources.every((one) => LOG_GROUPS.test(textOf(one) ?? ''));
  if (only(...XRAY)) return true;
  if (only('secretsmanager:GetSecretValue')) {
    return all(functions.flatMap((fn) => readableSecrets(textsOf(variablesOf(fn)))));
  }
  if (only('kms:Decrypt')) return all(functions.map(({ KmsKeyArn }) => KmsKeyArn));
  if (only(...FILES)) {
    return all(functions.flatMap((fn) => listOf(fn.FileSystemConfigs).map((one) => mapOf(one).Arn)));
  }
  const destinations = stack.ofType('AWS::Lambda::EventInvokeConfig').flatMap(({ properties }) => {
    const { OnFailure, OnSuccess } = mapOf(properties.DestinationConfig);
    return [OnFailure, OnSuccess].map((one) => mapOf(one).Destination);
  });
  const letters = functions.map(({ DeadLetterConfig }) => mapOf(DeadLetterConfig).TargetArn);
  return only('sqs:SendMessage', 'sns:Publish', 'events:PutEvents') && all([...destinations, ...letters]);
}
