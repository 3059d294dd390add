/** The form of what `serverless` and the plugin make for the login functions: a resource that has another is refused. */
import type { Resource, Stack } from './stack.ts';
import { listOf, mapOf, textOf } from './values.ts';

type Check = (value: unknown, stack: Stack) => boolean;

interface Form {
  /** Of the logical ids, where only these are made. */
  ids?: RegExp;
  /** Those that are checked. */
  checks?: Readonly<Record<string, Check>>;
  /** The other properties that may be there. Where there are none, all may: what it has leads to no function. */
  others?: readonly string[];
}

const ours: Check = (value, stack) => ['signed', 'unsigned'].includes(stack.calleeOf(value));
const aFunction: Check = (value, stack) => stack.referredTo(value)?.type === 'AWS::Lambda::Function';
const httpApi: Check = (value, stack) => isApi(value, stack, 'HttpApi');
const restApi: Check = (value, stack) => isApi(value, stack, 'ApiGatewayRestApi');
/** With a hash of code and configuration, so that no version is one of before. */
const VERSION = /LambdaVersion[0-9A-Za-z]{36,44}$/;
const versionOfNow: Check = (value, stack) => {
  const version = stack.referredTo(value, 'Version');
  return version?.type === 'AWS::Lambda::Version' && VERSION.test(version.id);
};
const denials: Check = (document) =>
  listOf(mapOf(document).Statement).every((statement) => mapOf(statement).Effect === 'Deny');

export const FORMS: Readonly<Record<string, Form>> = {
  'AWS::ApiGateway::Deployment': {
    // With a time, so that each deployment serves the methods of now.
    ids: /^ApiGatewayDeployment\d{13}$/,
    checks: { RestApiId: restApi },
    others: ['Description', 'StageName'],
  },
  'AWS::ApiGateway::Method': { checks: { RestApiId: restApi } },
  'AWS::ApiGateway::Resource': { checks: { RestApiId: restApi } },
  'AWS::ApiGateway::RestApi': { ids: /^ApiGatewayRestApi$/ },
  'AWS::ApiGatewayV2::Api': { ids: /^HttpApi$/, checks: { ProtocolType: (value) => value === 'HTTP' } },
  'AWS::ApiGatewayV2::Integration': {
    checks: {
      ApiId: httpApi,
      IntegrationType: (value) => value === 'AWS_PROXY',
      IntegrationUri: ours,
    },
    others: ['PayloadFormatVersion', 'TimeoutInMillis'],
  },
  'AWS::ApiGatewayV2::Route': { checks: { ApiId: httpApi } },
  'AWS::ApiGatewayV2::Stage': {
    checks: { ApiId: httpApi, AutoDeploy: (value) => String(value) === 'true' },
    others: ['AccessLogSettings', 'DefaultRouteSettings', 'StageName', 'Tags'],
  },
  'AWS::CloudWatch::Alarm': { ids: /^(?:Openid|Saml)LoggedIn\w+Alarm$/ },
  'AWS::ElasticLoadBalancingV2::ListenerRule': {},
  'AWS::ElasticLoadBalancingV2::TargetGroup': { checks: { TargetType: (value) => value === 'lambda' } },
  'AWS::Lambda::Alias': {
    checks: { FunctionName: ours, FunctionVersion: versionOfNow },
    others: ['Name', 'ProvisionedConcurrencyConfig'],
  },
  'AWS::Lambda::EventInvokeConfig': { checks: { FunctionName: ours } },
  'AWS::Lambda::Permission': { checks: { FunctionName: ours } },
  'AWS::Lambda::Url': { checks: { TargetFunctionArn: ours }, others: ['AuthType', 'Cors', 'InvokeMode'] },
  'AWS::Lambda::Version': {
    ids: VERSION,
    checks: { FunctionName: aFunction },
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
    checks: { PolicyDocument: denials },
  },
};

/** What stands in a template beside `Type` and `Properties` and changes nothing. */
const ATTRIBUTES = ['Condition', 'DependsOn', 'Metadata'];
/** By these, data or a version stays after it is removed from the template. */
const STAYING = ['DeletionPolicy', 'UpdateReplacePolicy'];
const MAY_STAY = ['AWS::Lambda::Version', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket'];

/** @returns what in a resource is not as made, e.g. `Target`; nothing where all is */
export function differences(resource: Resource, form: Form, stack: Stack): string[] {
  const { ids = /^/, checks = {}, others } = form;
  const { id, properties } = resource;
  const failed = Object.entries(checks).filter(([name, check]) => !check(properties[name], stack));
  const added = Object.keys(properties).filter(
    (name) => others !== undefined && !others.includes(name) && !Object.hasOwn(checks, name),
  );
  return [
    ...(ids.test(id) ? [] : ['its logical id']),
    ...failed.map(([name]) => name),
    ...added,
    ...addedAttributes(resource),
  ];
}

/** Attributes by which a resource stays after it is removed from the template, or shifts little by little. */
export function addedAttributes({ type, attributes }: Resource): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const stays = STAYING.includes(name) && (value === 'Delete' || MAY_STAY.includes(type));
    return stays || ATTRIBUTES.includes(name) ? [] : [name];
  });
}

/** Whether a value is the API that `serverless` makes, or one elsewhere that the operator named. */
export function isApi(value: unknown, stack: Stack, made: 'HttpApi' | 'ApiGatewayRestApi'): boolean {
  const id = textOf(value);
  return id === `\${${made}}` || (id !== undefined && !id.includes('$') && stack.isNamed(id));
}
