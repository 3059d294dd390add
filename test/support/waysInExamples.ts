/** For each form of a way in that the judge knows, resources that have it and no other; but one form is of an option. */
import type { FormName } from '../../tools/deploy/waysIn/table.ts';
import {
  ACCOUNT,
  ARN,
  alias,
  allow,
  arnOf,
  authorizer,
  body,
  FN,
  FORWARD,
  FUNCTION_NAME,
  httpApi,
  integration,
  listener,
  method,
  OIDC,
  OTHER,
  OTHER_ARN,
  PARAMETER,
  permission,
  type Resources,
  ref,
  resource,
  resourcePolicy,
  restApi,
  role,
  route,
  rule,
  trusting,
  uriOf,
  url,
  VERSION,
  version,
  when,
} from './waysIn.ts';

const sub = (text: string, variables?: object) => ({ 'Fn::Sub': variables ? [text, variables] : text });
const inParts = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
/** What `serverless` writes as the source of an API's calls. */
const fromApi = (id: unknown) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      ref('AWS::Partition'),
      ':execute-api:',
      ref('AWS::Region'),
      ':',
      ref('AWS::AccountId'),
      ':',
      id,
      '/*',
    ],
  ],
});
const API = 'apigateway.amazonaws.com';
const TOKENS = { AuthorizationType: 'JWT', AuthorizerId: ref('Jwt') };
const POOL = { AuthorizationType: 'COGNITO_USER_POOLS', AuthorizerId: ref('Pool') };
const IAM = { AuthorizationType: 'AWS_IAM' };
const SERVICE_ROLE = `arn:aws:iam::${ACCOUNT}:role/service`;
const GITHUB = 'token.actions.githubusercontent.com';
const GITHUB_PROVIDER = `arn:aws:iam::${ACCOUNT}:oidc-provider/${GITHUB}`;
const POOLS = 'cognito-identity.amazonaws.com';
const SAML_PROVIDER = `arn:aws:iam::${ACCOUNT}:saml-provider/idp`;
const SAML_AUD = { StringEquals: { 'SAML:aud': 'https://signin.aws.amazon.com/saml' } };
const ANYWHERE = 'rolesanywhere.amazonaws.com';
const federated = (Federated: unknown, Condition?: object) =>
  role({ Principal: { Federated }, ...(Condition && { Condition }) });
const bySub = (value: unknown, operator = 'StringEquals') =>
  federated(GITHUB_PROVIDER, { [operator]: { [`${GITHUB}:sub`]: value } });
const policyFor = (Principal: unknown, statement: object = {}) => ({
  Statement: [{ Effect: 'Allow', Principal, Action: 'execute-api:Invoke', Resource: '*', ...statement }],
});
const under = (Policy: unknown) => method(IAM, {}, { Policy });
/** A role that anybody may assume. */
const anybodys = (properties: object) => role({ Principal: '*' }, { Policies: [], ...properties });
const managed = (name: string) => `arn:aws:iam::aws:policy/${name}`;
const service = (properties: object = {}): Resources => ({
  ...route({}),
  ...integration({
    IntegrationSubtype: 'StepFunctions-StartSyncExecution',
    IntegrationUri: undefined,
    ...properties,
  }),
});
/** What a condition, a parameter and the like say of a function: it may be ours. */
const UNREADABLE: Record<string, unknown> = {
  'a parameter': PARAMETER,
  'an import': { 'Fn::ImportValue': 'function' },
  'a secret': '{{resolve:ssm:/function}}',
  'a condition': when(OTHER_ARN),
  'a choice': { 'Fn::Select': [0, [OTHER_ARN]] },
  'a mapping': { 'Fn::FindInMap': ['Map', 'dev', 'Function'] },
  'an attribute of its URL': { 'Fn::GetAtt': ['Url', 'FunctionArn'] },
  'an attribute of a custom resource': { 'Fn::GetAtt': ['Own', 'FunctionArn'] },
  'its name': FUNCTION_NAME,
  'its ARN': `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:${FUNCTION_NAME}`,
  'part of an ARN': `${ACCOUNT}:function:${FUNCTION_NAME}`,
  'its name after a word': `function:${FUNCTION_NAME}`,
  'its name after an account': `${ACCOUNT}:${FUNCTION_NAME}`,
  'a name that is put together': sub(`\${AWS::StackName}-samlLoggedIn`),
  'its version': sub(`\${${FN}.Arn}:3`),
  'a list': [ARN],
  'null among a list': [null],
  'its name in parts': inParts('login-hooks-dev-', 'samlLoggedIn'),
  'a reference in parts': inParts('$', `{${OTHER}}`),
};
const each = (resourcesOf: (value: unknown) => Resources): Record<string, Resources> =>
  Object.fromEntries(Object.entries(UNREADABLE).map(([title, value]) => [title, resourcesOf(value)]));
const guarded = url({ AuthType: 'AWS_IAM' });
const custom = resource('Custom::Own', { ServiceToken: OTHER_ARN }, 'Own');

export const EXAMPLES: Readonly<
  Record<Exclude<FormName, 'wrapped handler'>, Readonly<Record<string, Resources>>>
> = {
  identified: {
    'a URL by IAM': url({ AuthType: 'AWS_IAM' }),
    'a URL of an unknown function by IAM': url({ AuthType: 'AWS_IAM', TargetFunctionArn: PARAMETER }),
    'a route by IAM': route(IAM),
    'a route by IAM of an API with an empty protocol': route(IAM, { ProtocolType: undefined }),
    'a route by tokens with a scope of its own': route({ ...TOKENS, AuthorizationScopes: ['log-in'] }),
    'a route by a function': route({ AuthorizationType: 'CUSTOM', AuthorizerId: ref('Request') }),
    'a method by IAM': method(IAM),
    'a method by IAM that is no proxy': method(IAM, { Type: 'AWS' }),
    'a method by a function': method({ AuthorizationType: 'CUSTOM', AuthorizerId: ref('Token') }),
    'a method by Cognito with a scope of its own': method({ ...POOL, AuthorizationScopes: ['api/log-in'] }),
    'a method by IAM under an empty policy': under(''),
    'a method by Cognito under a policy for anybody': method(
      { ...POOL, AuthorizationScopes: ['api/log-in'] },
      {},
      { Policy: policyFor('*') },
    ),
    'a method by IAM under a policy for an account and a role': under(
      policyFor({ AWS: [ACCOUNT, SERVICE_ROLE] }),
    ),
    'a method by IAM under a policy that denies': under(policyFor('*', { Effect: 'Deny' })),
    'a body by IAM': httpApi({ Body: body({ security: [{ sigv4: [] }] }) }),
    'a REST body of version 2 by IAM': restApi({
      Body: body(
        { security: [{ sigv4: [] }] },
        {
          openapi: undefined,
          components: undefined,
          swagger: '2.0',
          securityDefinitions: body().components.securitySchemes,
        },
      ),
    }),
    'a REST body by IAM': restApi({ Body: body({ security: [{ sigv4: [] }] }) }),
    'a permission for an account': permission({ Principal: ACCOUNT }),
    'a permission for this account': permission({ Principal: ref('AWS::AccountId') }),
    'a permission for a role': permission({ Principal: SERVICE_ROLE }),
    'a permission for a user in China': permission({
      Principal: `arn:aws-cn:iam::${ACCOUNT}:user/path/caller`,
    }),
    'a permission for an account’s root': permission({
      Principal: sub(`arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root`),
    }),
    'a permission for an API of the template': {
      ...httpApi(),
      ...permission({ Principal: API, SourceArn: fromApi(ref('Api')) }),
    },
    'a permission for a REST API of the template': {
      ...restApi(),
      ...permission({
        Principal: API,
        SourceArn: sub(`arn:aws:execute-api:eu-west-1:${ACCOUNT}:\${Rest}/prod/POST/saml`),
      }),
    },
    'a resource policy for an account': resourcePolicy({ Principal: { AWS: ACCOUNT } }),
    'a resource policy for an API': {
      ...httpApi(),
      ...resourcePolicy({
        Principal: { Service: API },
        Condition: { ArnLike: { 'aws:SourceArn': fromApi(ref('Api')) } },
      }),
    },
    ...Object.fromEntries(
      ['lambda', 'ecs-tasks', 'ec2', 'pods.eks', 'tasks.apprunner', 'codebuild'].map((name) => [
        `a role for ${name}`,
        role(trusting([`${name}.amazonaws.com`])),
      ]),
    ),
    'a role for Lambda in each partition': role(trusting(sub(`lambda.\${AWS::URLSuffix}`))),
    'a role for an account and a role': role({ Principal: { AWS: [ACCOUNT, SERVICE_ROLE] } }),
    'a permission for an account’s root beside a role of any name': {
      ...role(trusting('states.amazonaws.com'), { Policies: [], RoleName: PARAMETER }),
      ...permission({ Principal: `arn:aws:iam::${ACCOUNT}:root` }),
    },
    'a role for CodeDeploy': role(trusting('codedeploy.amazonaws.com'), {
      Policies: [],
      ManagedPolicyArns: [managed('service-role/AWSCodeDeployRoleForLambda')],
    }),
    'a role for a role of the template': {
      ...role({ Principal: { AWS: arnOf('Next') } }),
      ...role({ Principal: { AWS: [ACCOUNT, arnOf('Role')] } }, {}, 'Next'),
    },
    'a role for a user of the template': {
      ...role({ Principal: { AWS: arnOf('User') } }),
      ...resource('AWS::IAM::User', {}, 'User'),
    },
    'a role for a subject': bySub('repo:owner/name:ref:refs/heads/main'),
    'a role for subjects of one owner': bySub(['repo:owner/name:*', 'repo:owner/*'], 'StringLike'),
    'a role for a subject of a provider of the template': {
      ...federated(ref('Provider'), { StringEquals: { [`${GITHUB}:sub`]: 'repo:owner/name:ref:main' } }),
      ...resource('AWS::IAM::OIDCProvider', {}, 'Provider'),
    },
    'a role for a subject of Google': federated('accounts.google.com', {
      StringEquals: { 'accounts.google.com:sub': '1234' },
    }),
    'a role by SAML': federated(SAML_PROVIDER, SAML_AUD),
    'a role by SAML of a provider of the template': {
      ...federated(arnOf('Provider'), SAML_AUD),
      ...resource('AWS::IAM::SAMLProvider', {}, 'Provider'),
    },
    'a role by certificates': role({
      ...trusting(ANYWHERE),
      Condition: { StringEquals: { 'aws:PrincipalTag/x509Subject/CN': 'login' } },
    }),
    'a role for API Gateway that writes logs': role(trusting(API), {
      Policies: [],
      ManagedPolicyArns: [managed('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    }),
    'a role for a service that invokes another function': role(trusting('scheduler.amazonaws.com'), {
      Policies: [
        allow([
          OTHER_ARN,
          sub(`\${${OTHER}.Arn}:*`),
          sub(`arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:own:*`),
        ]),
      ],
    }),
    'a role for anybody without rights': anybodys({}),
    'a role for anybody that reads': anybodys({
      Policies: [
        allow('*', {
          Action: ['s3:GetObject', 'ssm:GetParameter', 'lambda:List*', 'execute-api:ManageConnections'],
        }),
        allow('*', { Effect: 'Deny' }),
      ],
    }),
    'a role for anybody with policies that read': {
      ...anybodys({ ManagedPolicyArns: [ref('Managed')] }),
      ...resource('AWS::IAM::ManagedPolicy', allow('*', { Action: 's3:GetObject' }), 'Managed'),
      ...resource('AWS::IAM::Policy', { Roles: [ref('Role')], ...allow('*', { Action: 's3:GetObject' }) }),
    },
    'a role for anybody in the profile of a machine': {
      ...anybodys({}),
      ...resource('AWS::IAM::InstanceProfile', { Roles: [ref('Role')] }),
    },
    'a role for anybody beside a policy of another role': {
      ...anybodys({ RoleName: 'guest' }),
      ...resource('AWS::IAM::Policy', { Roles: ['caller'], ...allow(ARN) }),
    },
    'a version of serverless': version(VERSION),
    'an alias of a version of serverless': alias({}),
    'an alias of $LATEST': alias({ FunctionVersion: '$LATEST' }),
    'a stage that deploys by itself': {
      ...httpApi(),
      ...resource('AWS::ApiGatewayV2::Stage', { ApiId: ref('Api'), AutoDeploy: true }),
    },
    'a stage of WebSockets': {
      ...httpApi({ ProtocolType: 'WEBSOCKET' }),
      ...resource('AWS::ApiGatewayV2::Stage', { ApiId: ref('Api'), DeploymentId: ref('Deployment') }),
      ...resource('AWS::ApiGatewayV2::Deployment', { ApiId: ref('Api') }, 'Deployment'),
    },
    'what is deleted with the template': {
      Url: { ...(guarded.Url as Resources[string]), DeletionPolicy: 'Delete' },
    },
  },

  'open URL': {
    none: url({ AuthType: 'NONE' }),
    nothing: url({}),
    'another case': url({ AuthType: 'aws_iam' }),
    'by Sub with a variable': url({ TargetFunctionArn: sub(`\${It}`, { It: ARN }) }),
    'of its latest version': url({ TargetFunctionArn: { 'Fn::Join': [':', [ARN, '$LATEST']] } }),
    'of an alias': { ...alias({}), ...url({ TargetFunctionArn: ref('Alias') }) },
    'of an alias by its name': { ...alias({}), ...url({ TargetFunctionArn: ref(FN), Qualifier: 'live' }) },
  },
  'open route': {
    nothing: route({}),
    none: route({ AuthorizationType: 'NONE' }),
    'a function that is not named': route({ AuthorizationType: 'CUSTOM' }),
    'a function elsewhere': route({ AuthorizationType: 'CUSTOM', AuthorizerId: 'a1b2c3' }),
    'a function in the place of tokens': route({
      ...TOKENS,
      AuthorizerId: ref('Request'),
      AuthorizationScopes: ['log-in'],
    }),
    'tokens in the place of a function': route({ AuthorizationType: 'CUSTOM', AuthorizerId: ref('Jwt') }),
    'the default route': route({ RouteKey: '$default' }),
    'a quick-create API': httpApi({ Target: ARN }),
  },
  'open method': {
    nothing: method({}),
    none: method({ AuthorizationType: 'NONE' }),
    'an API key': method({ AuthorizationType: 'NONE', ApiKeyRequired: true }),
  },
  'token of everybody': {
    'a route without scopes': route(TOKENS),
    'a route with no scope': route({ ...TOKENS, AuthorizationScopes: [] }),
    'a route with a scope of a parameter': route({ ...TOKENS, AuthorizationScopes: [PARAMETER] }),
    'a route with an empty scope': route({ ...TOKENS, AuthorizationScopes: [' '] }),
    'a route with two scopes in one': route({ ...TOKENS, AuthorizationScopes: ['log-in openid'] }),
    'a route with a text as scopes': route({ ...TOKENS, AuthorizationScopes: 'log-in' }),
    'a route with one scope of everybody': route({ ...TOKENS, AuthorizationScopes: ['log-in', 'openid'] }),
    'a method by Cognito without scopes': method(POOL),
    'a method by Cognito with one scope of everybody': method({
      ...POOL,
      AuthorizationScopes: ['aws.cognito.signin.user.admin'],
    }),
  },
  'any account': {
    anybody: under(policyFor('*')),
    'anybody of AWS': under(policyFor({ AWS: '*' })),
    'one of two': under(policyFor({ AWS: [ACCOUNT, '*'] })),
    'an address': under(policyFor('*', { Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.0/24' } } })),
    'a condition in the place of Deny': under(policyFor('*', { Effect: when('Deny') })),
    'a service': under(policyFor({ Service: API })),
    'an account and a service': under(policyFor({ AWS: ACCOUNT, Service: API })),
    'all but one': under({ Statement: [{ Effect: 'Allow', NotPrincipal: { AWS: ACCOUNT } }] }),
    'a text': under(JSON.stringify(policyFor({ AWS: ACCOUNT }))),
    'a second principal in lower case': under(policyFor({ AWS: ACCOUNT }, { principal: '*' })),
  },
  'load balancer': {
    'a rule': rule(FORWARD),
    'a rule after OpenID Connect': rule(OIDC, FORWARD),
    'a rule with a list of groups': rule({
      Type: 'forward',
      ForwardConfig: { TargetGroups: [{ TargetGroupArn: ref('Group') }] },
    }),
    'a listener': listener(FORWARD),
  },
  'open service': {
    'a state machine': service(),
    'a function that is no proxy': { ...route({}), ...integration({ IntegrationType: 'AWS' }) },
    'a queue': service({ IntegrationSubtype: 'SQS-SendMessage' }),
    'a method that is no proxy': method({ AuthorizationType: 'NONE' }, { Type: 'AWS' }),
    'a method that is no proxy, with an API key': method({ ApiKeyRequired: true }, { Type: 'AWS' }),
    'a method that is no proxy, with tokens of everybody': method(POOL, { Type: 'AWS' }),
    'a method to a state machine': method(
      {},
      { Type: 'AWS', Uri: 'arn:aws:apigateway:eu-west-1:states:action/StartExecution' },
    ),
  },
  'other API': {
    WebSockets: route({ RouteKey: '$default' }, { ProtocolType: 'WEBSOCKET' }),
    'WebSockets by IAM': route({ RouteKey: '$connect', ...IAM }, { ProtocolType: 'WEBSOCKET' }),
    'a protocol of a parameter': route(IAM, { ProtocolType: PARAMETER }),
    'a route elsewhere': route({ ApiId: 'a1b2c3', ...IAM }),
    'a route of an imported API': route({ ApiId: { 'Fn::ImportValue': 'api' } }),
    'a method elsewhere': method({ RestApiId: 'a1b2c3', ...IAM }),
    'a method of a condition': method({ RestApiId: when(ref('Rest')), ...IAM }),
  },
  body: {
    'in a bucket': httpApi({ BodyS3Location: { Bucket: 'bucket', Key: 'openapi.json' } }),
    'of a REST API in a bucket': restApi({ BodyS3Location: { Bucket: 'bucket' } }),
    'of another REST API': restApi({ CloneFrom: 'a1b2c3' }),
    'without security': httpApi({ Body: body() }),
    'with no security': restApi({ Body: body({ security: [] }) }),
    'with security for all': httpApi({ Body: body({}, { security: [{ sigv4: [] }] }) }),
    'with one of two': httpApi({ Body: body({ security: [{ sigv4: [] }, {}] }) }),
    'with another authorization': httpApi({
      Body: body({ security: [{ sigv4: [] }], 'x-amazon-apigateway-auth': { type: 'NONE' } }),
    }),
    'with a scheme that is missing': httpApi({ Body: body({ security: [{ missing: [] }] }) }),
    'with an authorizer': httpApi({
      Body: body(
        { security: [{ own: [] }] },
        {
          components: {
            securitySchemes: { own: { 'x-amazon-apigateway-authorizer': { authorizerUri: ARN } } },
          },
        },
      ),
    }),
    'with IAM where version 2 of OpenAPI has none': restApi({
      Body: body(
        { security: [{ sigv4: [] }] },
        {
          openapi: undefined,
          swagger: '2.0',
          securityDefinitions: { sigv4: { type: 'apiKey', name: 'x-api-key' } },
        },
      ),
    }),
    'with a policy': restApi({
      Body: body({ security: [{ sigv4: [] }] }, { 'x-amazon-apigateway-policy': policyFor('*') }),
    }),
    'with an authorizer beside IAM': httpApi({
      Body: body(
        { security: [{ sigv4: [] }] },
        {
          components: {
            securitySchemes: {
              sigv4: {
                'x-amazon-apigateway-authtype': 'awsSigv4',
                'x-amazon-apigateway-authorizer': { authorizerUri: ARN },
              },
            },
          },
        },
      ),
    }),
    'with a path of a condition': httpApi({
      Body: {
        ...body({ security: [{ sigv4: [] }] }),
        paths: { ...body({ security: [{ sigv4: [] }] }).paths, '/open': when({}) },
      },
    }),
    'with a path elsewhere': httpApi({ Body: body({}, { paths: { '/saml': { $ref: 'elsewhere' } } }) }),
    'of a text': restApi({ Body: JSON.stringify(body({ security: [{ sigv4: [] }] })) }),
  },

  'for a function URL': {
    'its own action': permission({
      Principal: '*',
      Action: 'lambda:InvokeFunctionUrl',
      FunctionUrlAuthType: 'NONE',
    }),
    'invoking by URL': permission({ Principal: '*', InvokedViaFunctionUrl: true }),
    'a resource policy': resourcePolicy({ Principal: '*', Action: 'lambda:InvokeFunctionUrl' }),
    'a resource policy of invoking by URL, as a boolean': resourcePolicy({
      Principal: '*',
      Condition: { Bool: { 'lambda:InvokedViaFunctionUrl': true } },
    }),
    'a resource policy of invoking by URL': resourcePolicy({
      Principal: '*',
      Condition: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
    }),
  },
  'for a load balancer': {
    'its permission': permission({ Principal: 'elasticloadbalancing.amazonaws.com' }),
  },
  'for CloudFront': {
    'its action': permission({
      Principal: 'cloudfront.amazonaws.com',
      Action: 'lambda:InvokeFunctionUrl',
      SourceArn: `arn:aws:cloudfront::${ACCOUNT}:distribution/D`,
    }),
    'invoking by URL': permission({ Principal: 'cloudfront.amazonaws.com', InvokedViaFunctionUrl: true }),
  },
  'for anybody': {
    anybody: permission({ Principal: '*' }),
    'an organization': permission({ Principal: '*', PrincipalOrgID: 'o-a1b2c3d4e5' }),
    'what is no function': {
      ...resource('AWS::Lambda::LayerVersion', { Handler: 'own.handler', Code: { S3Key: 'other.zip' } }),
      ...permission({ Principal: '*', FunctionName: ref('Thing') }),
    },
    'a resource policy': resourcePolicy({ Principal: '*' }),
    'a resource policy for anybody of AWS': resourcePolicy({ Principal: { AWS: '*' } }),
    ...each((FunctionName) => ({ ...guarded, ...custom, ...permission({ Principal: '*', FunctionName }) })),
  },
  'for a service': {
    'without a source': permission({ Principal: API }),
    'with a source of a parameter': permission({ Principal: API, SourceArn: PARAMETER }),
    'with what is no API': { ...guarded, ...permission({ Principal: API, SourceArn: fromApi(ref('Url')) }) },
    'with an API that it is not': {
      ...httpApi(),
      ...permission({ Principal: 'sns.amazonaws.com', SourceArn: fromApi(ref('Api')) }),
    },
    'by URL': permission({ Principal: 'sns.amazonaws.com', Action: 'lambda:InvokeFunctionUrl' }),
    'in a resource policy': resourcePolicy({ Principal: { Service: 'sns.amazonaws.com' } }),
  },
  'for the unknown': {
    'a longer number': permission({ Principal: `${ACCOUNT}4` }),
    'roles of any name': permission({ Principal: `arn:aws:iam::${ACCOUNT}:role/*` }),
    nobody: permission({}),
    'a role of the template for anybody': { ...anybodys({}), ...permission({ Principal: arnOf('Role') }) },
    'a role of the template by its name': {
      ...anybodys({ RoleName: 'guest' }),
      ...permission({ Principal: `arn:aws:iam::${ACCOUNT}:role/guest` }),
    },
    'a role of the template by a name that is put together, of what is written out': {
      ...anybodys({ RoleName: 'login-hooks-dev-guest' }),
      ...permission({ Principal: sub(`arn:aws:iam::${ACCOUNT}:role/\${AWS::StackName}-guest`) }),
    },
  },
  'more than invoking': {
    'any action': permission({ Principal: ACCOUNT, Action: 'lambda:*' }),
    'any action by URL': permission({ Principal: '*', Action: 'lambda:*', InvokedViaFunctionUrl: true }),
    'all but one principal': resourcePolicy({ NotPrincipal: { AWS: ACCOUNT } }),
    'all but one': resourcePolicy({
      Principal: { AWS: ACCOUNT },
      Action: undefined,
      NotAction: 'lambda:GetFunction',
    }),
  },
  'role for the unknown': {
    anybody: role({ Principal: '*' }),
    'anybody of AWS': role({ Principal: { AWS: '*' } }),
    'one of two': role({ Principal: { AWS: [ACCOUNT, '*'] } }),
    'all but one': role({ NotPrincipal: { AWS: ACCOUNT } }),
    'another kind': role({ Principal: { CanonicalUser: 'a1b2c3' } }),
    'no trust policy': role({}, { AssumeRolePolicyDocument: undefined }),
    ...Object.fromEntries(
      [
        'apigateway',
        'appsync',
        'edgelambda',
        'events',
        'iot',
        'scheduler',
        'states',
        'bedrock-agentcore',
        'rds',
      ].map((name) => [name, role(trusting(['lambda.amazonaws.com', `${name}.amazonaws.com`]))]),
    ),
    'a second statement': role(
      {},
      {
        AssumeRolePolicyDocument: {
          Statement: [
            { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'sts:AssumeRole' },
            { Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' },
          ],
        },
      },
    ),
    'a service of another name': role(trusting('lambda.amazonaws.com.example')),
    'any certificate': role({
      ...trusting(ANYWHERE),
      Condition: { StringLike: { 'aws:PrincipalTag/x509Subject/CN': '*' } },
    }),
    'a role for anybody by way of another': {
      ...role({ Principal: { AWS: arnOf('Next') } }),
      ...role({ Principal: '*' }, { Policies: [] }, 'Next'),
    },
    'a pool of identities': federated(POOLS, {
      StringEquals: { [`${POOLS}:aud`]: 'pool', [`${POOLS}:sub`]: 'a1b2c3' },
      'ForAnyValue:StringLike': { [`${POOLS}:amr`]: 'authenticated' },
    }),
    'another provider': federated('graph.facebook.com', { StringEquals: { 'SAML:aud': 'a', 'a:sub': 'b' } }),
    'any provider': federated(`arn:aws:iam::${ACCOUNT}:oidc-provider/*`, {
      StringEquals: { 'a:sub': 'repo:o/n:r' },
    }),
    'another key of a provider': federated(GITHUB_PROVIDER, {
      StringEquals: { [`${GITHUB}:subject`]: 'repo:o/n:r' },
    }),
    'another key by SAML': federated(SAML_PROVIDER, {
      StringEquals: { 'SAML:audience': 'a', 'own:SAML:aud': 'a' },
    }),
    'a provider without a condition': federated(GITHUB_PROVIDER),
    'a provider for an audience': federated(GITHUB_PROVIDER, {
      StringEquals: { [`${GITHUB}:aud`]: 'sts.amazonaws.com' },
    }),
    ...Object.fromEntries(
      ['*', 'repo:*', 'repo:own*', 'repo:*/name:*', 'repo:?wner/name', PARAMETER, `\${aws:username}`, ''].map(
        (value) => [
          `the subject ${JSON.stringify(value)}`,
          bySub(['repo:owner/name:*', value], 'StringLike'),
        ],
      ),
    ),
    ...Object.fromEntries(
      ['ForAllValues:StringEquals', 'StringEqualsIfExists', 'StringNotEquals', 'Null'].map((operator) => [
        `a subject by ${operator}`,
        bySub('repo:owner/name:ref:main', operator),
      ]),
    ),
    'a subject that is resolved later, in parts': bySub(inParts('{', '{resolve:ssm:/sub}}'), 'StringLike'),
    'no subject': bySub([]),
    'Google without a subject': federated('accounts.google.com', {
      StringEquals: { 'accounts.google.com:aud': 'a' },
    }),
    'SAML without an audience': federated(SAML_PROVIDER),

    ...Object.fromEntries(
      [
        '*',
        'arn:aws:lambda:*:*:function:own',
        `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:ow?`,
        sub(`arn:aws:lambda:\${AWS::Region}:\${AWS::AccountId}:function:*`),
        PARAMETER,
        { 'Fn::ImportValue': 'function' },
        [OTHER_ARN, ARN],
        [],
      ].map((target) => [`a right on ${JSON.stringify(target)}`, anybodys({ Policies: [allow(target)] })]),
    ),
    ...Object.fromEntries(
      [
        'lambda:Invoke*',
        'LAMBDA:invokefunction',
        'lambda:*',
        'lambda:AddPermission',
        'lambda:AddTarget',
        'iam:AttachList',
        'states:UpdateList',
        'ssm:PutList',
        'sts:WidgetToken',
        'cloudformation:BatchDescribe',
        'apigateway:GETTING',
        'execute-api:ManageConnectionsAll',
        'lambda:UpdateFunctionConfiguration',
        'execute-api:Invoke',
        'apigateway:PATCH',
        'sts:AssumeRole',
        'iam:PassRole',
        'cloudformation:UpdateStack',
        'states:StartExecution',
        'ssm:SendCommand',
        '*',
        '*:*',
        'l*:InvokeFunction',
        'lambda',
        when('s3:GetObject'),
      ].map((Action) => [
        `a right to ${JSON.stringify(Action)}`,
        anybodys({ Policies: [allow([ARN], { Action: ['s3:GetObject', Action] })] }),
      ]),
    ),
    'a right on another function beside a right that leads on': anybodys({
      Policies: [allow(OTHER_ARN, { Action: ['lambda:InvokeFunction', 'sts:AssumeRole'] })],
    }),
    'a right to change another function': anybodys({
      Policies: [allow(OTHER_ARN, { Action: 'lambda:UpdateFunctionCode' })],
    }),
    'a right to all but one action': anybodys({
      Policies: [allow('*', { Action: undefined, NotAction: 's3:GetObject' })],
    }),
    'a right in lower case': anybodys({
      Policies: [allow('*', { Action: 's3:GetObject', action: 'lambda:InvokeFunction' })],
    }),
    'a managed policy that is not known': anybodys({ ManagedPolicyArns: [managed('AWSLambda_FullAccess')] }),
    'a managed policy elsewhere': anybodys({ ManagedPolicyArns: [`arn:aws:iam::${ACCOUNT}:policy/own`] }),
    'a managed policy of the template': {
      ...anybodys({ ManagedPolicyArns: [ref('Thing')] }),
      ...resource('AWS::IAM::ManagedPolicy', allow('*')),
    },
    ...Object.fromEntries(
      ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::RolePolicy'].map((type) => [
        `a right by ${type}`,
        {
          ...anybodys({}),
          ...resource(type, { Roles: [ref('Role')], RoleName: ref('Role'), ...allow(ARN) }),
        },
      ]),
    ),
    'a right by the role’s name': {
      ...anybodys({ RoleName: 'guest' }),
      ...resource('AWS::IAM::Policy', { Roles: ['guest'], ...allow(ARN) }),
    },
  },
  'policy for the unknown': {
    'a condition': resource('AWS::IAM::ManagedPolicy', { Roles: when([ref('Role')]), ...allow(ARN) }),
  },

  call: {
    ...each((Arn) => ({ ...guarded, ...custom, ...resource('AWS::Events::Rule', { Targets: [{ Arn }] }) })),
    'an authorizer of a route': authorizer('Thing', 'REQUEST', { AuthorizerUri: uriOf(ARN) }),
    'a custom resource': resource('Custom::Own', { ServiceToken: ARN }),
    'a custom resource elsewhere': resource('Custom::Own', {
      ServiceToken: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:own`,
    }),
    'a custom resource that is told the function’s name': resource('Custom::S3', {
      ServiceToken: OTHER_ARN,
      FunctionName: FUNCTION_NAME,
    }),
    'a custom resource that is told an unknown function': resource('Custom::S3', {
      ServiceToken: OTHER_ARN,
      FunctionName: PARAMETER,
    }),
    'a custom resource that is told the function': resource('AWS::CloudFormation::CustomResource', {
      ServiceToken: OTHER_ARN,
      Told: [{ fn: sub(`\${${FN}}`) }],
    }),
    'a universal target': resource('AWS::Scheduler::Schedule', {
      Target: { Arn: 'arn:aws:scheduler:::aws-sdk:lambda:invoke', Input: FUNCTION_NAME },
    }),
  },
  version: {
    'a fixed one': version('Version'),
    'one with a policy': version(VERSION, { Policy: policyFor('*') }),
  },
  alias: {
    'of a version of before': alias({ FunctionVersion: '3' }),
    'of two versions': alias({ RoutingConfig: { AdditionalVersionWeights: [] } }),
    'of a version that is no more': alias({ FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] } }),
  },
  deployment: {
    'a stage that does not deploy': {
      ...httpApi(),
      ...resource('AWS::ApiGatewayV2::Stage', { ApiId: ref('Api') }),
    },
    'a stage of one deployment': {
      ...httpApi(),
      ...resource('AWS::ApiGatewayV2::Stage', {
        ApiId: ref('Api'),
        AutoDeploy: true,
        DeploymentId: 'a1b2c3',
      }),
    },
    'a deployment of an HTTP API': {
      ...httpApi(),
      ...resource('AWS::ApiGatewayV2::Deployment', { ApiId: ref('Api') }),
    },
    'a deployment of a fixed id': resource('AWS::ApiGateway::Deployment', { RestApiId: ref('Rest') }),
    'a deployment with a canary': resource(
      'AWS::ApiGateway::Deployment',
      { DeploymentCanarySettings: {} },
      'ApiGatewayDeployment1795383814227',
    ),
    'a REST stage of before': resource('AWS::ApiGateway::Stage', { DeploymentId: 'a1b2c3' }),
  },
  retained: Object.fromEntries(
    [
      { DeletionPolicy: 'Retain' },
      { UpdateReplacePolicy: 'Retain' },
      { DeletionPolicy: 'RetainExceptOnCreate' },
      { DeletionPolicy: PARAMETER },
    ].map((attributes) => [
      JSON.stringify(attributes),
      {
        Permission: {
          ...(permission({ Principal: ACCOUNT }).Permission as Resources[string]),
          ...attributes,
        },
      },
    ]),
  ),
  'function of this code': {
    'a handler in the bundle': resource('AWS::Lambda::Function', {
      Handler: 'dist/handlers/own.default',
      Code: { S3Key: 'other.zip' },
    }),
    'a handler of a condition': resource('AWS::Lambda::Function', {
      Handler: when('own.handler'),
      Code: { S3Key: 'other.zip' },
    }),
    'a package of a parameter': resource('AWS::Lambda::Function', {
      Handler: 'own.handler',
      Code: { S3Key: PARAMETER },
    }),
    'no package': resource('AWS::Lambda::Function', { Handler: 'own.handler' }),
  },
  hidden: {
    'a transform': resource('AWS::S3::Bucket', { 'Fn::Transform': { Name: 'AWS::Include' } }),
    'a transform within': resource('AWS::S3::Bucket', { Tags: [{ 'Fn::Transform': { Name: 'Own' } }] }),
    'a transform of resources': { 'Fn::Transform': { Name: 'AWS::Include' } as never },
    'a loop': { 'Fn::ForEach::Url': ['Name', ['a'], {}] as never },
    'properties of a condition': resource('AWS::S3::Bucket', when({})),
    'properties as a list': resource('AWS::S3::Bucket', []),
    'a type of a condition': resource(when('AWS::S3::Bucket') as never),
    'no type': { Thing: {} as never },
  },
  'unknown type': Object.fromEntries(
    [
      'AWS::ApiGatewayV2::ApiGatewayManagedOverrides',
      'AWS::AppSync::ApiKey',
      'AWS::AppSync::DataSource',
      'AWS::BedrockAgentCore::GatewayTarget',
      'AWS::CloudFormation::Stack',
      'AWS::EC2::Instance',
      'AWS::IoT::TopicRule',
      'AWS::Lambda::NetworkConnector',
      'AWS::Pipes::Pipe',
      'AWS::S3ObjectLambda::AccessPoint',
      'AWS::Serverless::Function',
      'AWS::SES::ReceiptRule',
      'AWS::StepFunctions::StateMachine',
      'AWS::VpcLattice::TargetGroup',
      'AWS::New::Kind',
      'AWS::SQS::Queue::MODULE',
      'Own::Ways::In::MODULE',
      'aws::sqs::queue',
      'constructor',
      '*',
    ].map((type) => [type, resource(type)]),
  ),
};
