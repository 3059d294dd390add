/** Templates of CloudFormation with a login function, and resources that lead to it. */

export type Resources = Record<string, { Type: string; Properties?: unknown; [other: string]: unknown }>;

export const FN = 'SamlLoggedInLambdaFunction';
export const FUNCTION_NAME = 'login-hooks-dev-samlLoggedIn';
/** Another function of the template, and its role. */
export const OTHER = 'OwnLambdaFunction';
export const ACCOUNT = '123456789012';
export const ARN = { 'Fn::GetAtt': [FN, 'Arn'] };
export const OTHER_ARN = { 'Fn::GetAtt': [OTHER, 'Arn'] };
export const PARAMETER = { Ref: 'Parameter' };
export const ref = (id: string) => ({ Ref: id });
export const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
export const when = (value: unknown) => ({ 'Fn::If': ['IsProduction', value, { Ref: 'AWS::NoValue' }] });

export const SIGNATURE = { Variables: { CALLER_CHECK: 'signature' } };
/** As `serverless` names what it publishes. */
export const VERSION = `SamlLoggedInLambdaVersion${'a1B2c3D4'.repeat(5)}`;

/** A template as `serverless` makes it, without ways in, and with another function. */
export function template(resources: Resources, environment: unknown = undefined) {
  return {
    Parameters: { Parameter: { Type: 'String' } },
    Resources: { ...loginFunction(environment), ...otherFunction(), ...resources },
  };
}

export function loginFunction(environment: unknown = undefined, properties: object = {}): Resources {
  return {
    [FN]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: { Ref: 'ServerlessDeploymentBucket' }, S3Key: 'code.zip' },
        Handler: 'dist/functions/samlLoggedIn.handler',
        FunctionName: FUNCTION_NAME,
        ...(environment !== undefined && { Environment: environment }),
        ...properties,
      },
    },
  };
}

export function otherFunction(properties: object = {}): Resources {
  return {
    [OTHER]: {
      Type: 'AWS::Lambda::Function',
      Properties: { Code: { S3Key: 'own.zip' }, Handler: 'own/index.handler', ...properties },
    },
  };
}

/** A resource of any type. */
export const resource = (Type: string, Properties: unknown = {}, id = 'Thing'): Resources => ({
  [id]: { Type, Properties },
});

/** API Gateway's way to write a function. */
export const uriOf = (fn: unknown) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      ref('AWS::Partition'),
      ':apigateway:',
      ref('AWS::Region'),
      ':lambda:path/2015-03-31/functions/',
      fn,
      '/invocations',
    ],
  ],
});

export const url = (properties: object): Resources =>
  resource('AWS::Lambda::Url', { TargetFunctionArn: ARN, ...properties }, 'Url');

export const httpApi = (properties: object = {}): Resources =>
  resource('AWS::ApiGatewayV2::Api', { Name: 'api', ProtocolType: 'HTTP', ...properties }, 'Api');

export const integration = (properties: object = {}): Resources =>
  resource(
    'AWS::ApiGatewayV2::Integration',
    { ApiId: ref('Api'), IntegrationType: 'AWS_PROXY', IntegrationUri: ARN, ...properties },
    'Integration',
  );

export const authorizer = (id: string, AuthorizerType: unknown, properties: object = {}): Resources =>
  resource('AWS::ApiGatewayV2::Authorizer', { ApiId: ref('Api'), AuthorizerType, ...properties }, id);

/** A route to the login function, in an HTTP API that has authorizers. */
export const route = (properties: object, api: object = {}): Resources => ({
  ...httpApi(api),
  ...authorizer('Jwt', 'JWT'),
  ...authorizer('Request', 'REQUEST', { AuthorizerUri: uriOf(OTHER_ARN) }),
  ...integration(),
  ...resource(
    'AWS::ApiGatewayV2::Route',
    {
      ApiId: ref('Api'),
      RouteKey: 'POST /saml',
      Target: { 'Fn::Join': ['/', ['integrations', ref('Integration')]] },
      ...properties,
    },
    'Route',
  ),
});

export const restApi = (properties: object = {}): Resources =>
  resource('AWS::ApiGateway::RestApi', { Name: 'rest', ...properties }, 'Rest');

/** A method that calls the login function, of a REST API that has authorizers. */
export const method = (properties: object, Integration: object = {}, api: object = {}): Resources => ({
  ...restApi(api),
  ...resource('AWS::ApiGateway::Authorizer', { Type: 'COGNITO_USER_POOLS' }, 'Pool'),
  ...resource('AWS::ApiGateway::Authorizer', { Type: 'TOKEN', AuthorizerUri: uriOf(OTHER_ARN) }, 'Token'),
  ...resource(
    'AWS::ApiGateway::Method',
    {
      RestApiId: ref('Rest'),
      HttpMethod: 'POST',
      Integration: { Type: 'AWS_PROXY', Uri: uriOf(ARN), ...Integration },
      ...properties,
    },
    'Method',
  ),
});

/** An OpenAPI document with one operation, and IAM as its only security scheme. */
export const body = (operation: object = {}, document: object = {}) => ({
  openapi: '3.0.1',
  paths: {
    '/saml': {
      post: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri: uriOf(ARN) }, ...operation },
    },
  },
  components: {
    securitySchemes: { sigv4: { type: 'apiKey', 'x-amazon-apigateway-authtype': 'awsSigv4' } },
  },
  ...document,
});

export const FORWARD = { Type: 'forward', Order: 2, TargetGroupArn: ref('Group') };
export const OIDC = {
  Type: 'authenticate-oidc',
  Order: 1,
  AuthenticateOidcConfig: { Issuer: 'https://idp.example.org' },
};

export const targets = (...ids: unknown[]): Resources =>
  resource(
    'AWS::ElasticLoadBalancingV2::TargetGroup',
    { TargetType: 'lambda', Targets: ids.map((Id) => ({ Id })) },
    'Group',
  );
export const rule = (...Actions: unknown[]): Resources => ({
  ...targets(ARN),
  ...resource('AWS::ElasticLoadBalancingV2::ListenerRule', { ListenerArn: 'arn', Actions }, 'Rule'),
});
export const listener = (...DefaultActions: unknown[]): Resources => ({
  ...targets(ARN),
  ...resource('AWS::ElasticLoadBalancingV2::Listener', { DefaultActions }, 'Listener'),
});

export const permission = (properties: object): Resources =>
  resource(
    'AWS::Lambda::Permission',
    { FunctionName: ARN, Action: 'lambda:InvokeFunction', ...properties },
    'Permission',
  );
export const resourcePolicy = (statement: object, properties: object = {}): Resources =>
  resource(
    'AWS::Lambda::ResourcePolicy',
    {
      ResourceArn: ARN,
      PolicyDocument: {
        Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: ARN, ...statement }],
      },
      ...properties,
    },
    'ResourcePolicy',
  );

export const allow = (Resource: unknown, statement: object = {}) => ({
  PolicyName: 'invoke',
  PolicyDocument: {
    Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource, ...statement }],
  },
});
/** A role with a trust policy of one statement, which may invoke the login function. */
export const role = (trust: object, properties: object = {}, id = 'Role'): Resources =>
  resource(
    'AWS::IAM::Role',
    {
      AssumeRolePolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', ...trust }] },
      Policies: [allow(ARN)],
      ...properties,
    },
    id,
  );
export const trusting = (Service: unknown) => ({ Principal: { Service } });

export const version = (id: string, properties: object = {}): Resources =>
  resource('AWS::Lambda::Version', { FunctionName: ref(FN), ...properties }, id);
export const alias = (properties: object, attributes: object = {}): Resources => ({
  ...version(VERSION),
  Alias: {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName: ref(FN),
      FunctionVersion: { 'Fn::GetAtt': [VERSION, 'Version'] },
      Name: 'live',
      ...properties,
    },
    ...attributes,
  },
});
