/**
 * Services as operators write them, and what of each is refused: by the beginnings of the lines. An honest service packages once
 * what is refused of it is named; one that opens a login function does not.
 */
import type { Service } from '../support/services.ts';

export interface Packaging {
  title: string;
  service: Service;
  /** What is refused until it is named: below `others`, by these names. */
  named?: string[];
  /** What is refused whatever is named, by the beginnings of the lines. */
  open?: string[];
  /** What is told beside the names. */
  told?: string[];
}

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const LISTENER = `arn:aws:elasticloadbalancing:${REGION}:${ACCOUNT}:listener/app/lb/50dc6c495c0c9188/f2f7dc8efc522ab2`;
const POOL = `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/eu-central-1_a`;
const OTHER_FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:authorizer`;
const ROLE_ARN = `arn:aws:iam::${ACCOUNT}:role/login`;
const FN = 'SamlLoggedInLambdaFunction';
const ROLE = 'IamRoleLambdaExecution';
const ROUTE = 'HttpApiRoutePostSaml';
const METHOD = 'ApiGatewayMethodSamlPost';
const PERMISSION = 'SamlLoggedInLambdaPermission';
const HANDLER = 'dist/functions/samlLoggedIn.handler';
const ARN = { 'Fn::GetAtt': [FN, 'Arn'] };
const PARAMETER = { Ref: 'Parameter' };
const SIGNED = { environment: { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' } };
const ref = (id: string) => ({ Ref: id });
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const when = (value: unknown, other: unknown = ref('AWS::NoValue')) => ({
  'Fn::If': ['IsProduction', value, other],
});

const events = (...list: object[]): Service => ({ fn: { events: list } });
const signed = ({ provider, ...service }: Service): Service => ({
  ...service,
  provider: { ...SIGNED, ...provider },
});
const httpApi = (authorizer?: unknown): Service =>
  events({ httpApi: { method: 'POST', path: '/saml', ...(authorizer !== undefined && { authorizer }) } });
const IAM = httpApi({ type: 'aws_iam' });
const byAuthorizer = (own: object, event: object = {}): Service => ({
  ...httpApi({ name: 'own', ...event }),
  provider: { httpApi: { authorizers: { own } } },
});
const JWT = {
  identitySource: '$request.header.Authorization',
  issuerUrl: 'https://idp.example.org',
  audience: ['a'],
};
const http = (options: object = {}) => events({ http: { method: 'post', path: 'saml', ...options } });
const underPolicyFor = (Principal: unknown): Service => ({
  ...http({ authorizer: 'aws_iam' }),
  provider: {
    apiGateway: {
      resourcePolicy: [
        { Effect: 'Allow', Principal, Action: 'execute-api:Invoke', Resource: ['execute-api:/*'] },
      ],
    },
  },
});
const ALB = events({ alb: { listenerArn: LISTENER, priority: 1, conditions: { path: '/saml' } } });
/** Resources beside a route by IAM. */
const beside = (Resources: object, more: Service = {}): Service => ({
  ...IAM,
  ...more,
  resources: { Resources },
});
const one = (Type: string, Properties: object = {}) => ({ Own: { Type, Properties } });
const permission = (properties: object): Service =>
  beside(
    one('AWS::Lambda::Permission', { FunctionName: ARN, Action: 'lambda:InvokeFunction', ...properties }),
  );
const extended = (id: string, Properties: object, service = IAM): Service => ({
  ...service,
  resources: { extensions: { [id]: { Properties } } },
});
const withVariables = (environment: object): Service => ({ fn: { ...IAM.fn, environment } });
const granting = (...statements: object[]): Service => ({
  ...IAM,
  provider: { iam: { role: { statements } } },
});
/** What a plugin does to the resources after this project's own code has seen them first. */
const edited = (
  edit: string,
  service = IAM,
  hook = 'before:aws:package:finalize:saveServiceState',
): Service => ({
  ...service,
  plugin: `module.exports = class Later {
    constructor({ service }) {
      this.hooks = { ${JSON.stringify(hook)}: () => {
        const template = service.provider.compiledCloudFormationTemplate;
        const { Resources } = template;
        const fn = Resources.${FN}.Properties;
        ${edit}
      } };
    }
  };\n`,
});
/** A function of the operator's own. */
const OWN = { handler: 'own/index.handler', package: { individually: true, patterns: ['own/**'] } };
const OWN_NAMES = ['OwnLambdaFunction', 'OwnLogGroup'];
const table = one('AWS::DynamoDB::Table');
const role = (Principal: object, ...Statement: object[]) =>
  one('AWS::IAM::Role', {
    AssumeRolePolicyDocument: { Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }] },
    Policies: [{ PolicyName: 'own', PolicyDocument: { Statement } }],
  });
const may = (Action: string) => ({ Effect: 'Allow', Action, Resource: '*' });
const BY_URL = ['SamlLoggedInLambdaFunctionUrl', `${PERMISSION}FnUrl`, `${PERMISSION}Fn`];
const BY_ALB = [
  'SamlLoggedInAlbTargetGroup50dc6c495c0c9188',
  `${PERMISSION}Alb`,
  `${PERMISSION}RegisterTarget`,
];

export const PACKAGINGS: readonly Packaging[] = [
  // What serverless makes of the events of login functions.
  { title: 'no events', service: {} },
  { title: 'url: true', service: { fn: { url: true } }, open: BY_URL },
  { title: 'url by IAM, with CORS', service: { fn: { url: { authorizer: 'aws_iam', cors: true } } } },
  { title: 'url by signature', service: signed({ fn: { url: true } }) },
  { title: 'httpApi', service: httpApi(), open: [ROUTE] },
  { title: 'httpApi by IAM', service: IAM },
  { title: 'httpApi by signature', service: signed(IAM) },
  { title: 'httpApi, open, by signature', service: signed(httpApi()) },
  {
    title: 'httpApi before an alias, by signature',
    service: signed({ fn: { ...httpApi().fn, provisionedConcurrency: 1 } }),
  },
  {
    title: 'httpApi with CORS, access logs and tags',
    service: { ...IAM, provider: { httpApi: { cors: true }, logs: { httpApi: true }, tags: { a: 'b' } } },
  },
  { title: 'httpApi by tokens', service: byAuthorizer(JWT), named: ['HttpApiAuthorizerOwn'], open: [] },
  {
    title: 'httpApi by a function elsewhere',
    service: byAuthorizer(
      { type: 'request', functionArn: OTHER_FUNCTION, managedExternally: true },
      { type: 'request' },
    ),
    named: ['HttpApiAuthorizerOwn'],
  },
  {
    title: 'httpApi by a function whose answer is cached for everybody',
    service: byAuthorizer(
      {
        ...{ type: 'request', functionArn: OTHER_FUNCTION, managedExternally: true },
        ...{ identitySource: ['$context.routeKey'], resultTtlInSeconds: 3_600 },
      },
      { type: 'request' },
    ),
    named: ['HttpApiAuthorizerOwn'],
  },
  {
    title: 'httpApi of an API elsewhere',
    service: { ...IAM, provider: { httpApi: { id: 'a1b2c3' } } },
    named: ['a1b2c3'],
  },
  { title: 'http', service: http(), open: [METHOD] },
  { title: 'http with an API key', service: http({ private: true }), open: [METHOD] },
  { title: 'http by IAM, with CORS', service: http({ authorizer: 'aws_iam', cors: true }) },
  { title: 'http by signature', service: signed(http()) },
  { title: 'http that is no proxy', service: signed(http({ integration: 'lambda' })), open: [METHOD] },
  { title: 'http that does not wait', service: signed(http({ async: true })), open: [METHOD] },
  {
    title: 'http by Cognito',
    service: http({ authorizer: { name: 'pool', arn: POOL } }),
    named: ['PoolApiGatewayAuthorizer'],
  },
  {
    title: 'http by a function elsewhere',
    service: http({ authorizer: { name: 'own', arn: OTHER_FUNCTION, managedExternally: true } }),
    named: ['OwnApiGatewayAuthorizer'],
  },
  { title: 'http under a policy for anybody', service: underPolicyFor('*'), open: ['ApiGatewayRestApi'] },
  { title: 'http under a policy for an account', service: underPolicyFor({ AWS: ACCOUNT }) },
  { title: 'http under a policy for anybody, by signature', service: signed(underPolicyFor('*')) },
  {
    title: 'http of an API elsewhere',
    service: {
      ...http({ authorizer: 'aws_iam' }),
      provider: { apiGateway: { restApiId: 'a1b2c3', restApiRootResourceId: 'd4e5f6' } },
    },
    named: ['a1b2c3'],
  },
  {
    title: 'http with keys and a plan',
    service: {
      ...http({ authorizer: 'aws_iam', private: true }),
      provider: {
        apiGateway: { apiKeys: ['service'], usagePlan: { throttle: { rateLimit: 5, burstLimit: 9 } } },
      },
    },
    named: ['ApiGatewayApiKey1', 'ApiGatewayUsagePlan', 'ApiGatewayUsagePlanKey1'],
  },
  {
    title: 'http with access logs',
    service: {
      ...http({ authorizer: 'aws_iam' }),
      provider: { logs: { restApi: { roleManagedExternally: true } } },
    },
  },
  { title: 'alb', service: ALB, open: BY_ALB },
  { title: 'alb by signature', service: signed(ALB) },
  {
    title: 'schedule',
    service: events({ schedule: 'rate(5 minutes)' }),
    named: ['SamlLoggedInEventsRuleSchedule1'],
    open: [`${PERMISSION}EventsRuleSchedule1`],
  },
  {
    title: 'schedule by a role',
    service: events({ schedule: { rate: 'rate(5 minutes)', method: 'scheduler' } }),
    named: ['SamlLoggedInSchedulerSchedule1'],
    open: [ROLE],
  },
  {
    title: 'sqs',
    service: events({ sqs: `arn:aws:sqs:${REGION}:${ACCOUNT}:queue` }),
    named: ['SamlLoggedInEventSourceMappingSQSQueue'],
    open: [ROLE],
  },
  {
    title: 'sns',
    service: events({ sns: 'topic' }),
    named: ['SNSTopicTopic'],
    open: [`${PERMISSION}TopicSNS`],
  },
  {
    title: 'Cognito',
    service: events({ cognitoUserPool: { pool: 'PoolA', trigger: 'PreSignUp' } }),
    named: ['CognitoUserPoolPoolA'],
    open: [`${PERMISSION}CognitoUserPoolPoolATriggerSourcePreSignUp`],
  },

  // What a function and its role may have.
  {
    title: 'memory, network, tracing, a key, destinations, dead letters, files and tags',
    service: {
      fn: {
        ...IAM.fn,
        vpc: { securityGroupIds: ['sg-1'], subnetIds: ['subnet-1'] },
        kmsKeyArn: `arn:aws:kms:${REGION}:${ACCOUNT}:key/1`,
        tracing: 'Active',
        memorySize: 1_024,
        reservedConcurrency: 3,
        onError: `arn:aws:sns:${REGION}:${ACCOUNT}:letters`,
        destinations: { onFailure: `arn:aws:sqs:${REGION}:${ACCOUNT}:failures` },
        fileSystemConfig: {
          arn: `arn:aws:elasticfilesystem:${REGION}:${ACCOUNT}:access-point/fsap-0123456789abcdef0`,
          localMountPath: '/mnt/a',
        },
        tags: { a: 'b' },
      },
      provider: {
        iam: { role: { permissionsBoundary: `arn:aws:iam::${ACCOUNT}:policy/b`, tags: { a: 'b' } } },
      },
    },
  },
  {
    title: 'a layer',
    service: { fn: { ...IAM.fn, layers: [`arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`] } },
    told: [`${FN} runs the layer arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`],
  },
  {
    title: 'a layer that wraps the handler',
    service: edited(
      `fn.Handler = '/opt/wrapper.handler'; fn.Environment = { Variables: { WRAPPED: '${HANDLER}' } };`,
    ),
  },
  {
    title: 'a handler that is redirected',
    service: edited(`fn.Handler = '/opt/wrapper.handler';`),
    open: [FN],
  },
  {
    title: 'a handler that is redirected beside the bundle',
    service: edited(
      `fn.Handler = '/opt/../tmp/x.handler'; fn.Environment = { Variables: { A: '${HANDLER}' } };`,
    ),
    open: [FN],
  },
  { title: 'other code', service: edited(`fn.Code = { ZipFile: 'exports.handler = () => 1' };`), open: [FN] },
  { title: 'an image', service: edited(`fn.PackageType = 'Image';`), open: [FN] },
  {
    title: 'a role elsewhere',
    service: { ...IAM, provider: { iam: { role: ROLE_ARN } } },
    named: [`${FN}.Role`],
  },
  {
    title: 'rights of its own',
    service: granting(
      { Sid: 'Table', ...may('dynamodb:GetItem') },
      { Effect: 'Deny', Action: '*', Resource: '*' },
    ),
    named: [`${ROLE}.Table`],
  },
  { title: 'rights without a Sid', service: granting(may('dynamodb:GetItem')), open: [ROLE] },
  {
    title: 'policies of AWS',
    service: {
      ...IAM,
      provider: { iam: { role: { managedPolicies: ['arn:aws:iam::aws:policy/Insights'] } } },
    },
    named: [`${ROLE}.Insights`],
  },
  {
    title: 'all secrets',
    service: granting(may('secretsmanager:GetSecretValue')),
    open: [ROLE],
  },
  {
    title: 'listed secrets',
    service: withVariables({ SECRET_IDS: `a/b, arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:c` }),
  },
  {
    title: 'a role that others may assume',
    service: edited(
      `Resources.${ROLE}.Properties.AssumeRolePolicyDocument.Statement[0].Principal.AWS = '${ACCOUNT}';`,
    ),
    open: [ROLE],
  },
  {
    title: 'variables of its own, and harmless ones of the runtime',
    service: withVariables({
      DIRECTORY: when('a', 'b'),
      NODE_ENV: 'production',
      AWS_USE_FIPS_ENDPOINT: 'true',
      NODE_OPTIONS: '--max_old_space_size=400 --import /opt/wrapper.mjs',
      AWS_LAMBDA_EXEC_WRAPPER: '/opt/wrapper',
    }),
  },
  ...[
    { AWS_ENDPOINT_URL_SECRETS_MANAGER: 'https://secrets.example' },
    { LD_LIBRARY_PATH: '/opt/lib' },
    { LD_PRELOAD: '/opt/lib/alloc.so' },
    { NODE_TLS_REJECT_UNAUTHORIZED: '1' },
    { NODE_OPTIONS: '--require ./own.cjs' },
    { NODE_OPTIONS: PARAMETER },
    { NODE_PATH: '/opt' },
    { _HANDLER: 'own' },
    { OPENSSL_CONF: '/opt/openssl.cnf' },
    { AWS_LAMBDA_EXEC_WRAPPER: '/var/task/own' },
    { CALLER_CHECK: when('iam') },
    { SAML_HANDLER_MODUL: 'handlers/own' },
  ].map((environment) => ({
    title: `the variable ${JSON.stringify(environment)}`,
    service: withVariables(environment),
    open: [FN],
  })),
  {
    title: 'variables that are not written out',
    service: edited(`fn.Environment = { Ref: 'Parameter' };`),
    open: [FN],
  },

  // Who may invoke.
  { title: 'an account as a number', service: permission({ Principal: Number(ACCOUNT) }) },
  {
    title: 'a role and a user',
    service: permission({ Principal: when(ROLE_ARN, `arn:aws-cn:iam::${ACCOUNT}:user/a`) }),
  },
  { title: 'this account', service: permission({ Principal: ref('AWS::AccountId') }) },
  {
    title: 'a role of this template',
    service: beside({
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: { FunctionName: ARN, Action: 'lambda:InvokeFunction', Principal: arnOf('Own') },
      },
      ...role({ AWS: ACCOUNT }),
    }),
    named: ['Own'],
  },
  ...[
    { Principal: '*' },
    { Principal: '*', InvokedViaFunctionUrl: true },
    { Principal: '*', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
    { Principal: '*', PrincipalOrgID: 'o-1' },
    { Principal: `arn:aws:iam::${ACCOUNT}:role/*` },
    { Principal: PARAMETER },
    { Principal: { 'Fn::FindInMap': ['Map', 'dev', 'account'] } },
    { Principal: when(ACCOUNT, '*') },
    { Principal: 'events.amazonaws.com', SourceAccount: ACCOUNT },
    { Principal: 'apigateway.amazonaws.com' },
    { Principal: 'apigateway.amazonaws.com', SourceArn: `arn:aws:execute-api:${REGION}:${ACCOUNT}:a1b2c3/*` },
    { Principal: ACCOUNT, Action: 'lambda:*' },
    { Principal: ACCOUNT, FunctionName: PARAMETER },
    { Principal: '*', FunctionName: 'ways-in-dev-samlLoggedIn' },
    { Principal: ACCOUNT, FunctionName: { 'Fn::Join': [':', [ARN, '3']] } },
  ].map((properties) => ({
    title: `a permission with ${JSON.stringify(properties)}`,
    service: permission(properties),
    open: ['Own'],
  })),
  {
    title: 'a permission that stays',
    service: beside({
      Own: {
        Type: 'AWS::Lambda::Permission',
        DeletionPolicy: 'Retain',
        Properties: { FunctionName: ARN, Action: 'lambda:InvokeFunction', Principal: ACCOUNT },
      },
    }),
    named: ['Own'],
  },
  {
    title: 'a policy of the function itself',
    service: beside(one('AWS::Lambda::ResourcePolicy', { ResourceArn: ARN, PolicyDocument: {} })),
    open: ['Own'],
  },

  // What an extension, a plugin or a hand adds to what is made.
  {
    title: 'an extension that opens a route',
    service: extended(ROUTE, { AuthorizationType: 'NONE' }),
    open: [ROUTE],
  },
  {
    title: 'an extension that opens a route in production',
    service: extended(ROUTE, { AuthorizationType: when('NONE', 'AWS_IAM') }),
    open: [ROUTE],
  },
  {
    title: 'an API with a route of its own',
    service: extended('HttpApi', { Target: ARN }),
    open: ['HttpApi'],
  },
  {
    title: 'an API with a body',
    service: extended('ApiGatewayRestApi', { Body: {} }, http({ authorizer: 'aws_iam' })),
    open: ['ApiGatewayRestApi'],
  },
  {
    title: 'a stage that deploys by itself, as a text',
    service: edited(`Resources.HttpApiStage.Properties.AutoDeploy = 'true';`),
  },
  {
    title: 'a stage of an old deployment',
    service: edited(`Resources.HttpApiStage.Properties.DeploymentId = 'a1b2c3';`),
    named: ['HttpApiStage'],
  },
  {
    title: 'an integration with another service',
    service: extended('HttpApiIntegrationSamlLoggedIn', { IntegrationSubtype: 'SQS-SendMessage' }),
    named: ['HttpApiIntegrationSamlLoggedIn'],
  },
  {
    title: 'another URL of the function',
    service: beside(one('AWS::Lambda::Url', { AuthType: 'NONE', TargetFunctionArn: ARN })),
    open: ['Own'],
  },
  {
    title: 'an alias of an old version',
    service: beside(one('AWS::Lambda::Alias', { FunctionName: ref(FN), FunctionVersion: '3', Name: 'live' })),
    named: ['Own'],
  },
  {
    title: 'a log group that stays, with a policy for its data',
    service: {
      ...IAM,
      resources: {
        extensions: {
          SamlLoggedInLogGroup: {
            DeletionPolicy: 'Retain',
            Properties: { DataProtectionPolicy: { Name: 'a', Statement: [] } },
          },
        },
      },
    },
  },
  {
    title: 'a public deployment bucket',
    service: extended('ServerlessDeploymentBucket', { AccessControl: 'PublicRead' }),
    named: ['ServerlessDeploymentBucket'],
  },

  // Other resources.
  { title: 'a table', service: beside(table), named: ['Own'] },
  {
    title: 'a table in production',
    service: beside({ Own: { ...table.Own, Condition: 'IsProduction' } }),
    named: ['Own'],
  },
  { title: 'a repository', service: beside(one('AWS::ECR::Repository')), named: ['Own'] },
  {
    title: 'a cluster that imports from a bucket',
    service: beside(
      one('AWS::RDS::DBCluster', { AssociatedRoles: [{ FeatureName: 's3Import', RoleArn: ROLE_ARN }] }),
    ),
    named: ['Own'],
  },
  {
    title: 'an alarm of its own that opens an incident',
    service: beside(
      one('AWS::CloudWatch::Alarm', { AlarmActions: ['arn:aws:ssm-incidents::1:response-plan/a'] }),
    ),
    named: ['Own'],
  },
  {
    title: 'a topic for alarms',
    service: { ...beside(one('AWS::SNS::Topic')), custom: { monitoring: 'on', alarmTopicArn: ref('Own') } },
    named: ['Own'],
  },
  {
    title: 'monitoring without a topic',
    service: { custom: { monitoring: 'on' } },
    told: ['ALARM_TOPIC_ARN is not set: alarms are raised, and nobody is told'],
  },
  {
    title: 'a role for AWS Backup',
    service: beside(role({ Service: 'backup.amazonaws.com' }, may('dynamodb:*'))),
    named: ['Own'],
  },
  {
    title: 'a role that builds and executes',
    service: beside(role({ AWS: ACCOUNT }, may('codebuild:StartBuild'), may('ecs:ExecuteCommand'))),
    named: ['Own'],
  },
  {
    title: 'a role for workflows of any repository',
    service: beside(
      role({ Federated: `arn:aws:iam::${ACCOUNT}:oidc-provider/token.actions.githubusercontent.com` }),
    ),
    named: ['Own'],
  },
  {
    title: 'a policy that gives the signing secret to anybody',
    service: beside(one('AWS::SecretsManager::ResourcePolicy', { SecretId: 'signing', ResourcePolicy: {} })),
    named: ['Own'],
  },
  {
    title: 'another function',
    service: {
      ...IAM,
      functions: {
        own: { ...OWN, url: true, events: [{ schedule: 'rate(1 hour)' }, { httpApi: 'GET /own' }] },
      },
    },
    named: [
      ...OWN_NAMES,
      ...['OwnLambdaFunctionUrl', 'OwnLambdaPermissionFnUrl', 'OwnLambdaPermissionFn'],
      ...['OwnEventsRuleSchedule1', 'OwnLambdaPermissionEventsRuleSchedule1'],
      ...['HttpApiIntegrationOwn', 'HttpApiRouteGetOwn', 'OwnLambdaPermissionHttpApi'],
    ],
  },
  {
    title: 'another function that authorizes',
    service: {
      ...byAuthorizer({ type: 'request', functionName: 'own' }, { type: 'request' }),
      functions: { own: OWN },
    },
    named: [...OWN_NAMES, 'HttpApiAuthorizerOwn', 'OwnLambdaAuthorizerPermissionHttpApi'],
  },
  {
    title: 'another function of this code with a URL',
    service: { ...IAM, functions: { own: { handler: HANDLER, url: true } } },
    named: OWN_NAMES,
    open: ['OwnLambdaFunctionUrl', 'OwnLambdaPermissionFnUrl', 'OwnLambdaPermissionFn'],
  },
  {
    title: 'another function of an image with a URL',
    service: beside({
      ...one('AWS::Lambda::Function', { PackageType: 'Image', Code: { ImageUri: 'a' } }),
      Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: arnOf('Own') } },
    }),
    named: ['Own'],
    open: ['Url'],
  },
  {
    title: 'access logs of a REST API with a function of serverless',
    service: { ...http({ authorizer: 'aws_iam' }), provider: { logs: { restApi: true } } },
    named: [
      'IamRoleCustomResourcesLambdaExecution',
      'CustomDashresourceDashapigwDashcwDashroleLambdaFunction',
      'CustomApiGatewayAccountCloudWatchRole',
    ],
  },
  {
    title: 'a nested stack',
    service: beside(one('AWS::CloudFormation::Stack', { TemplateURL: 'https://a' })),
    open: ['Own'],
  },
  { title: 'a module', service: beside(one('Own::Logins::Routes::MODULE')), open: ['Own'] },
  {
    title: 'a transform',
    service: { resources: { Transform: 'AWS::LanguageExtensions' } },
    open: ['Transform'],
  },
  {
    title: 'resources of another file',
    service: edited(`Resources.Own = { 'Fn::Transform': { Name: 'AWS::Include' } };`),
    open: ['Resources', 'Own'],
  },
  {
    title: 'a resource that is not written out',
    service: edited(`Resources.Own = { Ref: 'Parameter' };`),
    open: ['Own'],
  },
  {
    title: 'too many conditions',
    service: edited(
      `Resources.${ROUTE}.Properties.Tags = [1, 2, 3, 4, 5, 6, 7].map((one) => ({ 'Fn::If': ['C' + one, one, 0] }));`,
    ),
    open: [ROUTE],
  },
];

/** Names below `others` that are an error. */
export const MISNAMED: readonly [title: string, others: object, problem: string][] = [
  [
    'nothing',
    { Own: 'a table', Table: 'a table' },
    'custom.loginHooks.others.Table: names nothing that would be refused',
  ],
  [
    'what is made',
    { Own: 'a table', HttpApi: 'ours' },
    'custom.loginHooks.others.HttpApi: names nothing that would',
  ],
  ['without a reason', { Own: ' ' }, 'custom.loginHooks: others.Own: expected a text that is not empty'],
  [
    'with null',
    { Own: null },
    'Own: AWS::DynamoDB::Table: serverless makes none for the login functions: name it',
  ],
];
