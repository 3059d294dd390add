/**
 * Services as operators write them, changes of a finished template, and what of each is refused: by the beginnings of the lines. What
 * is honest passes once what is refused of it is named; what opens a login function does not.
 */
import type { Service } from '../support/services.ts';

export type Row<TSubject> = [
  title: string,
  subject: TSubject,
  /** What is refused until it is named: below `others`, by these names. */
  named?: string[],
  /** What is refused whatever is named, by the beginnings of the lines. */
  open?: string[],
  /** What is told beside the names. */
  told?: string[],
];

type Subjects<TSubject> = Readonly<Record<string, TSubject>>;

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
const PARAMETER = { Ref: 'Parameter' };
const SIGNED = { environment: { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' } };
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const when = (value: unknown, other: unknown = { Ref: 'AWS::NoValue' }) => ({
  'Fn::If': ['IsProduction', value, other],
});
const may = (Action: string | string[]) => ({ Effect: 'Allow', Action, Resource: '*' });

/** Honest as they are. */
const made = <TSubject>(subjects: Subjects<TSubject>) =>
  Object.entries(subjects).map((row): Row<TSubject> => row);
/** Honest once this is named. */
const named = <TSubject>(id: string, subjects: Subjects<TSubject>) =>
  made(subjects).map(([title, subject]): Row<TSubject> => [title, subject, [id]]);
/** Refused for this, whatever is named. */
const refused = <TSubject>(id: string, subjects: Subjects<TSubject>) =>
  made(subjects).map(([title, subject]): Row<TSubject> => [title, subject, [], [id]]);
/** Each refused for this with any of the values. */
const refusedEach = <TValue>(
  id: string,
  title: string,
  changeOf: (value: TValue) => object,
  values: readonly TValue[],
) => values.map((one): Row<object> => [`${title} ${JSON.stringify(one)}`, changeOf(one), [], [id]]);

const events = (...list: object[]): Service => ({ fn: { events: list } });
const signed = ({ provider, ...service }: Service): Service => ({
  ...service,
  provider: { ...SIGNED, ...provider },
});
const httpApi = (authorizer?: unknown): Service =>
  events({ httpApi: { method: 'POST', path: '/saml', ...(authorizer !== undefined && { authorizer }) } });
/** With a route by IAM. */
export const IAM = httpApi({ type: 'aws_iam' });
const JWT = {
  identitySource: '$request.header.Authorization',
  issuerUrl: 'https://idp.example.org',
  audience: ['a'],
};
const http = (options: object = {}) => events({ http: { method: 'post', path: 'saml', ...options } });
const REST = http({ authorizer: 'aws_iam' });
const FOR_ANYBODY = { Principal: '*', Action: 'execute-api:Invoke', Resource: ['execute-api:/*'] };
const UNDER_POLICY: Service = {
  ...REST,
  provider: { apiGateway: { resourcePolicy: [{ Effect: 'Allow', ...FOR_ANYBODY }] } },
};
const ALB = events({ alb: { listenerArn: LISTENER, priority: 1, conditions: { path: '/saml' } } });
/** A function of the operator's own. */
const OWN = { handler: 'own/index.handler', package: { individually: true, patterns: ['own/**'] } };
const OWN_NAMES = ['OwnLambdaFunction', 'OwnLogGroup'];
const OWN_URL = ['OwnLambdaFunctionUrl', 'OwnLambdaPermissionFnUrl', 'OwnLambdaPermissionFn'];

export const PACKAGINGS: readonly Row<Service>[] = [
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
    'http under a policy for anybody, by signature': signed(UNDER_POLICY),
    'http with access logs': {
      ...REST,
      provider: { logs: { restApi: { roleManagedExternally: true } } },
    },
    'alb by signature': signed(ALB),
  }),
  ['httpApi', httpApi(), [], [ROUTE]],
  ...named('HttpApiAuthorizerOwn', {
    'httpApi by tokens': {
      ...httpApi({ name: 'own' }),
      provider: { httpApi: { authorizers: { own: JWT } } },
    },
  }),
  ...refused(METHOD, {
    http: http(),
    'http that is no proxy': signed(http({ integration: 'lambda' })),
  }),
  ...refused('ApiGatewayRestApi', {
    'http under a policy for anybody, where only the other function checks signatures': {
      ...UNDER_POLICY,
      custom: { loginHooks: { openid: 'default', saml: 'default' } },
      functions: {
        openidLoggedIn: { handler: 'dist/functions/openidLoggedIn.handler', url: true, ...SIGNED },
      },
    },
    'an API with a body': {
      ...REST,
      resources: { extensions: { ApiGatewayRestApi: { Properties: { Body: {} } } } },
    },
  }),
  [
    'url: true',
    { fn: { url: true } },
    [],
    ['SamlLoggedInLambdaFunctionUrl', `${PERMISSION}FnUrl`, `${PERMISSION}Fn`],
  ],
  [
    'httpApi by tokens, of an API and an authorizer elsewhere',
    { ...httpApi({ type: 'jwt', id: 'auth01' }), provider: { httpApi: { id: 'a1b2c3' } } },
    ['a1b2c3', 'auth01'],
  ],
  [
    'alb',
    ALB,
    [],
    ['SamlLoggedInAlbTargetGroup50dc6c495c0c9188', `${PERMISSION}Alb`, `${PERMISSION}RegisterTarget`],
  ],
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
  }),
  ['a role elsewhere', { ...IAM, provider: { iam: { role: ROLE_ARN } } }, [`${FN}.Role`]],
  [
    'rights of its own, and policies of AWS',
    {
      ...IAM,
      provider: {
        iam: {
          role: {
            managedPolicies: [when('arn:aws:iam::aws:policy/Insights')],
            statements: [
              { Sid: 'Table', ...may('dynamodb:GetItem') },
              { Effect: 'Deny', Action: '*', Resource: '*' },
            ],
          },
        },
      },
    },
    [`${ROLE}.Table`, `${ROLE}.Insights`],
  ],
  [
    'a layer',
    { fn: { ...IAM.fn, layers: [`arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`] } },
    [],
    [],
    [`${FN} runs the layer arn:aws:lambda:${REGION}:${ACCOUNT}:layer:own:1`],
  ],
  [
    'refusals that are not logged',
    { provider: { logs: { lambda: { applicationLogLevel: 'WARN' } } } },
    [],
    [],
    ['applicationLogLevel is above INFO: no record says why somebody was refused'],
  ],

  // Other resources, and what is no resource.
  ['a transform', { resources: { Transform: 'AWS::LanguageExtensions' } }, [], ['Transform']],
  ...named('Own', {
    'a topic for alarms': {
      ...IAM,
      resources: { Resources: { Own: { Type: 'AWS::SNS::Topic' } } },
      custom: { monitoring: 'on', alarmTopicArn: { Ref: 'Own' } },
    },
    'what a plugin adds at the last moment': {
      ...IAM,
      plugin: `module.exports = class Later {
        constructor({ service: { provider } }) {
          const add = () => { provider.compiledCloudFormationTemplate.Resources.Own = { Type: 'AWS::A::B' }; };
          this.hooks = { 'package:finalize': add };
        }
      };\n`,
    },
  }),
  [
    'another function',
    {
      ...IAM,
      functions: {
        own: { ...OWN, url: true, events: [{ schedule: 'rate(1 hour)' }, { httpApi: 'GET /own' }] },
      },
    },
    [
      ...[...OWN_NAMES, ...OWN_URL],
      ...['OwnEventsRuleSchedule1', 'OwnLambdaPermissionEventsRuleSchedule1'],
      ...['HttpApiIntegrationOwn', 'HttpApiRouteGetOwn', 'OwnLambdaPermissionHttpApi'],
    ],
  ],
  [
    'another function of this code with a URL',
    { ...IAM, functions: { own: { handler: HANDLER, url: true } } },
    OWN_NAMES,
    OWN_URL,
  ],
];

const changed = (id: string, Properties: object) => ({ [id]: { Properties } });
const own = (Type: string, Properties: object = {}, attributes: object = {}) => ({
  Own: { Type, Properties, ...attributes },
});
const withVariables = (Variables: object) => changed(FN, { Environment: { Variables } });
const BY_SIGNATURE = withVariables(SIGNED.environment);
/** After the two for logs. */
const granting = (statement: object) =>
  changed(ROLE, { Policies: [{ PolicyDocument: { Statement: [{}, {}, statement] } }] });
const BUCKET = 'ServerlessDeploymentBucketPolicy';
const TO_FN = { FunctionName: arnOf(FN), Action: 'lambda:InvokeFunction' };
const permission = (properties: object, attributes?: object) =>
  own('AWS::Lambda::Permission', { ...TO_FN, ...properties }, attributes);
const url = (id: string, Properties: object) => ({
  [id]: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', ...Properties } },
});

/** What an extension, a plugin or a hand writes over the resources of the service with a route by IAM. */
export const CHANGES: readonly Row<object>[] = [
  // Of a function and its role.
  ...made({
    'variables of its own, and harmless ones of the runtime': withVariables({
      DIRECTORY: when('a', 'b'),
      NODE_ENV: 'production',
      AWS_USE_FIPS_ENDPOINT: 'true',
      NODE_OPTIONS: '--max_old_space_size=400 --import /opt/wrapper.mjs',
      AWS_LAMBDA_EXEC_WRAPPER: '/opt/wrapper',
    }),
  }),
  ...refused(FN, {
    'a handler that is redirected': changed(FN, { Handler: '/opt/wrapper.handler' }),
    'code that CloudFormation fills in': changed(FN, { Code: { S3Bucket: 'a', S3Key: PARAMETER } }),
    'code of an image': changed(FN, { Code: { S3Bucket: 'a', S3Key: 'a', ImageUri: 'a' } }),
    'what serverless makes for none': changed(FN, { SnapStart: { ApplyOn: 'PublishedVersions' } }),
    'variables that are not written out': changed(FN, { Environment: PARAMETER }),
  }),
  ...refusedEach(FN, 'the variable', withVariables, [
    { AWS_ENDPOINT_URL_SECRETS_MANAGER: 'https://secrets.example' },
    { NODE_OPTIONS: PARAMETER },
    { CALLER_CHECK: when('iam') },
    { SAML_HANDLER_MODUL: 'handlers/own' },
  ]),
  ...named(`${ROLE}.Second`, {
    'a second policy': changed(ROLE, { Policies: [{}, { PolicyName: 'Second', PolicyDocument: {} }] }),
  }),
  ...refused(ROLE, {
    'rights without a Sid': granting(may('dynamodb:GetItem')),
    'all secrets but one': granting({
      ...{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue' },
      NotResource: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:a`,
    }),
    'all keys beside its own': {
      ...changed(FN, { KmsKeyArn: KEY_ARN }),
      ...granting({ ...may('kms:Decrypt'), Resource: [KEY_ARN, '*'] }),
    },
    'rights in a text': changed(ROLE, { Policies: [{ PolicyDocument: '{"Statement": []}' }] }),
    'a role that others may assume': changed(ROLE, {
      AssumeRolePolicyDocument: { Statement: [{ Principal: { AWS: ACCOUNT } }] },
    }),
  }),
  ...refusedEach<string | string[]>(ROLE, 'all there are of', (action) => granting(may(action)), [
    ...['secretsmanager:GetSecretValue', 'kms:Decrypt', 'sqs:SendMessage', 'elasticfilesystem:ClientWrite'],
    ...['logs:PutLogEvents', ['xray:PutTraceSegments', 'iam:PassRole']],
  ]),

  // Who may invoke.
  ...made({
    'an account as a number': permission({ Principal: Number(ACCOUNT) }),
    'a role and a user': permission({ Principal: when(ROLE_ARN, `arn:aws-cn:iam::${ACCOUNT}:user/a`) }),
    'this account': permission({ Principal: { Ref: 'AWS::AccountId' } }),
  }),
  ...named('Own', {
    'a role of this template': {
      Permission: { Type: 'AWS::Lambda::Permission', Properties: { ...TO_FN, Principal: arnOf('Own') } },
      ...own('AWS::IAM::Role'),
    },
    'a permission that stays': permission({ Principal: ACCOUNT }, { DeletionPolicy: 'Retain' }),
  }),
  ...refusedEach<object>('Own', 'a permission with', permission, [
    { Principal: '*' },
    { Principal: `arn:aws:iam::${ACCOUNT}:role/*` },
    { Principal: { 'Fn::FindInMap': ['Map', 'dev', 'account'] } },
    { Principal: when(ACCOUNT, '*') },
    { Principal: when('*', ACCOUNT) },
    { Principal: 'apigateway.amazonaws.com' },
    { Principal: ACCOUNT, Action: 'lambda:*' },
    { Principal: ACCOUNT, FunctionName: PARAMETER },
    { Principal: ACCOUNT, FunctionName: { 'Fn::Join': [':', [arnOf(FN), '3']] } },
  ]),
  ...refused('Own', {
    'anybody by a URL that there is not, by signature': {
      ...BY_SIGNATURE,
      ...permission({ Principal: '*', InvokedViaFunctionUrl: true }),
    },
    'anybody but by a URL, by signature': {
      ...BY_SIGNATURE,
      ...url('Url', { TargetFunctionArn: arnOf(FN) }),
      ...permission({ Principal: '*' }),
    },
    'a URL of an old version, by signature': {
      ...BY_SIGNATURE,
      ...url('Own', { TargetFunctionArn: arnOf(FN), Qualifier: '3' }),
    },
    'a policy of the function itself': own('AWS::Lambda::ResourcePolicy', { ResourceArn: arnOf(FN) }),
  }),

  // Of other resources that are made.
  ...refused('HttpApi', { 'an API with a route of its own': changed('HttpApi', { Target: arnOf(FN) }) }),
  ...refused(ROUTE, {
    'too many conditions': changed(ROUTE, {
      Tags: [1, 2, 3, 4, 5, 6, 7].map((one) => ({ 'Fn::If': [`C${one}`, one, 0] })),
    }),
  }),
  ...made({
    'a log group that stays, with a policy for its data': {
      SamlLoggedInLogGroup: { DeletionPolicy: 'Retain', Properties: { DataProtectionPolicy: { Name: 'a' } } },
    },
  }),
  ...named('HttpApiStage', {
    'a stage of an old deployment': changed('HttpApiStage', { DeploymentId: 'a1b2c3' }),
  }),
  ...named('HttpApiIntegrationSamlLoggedIn', {
    'an integration with another service': changed('HttpApiIntegrationSamlLoggedIn', {
      IntegrationSubtype: 'SQS-SendMessage',
    }),
  }),
  ...named(BUCKET, {
    'rights to the deployment bucket in a text': changed(BUCKET, { PolicyDocument: '{"Statement": []}' }),
    'rights to the deployment bucket': changed(BUCKET, {
      PolicyDocument: { Statement: [{}, { Effect: 'Allow' }] },
    }),
  }),

  // Other resources.
  ...named('Own', {
    'an alarm of its own that opens an incident': own('AWS::CloudWatch::Alarm', {
      AlarmActions: ['arn:aws:ssm-incidents::1:response-plan/a'],
    }),
  }),
  ...refused('Own', {
    'a nested stack': own('AWS::CloudFormation::Stack', { TemplateURL: 'https://a' }),
    'a module': own('Own::Logins::Routes::MODULE'),
  }),
  ...[
    { PackageType: 'Image', Code: { ImageUri: 'a' } },
    { Handler: '/opt/wrapper.handler', Environment: { Variables: { WRAPPED: HANDLER } } },
  ].map(
    (Properties): Row<object> => [
      `another function that may be of this code, with a URL: ${JSON.stringify(Properties)}`,
      { ...own('AWS::Lambda::Function', Properties), ...url('Url', { TargetFunctionArn: arnOf('Own') }) },
      ['Own'],
      ['Url'],
    ],
  ),
  [
    'resources of another file',
    { Own: { 'Fn::Transform': { Name: 'AWS::Include' } } },
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
