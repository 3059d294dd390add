/** `serverless package` on services whose function has a way in, open or guarded. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FORMS, type FormName } from '../../../tools/deploy/waysIn/table.ts';
import { PROJECT } from '../../../tools/shared/project.ts';
import { type Packaged, packageServices, type Service, writeService } from '../../support/services.ts';
import {
  ARN,
  FUNCTION_NAME,
  OTHER,
  permission,
  type Resources,
  resource,
  resourcePolicy,
  role,
  trusting,
  url,
} from '../../support/waysIn.ts';
import { EXAMPLES } from '../../support/waysInExamples.ts';

const ALL_MS = 120_000;
const ACCOUNT = '123456789012';
const LISTENER = `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:listener/app/lb/50dc6c495c0c9188/f2f7dc8efc522ab2`;
const POOL = `arn:aws:cognito-idp:eu-central-1:${ACCOUNT}:userpool/eu-central-1_a`;
const OTHER_FUNCTION = `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:authorizer`;
const SIGNED = { environment: { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' } };

/** A function of the operator's own, of a package of its own. */
const OWN = { handler: 'own/index.handler', package: { individually: true, patterns: ['own/**'] } };

const events = (...list: object[]): Service => ({ fn: { events: list } });
const signed = ({ provider, ...service }: Service): Service => ({
  ...service,
  provider: { ...SIGNED, ...provider },
});

const httpApi = (authorizer?: unknown): Service => ({
  ...events({ httpApi: { method: 'POST', path: '/saml', ...(authorizer !== undefined && { authorizer }) } }),
  provider: {
    httpApi: {
      authorizers: {
        tokens: {
          identitySource: '$request.header.Authorization',
          issuerUrl: 'https://idp.example.org',
          audience: ['a'],
        },
        own: { type: 'request', functionArn: OTHER_FUNCTION, managedExternally: true },
      },
    },
  },
});
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

const alb = (authorizer?: unknown, onUnauthenticatedRequest?: string): Service => ({
  ...events({
    alb: {
      listenerArn: LISTENER,
      priority: 1,
      conditions: { path: '/saml' },
      ...(authorizer !== undefined && { authorizer }),
    },
  }),
  provider: {
    alb: {
      authorizers: {
        idp: {
          type: 'oidc',
          issuer: 'https://idp.example.org',
          authorizationEndpoint: 'https://idp.example.org/authorize',
          tokenEndpoint: 'https://idp.example.org/token',
          userInfoEndpoint: 'https://idp.example.org/userinfo',
          clientId: 'client',
          clientSecret: 'secret',
          ...(onUnauthenticatedRequest && { onUnauthenticatedRequest }),
        },
      },
    },
  },
});

const BY_URL = [
  'SamlLoggedInLambdaFunctionUrl',
  'SamlLoggedInLambdaPermissionFnUrl',
  'SamlLoggedInLambdaPermissionFn',
];
const HTTP_ROUTE = ['HttpApiRoutePostSaml'];
const METHOD = ['ApiGatewayMethodSamlPost'];
const BY_ALB = [
  'SamlLoggedInAlbListenerRule1',
  'SamlLoggedInLambdaPermissionAlb',
  'SamlLoggedInLambdaPermissionRegisterTarget',
];

/** What `serverless` makes of events, and the resources for which it is refused; none where it is not. */
const CELLS: [string, Service, string[]][] = [
  ['url: true', { fn: { url: true } }, BY_URL],
  ['url: {cors: true}', { fn: { url: { cors: true } } }, BY_URL],
  ['url: {authorizer: aws_iam}', { fn: { url: { authorizer: 'aws_iam' } } }, []],
  ['url: true, by signature', signed({ fn: { url: true } }), []],

  ['httpApi', httpApi(), HTTP_ROUTE],
  ['httpApi: *', events({ httpApi: '*' }), ['HttpApiRouteDefault']],
  ['httpApi by IAM', httpApi({ type: 'aws_iam' }), []],
  ['httpApi by tokens without scopes', httpApi({ name: 'tokens' }), HTTP_ROUTE],
  [
    'httpApi by tokens with a scope of everybody',
    httpApi({ name: 'tokens', scopes: ['openid'] }),
    HTTP_ROUTE,
  ],
  ['httpApi by tokens with scopes', httpApi({ name: 'tokens', scopes: ['log-in'] }), []],
  ['httpApi by a Lambda authorizer', httpApi({ name: 'own', type: 'request' }), []],
  ['httpApi by signature', signed(httpApi({ type: 'aws_iam' })), []],
  ['httpApi, open, by signature', signed(httpApi()), []],
  [
    'httpApi before an alias, by signature',
    signed({ ...httpApi(), fn: { ...httpApi().fn, provisionedConcurrency: 1 } }),
    [],
  ],
  [
    'httpApi of another service',
    { ...httpApi({ type: 'aws_iam' }), provider: { httpApi: { id: 'a1b2c3' } } },
    [...HTTP_ROUTE, 'SamlLoggedInLambdaPermissionHttpApi'],
  ],
  [
    'an extension that opens a route',
    {
      ...httpApi({ type: 'aws_iam' }),
      resources: { extensions: { HttpApiRoutePostSaml: { Properties: { AuthorizationType: 'NONE' } } } },
    },
    HTTP_ROUTE,
  ],

  ['http', http(), METHOD],
  ['http with an API key', http({ private: true }), METHOD],
  ['http by IAM, with CORS', http({ authorizer: 'aws_iam', cors: true }), []],
  [
    'http with a resource of serverless’s own for its logs',
    { ...http({ authorizer: 'aws_iam' }), provider: { logs: { restApi: true } } },
    [],
  ],
  ['http by IAM, under a resource policy for anybody', underPolicyFor('*'), METHOD],
  ['http by IAM, under a resource policy for an account', underPolicyFor({ AWS: ACCOUNT }), []],
  ['http by IAM, under a resource policy for anybody, by signature', signed(underPolicyFor('*')), []],
  ['http by Cognito', http({ authorizer: { name: 'pool', arn: POOL } }), METHOD],
  [
    'http by Cognito with scopes',
    http({ authorizer: { name: 'pool', arn: POOL, scopes: ['a/log-in'] } }),
    [],
  ],
  ['http by a Lambda authorizer', http({ authorizer: { name: 'own', arn: OTHER_FUNCTION } }), []],
  ['http by signature', signed(http()), []],
  ['http without the request’s headers', signed(http({ integration: 'lambda' })), METHOD],
  ['http that does not wait', signed(http({ async: true })), METHOD],

  ['alb', alb(), BY_ALB],
  ['alb by OpenID Connect', alb(['idp']), BY_ALB],
  ['alb by signature', signed(alb()), []],

  [
    'websocket',
    signed(events({ websocket: '$default' })),
    ['SdefaultWebsocketsRoute', 'SamlLoggedInLambdaPermissionWebsockets'],
  ],
  [
    'schedule',
    signed(events({ schedule: 'rate(5 minutes)' })),
    ['SamlLoggedInEventsRuleSchedule1', 'SamlLoggedInLambdaPermissionEventsRuleSchedule1'],
  ],
  [
    'schedule by a role',
    signed(events({ schedule: { rate: 'rate(5 minutes)', method: 'scheduler' } })),
    ['IamRoleLambdaExecution', 'SamlLoggedInSchedulerSchedule1'],
  ],
  [
    'sqs',
    signed(events({ sqs: `arn:aws:sqs:eu-central-1:${ACCOUNT}:queue` })),
    ['SamlLoggedInEventSourceMappingSQSQueue'],
  ],
  [
    's3 of an existing bucket',
    signed(events({ s3: { bucket: 'bucket', existing: true } })),
    ['SamlLoggedInCustomS31'],
  ],
  [
    'another function of this code',
    { functions: { own: { handler: 'own/index.handler' } } },
    ['OwnLambdaFunction'],
  ],
  ['a transform', { resources: { Transform: 'AWS::LanguageExtensions' } }, ['Transform']],
  [
    'a handler that is spelled otherwise',
    { fn: { handler: './dist/functions/samlLoggedIn.handler', events: [{ httpApi: 'POST /saml' }] } },
    HTTP_ROUTE,
  ],
];

const HANDLED = { environment: { CALLER_CHECK: 'iam' } };
const BY_IAM = httpApi({ type: 'aws_iam' });
/** Resources beside the route by IAM. */
const beside = (Resources: object, more: Service = {}): Service => ({
  ...BY_IAM,
  ...more,
  resources: { Resources },
});
const QUEUE = resource('AWS::SQS::Queue', {}, 'Queue');
const TOPIC = resource(
  'AWS::SNS::Topic',
  { Subscription: [{ Protocol: 'email', Endpoint: 'a@example.org' }] },
  'Topic',
);

/** What many services have, and nobody needs an exemption for. */
const ORDINARY: [string, Service][] = [
  [
    'a domain of its own',
    beside({
      ...resource('AWS::CertificateManager::Certificate', { DomainName: 'login.example.org' }, 'Certificate'),
      ...resource('AWS::ApiGatewayV2::DomainName', { DomainName: 'login.example.org' }, 'Domain'),
      ...resource('AWS::ApiGatewayV2::ApiMapping', { ApiId: { Ref: 'HttpApi' } }, 'Mapping'),
      ...resource('AWS::Route53::RecordSet', { Name: 'login.example.org', Type: 'A' }, 'Record'),
    }),
  ],
  [
    'a network',
    beside(
      {
        ...resource('AWS::EC2::VPC', {}, 'Network'),
        ...resource('AWS::EC2::Subnet', { VpcId: { Ref: 'Network' } }, 'Subnet'),
        ...resource('AWS::EC2::SecurityGroup', { VpcId: { Ref: 'Network' } }, 'Group'),
        ...resource('AWS::EC2::VPCEndpoint', { VpcId: { Ref: 'Network' } }, 'Endpoint'),
      },
      { provider: { vpc: { subnetIds: [{ Ref: 'Subnet' }], securityGroupIds: [{ Ref: 'Group' }] } } },
    ),
  ],
  [
    'tracing and objectives',
    beside(
      {
        ...resource('AWS::XRay::Group', { FilterExpression: `service("${FUNCTION_NAME}")` }, 'Traces'),
        ...resource('AWS::ApplicationSignals::ServiceLevelObjective', { Name: FUNCTION_NAME }, 'Objective'),
      },
      { provider: { tracing: { lambda: true } } },
    ),
  ],
  ['CORS', { ...BY_IAM, provider: { httpApi: { cors: true } } }],
  [
    'a REST API with tracing, logs, keys and a model',
    {
      ...http({
        authorizer: 'aws_iam',
        private: true,
        request: { schemas: { 'application/json': { type: 'object' } } },
      }),
      provider: {
        tracing: { apiGateway: true, lambda: true },
        logs: { restApi: true },
        apiGateway: { apiKeys: ['service'], usagePlan: { throttle: { rateLimit: 5, burstLimit: 10 } } },
      },
    },
  ],
  [
    'a firewall',
    {
      ...http({ authorizer: 'aws_iam', cors: true }),
      resources: {
        Resources: {
          ...resource('AWS::WAFv2::WebACL', {}, 'Firewall'),
          ...resource(
            'AWS::WAFv2::WebACLAssociation',
            { WebACLArn: { 'Fn::GetAtt': ['Firewall', 'Arn'] } },
            'Walled',
          ),
        },
      },
    },
  ],
  [
    'a queue for failures, and keys',
    beside(
      {
        ...QUEUE,
        ...resource('AWS::KMS::Key', { KeyPolicy: {} }, 'Key'),
        ...resource('AWS::KMS::Alias', {}, 'KeyName'),
      },
      {
        fn: {
          ...BY_IAM.fn,
          kmsKeyArn: { 'Fn::GetAtt': ['Key', 'Arn'] },
          destinations: { onFailure: { type: 'sqs', arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
        },
      },
    ),
  ],
  [
    'callers by name',
    beside({
      ...permission({ Principal: `arn:aws:iam::${ACCOUNT}:role/service` }),
      ...resourcePolicy({ Principal: { AWS: ACCOUNT } }),
      ...role({ Principal: { AWS: ['210987654321', `arn:aws:iam::${ACCOUNT}:role/service`] } }),
      ...role(
        {
          Principal: {
            Federated: `arn:aws:iam::${ACCOUNT}:oidc-provider/token.actions.githubusercontent.com`,
          },
          Condition: { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:owner/name:*' } },
        },
        {},
        'Deployer',
      ),
    }),
  ],
  [
    'a layer',
    beside(
      { Layer: { Type: 'AWS::Lambda::LayerVersion', DeletionPolicy: 'Retain', Properties: {} } },
      { fn: { ...BY_IAM.fn, layers: [`arn:aws:lambda:eu-central-1:${ACCOUNT}:layer:own:1`] } },
    ),
  ],
  [
    'CloudFront',
    beside({
      ...resource('AWS::CloudFront::OriginAccessControl', {}, 'Access'),
      ...resource('AWS::CloudFront::CachePolicy', {}, 'Caching'),
      ...resource('AWS::CloudFront::Function', { Name: 'own', FunctionCode: '' }, 'Rewriting'),
      ...resource(
        'AWS::CloudFront::Distribution',
        { DistributionConfig: { DefaultCacheBehavior: {} } },
        'Distribution',
      ),
    }),
  ],
  ['an existing role', { ...BY_IAM, provider: { iam: { role: `arn:aws:iam::${ACCOUNT}:role/login` } } }],
  [
    'a boundary and policies of a role',
    {
      ...BY_IAM,
      provider: {
        iam: {
          role: {
            permissionsBoundary: `arn:aws:iam::${ACCOUNT}:policy/boundary`,
            managedPolicies: ['arn:aws:iam::aws:policy/CloudWatchLambdaInsightsExecutionRolePolicy'],
            statements: [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' }],
          },
        },
      },
    },
  ],
  [
    'another function with all events of its own',
    {
      ...BY_IAM,
      provider: HANDLED,
      functions: {
        own: {
          ...OWN,
          url: true,
          provisionedConcurrency: 1,
          destinations: { onSuccess: `arn:aws:sns:eu-central-1:${ACCOUNT}:done` },
          events: [
            { httpApi: 'GET /own' },
            { http: { method: 'get', path: 'own', cors: true } },
            { websocket: '$default' },
            { schedule: 'rate(5 minutes)' },
            { schedule: { rate: 'rate(5 minutes)', method: 'scheduler' } },
            { eventBridge: { eventBus: 'bus', pattern: { source: ['a'] } } },
            { s3: 'bucket-a' },
            { s3: { bucket: 'bucket-b', existing: true } },
            { sns: 'topic' },
            { sqs: `arn:aws:sqs:eu-central-1:${ACCOUNT}:queue` },
            {
              stream: {
                type: 'kinesis',
                arn: `arn:aws:kinesis:eu-central-1:${ACCOUNT}:stream/a`,
                consumer: true,
              },
            },
            { cognitoUserPool: { pool: 'PoolA', trigger: 'PreSignUp' } },
            { cognitoUserPool: { pool: 'PoolB', trigger: 'PreSignUp', existing: true } },
            { cloudwatchLog: '/aws/lambda/hello' },
            { alb: { listenerArn: LISTENER, priority: 1, conditions: { path: '/own' } } },
          ],
        },
      },
    },
  ],
  [
    'another function that authorizes',
    {
      ...events({ httpApi: { method: 'POST', path: '/saml', authorizer: { name: 'own', type: 'request' } } }),
      provider: { httpApi: { authorizers: { own: { type: 'request', functionName: 'own' } } } },
      functions: { own: OWN },
    },
  ],
  [
    'another function that keeps ours warm',
    {
      ...BY_IAM,
      functions: { own: { ...OWN, role: 'Warming', events: [{ schedule: 'rate(5 minutes)' }] } },
      resources: { Resources: role(trusting('lambda.amazonaws.com'), {}, 'Warming') },
    },
  ],
  [
    'alarms to a topic, and forwarded logs',
    beside(
      {
        ...TOPIC,
        ...resource('AWS::SNS::TopicPolicy', {}, 'TopicRights'),
        ...resource('AWS::CloudWatch::Alarm', { AlarmActions: [{ Ref: 'Topic' }] }, 'Alarm'),
        ...resource('AWS::CloudWatch::CompositeAlarm', { AlarmActions: [{ Ref: 'Topic' }] }, 'Alarms'),
        ...resource('AWS::CloudWatch::Dashboard', { DashboardBody: FUNCTION_NAME }, 'Dashboard'),
        ...resource('AWS::Logs::MetricFilter', {}, 'Counting'),
        ...resource(
          'AWS::Logs::SubscriptionFilter',
          { DestinationArn: { 'Fn::GetAtt': [OTHER, 'Arn'] } },
          'Forwarding',
        ),
      },
      { functions: { own: OWN } },
    ),
  ],
  [
    'calls that CodeDeploy shifts, and concurrency that scales',
    beside({
      ...resource('AWS::CodeDeploy::Application', {}, 'Shifting'),
      ...resource('AWS::CodeDeploy::DeploymentGroup', {}, 'Shifted'),
      ...resource(
        'AWS::ApplicationAutoScaling::ScalableTarget',
        { ResourceId: `function:${FUNCTION_NAME}` },
        'Scaled',
      ),
      ...resource('AWS::ApplicationAutoScaling::ScalingPolicy', {}, 'Scaling'),
    }),
  ],
  [
    'data that stays',
    beside({
      Table: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain', Properties: {} },
      Bucket: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Retain', Properties: {} },
      Secret: { Type: 'AWS::SecretsManager::Secret', DeletionPolicy: 'Retain', Properties: {} },
      Parameter: { Type: 'AWS::SSM::Parameter', Properties: { Value: ARN } },
      Pool: { Type: 'AWS::Cognito::UserPool', DeletionPolicy: 'Retain', Properties: {} },
    }),
  ],
];

/** The resources of all examples in one template, each under ids of its own. */
const examples = Object.entries(EXAMPLES).flatMap(([form, titled]) =>
  Object.entries(titled)
    .filter(([, resources]) => !isAboutRoleNames(resources))
    .map(([title, resources], index) => ({
      form: form as FormName,
      title,
      resources,
      prefix: prefixOf(form, index),
    })),
);

function prefixOf(form: string, index: number): string {
  return `${form.replaceAll(/\W/g, '')}N${index}N`;
}

/** A name that is put together may be the name that any other example has. */
function isAboutRoleNames(resources: Resources): boolean {
  return Object.values(resources).some(
    ({ Properties }) => typeof (Properties as never as { RoleName?: unknown })?.RoleName === 'object',
  );
}

function underIdsOfItsOwn(resources: Resources, prefix: string): Resources {
  const ids = Object.keys(resources);
  const own = (id: string) => (ids.includes(id) ? prefix + id : id);
  const renamed = (text: string) =>
    text
      .replaceAll(/\$\{(\w+)/g, (_, id) => `\${${own(id)}`)
      .replaceAll('-Role-', `-${prefix}Role-`)
      .replaceAll('login-hooks-dev-', 'ways-in-dev-')
      .replaceAll('guest', `${prefix}guest`);
  const references = JSON.parse(JSON.stringify(resources), (key, value) => {
    if (key === 'Ref') return own(value);
    if (key === 'Fn::GetAtt' && Array.isArray(value)) return [own(value[0]), ...value.slice(1)];
    return typeof value === 'string' ? renamed(value) : value;
  });
  return Object.fromEntries(Object.entries<Resources[string]>(references).map(([id, one]) => [own(id), one]));
}

const exampleResources: Resources = Object.assign(
  {},
  ...examples.map(({ resources, prefix }) => underIdsOfItsOwn(resources, prefix)),
);
/** Put in by a plugin: `serverless` itself would refuse some. */
const allExamples: Service = {
  functions: { own: OWN },
  plugin: `module.exports = class Examples {
    constructor({ service }) {
      const add = () =>
        Object.assign(service.provider.compiledCloudFormationTemplate.Resources, ${JSON.stringify(exampleResources)});
      this.hooks = { 'before:aws:package:finalize:saveServiceState': add };
    }
  };\n`,
};
const EXAMPLES_BY: [string, Service, string[]][] = [
  ['all examples by IAM', allExamples, []],
  ['all examples by signature', signed(allExamples), []],
];

/** What a plugin does to the template, at a hook that runs after this project's own code has seen the template. */
const later = (hook: string): Service => ({
  ...httpApi({ type: 'aws_iam' }),
  plugin: `module.exports = class Later {
    constructor({ service }) {
      const open = () => {
        const { Resources } = service.provider.compiledCloudFormationTemplate;
        Resources.HttpApiRoutePostSaml.Properties.AuthorizationType = 'NONE';
      };
      this.hooks = { ${JSON.stringify(hook)}: open };
    }
  };\n`,
});

const LATER: [string, Service, string[]][] = [
  'package:finalize',
  'before:package:finalize',
  'after:aws:package:finalize:mergeCustomProviderResources',
  'before:aws:package:finalize:saveServiceState',
].map((hook) => [`a later plugin at ${hook}`, later(hook), hook === 'package:finalize' ? [] : HTTP_ROUTE]);

const guarded = (guardedElsewhere: unknown): Service => ({
  resources: { Resources: url({ AuthType: 'NONE' }) },
  custom: { loginHooks: { guardedElsewhere } },
});
const ELSEWHERE: [string, Service, string[]][] = [
  ['an exemption', guarded({ Url: 'mutual TLS' }), []],
  ['an exemption without a reason', guarded({ Url: '' }), ['custom.loginHooks.guardedElsewhere.Url']],
  [
    'an exemption of nothing',
    guarded({ Url: 'mutual TLS', Uri: 'mutual TLS' }),
    ['custom.loginHooks.guardedElsewhere.Uri'],
  ],
];
const TOLD: Service = {
  ...BY_IAM,
  functions: { own: { ...OWN, url: true, role: 'Calling' } },
  resources: { Resources: role(trusting('lambda.amazonaws.com'), {}, 'Calling') },
};

const REFUSED = [...CELLS, ...LATER, ...ELSEWHERE];
const ALL: [string, Service, ...unknown[]][] = [...REFUSED, ...ORDINARY, ...EXAMPLES_BY, ['told', TOLD]];
let folder: string;
let packaged: Map<string, Packaged>;
beforeAll(async () => {
  folder = await mkdtemp(join(PROJECT, '.build-test-'));
  const results = await packageServices(
    folder,
    ALL.map(([, service]) => writeService(folder, service)),
  );
  packaged = new Map(ALL.map(([name], index) => [name, results[index] as Packaged]));
}, ALL_MS);
afterAll(() => rmSync(folder, { recursive: true }));

/** The beginnings of the lines, each the name of what is refused. */
function refused(name: string): string[] {
  const { refusal } = packaged.get(name) as Packaged;
  return (refusal ?? '')
    .split('\n')
    .map((line) => line.split(':')[0] ?? '')
    .filter((line) => line !== '')
    .sort();
}

test.each(REFUSED)('%s', (name, _service, expected) => {
  expect(refused(name)).toEqual([...expected].sort());
});

test.each(ORDINARY)('%s: no exemption is needed', (name) => {
  expect(packaged.get(name)).toEqual({ refusal: null, told: [] });
});

test.each([
  ['all examples by IAM', (allowed: string) => allowed !== 'always'],
  ['all examples by signature', (allowed: string) => allowed === 'never'],
])('%s: what is refused is what is not allowed', (name, isRefused) => {
  const lines = refused(name);
  const found = examples.filter(({ prefix }) => lines.some((line) => line.startsWith(prefix)));
  const expected = examples.filter(({ form }) => isRefused(FORMS[form].allowed));
  expect(found.map(({ prefix, title }) => prefix + title)).toEqual(
    expected.map(({ prefix, title }) => prefix + title),
  );
});

test('an exemption is told with its reason, and once', () => {
  expect(packaged.get('an exemption')?.told).toEqual(['Url is guarded elsewhere: mutual TLS']);
});

test('another function that may call ours, and that anybody may call, is told', () => {
  expect(packaged.get('told')).toEqual({
    refusal: null,
    told: [
      'OwnLambdaFunction may invoke login functions, and anybody may call it: it must identify its callers.',
    ],
  });
});
