/** `serverless package` on services whose function has a way in, open or guarded. */
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../../tools/shared/project.ts';
import { type Packaged, packageServices, type Service, writeService } from '../../support/services.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { resource, role, trusting, url } from '../../support/waysIn.ts';

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
  ['url: {authorizer: aws_iam}', { fn: { url: { authorizer: 'aws_iam' } } }, []],
  ['url: true, by signature', signed({ fn: { url: true } }), []],

  ['httpApi', httpApi(), HTTP_ROUTE],
  ['httpApi by IAM', httpApi({ type: 'aws_iam' }), []],
  ['httpApi by tokens without scopes', httpApi({ name: 'tokens' }), HTTP_ROUTE],
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

/** What many services have, and nobody needs an exemption for. */
const ORDINARY: [string, Service][] = [
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
    'a layer',
    beside(
      { Layer: { Type: 'AWS::Lambda::LayerVersion', DeletionPolicy: 'Retain', Properties: {} } },
      { fn: { ...BY_IAM.fn, layers: [`arn:aws:lambda:eu-central-1:${ACCOUNT}:layer:own:1`] } },
    ),
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
const ALL: [string, Service, ...unknown[]][] = [...REFUSED, ...ORDINARY, ['told', TOLD]];
let packaged: Map<string, Packaged>;
const folder = temporaryFolder(join(PROJECT, '.build-test-'));
beforeAll(async () => {
  const results = await packageServices(ALL.map(([, service]) => writeService(folder, service)));
  packaged = new Map(ALL.map(([name], index) => [name, results[index] as Packaged]));
}, ALL_MS);

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
