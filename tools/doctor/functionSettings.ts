/** What the login functions of a stage have in Lambda that the deployed template says otherwise: edited by hand. */
import { isDeepStrictEqual } from 'node:util';
import {
  type FunctionConfiguration,
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { changesOf } from '../deploy/changes.ts';
import { isFilledIn, listOf, mapOf, resourcesOf, type Values } from '../deploy/waysIn/template.ts';
import type { Aws } from './aws.ts';
import { type DoctorFinding, finding } from './examination.ts';
import { runtimeFindings } from './runtimes.ts';
import { type LoginFunction, patternOf, type Stack, withoutMarks } from './stack.ts';

/** What the template and Lambda name alike. */
const PLAIN = ['Runtime', 'Handler', 'MemorySize', 'Timeout', 'Role'] as const;

export async function functionSettings(
  aws: Aws,
  stack: Stack,
  fn: LoginFunction,
  nowMs: number,
): Promise<DoctorFinding[]> {
  const { name: FunctionName } = fn;
  const [configuration, reserved] = await Promise.all([
    aws.ask('lambda:GetFunctionConfiguration', FunctionName, () =>
      aws.functions.send(new GetFunctionConfigurationCommand({ FunctionName })),
    ),
    aws.ask('lambda:GetFunctionConcurrency', FunctionName, () =>
      aws.functions.send(new GetFunctionConcurrencyCommand({ FunctionName })),
    ),
  ]);
  if (configuration === undefined)
    return [
      finding(
        'function_missing',
        FunctionName,
        `the stack ${stack.name} has it, and Lambda has not`,
        'remove the stack and deploy it again',
      ),
    ];
  if (configuration?.Environment?.Error) {
    const message = 'its settings are encrypted: allow kms:Decrypt for the key of the function';
    aws.unasked.push({ subject: FunctionName, message });
  }
  return [
    ...(configuration ? ofConfiguration(stack, fn, configuration, nowMs) : []),
    ...(reserved ? ofConcurrency(fn, reserved.ReservedConcurrentExecutions) : []),
  ];
}

function ofConfiguration(
  stack: Stack,
  fn: LoginFunction,
  configuration: FunctionConfiguration,
  nowMs: number,
): DoctorFinding[] {
  return [
    ...(configuration.Environment?.Error
      ? []
      : ofVariables(stack, fn, configuration.Environment?.Variables ?? {})),
    ...ofPlace(stack, fn, configuration),
    ...ofCode(stack, fn, configuration.CodeSha256),
    ...runtimeFindings(fn.name, configuration.Runtime ?? 'an image', nowMs),
  ];
}

/** Values are told of settings alone, as a deployment tells them: a variable of one's own may be a secret. */
function ofVariables(stack: Stack, fn: LoginFunction, actual: Record<string, string>): DoctorFinding[] {
  const expected = mapOf(mapOf(fn.properties.Environment).Variables);
  const isSame = (name: string) =>
    name in actual && name in expected && stack.made(expected[name]).test(actual[name] ?? '');
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].filter(
    (name) => !isSame(name),
  );
  if (names.length === 0) return [];
  const next = Object.entries(actual).map(([name, value]) => [name, isSame(name) ? expected[name] : value]);
  const changes = changesOf(stack.template, withVariables(stack.template, fn, Object.fromEntries(next)));
  const texts = changes.map(({ text, isWeaker }) => `${text}${isWeaker ? ' (weaker)' : ''}`);
  return [
    finding(
      'settings_edited',
      fn.name,
      `settings differ from those that were deployed: ${[names.join(', '), ...texts].join('; ')}`,
      'set them back with aws lambda update-function-configuration, or set them in the project and deploy',
    ),
  ];
}

function withVariables(template: Values, { id, properties }: LoginFunction, Variables: Values): Values {
  const resources = mapOf(template.Resources);
  const fn = { ...mapOf(resources[id]), Properties: { ...properties, Environment: { Variables } } };
  return { ...template, Resources: { ...resources, [id]: fn } };
}

function ofPlace(
  stack: Stack,
  { name, properties }: LoginFunction,
  actual: FunctionConfiguration,
): DoctorFinding[] {
  const plain: readonly (readonly [what: string, expected: string, found: unknown])[] = [
    ...PLAIN.map((key) => [key, stack.text(properties[key]), actual[key]] as const),
    // Without JSON, no metric counts a login.
    ['LogFormat', stack.text(mapOf(properties.LoggingConfig).LogFormat), actual.LoggingConfig?.LogFormat],
  ];
  const layers = listOf(properties.Layers).map((layer) => stack.text(layer));
  const found = (actual.Layers ?? []).map(({ Arn = '' }) => Arn);
  const pairs = [
    // What the template leaves out has Lambda's default.
    ...plain.filter(([, expected, value]) => expected !== '' && value !== undefined),
    ['Layers', layers.join(' '), found.join(' ')] as const,
  ];
  const edited = pairs.filter(([, expected, value]) => !patternOf(expected).test(String(value)));
  if (edited.length === 0) return [];
  const told = edited.map(
    ([what, expected, value]) =>
      `${what}: expected ${withoutMarks(expected) || 'none'}, found ${value || 'none'}`,
  );
  return [
    finding(
      'configuration_edited',
      name,
      `its configuration differs from the deployed one: ${told.join('; ')}`,
      'set it back with aws lambda update-function-configuration, or set it in the project and deploy',
    ),
  ];
}

/** `serverless` writes the digest of the code that it uploads into the version that it publishes. */
function ofCode(stack: Stack, { id, name }: LoginFunction, digest = ''): DoctorFinding[] {
  const published = codeDigestOf(stack.template, id);
  if (published === undefined || published === digest) return [];
  return [
    finding(
      'code_edited',
      name,
      'its code is not the one that was deployed',
      'find out who uploaded it (CloudTrail, UpdateFunctionCode), then deploy with --force',
    ),
  ];
}

/** The digest of a function's package, base64 of SHA-256; undefined where the template publishes no version of it. */
export function codeDigestOf(template: Values, id: string): unknown {
  const version = [...resourcesOf(template).values()].find(
    ({ type, properties }) =>
      type === 'AWS::Lambda::Version' && isDeepStrictEqual(properties.FunctionName, { Ref: id }),
  );
  return version?.properties.CodeSha256;
}

function ofConcurrency({ name, properties }: LoginFunction, reserved: number | undefined): DoctorFinding[] {
  if (reserved === 0)
    return [
      finding(
        'function_switched_off',
        name,
        'its reserved concurrency is 0: Lambda refuses every login',
        'aws lambda delete-function-concurrency, or another RESERVED_CONCURRENCY and a deployment',
      ),
    ];
  const expected = properties.ReservedConcurrentExecutions;
  if (isFilledIn(expected) ? expected !== undefined || reserved === undefined : expected === reserved)
    return [];
  return [
    finding(
      'concurrency_edited',
      name,
      `reserved concurrency: expected ${String(expected ?? 'none')}, found ${reserved ?? 'none'}`,
      'set it back with aws lambda put-function-concurrency or delete-function-concurrency, or set RESERVED_CONCURRENCY and deploy',
    ),
  ];
}
