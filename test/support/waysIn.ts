/** Templates of CloudFormation with ways in to a login function: for each form of the table, the resources that make it. */

export type Resources = Record<string, { Type: string; Properties?: unknown; [other: string]: unknown }>;

export const FN = 'SamlLoggedInLambdaFunction';
export const ARN = { 'Fn::GetAtt': [FN, 'Arn'] };
const CODE = { S3Bucket: { Ref: 'ServerlessDeploymentBucket' }, S3Key: 'code.zip' };
const URI_PREFIX = ['arn:', { Ref: 'AWS::Partition' }, ':apigateway:', { Ref: 'AWS::Region' }];
const URI = {
  'Fn::Join': ['', [...URI_PREFIX, ':lambda:path/2015-03-31/functions/', ARN, '/invocations']],
};

/** A template as `serverless` makes it, without ways in. */
export function template(resources: Resources, environment: unknown = undefined) {
  return {
    Parameters: { Parameter: { Type: 'String' } },
    Resources: { ...loginFunction(environment), ...resources },
  };
}

export function loginFunction(environment: unknown = undefined, properties: object = {}): Resources {
  return {
    [FN]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: CODE,
        Handler: 'dist/functions/samlLoggedIn.handler',
        FunctionName: 'login-hooks-dev-samlLoggedIn',
        ...(environment !== undefined && { Environment: environment }),
        ...properties,
      },
    },
  };
}

export const SIGNATURE = { Variables: { CALLER_CHECK: 'signature' } };

export const url = (Properties: object): Resources => ({
  Url: { Type: 'AWS::Lambda::Url', Properties: { TargetFunctionArn: ARN, ...Properties } },
});

export const httpApi = (Properties: object = {}): Resources => ({
  Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP', ...Properties } },
});

const AUTHORIZERS: Resources = {
  Jwt: {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: { ApiId: { Ref: 'Api' }, AuthorizerType: 'JWT' },
  },
  Request: {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: { ApiId: { Ref: 'Api' }, AuthorizerType: 'REQUEST' },
  },
};

export const integration = (Properties: object = {}): Resources => ({
  Integration: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: { ApiId: { Ref: 'Api' }, IntegrationType: 'AWS_PROXY', IntegrationUri: ARN, ...Properties },
  },
});

export const route = (Properties: object, api: object = {}): Resources => ({
  ...httpApi(api),
  ...AUTHORIZERS,
  ...integration(),
  Route: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      ApiId: { Ref: 'Api' },
      RouteKey: 'POST /saml',
      Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
      ...Properties,
    },
  },
});

export const method = (Properties: object, Integration: object = {}): Resources => ({
  Pool: { Type: 'AWS::ApiGateway::Authorizer', Properties: { Type: 'COGNITO_USER_POOLS' } },
  Token: { Type: 'AWS::ApiGateway::Authorizer', Properties: { Type: 'TOKEN' } },
  Method: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod: 'POST',
      Integration: { Type: 'AWS_PROXY', Uri: URI, ...Integration },
      ...Properties,
    },
  },
});

const SCHEMES = {
  sigv4: { type: 'apiKey', 'x-amazon-apigateway-authtype': 'awsSigv4' },
  jwt: { type: 'oauth2', 'x-amazon-apigateway-authorizer': { type: 'jwt' } },
  lambda: { type: 'apiKey', 'x-amazon-apigateway-authorizer': { type: 'request' } },
  pool: { type: 'apiKey', 'x-amazon-apigateway-authorizer': { type: 'cognito_user_pools' } },
  key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
};

/** An OpenAPI document with one operation. */
export const body = (operation: object = {}, document: object = {}) => ({
  openapi: '3.0.1',
  paths: {
    '/saml': {
      post: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri: URI }, ...operation },
    },
  },
  components: { securitySchemes: SCHEMES },
  ...document,
});

export const restApi = (Properties: object): Resources => ({
  Rest: { Type: 'AWS::ApiGateway::RestApi', Properties },
});

const TARGET_GROUP: Resources = {
  Group: {
    Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
    Properties: { TargetType: 'lambda', Targets: [{ Id: ARN }] },
  },
};
export const FORWARD = { Type: 'forward', Order: 2, TargetGroupArn: { Ref: 'Group' } };

export const rule = (...Actions: unknown[]): Resources => ({
  ...TARGET_GROUP,
  Rule: { Type: 'AWS::ElasticLoadBalancingV2::ListenerRule', Properties: { ListenerArn: 'arn', Actions } },
});

export const listener = (...DefaultActions: unknown[]): Resources => ({
  ...TARGET_GROUP,
  Listener: { Type: 'AWS::ElasticLoadBalancingV2::Listener', Properties: { DefaultActions } },
});

export const oidc = (config: object = {}, Order: unknown = 1) => ({
  Type: 'authenticate-oidc',
  Order,
  AuthenticateOidcConfig: { Issuer: 'https://idp.example.org', ...config },
});

export const cognito = (config: object = {}, Order: unknown = 1) => ({
  Type: 'authenticate-cognito',
  Order,
  AuthenticateCognitoConfig: { UserPoolArn: 'arn', ...config },
});

export const permission = (Properties: object): Resources => ({
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: { FunctionName: ARN, Action: 'lambda:InvokeFunction', ...Properties },
  },
});

export const role = (...Statement: object[]): Resources => ({
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Statement: Statement.map((one) => ({ Effect: 'Allow', ...one })) },
      Policies: [{ PolicyDocument: { Statement: { Action: 'lambda:InvokeFunction', Resource: ARN } } }],
    },
  },
});

/** A resource of any kind that names the function. */
export const resource = (Type: string, Properties: unknown): Resources => ({ Thing: { Type, Properties } });
