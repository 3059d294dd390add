/**
 * Services as operators write them, and what of each is refused: by the beginnings of the lines. An honest service packages once
 * what is refused of it is named; one that opens a login function does not.
 */
import type { Service } from '../support/services.ts';

export type Packaging = [
  title: string,
  service: Service,
  /** What is refused until it is named: below `others`, by these names. */
  named?: string[],
  /** What is refused whatever is named, by the beginnings of the lines. */
  open?: string[],
  /** What is told beside the names. */
  told?: string[],
];

type Services = Readonly<Record<string, Service>>;

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const LISTENER = `arn:aws:elasticloadbalancing:${REGION}:${ACCOUNT}:listener/app/lb/50dc6c495c0c9188/f2f7dc8efc522ab2`;
const ROLE_ARN = `arn:aws:iam::${ACCOUNT}:role/login`;
const KEY_ARN = `arn:aws:kms:${REGION}:${ACCOUNT}:key/1`;
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
const JWT = {
  identitySource: '$request.header.Authorization',
  issuerUrl: 'https://idp.example.org',
  audience: ['a'],
};
const BY_TOKENS: Service = {
  ...httpApi({ name: 'own' }),
  provider: { httpApi: { authorizers: { own: JWT } } },
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
const role = (Principal: object, ...Statement: object[]) =>
  one('AWS::IAM::Role', {
    AssumeRolePolicyDocument: { Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }] },
    Policies: [{ PolicyName: 'own', PolicyDocument: { Statement } }],
  });
const may = (Action: string | string[]) => ({ Effect: 'Allow', Action, Resource: '*' });
const BY_URL = ['SamlLoggedInLambdaFunctionUrl', `${PERMISSION}FnUrl`, `${PERMISSION}Fn`];
const BY_ALB = [
  'SamlLoggedInAlbTargetGroup50dc6c495c0c9188',
  `${PERMISSION}Alb`,
  `${PERMISSION}RegisterTarget`,
];

/** Honest as they are. */
const made = (services: Services) => Object.entries(services).map((row): Packaging => row);
/** Honest once this is named. */
const named = (id: string, services: Services) =>
  made(services).map(([title, service]): Packaging => [title, service, [id]]);
/** Each refused for this, whatever is named. */
const refusedEach = <TValue>(
  id: string,
  title: string,
  values: readonly TValue[],
  serviceOf: (value: TValue) => Service,
) => values.map((value): Packaging => [`${title} ${JSON.stringify(value)}`, serviceOf(value), [], [id]]);
/** Refused for this, whatever is named. */
const refused = (id: string, services: Services) =>
  made(services).map(([title, service]): Packaging => [title, service, [], [id]]);

export const PACKAGINGS: readonly Packaging[] = [
  // What serverless makes of the events of login functions.
  ...made({
    'url by IAM, with CORS': { fn: { url: { authorizer: 'aws_iam', cors: true } } },
    'url by signature': signed({ fn: { url: true } }),
    'httpApi before an alias, by signature': signed({ fn: { ...httpApi().fn, provisionedConcurrency: 1 } }),
    'httpApi with CORS, access logs and tags': {
      ...IAM,
      provider: { httpApi: { cors: true }, logs: { httpApi: true }, tags: { a: 'b' } },
    },
    'http by IAM, with CORS': http({ authorizer: 'aws_iam', cors: true }),
    'http by signature': signed(http()),
    'http under a policy for anybody, by signature': signed(underPolicyFor('*')),
    'http with access logs': {
      ...http({ authorizer: 'aws_iam' }),
      provider: { logs: { restApi: { roleManagedExternally: true } } },
    },
    'alb by signature': signed(ALB),
  }),
  ['httpApi', httpApi(), [], [ROUTE]],
  ['httpApi by tokens', BY_TOKENS, ['HttpApiAuthorizerOwn']],
  ...refused(METHOD, {
    http: http(),
    'http that is no proxy': signed(http({ integration: 'lambda' })),
  }),
  ...refused('ApiGatewayRestApi', {
    'http under a policy for anybody, where only the other function checks signatures': {
      ...underPolicyFor('*'),
      custom: { loginHooks: { openid: 'default', saml: 'default' } },
      functions: {
        openidLoggedIn: { handler: 'dist/functions/openidLoggedIn.handler', url: true, ...SIGNED },
      },
    },
  }),
  ['url: true', { fn: { url: true } }, [], BY_URL],
  [
    'httpApi by tokens, of an API and an authorizer elsewhere',
    { ...httpApi({ type: 'jwt', id: 'auth01' }), provider: { httpApi: { id: 'a1b2c3' } } },
    ['a1b2c3', 'auth01'],
    [],
  ],
  ['alb', ALB, [], BY_ALB],
  [
    'schedule',
    events({ schedule: 'rate(5 minutes)' }),
    ['SamlLoggedInEventsRuleSchedule1'],
    [`${PERMISSION}EventsRuleSchedule1`],
  ],

  // What a function and its role may have.
  ...made({
    'memory, network, tracing, a key, destinations, dead letters, files and tags': {
      fn: {
        ...IAM.fn,
        vpc: { securityGroupIds: ['sg-1'], subnetIds: ['subnet-1'] },
        kmsKeyArn: KEY_ARN,
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
    'variables of its own, and harmless ones of the runtime': withVariables({
      DIRECTORY: when('a', 'b'),
      NODE_ENV: 'production',
      AWS_USE_FIPS_ENDPOINT: 'true',
      NODE_OPTIONS: '--max_old_space_size=400 --import /opt/wrapper.mjs',
      AWS_LAMBDA_EXEC_WRAPPER: '/opt/wrapper',
    }),
  }),
  ...refused(FN, {
    'a handler that is redirected': edited(`fn.Handler = '/opt/wrapper.handler';`),
    'code that CloudFormation fills in': edited(`fn.Code.S3Key = { Ref: 'Parameter' };`),
    'what is no function': edited(
      `template.Resources = { ${ROLE}: Resources.${ROLE}, ${FN}: { ...Resources.${FN}, Type: 'Own::Function' } };`,
    ),
    'code of an image': edited(`fn.Code.ImageUri = 'a';`),
    'what serverless makes for none': edited(`fn.SnapStart = { ApplyOn: 'PublishedVersions' };`),
    'variables that are not written out': edited(`fn.Environment = { Ref: 'Parameter' };`),
  }),
  ['a role elsewhere', { ...IAM, provider: { iam: { role: ROLE_ARN } } }, [`${FN}.Role`]],
  ...named(`${ROLE}.Table`, {
    'rights of its own': granting(
      { Sid: 'Table', ...may('dynamodb:GetItem') },
      { Effect: 'Deny', Action: '*', Resource: '*' },
    ),
  }),
  ...refused(ROLE, {
    'rights without a Sid': granting(may('dynamodb:GetItem')),
    'all secrets but one': granting({
      Effect: 'Allow',
      Action: 'secretsmanager:GetSecretValue',
      NotResource: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:a`,
    }),
    'all keys beside its own': {
      ...granting({ Effect: 'Allow', Action: 'kms:Decrypt', Resource: [KEY_ARN, '*'] }),
      fn: { ...IAM.fn, kmsKeyArn: KEY_ARN },
    },
    'rights in a text': edited(
      `Resources.${ROLE}.Properties.Policies[0].PolicyDocument = '{"Statement": []}';`,
    ),
    'a role that others may assume': edited(
      `Resources.${ROLE}.Properties.AssumeRolePolicyDocument.Statement[0].Principal.AWS = '${ACCOUNT}';`,
    ),
  }),
  ...named(`${ROLE}.Insights`, {
    'policies of AWS': {
      ...IAM,
      provider: { iam: { role: { managedPolicies: [when('arn:aws:iam::aws:policy/Insights')] } } },
    },
    'a second policy': edited(
      `Resources.${ROLE}.Properties.Policies.push({ PolicyName: 'Insights', PolicyDocument: {} });`,
    ),
  }),
  ...named('ServerlessDeploymentBucketPolicy', {
    'rights to the deployment bucket in a text': edited(
      `Resources.ServerlessDeploymentBucketPolicy.Properties.PolicyDocument = '{"Statement": []}';`,
    ),
    'rights to the deployment bucket': edited(
      `Resources.ServerlessDeploymentBucketPolicy.Properties.PolicyDocument.Statement.push({ Effect: 'Allow' });`,
    ),
  }),
  [
    'a layer',
    { fn: { ...IAM.fn, layers: [`arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`] } },
    [],
    [],
    [`${FN} runs the layer arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`],
  ],
  ...refusedEach(
    ROLE,
    'all there are of',
    [
      ...['secretsmanager:GetSecretValue', 'kms:Decrypt', 'sqs:SendMessage', 'elasticfilesystem:ClientWrite'],
      ...['logs:PutLogEvents', ['xray:PutTraceSegments', 'iam:PassRole']],
    ],
    (action) => granting(may(action)),
  ),
  ...refusedEach(
    FN,
    'the variable',
    [
      { AWS_ENDPOINT_URL_SECRETS_MANAGER: 'https://secrets.example' },
      { NODE_OPTIONS: PARAMETER },
      { CALLER_CHECK: when('iam') },
      { SAML_HANDLER_MODUL: 'handlers/own' },
    ],
    withVariables,
  ),

  // Who may invoke.
  ...refused('Own', {
    'anybody by a URL that there is not, by signature': signed(
      permission({ Principal: '*', InvokedViaFunctionUrl: true }),
    ),
    'anybody but by a URL, by signature': signed({ ...permission({ Principal: '*' }), fn: { url: true } }),
    'a policy of the function itself': beside(
      one('AWS::Lambda::ResourcePolicy', { ResourceArn: ARN, PolicyDocument: {} }),
    ),
  }),
  ...made({
    'an account as a number': permission({ Principal: Number(ACCOUNT) }),
    'a role and a user': permission({ Principal: when(ROLE_ARN, `arn:aws-cn:iam::${ACCOUNT}:user/a`) }),
    'this account': permission({ Principal: ref('AWS::AccountId') }),
  }),
  ...named('Own', {
    'a role of this template': beside({
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: { FunctionName: ARN, Action: 'lambda:InvokeFunction', Principal: arnOf('Own') },
      },
      ...role({ AWS: ACCOUNT }),
    }),
    'a permission that stays': beside({
      Own: {
        Type: 'AWS::Lambda::Permission',
        DeletionPolicy: 'Retain',
        Properties: { FunctionName: ARN, Action: 'lambda:InvokeFunction', Principal: ACCOUNT },
      },
    }),
  }),
  ...refusedEach(
    'Own',
    'a permission with',
    [
      { Principal: '*' },
      { Principal: `arn:aws:iam::${ACCOUNT}:role/*` },
      { Principal: { 'Fn::FindInMap': ['Map', 'dev', 'account'] } },
      { Principal: when(ACCOUNT, '*') },
      { Principal: when('*', ACCOUNT) },
      { Principal: 'apigateway.amazonaws.com' },
      { Principal: ACCOUNT, Action: 'lambda:*' },
      { Principal: ACCOUNT, FunctionName: PARAMETER },
      { Principal: ACCOUNT, FunctionName: { 'Fn::Join': [':', [ARN, '3']] } },
    ],
    permission,
  ),

  // What an extension, a plugin or a hand adds to what is made.
  ['an API with a route of its own', extended('HttpApi', { Target: ARN }), [], ['HttpApi']],
  ...refused('ApiGatewayRestApi', {
    'an API with a body': extended('ApiGatewayRestApi', { Body: {} }, http({ authorizer: 'aws_iam' })),
  }),
  ...made({
    'a log group that stays, with a policy for its data': {
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
  }),
  ...named('HttpApiStage', {
    'a stage of an old deployment': edited(`Resources.HttpApiStage.Properties.DeploymentId = 'a1b2c3';`),
  }),
  ...named('HttpApiIntegrationSamlLoggedIn', {
    'an integration with another service': extended('HttpApiIntegrationSamlLoggedIn', {
      IntegrationSubtype: 'SQS-SendMessage',
    }),
  }),
  ...refused('Own', {
    'a URL of an old version, by signature': signed(
      beside(one('AWS::Lambda::Url', { AuthType: 'NONE', TargetFunctionArn: ARN, Qualifier: '3' })),
    ),
  }),

  // Other resources.
  ...named('Own', {
    'an alarm of its own that opens an incident': beside(
      one('AWS::CloudWatch::Alarm', { AlarmActions: ['arn:aws:ssm-incidents::1:response-plan/a'] }),
    ),
    'a topic for alarms': {
      ...beside(one('AWS::SNS::Topic')),
      custom: { monitoring: 'on', alarmTopicArn: ref('Own') },
    },
  }),
  ...refused('Own', {
    'a nested stack': beside(one('AWS::CloudFormation::Stack', { TemplateURL: 'https://a' })),
    'a module': beside(one('Own::Logins::Routes::MODULE')),
  }),
  ['a transform', { resources: { Transform: 'AWS::LanguageExtensions' } }, [], ['Transform']],
  ...refused(ROUTE, {
    'too many conditions': edited(
      `Resources.${ROUTE}.Properties.Tags = [1, 2, 3, 4, 5, 6, 7].map((one) => ({ 'Fn::If': ['C' + one, one, 0] }));`,
    ),
  }),
  [
    'refusals that are not logged',
    { provider: { logs: { lambda: { applicationLogLevel: 'WARN' } } } },
    [],
    [],
    ['applicationLogLevel is above INFO: no record says why somebody was refused'],
  ],
  [
    'another function',
    {
      ...IAM,
      functions: {
        own: { ...OWN, url: true, events: [{ schedule: 'rate(1 hour)' }, { httpApi: 'GET /own' }] },
      },
    },
    [
      ...OWN_NAMES,
      ...['OwnLambdaFunctionUrl', 'OwnLambdaPermissionFnUrl', 'OwnLambdaPermissionFn'],
      ...['OwnEventsRuleSchedule1', 'OwnLambdaPermissionEventsRuleSchedule1'],
      ...['HttpApiIntegrationOwn', 'HttpApiRouteGetOwn', 'OwnLambdaPermissionHttpApi'],
    ],
  ],
  [
    'another function of this code with a URL',
    { ...IAM, functions: { own: { handler: HANDLER, url: true } } },
    OWN_NAMES,
    ['OwnLambdaFunctionUrl', 'OwnLambdaPermissionFnUrl', 'OwnLambdaPermissionFn'],
  ],
  ...[
    { PackageType: 'Image', Code: { ImageUri: 'a' } },
    { Handler: '/opt/wrapper.handler', Environment: { Variables: { WRAPPED: HANDLER } } },
  ].map(
    (fn): Packaging => [
      `another function that may be of this code, with a URL: ${JSON.stringify(fn)}`,
      beside({
        ...one('AWS::Lambda::Function', fn),
        Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: arnOf('Own') } },
      }),
      ['Own'],
      ['Url'],
    ],
  ),
  [
    'what a plugin adds at the last moment',
    edited(`Resources.Own = { Type: 'AWS::A::B' };`, IAM, 'package:finalize'),
    ['Own'],
  ],
  [
    'resources of another file',
    edited(`Resources.Own = { 'Fn::Transform': { Name: 'AWS::Include' } };`),
    [],
    ['Resources', 'Own'],
  ],
];

/** Names below `others` that are an error. */
export const MISNAMED: readonly [title: string, others: object, problem: string][] = [
  ['nothing', { Own: 'a table', Table: 'a table' }, 'others.Table: names nothing that would be refused'],
  ['what is made', { Own: 'a table', HttpApi: 'ours' }, 'others.HttpApi: names nothing that would'],
  ['without a reason', { Own: ' ' }, 'custom.loginHooks: others.Own: expected a text that is not empty'],
  ['with null', { Own: null }, 'Own: AWS::DynamoDB::Table: serverless makes none for the login functions'],
];
