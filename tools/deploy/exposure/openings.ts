/**
 * What lets somebody call a login function: permissions, URLs, routes, methods, load balancers. What is open is refused even
 * where it is named, unless it calls another function and is named.
 */
import { isApi, isApiId } from './expected.ts';
import { type Callee, isSigned, type Resource, type Stack } from './stack.ts';
import { listOf, mapOf, textOf, type Values } from './values.ts';

interface Exposure {
  /** What it calls; left out where something else that is judged does. */
  callee?(properties: Values, stack: Stack): Callee;
  /** Null where it is guarded; else why it is not. */
  opening(properties: Values, stack: Stack, callee: Callee): string | null;
}

/** An account, or a role or a user of one by its name; `AccountId` is this account. */
const IDENTITY =
  /^(?:\d{1,12}|AccountId|arn:[\w-]+:iam::(?:\d{12}|AccountId):(?:root|(?:role|user)\/[\w+=,.@/-]+))$/;
/** As `serverless` writes where the calls of an API come from. */
const FROM_API = /^arn:[\w-]+:execute-api:[\w-]+:\w+:([a-z\d]+|\$\{\w+\})\/[^:]+$/;
const INVOKE = 'lambda:InvokeFunction';
const INVOKE_URL = 'lambda:InvokeFunctionUrl';
const OTHER_API = 'its API is not in this template, and its id is not named';

const EXPOSURES: Readonly<Record<string, Exposure>> = {
  'AWS::ApiGateway::Method': {
    callee: ({ Integration }, stack) => stack.calleeOf(mapOf(Integration).Uri),
    opening(properties, stack, callee) {
      const { RestApiId, HttpMethod, Integration, AuthorizationType } = properties;
      const { Type } = mapOf(Integration);
      if (!isApi(RestApiId, stack)) return OTHER_API;
      // What `serverless` answers to browsers' questions calls no function.
      if (Type === 'MOCK' && HttpMethod === 'OPTIONS') return null;
      // Otherwise the function gets no request whose signature it could check.
      if (Type !== 'AWS_PROXY' && AuthorizationType !== 'AWS_IAM') return 'its integration is no proxy';
      return openingOfAuthorization(properties, stack, callee);
    },
  },
  'AWS::ApiGateway::RestApi': {
    opening({ Policy, ...properties }, stack) {
      const isGuarded = !Policy || stack.loginFunctions.every(isSigned);
      if (isGuarded || isForIdentities(Policy, stack)) return openingOfApi(properties);
      return 'its Policy is for more than accounts and roles by their names';
    },
  },
  'AWS::ApiGatewayV2::Api': { opening: openingOfApi },
  'AWS::ApiGatewayV2::Route': {
    callee({ Target }, stack) {
      const [, id = ''] = /^integrations\/\$\{(\w+)\}$/.exec(textOf(Target) ?? '') ?? [];
      const { IntegrationType, IntegrationUri } = stack.resources.get(id)?.properties ?? {};
      return IntegrationType === 'AWS_PROXY' ? stack.calleeOf(IntegrationUri) : 'unknown';
    },
    opening: (properties, stack, callee) =>
      isApi(properties.ApiId, stack) ? openingOfAuthorization(properties, stack, callee) : OTHER_API,
  },
  'AWS::ElasticLoadBalancingV2::TargetGroup': {
    callee({ Targets }, stack) {
      const [target, ...more] = listOf(Targets);
      return more.length > 0 ? 'unknown' : stack.calleeOf(mapOf(target).Id);
    },
    opening: (_properties, _stack, callee) => openingUnlessSigned(callee),
  },
  'AWS::Lambda::Permission': {
    callee: ({ FunctionName }, stack) => stack.calleeOf(FunctionName),
    opening: openingOfPermission,
  },
  'AWS::Lambda::Url': {
    callee: ({ TargetFunctionArn }, stack) => stack.calleeOf(TargetFunctionArn),
    opening({ AuthType, Qualifier }, _stack, callee) {
      if (AuthType === 'AWS_IAM') return null;
      return AuthType === 'NONE' && Qualifier === undefined
        ? openingUnlessSigned(callee)
        : 'its AuthType is not AWS_IAM';
    },
  },
};

/** @returns whom a resource lets call a login function; null where nobody, or who is identified; `other` for a named one */
export function openingOf({ id, type, properties }: Resource, stack: Stack): string | null | 'other' {
  const exposure = Object.hasOwn(EXPOSURES, type) ? EXPOSURES[type] : undefined;
  const callee = exposure?.callee?.(properties, stack) ?? 'unknown';
  if (callee === 'named' && stack.isNamed(id)) return 'other';
  return exposure?.opening(properties, stack, callee) ?? null;
}

function openingUnlessSigned(callee: Callee): string | null {
  return callee === 'signed' ? null : 'anybody may call it, and CALLER_CHECK is not signature';
}

function openingOfAuthorization(properties: Values, stack: Stack, callee: Callee): string | null {
  const { AuthorizationType = 'NONE', AuthorizerId } = properties;
  if (AuthorizationType === 'AWS_IAM') return null;
  if (AuthorizationType === 'NONE') return openingUnlessSigned(callee);
  const authorizer = textOf(AuthorizerId)?.replace(/^\$\{(\w+)\}$/, '$1');
  if (stack.isNamed(authorizer)) return null;
  return `its authorizer ${authorizer ?? ''} is not named: whom it lets in cannot be seen in a template`;
}

/** Routes that no resource shows. */
function openingOfApi(properties: Values): string | null {
  const found = ['Body', 'BodyS3Location', 'CloneFrom', 'Target'].find((name) => name in properties);
  return found === undefined ? null : `its ${found} makes routes that cannot be seen here`;
}

function openingOfPermission(properties: Values, stack: Stack, callee: Callee): string | null {
  const { Action, FunctionName, Principal, SourceArn, FunctionUrlAuthType, InvokedViaFunctionUrl } =
    properties;
  if (Action !== INVOKE && Action !== INVOKE_URL) return 'it allows more than invoking';
  if (callee === 'unknown') return 'its FunctionName is not as serverless writes a login function';
  if (isIdentity(Principal, stack)) return null;
  if (Principal === 'apigateway.amazonaws.com' && Action === INVOKE) {
    const [, api = ''] = FROM_API.exec(filledIn(SourceArn)) ?? [];
    return isApiId(api, stack) ? null : OTHER_API;
  }
  const isOfUrl = Action === INVOKE ? InvokedViaFunctionUrl === true : FunctionUrlAuthType === 'NONE';
  const hasUrl = stack
    .ofType('AWS::Lambda::Url')
    .some((url) => textOf(url.properties.TargetFunctionArn) === textOf(FunctionName));
  const isOfBalancer = Principal === 'elasticloadbalancing.amazonaws.com' && Action === INVOKE;
  if (isOfBalancer || (Principal === '*' && isOfUrl && hasUrl)) return openingUnlessSigned(callee);
  return 'its Principal is not an account or a role by its name';
}

/** With `Region` and the like in the place of what AWS fills in. */
function filledIn(value: unknown): string {
  return (textOf(value) ?? '').replaceAll(/\$\{AWS::(\w+)\}/g, '$1');
}

function isIdentity(value: unknown, stack: Stack): boolean {
  return IDENTITY.test(filledIn(value)) || stack.isNamed(stack.referredTo(value, 'Arn')?.id);
}

/** Of a resource policy, beside which IAM identifies everybody who has an account of AWS. */
function isForIdentities(policy: unknown, stack: Stack): boolean {
  const statements = listOf(mapOf(policy).Statement).map(mapOf);
  const isGuarded = ({ Effect, Principal }: Values) => {
    const { AWS, ...others } = mapOf(Principal);
    const isByName = AWS !== undefined && listOf(AWS).every((value) => isIdentity(value, stack));
    return Effect === 'Deny' || (isByName && Object.keys(others).length === 0);
  };
  return statements.length > 0 && statements.every(isGuarded);
}
