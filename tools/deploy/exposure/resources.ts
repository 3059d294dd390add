/**
 * The resources that `serverless` and the plugin make for the login functions, by type: the form in which each is made, and why
 * one lets anybody call a login function. What is open is refused even where it is named, unless it calls another function.
 */
import { type Callee, isSigned, NAME_IT, neverNamed, type Resource, type Stack } from './stack.ts';
import { isMap, listOf, mapOf, textOf, type Values } from './values.ts';

type Check = (value: unknown, stack: Stack) => boolean;

interface Form {
  /** Of the logical ids, where only these are made. */
  ids?: RegExp;
  /** Properties that are as made only where these hold. */
  checks?: Readonly<Record<string, Check>>;
  /** The other properties that may be there. Where there are none, all may: what it has leads to no function. */
  others?: readonly string[];
  /** What it calls; left out where something else that is judged does. */
  callee?(properties: Values, stack: Stack): Callee;
  /** Null where it is guarded; else why it is not. */
  opening?(properties: Values, stack: Stack, callee: Callee): string | null;
}

const ours: Check = (value, stack) => ['signed', 'unsigned'].includes(stack.calleeOf(value));
const isRestApi = { RestApiId: isApi };
const isHttpApi = { ApiId: isApi };
/** With a hash of code and configuration, so that no version is one of before. */
const VERSION = /LambdaVersion[0-9A-Za-z]{36,44}$/;
/** An account, or a role or a user of one by its name; `AccountId` is this account. */
const IDENTITY =
  /^(?:\d{1,12}|AccountId|arn:[\w-]+:iam::(?:\d{12}|AccountId):(?:root|(?:role|user)\/[\w+=,.@/-]+))$/;
/** As `serverless` writes where the calls of an API come from. */
const FROM_API = /^arn:[\w-]+:execute-api:[\w-]+:\w+:([a-z\d]+|\$\{\w+\})\/[^:]+$/;
const INVOKE = 'lambda:InvokeFunction';
const OTHER_API = 'its API is not in this template, and its id is not named';

const FORMS: Readonly<Record<string, Form>> = {
  'AWS::ApiGateway::Deployment': {
    // With a time, so that each deployment serves the methods of now.
    ids: /^ApiGatewayDeployment\d{13}$/,
    checks: isRestApi,
    others: ['Description', 'StageName'],
  },
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
  'AWS::ApiGateway::Resource': { checks: isRestApi },
  'AWS::ApiGateway::RestApi': { ids: /^ApiGatewayRestApi$/, opening: openingOfApi },
  'AWS::ApiGatewayV2::Api': {
    ids: /^HttpApi$/,
    checks: { ProtocolType: (value) => value === 'HTTP' },
    opening: openingOfApi,
  },
  'AWS::ApiGatewayV2::Integration': {
    checks: { ...isHttpApi, IntegrationType: (value) => value === 'AWS_PROXY', IntegrationUri: ours },
    others: ['PayloadFormatVersion', 'TimeoutInMillis'],
  },
  'AWS::ApiGatewayV2::Route': {
    callee({ Target }, stack) {
      const [, id = ''] = /^integrations\/\$\{(\w+)\}$/.exec(textOf(Target) ?? '') ?? [];
      const { IntegrationType, IntegrationUri } = stack.resources.get(id)?.properties ?? {};
      return IntegrationType === 'AWS_PROXY' ? stack.calleeOf(IntegrationUri) : 'unknown';
    },
    opening: (properties, stack, callee) =>
      isApi(properties.ApiId, stack) ? openingOfAuthorization(properties, stack, callee) : OTHER_API,
  },
  'AWS::ApiGatewayV2::Stage': {
    checks: { ...isHttpApi, AutoDeploy: (value) => String(value) === 'true' },
    others: ['AccessLogSettings', 'DefaultRouteSettings', 'StageName', 'Tags'],
  },
  'AWS::CloudWatch::Alarm': { ids: /^(?:Openid|Saml)LoggedIn\w+Alarm$/ },
  'AWS::ElasticLoadBalancingV2::ListenerRule': {},
  'AWS::ElasticLoadBalancingV2::TargetGroup': {
    checks: { TargetType: (value) => value === 'lambda' },
    callee({ Targets }, stack) {
      const [target, ...more] = listOf(Targets);
      return more.length > 0 ? 'unknown' : stack.calleeOf(mapOf(target).Id);
    },
    opening: (_properties, _stack, callee) => openingUnlessSigned(callee),
  },
  'AWS::Lambda::Alias': {
    checks: {
      FunctionName: ours,
      FunctionVersion: (value, stack) => VERSION.test(stack.referredTo(value, 'Version')?.id ?? ''),
    },
    others: ['Name', 'ProvisionedConcurrencyConfig'],
  },
  'AWS::Lambda::EventInvokeConfig': { checks: { FunctionName: ours } },
  'AWS::Lambda::Permission': {
    checks: { FunctionName: ours },
    callee: ({ FunctionName }, stack) => stack.calleeOf(FunctionName),
    opening: openingOfPermission,
  },
  'AWS::Lambda::Url': {
    checks: { TargetFunctionArn: ours },
    others: ['AuthType', 'Cors', 'InvokeMode'],
    callee: ({ TargetFunctionArn }, stack) => stack.calleeOf(TargetFunctionArn),
    // Another version may have other settings.
    opening: ({ AuthType, Qualifier }, _stack, callee) =>
      AuthType === 'AWS_IAM' ? null : openingUnlessSigned(Qualifier === undefined ? callee : 'unknown'),
  },
  'AWS::Lambda::Version': {
    ids: VERSION,
    checks: { FunctionName: (value, stack) => stack.referredTo(value)?.type === 'AWS::Lambda::Function' },
    others: ['CodeSha256', 'Description'],
  },
  'AWS::Logs::LogGroup': { ids: /^(?:(?:Openid|Saml)LoggedIn|HttpApi|ApiGateway)LogGroup$/ },
  'AWS::Logs::MetricFilter': { ids: /^(?:Openid|Saml)LoggedIn\w+Metric$/ },
  'AWS::S3::Bucket': {
    ids: /^ServerlessDeploymentBucket$/,
    others: [
      ...['AccelerateConfiguration', 'BucketEncryption', 'PublicAccessBlockConfiguration', 'Tags'],
      'VersioningConfiguration',
    ],
  },
  'AWS::S3::BucketPolicy': {
    ids: /^ServerlessDeploymentBucketPolicy$/,
    checks: {
      // A text, or what is filled in, does not show whom it allows.
      PolicyDocument: (document) =>
        isMap(document) &&
        listOf(document.Statement).every((statement) => mapOf(statement).Effect === 'Deny'),
    },
  },
};

/** Resources of theirs are in no template that is judged; the last says of a function what permissions say. */
const NEVER = /^AWS::CloudFormation::Stack|::MODULE$|^AWS::Lambda::ResourcePolicy$/;
/** For access logs of REST APIs `serverless` makes a function and a role. */
const LOGS_OF_REST = /^(?:CustomDashresourceDashapigw|IamRoleCustomResources|CustomApiGatewayAccount)/;

/** @returns a sentence; none for what is as made, and for what is named and lets nobody call a login function */
export function judgeResource(resource: Resource, stack: Stack): string[] {
  const { id, type, properties } = resource;
  if (NEVER.test(type)) return [neverNamed(resource, 'nothing shows what it opens')];
  const form = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
  const callee = form?.callee?.(properties, stack) ?? 'unknown';
  if (callee === 'named' && stack.isNamed(id)) return [];
  const opening = form?.opening?.(properties, stack, callee) ?? null;
  if (opening !== null) return [neverNamed(resource, opening)];
  const different = form && differences(form, resource, stack);
  if (different?.length === 0 || stack.isNamed(id)) return [];
  const problem = different
    ? `not as serverless makes it (${different.join(', ')})`
    : 'serverless makes none for the login functions';
  const ofLogs = LOGS_OF_REST.test(id) ? 'set provider.logs.restApi.roleManagedExternally: true, or ' : '';
  return [`${id}: ${type}: ${problem}: ${ofLogs}${NAME_IT}`];
}

function differences({ ids = /^/, checks = {}, others }: Form, resource: Resource, stack: Stack): string[] {
  const { id, properties } = resource;
  return [
    ...(ids.test(id) ? [] : ['its logical id']),
    ...Object.keys(checks).filter((name) => !checks[name]?.(properties[name], stack)),
    ...addedTo(resource, others && [...others, ...Object.keys(checks)]),
  ];
}

/** What stands in a template beside `Type` and `Properties` and changes nothing. */
const ATTRIBUTES = ['Condition', 'DependsOn', 'Metadata'];
/** By these, data or a version stays after it is removed from the template. */
const STAYING = ['DeletionPolicy', 'UpdateReplacePolicy'];
const MAY_STAY = ['AWS::Lambda::Version', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket'];

/**
 * @param made the properties that may be there; left out where all may
 * @returns the others, and attributes by which a resource stays after it is removed, or shifts little by little
 */
export function addedTo({ type, properties, attributes }: Resource, made?: readonly string[]): string[] {
  const kept = MAY_STAY.includes(type) ? [...ATTRIBUTES, ...STAYING] : ATTRIBUTES;
  return [
    ...Object.keys(properties).filter((name) => made?.includes(name) === false),
    ...Object.keys(attributes).filter((name) => !kept.includes(name)),
  ];
}

/** Whether a value is an API that `serverless` makes, or one elsewhere that the operator named. */
function isApi(value: unknown, stack: Stack): boolean {
  return isApiId(textOf(value) ?? '', stack);
}

function isApiId(id: string, stack: Stack): boolean {
  const isMade = /^\$\{(?:HttpApi|ApiGatewayRestApi)\}$/.test(id);
  return isMade || (!id.includes('$') && stack.isNamed(id));
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

/** Routes that no resource shows, and a policy beside which IAM identifies everybody who has an account of AWS. */
function openingOfApi(properties: Values, stack: Stack): string | null {
  const found = ['Body', 'BodyS3Location', 'CloneFrom', 'Target'].find((name) => name in properties);
  if (found !== undefined) return `its ${found} makes routes that cannot be seen here`;
  if (!properties.Policy || stack.loginFunctions.every(isSigned)) return null;
  return 'its Policy may be for more than accounts and roles by their names';
}

function openingOfPermission(properties: Values, stack: Stack, callee: Callee): string | null {
  const { Action, FunctionName, Principal, SourceArn, FunctionUrlAuthType, InvokedViaFunctionUrl } =
    properties;
  if (Action !== INVOKE && Action !== `${INVOKE}Url`) return 'it allows more than invoking';
  if (callee === 'unknown') return 'its FunctionName is not as serverless writes a login function';
  if (IDENTITY.test(filledIn(Principal)) || stack.isNamed(stack.referredTo(Principal, 'Arn')?.id))
    return null;
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
