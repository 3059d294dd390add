/** `serverless package` on services whose function has a way in, open or guarded. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../../tools/build.ts';
import { type Packaged, packageServices, type Service, writeService } from '../../support/services.ts';
import {
  ARN,
  body,
  cognito,
  FORWARD,
  listener,
  permission,
  resource,
  restApi,
  role,
  route,
  url,
} from '../../support/waysIn.ts';

const ALL_MS = 120_000;
const ACCOUNT = '123456789012';
const LISTENER = `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:listener/app/lb/50dc6c495c0c9188/f2f7dc8efc522ab2`;
const POOL = `arn:aws:cognito-idp:eu-central-1:${ACCOUNT}:userpool/eu-central-1_a`;
const OTHER_FUNCTION = `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:authorizer`;
const SIGNED = { environment: { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' } };

/** A function of the operator's own, with an open route. */
const OWN = { handler: 'own/index.handler', events: [{ httpApi: 'GET /own' }] };

const events = (...list: object[]): Service => ({ fn: { events: list } });
const signed = ({ provider, ...service }: Service): Service => ({
  ...service,
  provider: { ...SIGNED, ...provider },
});
const raw = (Resources: object): Service => ({ resources: { Resources } });

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
const RULE = ['SamlLoggedInAlbListenerRule1'];

/** What is packaged, and the resources for which it is refused; none where it is not. */
const CELLS: [string, Service, string[]][] = [
  ['url: true', { fn: { url: true } }, BY_URL],
  ['url: {cors: true}', { fn: { url: { cors: true } } }, BY_URL],
  ['url: {authorizer: aws_iam}', { fn: { url: { authorizer: 'aws_iam' } } }, []],
  ['url: true, by signature', signed({ fn: { url: true } }), []],
  ['a function URL among the resources', raw(url({ AuthType: 'NONE' })), ['Url']],
  ['a function URL among the resources, by IAM', raw(url({ AuthType: 'AWS_IAM' })), []],
  ['a function URL among the resources, by signature', signed(raw(url({ AuthType: 'NONE' }))), []],

  ['httpApi', httpApi(), HTTP_ROUTE],
  ['httpApi: *', events({ httpApi: '*' }), ['HttpApiRouteDefault']],
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
    [],
  ],
  [
    'an extension that opens a route',
    {
      ...httpApi({ type: 'aws_iam' }),
      resources: { extensions: { HttpApiRoutePostSaml: { Properties: { AuthorizationType: 'NONE' } } } },
    },
    HTTP_ROUTE,
  ],
  ['a route among the resources', raw(route({})), ['Route']],
  ['a route among the resources, by IAM', raw(route({ AuthorizationType: 'AWS_IAM' })), []],
  [
    'a quick-create API',
    raw(resource('AWS::ApiGatewayV2::Api', { Name: 'quick', ProtocolType: 'HTTP', Target: ARN })),
    ['Thing'],
  ],
  ['an OpenAPI body', raw(resource('AWS::ApiGatewayV2::Api', { Body: body() })), ['Thing']],
  [
    'an OpenAPI body by IAM',
    raw(resource('AWS::ApiGatewayV2::Api', { Body: body({ security: [{ sigv4: [] }] }) })),
    [],
  ],
  ['an OpenAPI body, by signature', signed(raw(resource('AWS::ApiGatewayV2::Api', { Body: body() }))), []],
  [
    'an OpenAPI body elsewhere',
    signed(raw(resource('AWS::ApiGatewayV2::Api', { BodyS3Location: { Bucket: 'b', Key: 'k' } }))),
    ['Thing'],
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
  ['http by Cognito', http({ authorizer: { name: 'pool', arn: POOL } }), []],
  ['http by a Lambda authorizer', http({ authorizer: { name: 'own', arn: OTHER_FUNCTION } }), []],
  ['http by signature', signed(http()), []],
  ['http without the request’s headers', signed(http({ integration: 'lambda' })), METHOD],
  ['http that does not wait', signed(http({ async: true })), METHOD],
  ['a REST API of an OpenAPI body', raw(restApi({ Body: body() })), ['Rest']],

  ['alb', alb(), RULE],
  ['alb with an empty list', alb([]), RULE],
  ['alb by OpenID Connect', alb(['idp']), []],
  ['alb that lets the unknown pass', alb(['idp'], 'allow'), RULE],
  ['alb by signature', signed(alb()), []],
  ['a listener', raw(listener(FORWARD)), ['Listener']],
  ['a listener by Cognito', raw(listener(cognito(), FORWARD)), []],

  ['a permission for anybody', raw(permission({ Principal: '*' })), ['Permission']],
  ['a permission for anybody, by signature', signed(raw(permission({ Principal: '*' }))), ['Permission']],
  [
    'a permission for anybody by URL, by signature',
    signed(raw(permission({ Principal: '*', Action: 'lambda:InvokeFunctionUrl' }))),
    [],
  ],
  ['a permission for a service', raw(permission({ Principal: 'sns.amazonaws.com' })), ['Permission']],
  [
    'a permission for a service and an account',
    raw(permission({ Principal: 'sns.amazonaws.com', SourceAccount: ACCOUNT })),
    [],
  ],
  ['a role for anybody', raw(role({ Principal: '*' })), ['Role']],
  ['a permission for an account', raw(permission({ Principal: ACCOUNT })), []],

  [
    'websocket',
    signed(events({ websocket: '$default' })),
    ['SdefaultWebsocketsRoute', 'SamlLoggedInLambdaPermissionWebsockets'],
  ],
  ['schedule', signed(events({ schedule: 'rate(5 minutes)' })), ['SamlLoggedInEventsRuleSchedule1']],
  ['another function of this code', { functions: { own: OWN } }, ['OwnLambdaFunction']],
  [
    'another function of another package',
    { functions: { own: { ...OWN, package: { individually: true, patterns: ['own/**'] } } } },
    [],
  ],
  [
    'a nested stack',
    raw(resource('AWS::CloudFormation::Stack', { TemplateURL: 'https://b.example/t.json' })),
    ['Thing'],
  ],
  ['a transform', { resources: { Transform: 'AWS::LanguageExtensions' } }, ['Transform']],
  [
    'a handler that is spelled otherwise',
    { fn: { handler: './dist/functions/samlLoggedIn.handler', events: [{ httpApi: 'POST /saml' }] } },
    HTTP_ROUTE,
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
  ...raw(url({ AuthType: 'NONE' })),
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

const ALL = [...CELLS, ...LATER, ...ELSEWHERE];
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
  if (refusal === null) return [];
  const names = refusal
    .split('\n')
    .map((line) => line.split(':')[0] ?? '')
    .filter((line) => !line.startsWith('Where something else'));
  return names.sort();
}

test.each(ALL)('%s', (name, _service, expected) => {
  expect(refused(name)).toEqual([...expected].sort());
});

test('an exemption is told with its reason, and once', () => {
  expect(packaged.get('an exemption')?.told).toEqual(['Url is guarded elsewhere: mutual TLS']);
  expect(packaged.get('httpApi by IAM')?.told).toEqual([]);
});

test('a refusal says where to list what is guarded elsewhere', () => {
  expect(packaged.get('url: true')?.refusal).toContain(
    'custom.loginHooks.guardedElsewhere: {LogicalId: reason}',
  );
});
