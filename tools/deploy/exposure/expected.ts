/** The resources that `serverless` and the plugin make for the login functions: one of another form is refused. */
import type { Resource, Stack } from './stack.ts';
import { listOf, mapOf, textOf } from './values.ts';

type Check = (value: unknown, stack: Stack) => boolean;

interface Expected {
  /** Of the logical ids, where only these are made. */
  ids?: RegExp;
  /** Those that are checked. */
  checks?: Readonly<Record<string, Check>>;
  /** The other properties that may be there. Where there are none, all may: what it has leads to no function. */
  others?: readonly string[];
}

const ours: Check = (value, stack) => ['signed', 'unsigned'].includes(stack.calleeOf(value));
const ofHttpApi = { ApiId: isApi };
const ofRestApi = { RestApiId: isApi };
/** With a hash of code and configuration, so that no version is one of before. */
const VERSION = /LambdaVersion[0-9A-Za-z]{36,44}$/;

const EXPECTED: Readonly<Record<string, Expected>> = {
  'AWS::ApiGateway::Deployment': {
    // With a time, so that each deployment serves the methods of now.
    ids: /^ApiGatewayDeployment\d{13}$/,
    checks: ofRestApi,
    others: ['Description', 'StageName'],
  },
  'AWS::ApiGateway::Method': { checks: ofRestApi },
  'AWS::ApiGateway::Resource': { checks: ofRestApi },
  'AWS::ApiGateway::RestApi': { ids: /^ApiGatewayRestApi$/ },
  'AWS::ApiGatewayV2::Api': { ids: /^HttpApi$/, checks: { ProtocolType: (value) => value === 'HTTP' } },
  'AWS::ApiGatewayV2::Integration': {
    checks: { ...ofHttpApi, IntegrationType: (value) => value === 'AWS_PROXY', IntegrationUri: ours },
    others: ['PayloadFormatVersion', 'TimeoutInMillis'],
  },
  'AWS::ApiGatewayV2::Route': { checks: ofHttpApi },
  'AWS::ApiGatewayV2::Stage': {
    checks: { ...ofHttpApi, AutoDeploy: (value) => String(value) === 'true' },
    others: ['AccessLogSettings', 'DefaultRouteSettings', 'StageName', 'Tags'],
  },
  'AWS::CloudWatch::Alarm': { ids: /^(?:Openid|Saml)LoggedIn\w+Alarm$/ },
  'AWS::ElasticLoadBalancingV2::ListenerRule': {},
  'AWS::ElasticLoadBalancingV2::TargetGroup': { checks: { TargetType: (value) => value === 'lambda' } },
  'AWS::Lambda::Alias': {
    checks: {
      FunctionName: ours,
      FunctionVersion: (value, stack) => VERSION.test(stack.referredTo(value, 'Version')?.id ?? ''),
    },
    others: ['Name', 'ProvisionedConcurrencyConfig'],
  },
  'AWS::Lambda::EventInvokeConfig': { checks: { FunctionName: ours } },
  'AWS::Lambda::Permission': { checks: { FunctionName: ours } },
  'AWS::Lambda::Url': { checks: { TargetFunctionArn: ours }, others: ['AuthType', 'Cors', 'InvokeMode'] },
  'AWS::Lambda::Version': {
    ids: VERSION,
    checks: {
      FunctionName: (value, stack) => stack.referredTo(value)?.type === 'AWS::Lambda::Function',
    },
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
      PolicyDocument: (document) =>
        listOf(mapOf(document).Statement).every((statement) => mapOf(statement).Effect === 'Deny'),
    },
  },
};

/** What stands in a template beside `Type` and `Properties` and changes nothing. */
const ATTRIBUTES = ['Condition', 'DependsOn', 'Metadata'];
/** By these, data or a version stays after it is removed from the template. */
const STAYING = ['DeletionPolicy', 'UpdateReplacePolicy'];
const MAY_STAY = ['AWS::Lambda::Version', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket'];

/** @returns what in a resource is not as made, e.g. `Target`; null where none of its type is made */
export function differences(resource: Resource, stack: Stack): string[] | null {
  const expected = Object.hasOwn(EXPECTED, resource.type) ? EXPECTED[resource.type] : undefined;
  if (expected === undefined) return null;
  const { ids = /^/, checks = {}, others } = expected;
  const { id, properties } = resource;
  const failed = Object.keys(checks).filter((name) => !checks[name]?.(properties[name], stack));
  const added = addedTo(resource, others && [...others, ...Object.keys(checks)]);
  return [...(ids.test(id) ? [] : ['its logical id']), ...failed, ...added];
}

/**
 * @param made the properties that may be there; left out where all may
 * @returns the others, and attributes by which a resource stays after it is removed, or shifts little by little
 */
export function addedTo({ type, properties, attributes }: Resource, made?: readonly string[]): string[] {
  const kept = MAY_STAY.includes(type) ? STAYING : STAYING.filter((name) => attributes[name] === 'Delete');
  return [
    ...Object.keys(properties).filter((name) => made !== undefined && !made.includes(name)),
    ...Object.keys(attributes).filter((name) => ![...ATTRIBUTES, ...kept].includes(name)),
  ];
}

const MADE_APIS = ['HttpApi', 'ApiGatewayRestApi'].map((id) => `\${${id}}`);

/** Whether a value is an API that `serverless` makes, or one elsewhere that the operator named. */
export function isApi(value: unknown, stack: Stack): boolean {
  return isApiId(textOf(value) ?? '', stack);
}

export function isApiId(id: string, stack: Stack): boolean {
  return MADE_APIS.includes(id) || (!id.includes('$') && stack.isNamed(id));
}
