/** What a value means where a function is expected: one of ours, unless it is clearly another. */
import { posix } from 'node:path';
import { ALL_FUNCTION_NAMES, type FunctionName } from '../../shared/functions.ts';
import type { FormName } from './table.ts';
import { listOf, mapOf, type Resource, type Resources, referredTo, textOf, type Values } from './template.ts';

/** Where Lambda unpacks a package. */
const TASK_ROOT = '/var/task';
const BUNDLE = `${TASK_ROOT}/dist/`;
const HANDLERS: ReadonlyMap<string, FunctionName> = new Map(
  ALL_FUNCTION_NAMES.map((code) => [`${BUNDLE}functions/${code}.handler`, code]),
);

/** As `serverless` names what it publishes: with a hash of code and configuration, so that no version is one of before. */
const PUBLISHED_BY_SERVERLESS = /LambdaVersion[0-9A-Za-z]{36,44}$/;
/** The version of a function on managed instances that each deployment replaces. */
const LATEST_PUBLISHED = '$LATEST.PUBLISHED';

const [PARTITION, REGION, ACCOUNT] = [
  String.raw`(?:aws[a-z-]*|\$\{AWS::Partition\})`,
  String.raw`(?:[a-z0-9-]+|\$\{AWS::Region\})`,
  String.raw`(?:\d{12}|\$\{AWS::AccountId\})`,
];
/** A function's name or ARN with a version or an alias, also as API Gateway has it in a URI. */
const FUNCTION = new RegExp(
  String.raw`^(?:arn:${PARTITION}:apigateway:${REGION}:lambda:path/[\d-]+/functions/)?` +
    `(?:arn:${PARTITION}:lambda:${REGION}:${ACCOUNT}:function:)?` +
    String.raw`(?:\$\{(?<id>\w+)(?:\.Arn)?\}|(?<name>[\w-]+))(?::(?<qualifier>[\w$.-]+|\*|\$\{\w+\.Version\}))?` +
    '(?:/(?:response-streaming-)?invocations)?$',
);

export interface Functions {
  resources: Resources;
  /** By logical id, those that run a login function. */
  login: ReadonlyMap<string, Resource>;
  /** Logical ids of functions that plainly run something else. */
  others: ReadonlySet<string>;
}

/** `other`: plainly another function, of this template where it has an id. `nothing`: no function at all. */
export type Callee =
  | { kind: 'other'; id?: string }
  | { kind: 'nothing' }
  /** `isSigned`: it checks the signature of its callers itself, in whatever is called. */
  | { kind: 'ours'; isSigned: boolean };

/** Ours, or not known: nothing says that it checks signatures. */
export const OURS: Callee = { kind: 'ours', isSigned: false };
export const NOTHING: Callee = { kind: 'nothing' };

/** What a resource is to what it calls. */
export interface Way {
  form: FormName;
  callee: Callee;
}

/** `./dist//functions/x.handler` and `/var/task/dist/functions/x.handler` run the same. */
function pathOf(handler: string): string {
  return posix.resolve(TASK_ROOT, handler);
}

/**
 * @param handler the value of its Handler: a text, or an intrinsic function
 * @returns undefined where it is not one of a login function
 */
export function codeOf(handler: unknown): FunctionName | undefined {
  return typeof handler === 'string' ? HANDLERS.get(pathOf(handler)) : undefined;
}

/** What a function of a template runs; undefined where it is not a login function. */
export function loginCodeOf(properties: Values): FunctionName | undefined {
  return runs(properties)
    .map(codeOf)
    .find((code) => code !== undefined);
}

/** What may name the code that a function runs. What wraps a handler is told the handler by a variable. */
function runs({ Handler, ImageConfig, Environment }: Values): unknown[] {
  const variables = Object.values(mapOf(mapOf(Environment).Variables));
  return [Handler, ...listOf(mapOf(ImageConfig).Command), ...variables];
}

export function functionsOf(resources: Resources): Functions {
  const all = [...resources].filter(([, { type }]) => type === 'AWS::Lambda::Function');
  const login = new Map(all.filter(([, { properties }]) => loginCodeOf(properties) !== undefined));
  const packages = [...login.values()].map(({ properties }) => packageOf(properties));
  const others = all.filter(([id, { properties }]) => !login.has(id) && isPlainlyOther(properties, packages));
  return { resources, login, others: new Set(others.map(([id]) => id)) };
}

function packageOf({ Code }: Values): unknown {
  return mapOf(Code).S3Key;
}

/** Whether a function's code is an image, written in the template, or a package that no login function has. */
function isPlainlyOther(properties: Values, packages: unknown[]): boolean {
  const { Handler, PackageType, Code } = properties;
  const isInBundle = (one: unknown) => typeof one === 'string' && pathOf(one).startsWith(BUNDLE);
  if (runs(properties).some(isInBundle)) return false;
  if (PackageType === 'Image') return true;
  const { S3Key, ZipFile } = mapOf(Code);
  const isOwnPackage =
    typeof S3Key === 'string' && packages.every((one) => typeof (one ?? '') === 'string' && one !== S3Key);
  return typeof Handler === 'string' && (isOwnPackage || typeof ZipFile === 'string');
}

/** @param value in the place of a function */
export function calleeOf(value: unknown, functions: Functions): Callee {
  const named = referredTo(value, functions.resources, {
    types: ['AWS::Lambda::Alias', 'AWS::Lambda::Version'],
  });
  const { properties = {}, attributes = {} } = named?.resource ?? {};
  const callee = calleeByName(named === undefined ? value : properties.FunctionName, functions);
  return callee.kind === 'ours' && isShifting(attributes) ? OURS : callee;
}

function calleeByName(value: unknown, functions: Functions): Callee {
  const { id, name, qualifier } = FUNCTION.exec(textOf(value, functions.resources) ?? '')?.groups ?? {};
  // Without a whole ARN, Lambda takes `function:name` and `123456789012:name` for a name too.
  const names = [name, qualifier].filter((one) => one !== undefined);
  if (name !== undefined && names.every((one) => isAnotherName(one, functions))) return { kind: 'other' };
  if (id !== undefined && functions.others.has(id)) return { kind: 'other', id };
  const isSigned = id !== undefined && checksSignature(id, qualifier, functions);
  return { kind: 'ours', isSigned };
}

/** Of a login function whose name CloudFormation makes up, nobody knows which name is not its own. */
function isAnotherName(name: string, { login, resources }: Functions): boolean {
  return [...login.values()].every(({ properties }) => {
    const own = textOf(properties.FunctionName, resources);
    return own !== undefined && !own.includes('$') && own !== name;
  });
}

/** Only a literal setting of the function's own counts: of anything else it is not known what it will be. */
function checksSignature(
  id: string,
  qualifier: string | undefined,
  { login, resources }: Functions,
): boolean {
  const { Environment, CapacityProviderConfig, PublishToLatestPublished } = login.get(id)?.properties ?? {};
  const { CALLER_CHECK } = mapOf(mapOf(Environment).Variables);
  // On managed instances, callers reach what was published last.
  const publishesItself = CapacityProviderConfig !== undefined && PublishToLatestPublished === true;
  if (CALLER_CHECK !== 'signature' || (CapacityProviderConfig !== undefined && !publishesItself))
    return false;
  if (qualifier === undefined || qualifier === '$LATEST') return true;
  if (qualifier === LATEST_PUBLISHED) return publishesItself;
  const aliases = [...resources.values()].filter(
    ({ type, properties: { Name, FunctionName } }) =>
      type === 'AWS::Lambda::Alias' && Name === qualifier && textOf(FunctionName, resources) === `\${${id}}`,
  );
  return aliases.length > 0 && !aliases.some(({ attributes }) => isShifting(attributes));
}

/** CodeDeploy shifts the calls of an alias little by little from the version of before, which had other settings. */
function isShifting({ UpdatePolicy }: Values): boolean {
  return UpdatePolicy !== undefined;
}

/** Whether a version is one that `serverless` makes with each change. */
export function isPublishedNow(id: string): boolean {
  return PUBLISHED_BY_SERVERLESS.test(id);
}

/** Whether an alias stands for nothing but what this template publishes. */
export function isAliasOfNow({ FunctionVersion, RoutingConfig }: Values, resources: Resources): boolean {
  const published = { types: ['AWS::Lambda::Version'], attribute: 'Version' };
  const version = referredTo(FunctionVersion, resources, published);
  const isOfNow = FunctionVersion === '$LATEST' || (version !== undefined && isPublishedNow(version.id));
  return isOfNow && RoutingConfig === undefined;
}
