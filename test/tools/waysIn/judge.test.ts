/** Whether a finished template guards every way in to a login function: each form of the table, and how forms hide. */
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import {
  ARN,
  body,
  cognito,
  FN,
  FORWARD,
  httpApi,
  integration,
  listener,
  loginFunction,
  method,
  oidc,
  permission,
  type Resources,
  resource,
  restApi,
  role,
  route,
  rule,
  SIGNATURE,
  template,
  url,
} from '../../support/waysIn.ts';

interface Form {
  allowed: 'always' | 'signature' | 'never';
}
interface Judged {
  problems: { id: string; form: string; text: string }[];
  guarded: { id: string; reason: string }[];
}

const require = createRequire(import.meta.url);
const { judge, problemsOfExemptions } = require('../../../tools/deploy/waysIn/judge.cjs') as {
  judge: (template: object, options?: object) => Judged;
  problemsOfExemptions: (guardedElsewhere: unknown, guarded: Judged['guarded'] | null) => string[];
};
const { WAYS_IN, HARMLESS } = require('../../../tools/deploy/waysIn/table.cjs') as {
  WAYS_IN: Record<string, { types: string[]; forms: Record<string, Form> }>;
  HARMLESS: Record<string, { because: string; unless?: string[] }>;
};

const SOURCE = {
  'Fn::Join': [
    '',
    ['arn:aws:execute-api:eu-central-1:', { Ref: 'AWS::AccountId' }, ':', { Ref: 'Api' }, '/*'],
  ],
};
const IF = (value: unknown) => ({ 'Fn::If': ['IsProduction', value, { Ref: 'AWS::NoValue' }] });
const PARAMETER = { Ref: 'Parameter' };
/** Roles that anybody may assume, with rights. */
const rightTo = (Resource: unknown, statement: object = {}) => ({
  PolicyDocument: {
    Statement: { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource, ...statement },
  },
});
const roleForAnybody = (properties: object): Resources => {
  const { Role } = role({ Principal: { AWS: '*' } });
  return {
    Role: { Type: 'AWS::IAM::Role', Properties: { ...(Role?.Properties as object), ...properties } },
  };
};
const NO_RIGHTS = { Policies: undefined };

const GITHUB = 'token.actions.githubusercontent.com';
const GITHUB_PROVIDER = `arn:aws:iam::123456789012:oidc-provider/${GITHUB}`;
const POOLS = 'cognito-identity.amazonaws.com';
const federated = (Federated: unknown, Condition: object) => role({ Principal: { Federated }, Condition });
const fromPool = (conditions: object) => federated(POOLS, conditions);
const OF_POOL = { StringEquals: { [`${POOLS}:aud`]: 'pool' } };

const policyFor = (Principal: unknown, statement: object = {}) => ({
  Statement: [{ Effect: 'Allow', Principal, Action: 'execute-api:Invoke', ...statement }],
});
const underPolicy = (Policy: unknown, Integration: object = {}): Resources => ({
  ...method({ AuthorizationType: 'AWS_IAM', RestApiId: { Ref: 'Rest' } }, Integration),
  ...restApi({ Policy }),
});
const POLICY = 'x-amazon-apigateway-policy';

const secured = (name: string, scopes: string[] = []) => body({ security: [{ [name]: scopes }] });

/** For each form of the table, resources that have it, and no other. */
const EXAMPLES: Record<string, Record<string, Resources[]>> = {
  functionUrl: {
    AWS_IAM: [
      url({ AuthType: 'AWS_IAM' }),
      url({ AuthType: 'AWS_IAM', TargetFunctionArn: { Ref: FN } }),
      url({ AuthType: 'AWS_IAM', TargetFunctionArn: PARAMETER }),
    ],
    NONE: [
      url({ AuthType: 'NONE' }),
      url({}),
      url({ AuthType: IF('AWS_IAM') }),
      url({ AuthType: PARAMETER }),
      url({ AuthType: 'NONE', TargetFunctionArn: { Ref: FN } }),
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::GetAtt': `${FN}.Arn` } }),
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Sub': `\${${FN}.Arn}` } }),
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Sub': [`\${It}`, { It: ARN }] } }),
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Join': ['', [ARN]] } }),
      url({ AuthType: 'NONE', TargetFunctionArn: IF(ARN) }),
      url({ AuthType: 'NONE', TargetFunctionArn: 'login-hooks-dev-samlLoggedIn' }),
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Sub': `\${AWS::StackName}-samlLoggedIn` } }),
      url({
        AuthType: 'NONE',
        TargetFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:login-hooks-dev-samlLoggedIn',
      }),
    ],
  },
  httpApi: {
    AWS_IAM: [
      route({ AuthorizationType: 'AWS_IAM' }),
      route({ AuthorizationType: 'AWS_IAM', ApiId: 'a1b2c3' }),
      route({ AuthorizationType: 'AWS_IAM' }, { ProtocolType: undefined, Body: { paths: {} } }),
      httpApi({ Body: secured('sigv4') }),
    ],
    'JWT with scopes': [
      route({ AuthorizationType: 'JWT', AuthorizerId: { Ref: 'Jwt' }, AuthorizationScopes: ['log-in'] }),
      route({ AuthorizationType: 'JWT', AuthorizerId: 'a1b2c3', AuthorizationScopes: ['log-in'] }),
      httpApi({ Body: secured('jwt', ['log-in']) }),
    ],
    'Lambda authorizer': [
      route({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Request' } }),
      httpApi({ Body: secured('lambda') }),
    ],
    open: [
      route({}),
      route({ AuthorizationType: 'NONE' }),
      route({ AuthorizationType: IF('AWS_IAM') }),
      route({ AuthorizationType: PARAMETER }),
      route({ AuthorizationType: 'CUSTOM' }),
      route({ AuthorizationType: 'CUSTOM', AuthorizerId: IF({ Ref: 'Request' }) }),
      route({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Jwt' } }),
      route({ Target: { 'Fn::Sub': `integrations/\${Integration}` } }),
      route({ Target: IF({ 'Fn::Sub': `integrations/\${Integration}` }) }),
      route({ ApiId: 'a1b2c3' }),
      route({ RouteKey: '$default' }),
      httpApi({ Body: body() }),
      httpApi({ Body: body({ security: [] }) }),
      httpApi({ Body: body({ security: [{}] }) }),
      httpApi({ Body: body({ security: [{ sigv4: [] }, {}] }) }),
      httpApi({ Body: body({ security: IF([{ sigv4: [] }]) }) }),
      httpApi({ Body: body({}, { security: [{ sigv4: [] }] }) }),
      httpApi({ Body: body({ security: [{ sigv4: [] }], 'x-amazon-apigateway-auth': { type: 'NONE' } }) }),
      httpApi({ Body: secured('key') }),
      httpApi({ Body: secured('pool') }),
      httpApi({ Body: secured('missing') }),
    ],
    'JWT without scopes': [
      route({ AuthorizationType: 'JWT', AuthorizerId: { Ref: 'Jwt' } }),
      route({ AuthorizationType: 'JWT', AuthorizerId: { Ref: 'Jwt' }, AuthorizationScopes: [] }),
      route({ AuthorizationType: 'JWT', AuthorizerId: { Ref: 'Jwt' }, AuthorizationScopes: [PARAMETER] }),
      httpApi({ Body: secured('jwt') }),
    ],
    'quick create': [httpApi({ Target: ARN })],
    WebSocket: [
      route({ RouteKey: '$default' }, { ProtocolType: 'WEBSOCKET' }),
      route({ RouteKey: '$connect', AuthorizationType: 'AWS_IAM' }, { ProtocolType: 'WEBSOCKET' }),
      route({ RouteKey: 'log-in', ApiId: 'a1b2c3' }),
      {
        ...route({ RouteKey: '$connect', AuthorizationType: 'AWS_IAM', ApiId: { Ref: 'Thing' } }),
        ...resource('Custom::Api', {}),
      },
      route({}, { ProtocolType: PARAMETER }),
      route({ AuthorizationType: 'AWS_IAM' }, { ProtocolType: IF('WEBSOCKET') }),
      httpApi({ Target: ARN, ProtocolType: 'WEBSOCKET' }),
    ],
    'unreadable body': [
      httpApi({ BodyS3Location: { Bucket: 'bucket', Key: 'openapi.json' } }),
      httpApi({ Body: IF(secured('sigv4')) }),
      httpApi({ Body: '{"paths": {}}' }),
      httpApi({ Body: { paths: { '/saml': { $ref: 'elsewhere' } } } }),
      httpApi({ Body: { paths: { '/saml': { post: IF({}) } } } }),
      httpApi({ Body: { paths: IF({}) } }),
      httpApi({ Body: { info: { title: ARN } } }),
      httpApi({
        Body: body(
          { security: [{ sigv4: [] }] },
          {
            components: {
              securitySchemes: { own: { 'x-amazon-apigateway-authorizer': { authorizerUri: ARN } } },
            },
          },
        ),
      }),
    ],
  },
  restApi: {
    AWS_IAM: [
      method({ AuthorizationType: 'AWS_IAM' }),
      method({ AuthorizationType: 'AWS_IAM' }, { Type: 'AWS' }),
      restApi({ Body: secured('sigv4') }),
      restApi({
        Body: body({ security: [{ sigv4: [] }], 'x-amazon-apigateway-auth': { type: 'AWS_IAM' } }),
      }),
      underPolicy(undefined),
      underPolicy(''),
      underPolicy(policyFor({ AWS: ['123456789012', 'arn:aws:iam::123456789012:role/service'] })),
      underPolicy(policyFor('*', { Effect: 'Deny' })),
      restApi({ Body: { ...secured('sigv4'), [POLICY]: policyFor({ AWS: '123456789012' }) } }),
    ],
    'any account': [
      underPolicy(policyFor('*')),
      underPolicy(policyFor({ AWS: '*' })),
      underPolicy(policyFor({ AWS: ['123456789012', '*'] })),
      underPolicy(policyFor('*', { Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.0/24' } } })),
      underPolicy(policyFor('*', { Effect: IF('Deny') })),
      underPolicy(policyFor({ Service: 'apigateway.amazonaws.com' })),
      underPolicy(IF(policyFor({ AWS: '123456789012' }))),
      underPolicy(JSON.stringify(policyFor({ AWS: '123456789012' }))),
      underPolicy({ Statement: [{ Effect: 'Allow', NotPrincipal: { AWS: '123456789012' } }] }),
      {
        ...method({ AuthorizationType: 'AWS_IAM', RestApiId: { Ref: 'Rest' } }),
        ...restApi({ Body: { paths: {}, [POLICY]: policyFor('*') } }),
      },
      {
        ...method({ AuthorizationType: 'AWS_IAM', RestApiId: IF({ Ref: 'Rest' }) }),
        ...restApi({ Policy: policyFor('*') }),
      },
      {
        ...method({
          AuthorizationType: 'AWS_IAM',
          RestApiId: { 'Fn::If': ['A', { Ref: 'Thing' }, { Ref: 'Rest' }] },
        }),
        ...resource('AWS::ApiGateway::RestApi', {}),
        ...restApi({ Policy: policyFor('*') }),
      },
      restApi({ Body: { ...secured('sigv4'), [POLICY]: policyFor('*') } }),
      restApi({ Body: secured('sigv4'), Policy: policyFor('*') }),
    ],
    Cognito: [
      method({ AuthorizationType: 'COGNITO_USER_POOLS', AuthorizerId: { Ref: 'Pool' } }),
      restApi({ Body: secured('pool') }),
    ],
    'Lambda authorizer': [
      method({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Token' } }),
      method({ AuthorizationType: 'CUSTOM', AuthorizerId: 'a1b2c3' }),
      restApi({ Body: secured('lambda') }),
    ],
    open: [
      method({}),
      method({ AuthorizationType: 'NONE' }),
      method({ AuthorizationType: IF('AWS_IAM') }),
      method({ AuthorizationType: 'COGNITO_USER_POOLS' }),
      method({ AuthorizationType: 'CUSTOM', AuthorizerId: IF({ Ref: 'Token' }) }),
      restApi({ Body: body() }),
      restApi({ Body: secured('key') }),
      restApi({ Body: secured('jwt', ['log-in']) }),
      ...[{ type: 'NONE' }, { type: IF('AWS_IAM') }, IF({ type: 'AWS_IAM' })].map((auth) =>
        restApi({ Body: body({ security: [{ sigv4: [] }], 'x-amazon-apigateway-auth': auth }) }),
      ),
    ],
    'API key alone': [method({ AuthorizationType: 'NONE', ApiKeyRequired: true })],
    'open, not a proxy': [
      method({ AuthorizationType: 'NONE' }, { Type: 'AWS' }),
      method({ AuthorizationType: 'NONE', ApiKeyRequired: true }, { Type: 'AWS' }),
      underPolicy(policyFor('*'), { Type: 'AWS' }),
      restApi({ Body: body({ 'x-amazon-apigateway-integration': { type: 'aws', uri: ARN } }) }),
      restApi({
        Body: body({
          'x-amazon-apigateway-integration': { $ref: '#/components/x-amazon-apigateway-integrations/a' },
        }),
      }),
    ],
    'unreadable body': [
      restApi({ BodyS3Location: { Bucket: 'bucket' } }),
      restApi({ Body: IF(secured('sigv4')) }),
    ],
  },
  loadBalancer: {
    'authenticate-oidc': [
      rule(oidc(), FORWARD),
      rule(FORWARD, oidc()),
      listener(oidc({ OnUnauthenticatedRequest: 'authenticate' }), FORWARD),
    ],
    'authenticate-cognito': [
      rule(cognito(), FORWARD),
      listener(cognito({ OnUnauthenticatedRequest: 'deny' }), FORWARD),
    ],
    open: [
      rule(FORWARD),
      rule({ Type: 'forward', ForwardConfig: { TargetGroups: [{ TargetGroupArn: { Ref: 'Group' } }] } }),
      rule(oidc({ OnUnauthenticatedRequest: 'allow' }), FORWARD),
      rule(cognito({ OnUnauthenticatedRequest: 'allow' }), FORWARD),
      rule(oidc({ OnUnauthenticatedRequest: PARAMETER }), FORWARD),
      rule(oidc({}, 3), FORWARD),
      rule(oidc({}, null), FORWARD),
      rule({ Type: 'authenticate-oidc', Order: 1 }, FORWARD),
      rule({ ...oidc(), Type: IF('authenticate-oidc') }, FORWARD),
      rule(IF(oidc()), FORWARD),
      {
        ...rule(),
        Rule: { Type: 'AWS::ElasticLoadBalancingV2::ListenerRule', Properties: { Actions: IF([FORWARD]) } },
      },
      listener(FORWARD),
      listener({ Type: 'fixed-response', Order: 1 }, FORWARD),
    ],
  },
  permission: {
    'account or role': [
      permission({ Principal: '123456789012' }),
      permission({ Principal: { Ref: 'AWS::AccountId' } }),
      permission({ Principal: 'arn:aws:iam::123456789012:role/service' }),
      permission({ Principal: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root` } }),
      permission({ Principal: '123456789012', Action: 'lambda:InvokeFunctionUrl' }),
      role({ Principal: { AWS: 'arn:aws:iam::123456789012:root' } }),
      role({ Principal: { Service: 'lambda.amazonaws.com' } }),
      fromPool({ ...OF_POOL, 'ForAnyValue:StringLike': { [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({
        StringEquals: { [`${POOLS}:aud`]: { Ref: 'IdentityPool' }, [`${POOLS}:amr`]: ['authenticated'] },
      }),
      federated(GITHUB_PROVIDER, {
        StringEquals: { [`${GITHUB}:sub`]: 'repo:owner/name:ref:refs/heads/main' },
      }),
      federated(GITHUB_PROVIDER, {
        StringLike: { [`${GITHUB}:sub`]: ['repo:owner/name:*', 'repo:owner/*'] },
      }),
      federated('accounts.google.com', { StringEquals: { 'accounts.google.com:sub': '1234' } }),
      federated('arn:aws:iam::123456789012:saml-provider/idp', {
        StringEquals: { 'SAML:aud': 'https://signin.aws.amazon.com/saml' },
      }),
      {
        ...federated({ Ref: 'Thing' }, { StringEquals: { [`${GITHUB}:sub`]: 'repo:owner/name:ref:main' } }),
        ...resource('AWS::IAM::OIDCProvider', {}),
      },
      {
        ...role({ Principal: { Service: 'ec2.amazonaws.com' } }),
        ...permission({ Principal: { 'Fn::GetAtt': ['Role', 'Arn'] } }),
      },
      {
        ...role({
          Principal: {
            AWS: ['arn:aws:iam::123456789012:role/next', { 'Fn::GetAtt': ['Role', 'Arn'] }],
          },
        }),
        ...resource('AWS::IAM::Role', {
          RoleName: 'next',
          AssumeRolePolicyDocument: { Statement: { Principal: { AWS: { 'Fn::GetAtt': ['Role', 'Arn'] } } } },
        }),
      },
    ],
    'service with its source': [
      permission({ Principal: 'apigateway.amazonaws.com', SourceArn: SOURCE }),
      permission({ Principal: 'apigateway.amazonaws.com', SourceAccount: '123456789012' }),
      permission({
        Principal: 's3.amazonaws.com',
        SourceArn: 'arn:aws:s3:::bucket',
        SourceAccount: { Ref: 'AWS::AccountId' },
      }),
      {
        ...rule(oidc(), FORWARD),
        ...permission({ Principal: 'elasticloadbalancing.amazonaws.com', SourceArn: { Ref: 'Group' } }),
      },
    ],
    'load balancer beside its rule': [
      { ...rule(oidc(), FORWARD), ...permission({ Principal: 'elasticloadbalancing.amazonaws.com' }) },
      { ...listener(oidc(), FORWARD), ...permission({ Principal: 'elasticloadbalancing.amazonaws.com' }) },
    ],
    'anybody, by function URL': [
      permission({ Principal: '*', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' }),
      permission({ Principal: '*', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'AWS_IAM' }),
      permission({ Principal: '*', InvokedViaFunctionUrl: true }),
    ],
    'CloudFront with its source': [
      permission({
        Principal: 'cloudfront.amazonaws.com',
        Action: 'lambda:InvokeFunctionUrl',
        SourceArn: 'arn:aws:cloudfront::123456789012:distribution/D',
      }),
    ],
    'service without its source': [
      permission({ Principal: 'apigateway.amazonaws.com' }),
      permission({ Principal: 'apigateway.amazonaws.com', SourceArn: '*' }),
      permission({ Principal: 'apigateway.amazonaws.com', SourceArn: 'arn:aws:execute-api:*:*:*' }),
      permission({ Principal: 'apigateway.amazonaws.com', SourceArn: PARAMETER }),
      permission({ Principal: 'apigateway.amazonaws.com', SourceAccount: PARAMETER }),
      permission({ Principal: 's3.amazonaws.com', SourceArn: 'arn:aws:s3:::bucket' }),
      permission({ Principal: 'alexa-appkit.amazon.com', EventSourceToken: 'amzn1.ask.skill.x' }),
      permission({ Principal: 'elasticloadbalancing.amazonaws.com' }),
      permission({ Principal: 'cloudfront.amazonaws.com' }),
    ],
    anybody: [
      permission({ Principal: '*' }),
      permission({ Principal: '*', PrincipalOrgID: 'o-a1b2c3d4e5' }),
      permission({ Principal: '*', InvokedViaFunctionUrl: IF(true) }),
      permission({ Principal: '*', Action: 'lambda:*' }),
      permission({ Principal: '*', Action: IF('lambda:InvokeFunctionUrl') }),
      permission({ Principal: '*', FunctionName: 'login-hooks-dev-samlLoggedIn' }),
      permission({ Principal: '*', FunctionName: '123456789012:function:login-hooks-dev-samlLoggedIn:live' }),
      permission({ Principal: '*', FunctionName: PARAMETER }),
    ],
    'role for anybody': [
      role({ Principal: '*' }),
      role({ Principal: { AWS: '*' } }),
      role({ Principal: { AWS: ['123456789012', '*'] } }),
      role({ NotPrincipal: { AWS: '123456789012' } }),
      role({ Principal: { Federated: POOLS } }),
      role({ Principal: { CanonicalUser: 'a1b2c3' } }),
      role({ Principal: IF({ AWS: '123456789012' }) }),
      fromPool({ ...OF_POOL, 'ForAnyValue:StringLike': { [`${POOLS}:amr`]: 'unauthenticated' } }),
      fromPool({ ...OF_POOL, 'ForAnyValue:StringLike': { [`${POOLS}:amr`]: ['authenticated', '*'] } }),
      fromPool({ ...OF_POOL, 'ForAllValues:StringEquals': { [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({ ...OF_POOL, 'ForAllValues:StringNotEquals': { [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({ ...OF_POOL, 'ForAnyValue:StringLikeIfExists': { [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({ 'ForAnyValue:StringLike': { [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({ StringLike: { [`${POOLS}:aud`]: '*', [`${POOLS}:amr`]: 'authenticated' } }),
      fromPool({
        StringEquals: { [`${POOLS}:aud`]: { Ref: 'AWS::NoValue' }, [`${POOLS}:amr`]: 'authenticated' },
      }),
      fromPool(OF_POOL),
      federated(GITHUB_PROVIDER, { StringEquals: {} }),
      federated(GITHUB_PROVIDER, { StringEquals: { [`${GITHUB}:aud`]: 'sts.amazonaws.com' } }),
      federated(GITHUB_PROVIDER, { StringNotEquals: { [`${GITHUB}:sub`]: 'repo:owner/name:ref:main' } }),
      ...['*', 'repo:*', 'repo:own*', 'repo:*/name:*', 'repo:?wner/name', PARAMETER].map((subject) =>
        federated(GITHUB_PROVIDER, { StringLike: { [`${GITHUB}:sub`]: ['repo:owner/name:*', subject] } }),
      ),
      federated('accounts.google.com', {}),
      federated('accounts.google.com', {
        StringEquals: { 'accounts.google.com:sub': `\${accounts.google.com:sub}` },
      }),
      federated('arn:aws:iam::123456789012:saml-provider/idp', {}),
      federated(IF(GITHUB_PROVIDER), { StringEquals: { [`${GITHUB}:sub`]: 'repo:owner/name:ref:main' } }),

      ...[
        '*',
        'arn:aws:lambda:*:*:function:login-hooks-*',
        'arn:aws:lambda:eu-central-1:123456789012:function:login-hooks-dev-?amlLoggedIn',
        `arn:aws:lambda:eu-central-1:123456789012:function:\${aws:PrincipalTag/function}`,
        { 'Fn::Sub': `arn:aws:lambda:\${AWS::Region}:\${AWS::AccountId}:function:*` },
        { 'Fn::Sub': `arn:aws:lambda:\${AWS::Region}:\${AWS::AccountId}:function:\${AWS::StackName}-*` },
        PARAMETER,
        { 'Fn::ImportValue': 'function' },
      ].map((target) => roleForAnybody({ Policies: [rightTo(target)] })),
      roleForAnybody({ Policies: [rightTo(undefined, { NotResource: 'arn:aws:s3:::bucket' })] }),
      roleForAnybody({ Policies: [rightTo('other', { Action: 'lambda:*' })] }),
      roleForAnybody({ Policies: [rightTo('other', { Action: undefined, NotAction: 's3:GetObject' })] }),
      roleForAnybody({
        Policies: [rightTo('arn:aws:execute-api:a:1:api', { Action: 'execute-api:Invoke' })],
      }),
      roleForAnybody({
        Policies: [rightTo('arn:aws:iam::123456789012:role/x', { Action: 'sts:AssumeRole' })],
      }),
      roleForAnybody({ Policies: IF([rightTo('other')]) }),
      roleForAnybody({
        ...NO_RIGHTS,
        ManagedPolicyArns: ['arn:aws:iam::aws:policy/AWSLambda_FullAccess'],
      }),
      {
        ...roleForAnybody({ ...NO_RIGHTS, ManagedPolicyArns: [{ Ref: 'Thing' }] }),
        ...resource('AWS::IAM::ManagedPolicy', rightTo('*')),
      },
      ...['caller', { 'Fn::Sub': `\${AWS::StackName}-caller` }, PARAMETER].map((name) => ({
        ...roleForAnybody({ ...NO_RIGHTS, RoleName: name }),
        ...resource('AWS::IAM::Policy', { Roles: [name], ...rightTo(ARN) }),
      })),
      {
        ...roleForAnybody({ ...NO_RIGHTS, RoleName: 'caller' }),
        ...resource('AWS::IAM::RolePolicy', { RoleName: 'caller', ...rightTo('*') }),
      },
      {
        ...role({ Principal: { AWS: { 'Fn::GetAtt': ['Next', 'Arn'] } } }),
        Next: roleForAnybody(NO_RIGHTS).Role as Resources[string],
      },
      {
        ...role({ Principal: { AWS: 'arn:aws:sts::123456789012:assumed-role/next/session' } }),
        Next: roleForAnybody({ ...NO_RIGHTS, RoleName: 'next' }).Role as Resources[string],
      },
    ],
    'unreadable principal': [
      permission({ Principal: PARAMETER }),
      permission({ Principal: IF('123456789012') }),
      permission({ Principal: 'arn:aws:iam::123456789012:*' }),
      { ...roleForAnybody(NO_RIGHTS), ...permission({ Principal: { 'Fn::GetAtt': ['Role', 'Arn'] } }) },
      permission({}),
    ],
  },
  other: {
    'unknown kind': [
      resource('AWS::Lambda::EventSourceMapping', { FunctionName: { Ref: FN }, EventSourceArn: 'arn' }),
      resource('AWS::Lambda::EventSourceMapping', {
        FunctionName: { 'Fn::Sub': `\${AWS::StackName}-samlLoggedIn` },
      }),
      resource('AWS::Events::Rule', { Targets: [{ Arn: ARN }] }),
      resource('AWS::Events::Rule', {
        Targets: [
          {
            Arn: {
              'Fn::Sub': `arn:aws:lambda:\${AWS::Region}:\${AWS::AccountId}:function:\${AWS::StackName}-samlLoggedIn`,
            },
          },
        ],
      }),
      resource('AWS::Scheduler::Schedule', { Target: { Arn: ARN } }),
      resource('AWS::AppSync::DataSource', { LambdaConfig: { LambdaFunctionArn: ARN } }),
      resource('AWS::VpcLattice::TargetGroup', { Targets: [{ Id: ARN }] }),
      resource('AWS::StepFunctions::StateMachine', {
        DefinitionString: { 'Fn::Sub': `{"Resource": "\${${FN}.Arn}"}` },
      }),
      resource('AWS::Cognito::UserPool', { LambdaConfig: { PreSignUp: ARN } }),
      resource('AWS::SNS::Subscription', { Endpoint: ARN }),
      resource('AWS::S3::Bucket', {
        NotificationConfiguration: { LambdaConfigurations: [{ Function: ARN }] },
      }),
      resource('AWS::CloudFormation::CustomResource', { ServiceToken: ARN }),
      resource('AWS::ApiGatewayV2::Authorizer', { AuthorizerUri: ARN }),
      resource('AWS::ApiGateway::Authorizer', { AuthorizerUri: ARN }),
      resource('AWS::ApiGateway::Stage', { Variables: { fn: { Ref: FN } } }),
      resource('AWS::New::Kind', { Of: ['login-hooks-dev-samlLoggedIn'] }),
      {
        Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: FN } } },
        ...resource('AWS::CloudFront::Distribution', { LambdaFunctionARN: { Ref: 'Version' } }),
      },
      {
        Name: { Type: 'AWS::SSM::Parameter', Properties: { Value: ARN } },
        ...resource('AWS::Events::Rule', { Targets: [{ Arn: { 'Fn::GetAtt': ['Name', 'Value'] } }] }),
      },
      { ...httpApi(), ...integration(), ...resource('AWS::New::Kind', { Of: { Ref: 'Integration' } }) },
    ],
    'another function of this code': [
      resource('AWS::Lambda::Function', {
        Handler: 'dist/handlers/own.default',
        Code: { S3Key: 'other.zip' },
      }),
      resource('AWS::Lambda::Function', { Handler: 'dist/functions/samlLoggedIn.other' }),
      resource('AWS::Lambda::Function', { Handler: IF('dist/functions/samlLoggedIn.handler') }),
      resource('AWS::Lambda::Function', {
        Handler: 'src/health.handler',
        Code: { S3Bucket: { 'Fn::Sub': `\${ServerlessDeploymentBucket}` }, S3Key: 'code.zip' },
      }),
    ],
    'hidden content': [
      resource('AWS::CloudFormation::Stack', { TemplateURL: 'https://bucket.example/template.json' }),
      resource('AWS::Serverless::Function', { Handler: 'dist/functions/samlLoggedIn.handler' }),
      resource('Own::Ways::In::MODULE', {}),
      resource('AWS::S3::Bucket', { 'Fn::Transform': { Name: 'AWS::Include' } }),
      resource('AWS::S3::Bucket', { Tags: [{ 'Fn::Transform': { Name: 'Own' } }] }),
      { 'Fn::Transform': { Name: 'AWS::Include' } as never },
      { 'Fn::ForEach::Url': ['Name', ['a'], {}] as never },
    ],
  },
};

const formsIn = (judged: Judged) => [...new Set(judged.problems.map(({ form }) => form))];
const byForm = Object.entries(WAYS_IN).flatMap(([wayIn, { forms }]) =>
  Object.entries(forms).map(([form, { allowed }]) => ({ wayIn, form, allowed })),
);

/** Judged by an option, not by what the template has; tried below. */
const BY_OPTION = 'wrapped handler';

describe.each(byForm.filter(({ form }) => form !== BY_OPTION))(
  '$wayIn, $form, is allowed: $allowed',
  ({ wayIn, form, allowed }) => {
    const examples = EXAMPLES[wayIn]?.[form] ?? [];

    test('there are examples', () => {
      expect(examples).not.toEqual([]);
    });

    test.each(examples.map((resources) => [resources]))('%j', (resources) => {
      const withIam = judge(template(resources));
      const withSignature = judge(template(resources, SIGNATURE));
      expect(formsIn(withIam)).toEqual(allowed === 'always' ? [] : [form]);
      expect(formsIn(withSignature)).toEqual(allowed === 'never' ? [form] : []);
    });
  },
);

describe('the functions are found by what they run', () => {
  test.each([
    './dist/functions/samlLoggedIn.handler',
    'dist//functions/samlLoggedIn.handler',
    'dist/functions/../functions/samlLoggedIn.handler',
    '/var/task/dist/functions/samlLoggedIn.handler',
    'dist/functions/openidLoggedIn.handler',
  ])('%s', (Handler) => {
    const Resources = { ...loginFunction(undefined, { Handler }), ...url({ AuthType: 'NONE' }) };
    expect(formsIn(judge({ Resources }))).toEqual(['NONE']);
  });

  test('in an image', () => {
    const properties = {
      Handler: undefined,
      ImageConfig: { Command: ['dist/functions/samlLoggedIn.handler'] },
    };
    const Resources = { ...loginFunction(undefined, properties), ...url({ AuthType: 'NONE' }) };
    expect(formsIn(judge({ Resources }))).toEqual(['NONE']);
  });

  test('behind a wrapper that is told the handler by a variable', () => {
    const Environment = { Variables: { WRAPPED_HANDLER: 'dist/functions/samlLoggedIn.handler' } };
    const wrapped = loginFunction(Environment, { Handler: '/opt/wrapper.handler' });
    expect(formsIn(judge({ Resources: { ...wrapped, ...url({ AuthType: 'NONE' }) } }))).toEqual(['NONE']);
  });

  test('a login function of which the template does not say so is refused', () => {
    const wrapped = { Resources: loginFunction(undefined, { Handler: 'wrapper.handler' }) };
    expect(judge(wrapped, { functions: [FN] }).problems).toMatchObject([{ id: FN, form: 'wrapped handler' }]);
    expect(judge(template({}), { functions: [FN] }).problems).toEqual([]);
  });

  test('by a name of which a part is filled in later', () => {
    const FunctionName = { 'Fn::Sub': `\${AWS::StackName}-saml` };
    const Resources = {
      ...loginFunction(undefined, { FunctionName }),
      ...permission({ Principal: '*', FunctionName }),
    };
    expect(formsIn(judge({ Resources }))).toEqual(['anybody']);
  });

  test('functions of other code are their operator’s, and so are the ways in to them', () => {
    const health = { Handler: 'src/health.handler', Code: { S3Key: 'health.zip' }, FunctionName: 'health' };
    const TargetFunctionArn = { 'Fn::GetAtt': ['Thing', 'Arn'] };
    const resources = {
      ...resource('AWS::Lambda::Function', health),
      ...url({ AuthType: 'NONE', TargetFunctionArn }),
      ...permission({ Principal: '*', FunctionName: 'health' }),
      ...httpApi(),
      ...integration({ IntegrationUri: TargetFunctionArn }),
      ...resource('AWS::Lambda::Function', health),
      Rule: { Type: 'AWS::Events::Rule', Properties: { Targets: [{ Arn: TargetFunctionArn }] } },
    };
    expect(judge(template(resources)).problems).toEqual([]);
  });
});

describe('CALLER_CHECK is what the function has in the template', () => {
  test.each([
    [undefined],
    [{}],
    [{ Variables: {} }],
    [{ Variables: { CALLER_CHECK: 'iam' } }],
    [{ Variables: { CALLER_CHECK: { Ref: 'Parameter' } } }],
    [{ Variables: { CALLER_CHECK: IF('signature') } }],
    [IF({ Variables: { CALLER_CHECK: 'signature' } })],
  ])('%j counts as iam', (environment) => {
    expect(formsIn(judge(template(url({ AuthType: 'NONE' }), environment)))).toEqual(['NONE']);
  });

  test('of two functions behind one way in, both must check signatures', () => {
    const other = loginFunction({ Variables: { CALLER_CHECK: 'iam' } }, { FunctionName: 'other' });
    const Other = other[FN] as Resources[string];
    const Targets = [{ Id: ARN }, { Id: { 'Fn::GetAtt': ['Other', 'Arn'] } }];
    const resources = rule(FORWARD);
    const both = { ...resources, Other, Group: { ...resources.Group, Properties: { Targets } } } as Resources;
    expect(formsIn(judge(template(both, SIGNATURE)))).toEqual(['open']);
  });

  test('a version that the template does not publish may have had another', () => {
    const alias = (Properties: object): Resources => ({
      Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: FN } } },
      Alias: {
        Type: 'AWS::Lambda::Alias',
        Properties: { FunctionName: { Ref: FN }, Name: 'live', ...Properties },
      },
      ...url({ AuthType: 'NONE', TargetFunctionArn: { Ref: 'Alias' } }),
    });
    const FunctionVersion = { 'Fn::GetAtt': ['Version', 'Version'] };
    const refused = (resources: Resources) => formsIn(judge(template(resources, SIGNATURE)));
    expect(refused(alias({ FunctionVersion }))).toEqual([]);
    expect(refused(alias({ FunctionVersion: '$LATEST' }))).toEqual([]);
    expect(refused(alias({ FunctionVersion: '3' }))).toEqual(['NONE']);
    expect(refused(alias({ FunctionVersion, RoutingConfig: {} }))).toEqual(['NONE']);
    const qualified = (suffix: string) =>
      url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Join': [':', [ARN, suffix]] } });
    expect(refused({ ...alias({ FunctionVersion }), ...qualified('live') })).toEqual([]);
    expect(refused({ ...alias({ FunctionVersion: '3' }), ...qualified('live') })).toEqual(['NONE']);
    expect(refused(qualified('3'))).toEqual(['NONE']);
    const named = { 'Fn::Sub': `login-hooks-dev-samlLoggedIn:\${Parameter}` };
    expect(refused(url({ AuthType: 'NONE', TargetFunctionArn: named }))).toEqual(['NONE']);
    expect(
      refused(url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::Sub': `\${${FN}.Arn}:\${Parameter}` } })),
    ).toEqual(['NONE']);
    expect(refused(url({ AuthType: 'NONE', Qualifier: 'live' }))).toEqual(['NONE']);
  });

  test.each<[string, object, string | undefined, string[]]>([
    ['publishes with each deployment', { PublishToLatestPublished: true }, undefined, []],
    ['publishes with each deployment', { PublishToLatestPublished: true }, '$LATEST.PUBLISHED', []],
    ['publishes with each deployment', { PublishToLatestPublished: true }, '3', ['NONE']],
    ['publishes otherwise', {}, undefined, ['NONE']],
    ['publishes otherwise', { PublishToLatestPublished: false }, '$LATEST.PUBLISHED', ['NONE']],
    ['publishes otherwise', { PublishToLatestPublished: { Ref: 'Parameter' } }, undefined, ['NONE']],
  ])('one on managed instances %s: %j, called as %s', (_, published, qualifier, forms) => {
    const TargetFunctionArn = qualifier === undefined ? ARN : { 'Fn::Join': [':', [ARN, qualifier]] };
    const managed = loginFunction(SIGNATURE, { CapacityProviderConfig: {}, ...published });
    const resources = { ...url({ AuthType: 'NONE', TargetFunctionArn }), ...managed };
    expect(formsIn(judge(template(resources)))).toEqual(forms);
  });

  test('no version is the latest published one of a function that is not on managed instances', () => {
    const TargetFunctionArn = { 'Fn::Join': [':', [ARN, '$LATEST.PUBLISHED']] };
    const resources = url({ AuthType: 'NONE', TargetFunctionArn });
    expect(formsIn(judge(template(resources, SIGNATURE)))).toEqual(['NONE']);
  });
});

const PATH = 'arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31';
const UNREADABLE = [PARAMETER, { 'Fn::ImportValue': 'function' }, '{{resolve:ssm:/function}}', IF('other')];

/** Kinds of resources that call a function, each with the place of its name. */
const CALLS: [string, (fn: unknown) => object][] = [
  ['AWS::AppSync::DataSource', (fn) => ({ LambdaConfig: { LambdaFunctionArn: fn } })],
  ['AWS::Events::Rule', (fn) => ({ Targets: [{ Arn: fn }] })],
  ['AWS::IoT::TopicRule', (fn) => ({ TopicRulePayload: { Actions: [{ Lambda: { FunctionArn: fn } }] } })],
  ['AWS::Lambda::EventSourceMapping', (fn) => ({ FunctionName: fn })],
  ['AWS::Pipes::Pipe', (fn) => ({ Target: fn })],
  ['AWS::Pipes::Pipe', (fn) => ({ Enrichment: fn, Target: 'arn:aws:sqs:eu-central-1:123456789012:queue' })],
  ['AWS::S3::Bucket', (fn) => ({ NotificationConfiguration: { LambdaConfigurations: [{ Function: fn }] } })],
  ['AWS::Scheduler::Schedule', (fn) => ({ Target: { Arn: fn } })],
  ['AWS::SES::ReceiptRule', (fn) => ({ Rule: { Actions: [{ LambdaAction: { FunctionArn: fn } }] } })],
  ['AWS::SNS::Subscription', (fn) => ({ Protocol: 'lambda', Endpoint: fn })],
  ['AWS::SNS::Subscription', (fn) => ({ Protocol: PARAMETER, Endpoint: fn })],
  ['AWS::VpcLattice::TargetGroup', (fn) => ({ Type: 'LAMBDA', Targets: [{ Id: fn }] })],
  ['AWS::VpcLattice::TargetGroup', (fn) => ({ Type: PARAMETER, Targets: [{ Id: fn }] })],
];

describe('a function that the template does not name may be a login function', () => {
  test.each([
    [url({ AuthType: 'NONE', TargetFunctionArn: PARAMETER })],
    [url({ AuthType: 'NONE', TargetFunctionArn: { 'Fn::ImportValue': 'function' } })],
    [url({ AuthType: 'NONE', TargetFunctionArn: '{{resolve:ssm:/function}}' })],
    [permission({ Principal: '*', FunctionName: { 'Fn::Select': [0, ['other']] } })],
    [route({ Target: 'integrations/a1b2c3' })],
    [{ ...route({}), ...integration({ IntegrationUri: PARAMETER }) }],
    [{ ...route({}), ...integration({ IntegrationUri: `functions/\${stageVariables.name}/invocations` }) }],
    [method({ AuthorizationType: 'NONE' }, { Uri: PARAMETER })],
    [method({}, { Uri: { 'Fn::Sub': `functions/\${!stageVariables.name}/invocations` } })],
    [rule({ Type: 'forward', TargetGroupArn: PARAMETER })],
    [httpApi({ Body: body({ 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri: PARAMETER } }) })],
    [method({}, { Uri: `${PATH}/functions/arn:aws:lambda:eu-central-1:1:function:{name}/invocations` })],
    [method({}, { Uri: { 'Fn::Sub': `arn:aws:apigateway:\${AWS::Region}:lambda:path/{path}` } })],
    [
      restApi({
        Body: body({ 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri: `${PATH}/{path}` } }),
      }),
    ],
  ])('%j', (resources) => {
    expect(judge(template(resources, SIGNATURE)).problems).toHaveLength(1);
  });

  test.each(CALLS)('%s', (type, properties) => {
    const refused = (fn: unknown) => formsIn(judge(template(resource(type, properties(fn)), SIGNATURE)));
    for (const fn of UNREADABLE) expect(refused(fn)).toEqual(['unknown kind']);
    expect(refused('arn:aws:lambda:eu-central-1:123456789012:function:other')).toEqual([]);
  });

  test('its value by default tells', () => {
    const Parameters = { Parameter: { Type: 'String', Default: 'login-hooks-dev-samlLoggedIn' } };
    const resources = resource('AWS::Events::Rule', { Targets: [{ Arn: PARAMETER }] });
    expect(formsIn(judge({ ...template(resources), Parameters }))).toEqual(['unknown kind']);
  });
});

describe('what refers to a login function and is no way in', () => {
  const names = Object.entries(HARMLESS);

  test.each(names)('%s', (type, { because, unless = [] }) => {
    const properties = {
      Handler: 'own.handler',
      FunctionName: { Ref: FN },
      Of: ['login-hooks-dev-samlLoggedIn', ARN],
    };
    expect(judge(template(resource(type, properties))).problems).toEqual([]);
    expect(because).not.toBe('');
    for (const property of unless) {
      const refused = judge(template(resource(type, { [property]: ARN })));
      expect(formsIn(refused)).toEqual(['unknown kind']);
    }
  });

  test.each([
    [method({ AuthorizationType: 'NONE', HttpMethod: 'OPTIONS' }, { Type: 'MOCK', Uri: undefined })],
    [{ ...rule(oidc(), FORWARD), ...resource('AWS::CloudWatch::Alarm', { Dimensions: [{ Ref: 'Group' }] }) }],
    [httpApi({ Body: body({ 'x-amazon-apigateway-integration': { type: 'mock' } }) })],
    [httpApi()],
    [
      resource('AWS::Logs::Delivery', {
        Of: 'arn:aws:logs:log-group:/aws/lambda/login-hooks-dev-samlLoggedIn:*',
      }),
    ],
    [resource('AWS::DynamoDB::Table', { TableName: { 'Fn::Sub': `\${AWS::StackName}-sessions` } })],
    [resource('AWS::DynamoDB::Table', { TableName: { 'Fn::Sub': `login-hooks-dev-\${Parameter}` } })],
    [resource('AWS::DynamoDB::Table', { TableName: 'login-hooks-dev-samlLoggedIn-sessions' })],
    [resource('AWS::S3::Bucket', { BucketName: { 'Fn::Sub': `login-hooks-dev-\${AWS::AccountId}` } })],
    [resource('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: PARAMETER })],
    [method({}, { Uri: `${PATH}/functions/arn:aws:lambda:eu-central-1:1:function:other/invocations` })],
    [roleForAnybody(NO_RIGHTS)],
    [roleForAnybody({ Policies: [rightTo('*', { Effect: 'Deny' })] })],
    [
      roleForAnybody({
        Policies: [rightTo('arn:aws:s3:::bucket/guests.json', { Action: ['s3:GetObject'] })],
      }),
    ],
    [
      {
        ...roleForAnybody({ RoleName: 'guest', ...NO_RIGHTS }),
        ...resource('AWS::IAM::Policy', { Roles: ['caller'], ...rightTo(ARN) }),
      },
    ],
  ])('%j', (resources) => {
    expect(judge(template(resources)).problems).toEqual([]);
  });

  test('outputs', () => {
    const Outputs = { SamlLoggedIn: { Value: ARN, Export: { Name: 'saml' } } };
    expect(judge({ ...template({}), Outputs }).problems).toEqual([]);
  });
});

test('a policy apart from its role counts for the role', () => {
  const { Role } = role({ Principal: '*' });
  const Properties = { ...(Role?.Properties as object), Policies: undefined };
  const PolicyDocument = { Statement: { Resource: ARN } };
  const roles: Resources = { Role: { Type: 'AWS::IAM::Role', Properties } };
  const policy = resource('AWS::IAM::Policy', { PolicyDocument, Roles: [{ Ref: 'Role' }] });
  expect(judge(template(roles)).problems).toEqual([]);
  expect(formsIn(judge(template({ ...roles, ...policy })))).toEqual(['role for anybody']);
});

test('an API before a listener of the template is judged, although the listener is', () => {
  const behind = (resources: Resources) => ({
    ...route({}),
    ...integration({ IntegrationType: 'HTTP_PROXY', IntegrationUri: { Ref: 'Listener' } }),
    ...resources,
  });
  expect(formsIn(judge(template(behind(listener(oidc(), FORWARD)))))).toEqual(['open']);
  const { Rule, ...others } = rule(oidc(), FORWARD);
  const attached = { ...(Rule?.Properties as object), ListenerArn: { Ref: 'Listener' } };
  const withRule: Resources = {
    ...others,
    Listener: { Type: 'AWS::ElasticLoadBalancingV2::Listener', Properties: { DefaultActions: [] } },
    Rule: { Type: 'AWS::ElasticLoadBalancingV2::ListenerRule', Properties: attached },
  };
  expect(formsIn(judge(template(behind(withRule))))).toEqual(['open']);
});

test.each([
  { Transform: 'AWS::Serverless-2016-10-31' },
  { Transform: ['AWS::LanguageExtensions'] },
  { Mappings: { 'Fn::Transform': { Name: 'AWS::Include' } } },
  { Outputs: { Url: { 'Fn::Transform': { Name: 'AWS::Include' } } } },
])('a template that CloudFormation rewrites cannot be judged: %j', (section) => {
  expect(judge({ ...template({}), ...section }).problems).toMatchObject([
    { id: Object.keys(section)[0], form: 'hidden content' },
  ]);
});

/** The paths of all values within a value. */
function paths(value: unknown, path: string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, item]) => paths(item, [...path, key]))];
}

function replaced<TValue>(value: TValue, [key, ...rest]: string[], by: unknown): TValue {
  if (key === undefined) return by as TValue;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy as TValue;
}

/** Within the properties of a resource, and not the name in a reference, which CloudFormation takes as text alone. */
const mayBeConditional = (path: string[]) =>
  path.length > 2 && !path.includes('Ref') && !path.includes('Fn::GetAtt');

const JUNK = [null, 'text', [null], PARAMETER];

test('whatever stands in the place of a value, a template is judged without a crash', () => {
  for (const { wayIn, form } of byForm) {
    const [resources = {}] = EXAMPLES[wayIn]?.[form] ?? [];
    for (const path of paths(resources).slice(1)) {
      for (const junk of JUNK) judge(template(replaced(resources, path, junk)), { functions: [FN] });
    }
  }
  expect(judge({}).problems).toEqual([]);
});

test('what is refused stays refused where a condition stands before any of its values', () => {
  const allowed: unknown[] = [];
  for (const { wayIn, form } of byForm.filter(({ allowed }) => allowed !== 'always')) {
    for (const resources of EXAMPLES[wayIn]?.[form] ?? []) {
      for (const path of paths(resources).filter(mayBeConditional)) {
        const value = path.reduce(
          (whole, key) => (whole as Record<string, unknown>)[key],
          resources as unknown,
        );
        const conditional = replaced(resources, path, IF(value));
        if (judge(template(conditional)).problems.length === 0)
          allowed.push({ form, path: path.join('.'), conditional });
      }
    }
  }
  expect(allowed).toEqual([]);
});

test('a problem names the resource, what is open about it, and what to write', () => {
  const [problem] = judge(template(url({ AuthType: 'NONE' }))).problems;
  expect(problem?.text).toBe(
    'Url: a function URL that asks nothing of its callers, because its AuthType is not AWS_IAM. ' +
      'Write AuthType AWS_IAM (in serverless.yml url: {authorizer: aws_iam}), or CALLER_CHECK=signature.',
  );
});

describe('guarded elsewhere', () => {
  const open = { ...url({ AuthType: 'NONE' }), ...rule(FORWARD) };

  test('exempts the resource that it names, and no other', () => {
    const { problems, guarded } = judge(template(open), {
      guardedElsewhere: { Rule: 'an internal load balancer' },
    });
    expect(problems).toMatchObject([{ id: 'Url' }]);
    expect(guarded).toEqual([{ id: 'Rule', reason: 'an internal load balancer' }]);
  });

  test.each([
    [{ Rule: 'an internal load balancer' }, []],
    [{ Rule: '' }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [{ Rule: ' ' }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [{ Rule: true }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [
      { Group: 'x' },
      [
        'custom.loginHooks.guardedElsewhere.Group: nothing of this name needs an exemption. Take the entry out.',
      ],
    ],
    [
      { Gone: 'x' },
      [
        'custom.loginHooks.guardedElsewhere.Gone: nothing of this name needs an exemption. Take the entry out.',
      ],
    ],
    ['Rule', ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}']],
    [['Rule'], ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}']],
  ])('%j', (guardedElsewhere, problems) => {
    const { guarded } = judge(template(open), { guardedElsewhere: guardedElsewhere as object });
    expect(problemsOfExemptions(guardedElsewhere, guarded)).toEqual(problems);
  });

  test('an earlier template need not have what the list names', () => {
    expect(problemsOfExemptions({ Gone: 'x' }, null)).toEqual([]);
    expect(problemsOfExemptions({ Gone: '' }, null)).toHaveLength(1);
  });
});
