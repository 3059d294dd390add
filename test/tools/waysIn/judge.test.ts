/** Whether a finished template guards every way in to a login function: each cell of the table, and how forms hide. */
import { describe, expect, test } from '@jest/globals';
import { type Judgement, judge, problemsOfExemptions } from '../../../tools/deploy/waysIn/judge.ts';
import {
  CALLERS,
  FORMS,
  type FormName,
  INERT,
  PLACES,
  type Place,
} from '../../../tools/deploy/waysIn/table.ts';
import {
  ARN,
  alias,
  allow,
  arnOf,
  authorizer,
  FN,
  FORWARD,
  FUNCTION_NAME,
  integration,
  loginFunction,
  method,
  OIDC,
  OTHER,
  OTHER_ARN,
  otherFunction,
  PARAMETER,
  permission,
  type Resources,
  ref,
  resource,
  role,
  route,
  rule,
  SIGNATURE,
  targets,
  template,
  trusting,
  uriOf,
  url,
  when,
} from '../../support/waysIn.ts';
import { EXAMPLES } from '../../support/waysInExamples.ts';

const formsIn = ({ problems }: Judgement) => [...new Set(problems.map(({ form }) => form))];
const cells = Object.entries(EXAMPLES).flatMap(([form, examples]) =>
  Object.entries(examples).map(([title, resources]) => ({ form: form as FormName, title, resources })),
);

describe.each(Object.entries(EXAMPLES))('%s', (form, examples) => {
  const { allowed } = FORMS[form as FormName];

  test.each(Object.entries(examples))(`${allowed}: %s`, (_, resources) => {
    expect(formsIn(judge(template(resources)))).toEqual(allowed === 'always' ? [] : [form]);
    expect(formsIn(judge(template(resources, SIGNATURE)))).toEqual(allowed === 'never' ? [form] : []);
  });
});

describe('types that call nothing', () => {
  test.each(INERT.map((type) => type.replace('*', 'Thing')))('%s', (type) => {
    const kept = {
      Thing: { Type: type, Properties: { Of: [ARN, FUNCTION_NAME] }, DeletionPolicy: 'Retain' },
    };
    expect(judge(template(kept)).problems).toEqual([]);
  });
});

describe('places that call', () => {
  const valueAt = (path: string, value: unknown): unknown => {
    const [name = '', ...rest] = path.split('.');
    const inner = rest.length === 0 ? value : valueAt(rest.join('.'), value);
    return { [name.replace('**', 'Any').replace('*', 'Own')]: inner };
  };
  const places = [CALLERS, PLACES].flatMap((table) =>
    Object.entries(table).flatMap(([type, all]) =>
      all.map((place): [string, string, Place] => [type.replace('*', 'Thing'), place.path, place]),
    ),
  );

  test.each(places)('%s: %s', (type, path, { mixed = false }) => {
    const formsOf = (value: unknown) =>
      formsIn(judge(template(resource(type, valueAt(path, value)), SIGNATURE)));
    for (const ours of [ARN, ref(FN), [ARN], PARAMETER, when(OTHER_ARN)])
      expect(formsOf(ours)).toEqual(['call']);
    for (const other of [OTHER_ARN, ref(OTHER), [OTHER_ARN], undefined]) expect(formsOf(other)).toEqual([]);
    expect(formsOf('arn:aws:sns:eu-central-1:123456789012:topic')).toEqual(mixed ? [] : ['call']);
  });

  test('a custom resource is told no name that is put together', () => {
    const Told = { 'Fn::Join': ['-', ['login', 'hooks', 'dev', 'samlLoggedIn']] };
    const custom = resource('Custom::Own', { ServiceToken: OTHER_ARN, Told: [Told] });
    expect(formsIn(judge(template(custom)))).toEqual(['call']);
  });

  const inMixed = (Arn: unknown, more: Resources) =>
    formsIn(judge(template({ ...resource('AWS::Events::Rule', { Targets: [{ Arn }] }), ...more })));

  test.each([
    [arnOf('More'), 'AWS::SQS::Queue'],
    [ref('More'), 'AWS::SNS::Topic'],
    [{ 'Fn::GetAtt': ['More', 'TopicArn'] }, 'AWS::SNS::Topic'],
    [arnOf('More'), 'AWS::KinesisFirehose::DeliveryStream'],
    [
      { 'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/\${More}` },
      'AWS::SQS::Queue',
    ],
    [`arn:aws:events:eu-central-1:123456789012:event-bus/own`, 'AWS::SQS::Queue'],
  ])('where more than functions stand, %j of %s does', (value, type) => {
    expect(inMixed(value, resource(type, {}, 'More'))).toEqual([]);
  });

  test.each([
    ['an attribute of a custom resource', { 'Fn::GetAtt': ['More', 'Arn'] }, 'Custom::Own'],
    ['another attribute', { 'Fn::GetAtt': ['More', 'Value'] }, 'AWS::SSM::Parameter'],
    [
      'an API destination',
      'arn:aws:events:eu-central-1:123456789012:api-destination/own/1',
      'AWS::SQS::Queue',
    ],
    ['a state machine', 'arn:aws:states:eu-central-1:123456789012:stateMachine:own', 'AWS::SQS::Queue'],
  ])('where more than functions stand, %s does not', (_, value, type) => {
    const more = resource(type, { ServiceToken: OTHER_ARN }, 'More');
    expect(inMixed(value, more)).toEqual(['call']);
  });

  test.each([
    ['AWS::SNS::Subscription', { Protocol: 'email', Endpoint: PARAMETER }, []],
    ['AWS::SNS::Subscription', { Protocol: 'Email', Endpoint: PARAMETER }, ['call']],
    ['AWS::SNS::Subscription', { Protocol: PARAMETER, Endpoint: PARAMETER }, ['call']],
    ['AWS::SNS::Subscription', { Protocol: ['email'], Endpoint: ARN }, ['call']],
    ['AWS::Cognito::UserPool', { LambdaConfig: { CustomEmailSender: { LambdaArn: ARN } } }, ['call']],
    ['AWS::Cognito::UserPool', { LambdaConfig: { CustomEmailSender: { LambdaArn: OTHER_ARN } } }, []],
    ['AWS::SNS::Topic', { Subscription: [{ Protocol: 'sqs', Endpoint: PARAMETER }] }, []],
    ['AWS::SNS::Topic', { Subscription: [{ Protocol: 'lambda', Endpoint: ARN }] }, ['call']],
  ])('%s with %j: %j', (type, properties, forms) => {
    expect(formsIn(judge(template(resource(type, properties))))).toEqual(forms);
  });
});

describe('what is plainly another function is its operator’s', () => {
  const literal = 'arn:aws:lambda:eu-central-1:123456789012:function:own';
  const published = { Published: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: ref(OTHER) } } };
  const OTHERS: [string, unknown][] = [
    ['Ref', ref(OTHER)],
    ['Arn', OTHER_ARN],
    ['Arn and an alias', { 'Fn::Join': [':', [OTHER_ARN, 'provisioned']] }],
    ['a version', ref('Published')],
    ['an alias', ref('Alias')],
    ['a URI', uriOf(OTHER_ARN)],
    ['a URI with an alias', uriOf({ 'Fn::Join': [':', [OTHER_ARN, 'provisioned']] })],
    ['a literal ARN', literal],
    ['a literal ARN and an alias', `${literal}:live`],
    ['a literal name', 'own'],
    [
      'an ARN of this account',
      { 'Fn::Sub': `arn:aws:lambda:\${AWS::Region}:\${AWS::AccountId}:function:own` },
    ],
  ];

  test.each(OTHERS)('by %s', (_, other) => {
    const { Alias } = alias({ FunctionName: ref(OTHER), FunctionVersion: '3' });
    const { ListenerRule } = resource(
      'AWS::ElasticLoadBalancingV2::ListenerRule',
      { Actions: [FORWARD] },
      'ListenerRule',
    );
    const resources = {
      ...published,
      ...(Alias && { Alias }),
      ...url({ AuthType: 'NONE', TargetFunctionArn: other }),
      ...permission({ Principal: '*', FunctionName: other }),
      ...route({}),
      ...integration({ IntegrationUri: other }),
      ...method({}, { Uri: other }),
      ...targets(other),
      ...(ListenerRule && { ListenerRule }),
      ...resource('AWS::Events::Rule', { Targets: [{ Arn: other }] }),
    };
    expect(judge(template(resources)).problems).toEqual([]);
  });

  test.each([
    [
      'of a service of HTTP',
      { ...route({}), ...integration({ IntegrationType: 'HTTP_PROXY', IntegrationUri: PARAMETER }) },
    ],
    ['of no service', method({ HttpMethod: 'OPTIONS' }, { Type: 'MOCK', Uri: undefined })],
    [
      'to machines',
      {
        ...rule(FORWARD),
        ...resource('AWS::ElasticLoadBalancingV2::TargetGroup', { TargetType: 'ip' }, 'Group'),
      },
    ],
    ['elsewhere', { ...rule({ Type: 'redirect', RedirectConfig: {} }) }],
  ])('a way that leads to no function, %s, is open', (_, resources) => {
    expect(judge(template(resources as Resources)).problems).toEqual([]);
  });

  test('each of several login functions is ours by its name', () => {
    const { [FN]: Second } = loginFunction(undefined, { FunctionName: 'second' });
    for (const FunctionName of [FUNCTION_NAME, 'second']) {
      const resources = { ...(Second && { Second }), ...permission({ Principal: '*', FunctionName }) };
      expect(formsIn(judge(template(resources)))).toEqual(['for anybody']);
    }
  });

  test.each([
    ['of the package of a login function', { Code: { S3Key: 'code.zip' } }],
    ['that is told the bundle', { Environment: { Variables: { WRAPPED: 'dist/handlers/own.default' } } }],
  ])('a function is not, %s', (_, properties) => {
    expect(formsIn(judge(template(otherFunction(properties))))).toEqual(['function of this code']);
  });

  test('of none is known that its package is another where that of a login function is not known', () => {
    const Resources = { ...loginFunction(undefined, { Code: { S3Key: PARAMETER } }), ...otherFunction() };
    expect(formsIn(judge({ Resources }))).toEqual(['function of this code']);
  });

  test('none is by its name where CloudFormation makes up the name of a login function', () => {
    const Resources = {
      ...loginFunction(undefined, { FunctionName: undefined }),
      ...permission({ Principal: '*', FunctionName: 'own' }),
    };
    expect(formsIn(judge({ Resources }))).toEqual(['for anybody']);
  });

  test.each([
    ['inline code', { Handler: 'index.handler', Code: { ZipFile: 'exports.handler = () => 1' } }],
    ['an image', { PackageType: 'Image', Handler: undefined, Code: { ImageUri: PARAMETER } }],
  ])('with %s', (_, properties) => {
    const Resources = {
      ...otherFunction(properties),
      ...permission({ Principal: '*', FunctionName: ref(OTHER) }),
    };
    expect(judge(template(Resources)).problems).toEqual([]);
  });
});

describe('the functions are found by what they run', () => {
  test.each(['dist/functions/../functions/samlLoggedIn.handler', 'dist/functions/openidLoggedIn.handler'])(
    '%s',
    (Handler) => {
      const Resources = { ...loginFunction(undefined, { Handler }), ...url({ AuthType: 'NONE' }) };
      expect(formsIn(judge({ Resources }))).toEqual(['open URL']);
    },
  );

  const HANDLER = 'dist/functions/samlLoggedIn.handler';
  test.each([
    ['in an image', { Handler: undefined, ImageConfig: { Command: [HANDLER] } }],
    [
      'behind a wrapper that is told the handler by a variable',
      { Handler: '/opt/wrapper.handler', Environment: { Variables: { WRAPPED_HANDLER: HANDLER } } },
    ],
  ])('%s', (_, properties) => {
    const Resources = { ...loginFunction(undefined, properties), ...url({ AuthType: 'NONE' }) };
    expect(formsIn(judge({ Resources }))).toEqual(['open URL']);
  });

  test('a login function of which the template does not say so is refused', () => {
    const Resources = loginFunction(undefined, { Handler: 'wrapper.handler' });
    expect(judge({ Resources }, { functions: [FN] }).problems).toMatchObject([
      { id: FN, form: 'wrapped handler' },
    ]);
    expect(judge(template({}), { functions: [FN] }).problems).toEqual([]);
  });
});

describe('CALLER_CHECK is what the function has in the template, wherever it is called', () => {
  const open = url({ AuthType: 'NONE' });

  test.each([
    [undefined],
    [{}],
    [{ Variables: {} }],
    [{ Variables: { CALLER_CHECK: 'iam' } }],
    [{ Variables: { CALLER_CHECK: PARAMETER } }],
    [when({ Variables: { CALLER_CHECK: 'signature' } })],
  ])('%j counts as iam', (environment) => {
    expect(formsIn(judge(template(open, environment)))).toContain('open URL');
  });

  test('of two functions behind one way in, both must check signatures', () => {
    const { [FN]: Other } = loginFunction(undefined, { FunctionName: 'other' });
    const both = { ...rule(FORWARD), ...targets(ARN, arnOf('Other')), ...(Other && { Other }) };
    expect(formsIn(judge(template(both, SIGNATURE)))).toEqual(['load balancer']);
  });

  test('an unknown function checks none', () => {
    const unknown = rule({ Type: 'forward', TargetGroupArn: PARAMETER });
    expect(formsIn(judge(template(unknown, SIGNATURE)))).toEqual(['load balancer']);
    for (const Target of ['integrations/a1b2c3', PARAMETER]) {
      expect(formsIn(judge(template(route({ Target }), SIGNATURE)))).toEqual(['open service']);
    }
  });

  const called = (qualifier: string) => url({ AuthType: 'NONE', Qualifier: qualifier });
  const shifting = { UpdatePolicy: { CodeDeployLambdaAliasUpdate: {} } };
  test.each<[string, Resources, FormName[]]>([
    ['an alias of now, by Ref', { ...alias({}), ...url({ TargetFunctionArn: ref('Alias') }) }, []],
    ['an alias that CodeDeploy shifts', { ...alias({}, shifting), ...called('live') }, ['open URL']],
    [
      'an alias that CodeDeploy shifts, by Ref',
      { ...alias({}, shifting), ...url({ TargetFunctionArn: ref('Alias') }) },
      ['open URL'],
    ],
    ['an alias elsewhere', called('live'), ['open URL']],
    ['an alias elsewhere, beside one of now', { ...alias({}), ...called('next') }, ['open URL']],
    [
      'the published version of what is on no instances',
      { ...loginFunction(SIGNATURE, { PublishToLatestPublished: true }), ...called('$LATEST.PUBLISHED') },
      ['open URL'],
    ],
    [
      'an alias elsewhere, beside one of another function',
      { ...alias({ FunctionName: ref(OTHER) }), ...called('live') },
      ['open URL'],
    ],
    ['a version of before', called('3'), ['open URL']],
    ['the published version of what publishes none', called('$LATEST.PUBLISHED'), ['open URL']],
  ])('%s', (_, resources, forms) => {
    expect(formsIn(judge(template(resources, SIGNATURE)))).toEqual(forms);
  });

  const PUBLISHING = { PublishToLatestPublished: true };
  test.each<[string, object, string | undefined, FormName[]]>([
    ['publishes with each deployment', PUBLISHING, undefined, []],
    ['publishes with each deployment', PUBLISHING, '$LATEST.PUBLISHED', []],
    ['publishes otherwise', { PublishToLatestPublished: PARAMETER }, undefined, ['open URL']],
  ])('one on managed instances that %s: %j, called as %s', (_, published, Qualifier, forms) => {
    const managed = loginFunction(SIGNATURE, { CapacityProviderConfig: {}, ...published });
    expect(formsIn(judge(template({ ...url({ Qualifier }), ...managed })))).toEqual(forms);
  });
});

test('a login function authorizes no route', () => {
  const ours = {
    ...route({ AuthorizationType: 'CUSTOM', AuthorizerId: ref('Request') }),
    ...authorizer('Request', 'REQUEST', { AuthorizerUri: uriOf(ARN) }),
  };
  expect(formsIn(judge(template(ours)))).toEqual(['call', 'open route']);
});

describe('what the template cannot settle is told', () => {
  const invoking = role(trusting('lambda.amazonaws.com'));
  const caller = otherFunction({ Role: arnOf('Role') });
  const opened = url({ AuthType: 'NONE', TargetFunctionArn: ref(OTHER) });

  test.each<[string, Resources, string[]]>([
    [
      'another function that may invoke ours and is open',
      { ...invoking, ...caller, ...opened },
      [`${OTHER} may invoke login functions, and anybody may call it: it must identify its callers.`],
    ],
    [
      'one that may not invoke ours',
      { ...role(trusting('lambda.amazonaws.com'), { Policies: [] }), ...caller, ...opened },
      [],
    ],
    [
      'a policy for a role elsewhere',
      resource('AWS::IAM::Policy', { Roles: ['service'], ...allow(ARN) }),
      ['Thing lets the role service invoke login functions, or may let it.'],
    ],
    [
      'a policy for a role of the template, by its name',
      {
        ...role(trusting('lambda.amazonaws.com'), { RoleName: 'own' }),
        ...resource('AWS::IAM::Policy', { Roles: ['own'], ...allow(ARN) }),
      },
      [],
    ],
    [
      'a policy that invokes nothing',
      resource('AWS::IAM::Policy', { Roles: ['service'], ...allow(OTHER_ARN) }),
      [],
    ],
  ])('%s', (_, resources, notes) => {
    expect(judge(template(resources))).toEqual({ problems: [], guarded: [], notes });
  });
});

test.each([
  { Transform: 'AWS::Serverless-2016-10-31' },
  { Transform: ['AWS::LanguageExtensions'] },
  { Hooks: {} },
  { Mappings: { 'Fn::Transform': { Name: 'AWS::Include' } } },
  { Outputs: { Url: { 'Fn::Transform': { Name: 'AWS::Include' } } } },
])('a template that CloudFormation rewrites cannot be judged: %j', (section) => {
  const { problems } = judge({ ...template({}), ...section });
  expect(problems).toMatchObject([{ id: Object.keys(section)[0], form: 'hidden' }]);
});

test('resources that are no map cannot be judged', () => {
  for (const Resources of [[], 'text', when({})]) {
    expect(judge({ Resources }).problems).toMatchObject([{ id: 'Resources', form: 'hidden' }]);
  }
  expect(judge({}).problems).toEqual([]);
});

test('outputs may name a login function', () => {
  const Outputs = { SamlLoggedIn: { Value: ARN, Export: { Name: 'saml' } } };
  expect(judge({ ...template({}), Outputs }).problems).toEqual([]);
});

/** The paths of all values within a value. */
function paths(value: unknown, path: string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, item]) => paths(item, [...path, key]))];
}

function replaced<TValue>(value: TValue, [key, ...rest]: string[], by: (old: unknown) => unknown): TValue {
  if (key === undefined) return by(value) as TValue;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy as TValue;
}

const JUNK = [null, 'text', [null], PARAMETER];

test('whatever stands in the place of a value, a template is judged without a crash', () => {
  for (const { resources } of cells) {
    for (const path of paths(resources).slice(1)) {
      for (const junk of JUNK) judge(template(replaced(resources, path, () => junk)), { functions: [FN] });
    }
  }
});

/** Within the properties of a resource, and not the name in a reference, which CloudFormation takes as text alone. */
const mayBeConditional = (path: string[]) =>
  path.length > 2 && path[1] === 'Properties' && !path.includes('Ref') && !path.includes('Fn::GetAtt');

test('what is refused stays refused where a condition stands before any of its values', () => {
  const refused = cells.filter(({ form }) => FORMS[form].allowed !== 'always');
  const passing = refused.flatMap(({ form, title, resources }) =>
    paths(resources)
      .filter(mayBeConditional)
      .filter((path) => judge(template(replaced(resources, path, when))).problems.length === 0)
      .map((path) => `${form}, ${title}: ${path.join('.')}`),
  );
  expect(passing).toEqual([]);
});

test('a problem names the resource, its type, what is open about it, what to write, and the line of an exemption', () => {
  const { problems } = judge(template({ ...url({ AuthType: 'NONE' }), ...resource('AWS::New::Kind') }));
  expect(problems.map(({ text }) => text)).toEqual([
    'Url: AWS::Lambda::Url is a function URL that does not check its caller. Write AuthType AWS_IAM (in serverless.yml url: ' +
      '{authorizer: aws_iam}), or CALLER_CHECK=signature. If something else guards it, write below ' +
      'custom.loginHooks.guardedElsewhere: "Url: <reason>".',
    'Thing: AWS::New::Kind is of a type that may call functions. Write it into another stack, or use other types. ' +
      'If something else guards it, write below ' +
      'custom.loginHooks.guardedElsewhere: "Thing: <reason>".',
  ]);
});

describe('the finished environment of a login function', () => {
  test.each<[unknown, string]>([
    [null, 'expected a literal map'],
    [{ Variables: when({}) }, 'expected a literal map'],
    [{ Variables: { NODE_OPTIONS: PARAMETER } }, 'NODE_OPTIONS: expected a text'],
    ...[0, '0'].map((NODE_TLS_REJECT_UNAUTHORIZED): [unknown, string] => [
      { Variables: { NODE_TLS_REJECT_UNAUTHORIZED } },
      'NODE_TLS_REJECT_UNAUTHORIZED: expected to be unset',
    ]),
    [{ Variables: { SIGNING_SECRET_ID: PARAMETER } }, 'SIGNING_SECRET_ID: expected a text'],
    [{ Variables: { SAML_HANDLER_MODUL: 'handlers/x' } }, 'SAML_HANDLER_MODUL is not a setting'],
    [{ Variables: { NODE_OPTIONS: '--inspect' } }, 'NODE_OPTIONS: expected'],
  ])('%j is refused, whatever guards the function', (environment, text) => {
    const { problems } = judge(template({}, environment), { guardedElsewhere: { [FN]: 'an own network' } });
    expect(problems).toMatchObject([
      { id: FN, text: expect.stringContaining(`${FN}: Environment.Variables: ${text}`) },
    ]);
  });

  const OTHERS = { Variables: { NODE_OPTIONS: '--inspect' } };
  test.each<[string, object]>([
    ['what a layer needs', template({}, { Variables: { NODE_OPTIONS: '--import /opt/wrapper.mjs' } })],
    ['what an operator’s own handler reads', template({}, { Variables: { DIRECTORY_URL: PARAMETER } })],
    ['no variables', template({}, {})],
    ['what another function has', template(otherFunction({ Environment: OTHERS }))],
  ])('%s passes', (_, all) => {
    expect(judge(all).problems).toEqual([]);
  });
});

test('a role of the template is meant by its name in any case', () => {
  const guest = role({ Principal: '*' }, { Policies: [], RoleName: 'Guest' });
  const named = permission({ Principal: 'arn:aws:iam::123456789012:role/guest' });
  expect(formsIn(judge(template({ ...guest, ...named })))).toEqual(['for the unknown']);
});

describe('what calls no function passes', () => {
  const Processors = [
    {
      Type: 'MetadataExtraction',
      Parameters: [
        { ParameterName: 'MetadataExtractionQuery', ParameterValue: '{id: .id}' },
        { ParameterName: 'JsonParsingEngine', ParameterValue: 'JQ-1.6' },
      ],
    },
  ];
  const RDS = 'arn:aws:iam::aws:policy/service-role/AmazonRDSEnhancedMonitoringRole';
  test.each<[string, Resources]>([
    [
      'a delivery stream that partitions',
      resource('AWS::KinesisFirehose::DeliveryStream', {
        ExtendedS3DestinationConfiguration: { ProcessingConfiguration: { Processors } },
      }),
    ],
    [
      'an alarm that opens an OpsItem',
      resource('AWS::CloudWatch::Alarm', { AlarmActions: ['arn:aws:ssm:eu-west-1:123456789012:opsitem:1'] }),
    ],
    [
      'the role that monitors a database',
      role(trusting('monitoring.rds.amazonaws.com'), { Policies: [], ManagedPolicyArns: [RDS] }),
    ],
  ])('%s', (_, resources) => {
    expect(judge(template(resources)).problems).toEqual([]);
  });
});

describe('guarded elsewhere', () => {
  const open = { ...url({ AuthType: 'NONE' }), ...rule(OIDC, FORWARD) };

  test('exempts the resource that it names, and no other', () => {
    const { problems, guarded } = judge(template(open), {
      guardedElsewhere: { Rule: 'an internal load balancer' },
    });
    expect(problems).toMatchObject([{ id: 'Url' }]);
    expect(guarded).toEqual([{ id: 'Rule', reason: 'an internal load balancer' }]);
  });

  const nothing = (id: string) =>
    `custom.loginHooks.guardedElsewhere.${id}: no resource of this name needs an exemption. Remove the entry.`;
  test.each<[unknown, string[]]>([
    [{ Rule: 'an internal load balancer' }, []],
    [{ Rule: '' }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [{ Rule: ' ' }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [{ Rule: true }, ['custom.loginHooks.guardedElsewhere.Rule: expected the reason, as text']],
    [{ Group: 'x' }, [nothing('Group')]],
    [{ Gone: 'x' }, [nothing('Gone')]],
    ['Rule', ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}']],
    [['Rule'], ['custom.loginHooks.guardedElsewhere: expected {LogicalId: reason}']],
  ])('%j', (guardedElsewhere, problems) => {
    const { guarded } = judge(template(open), {
      guardedElsewhere: guardedElsewhere as Record<string, unknown>,
    });
    expect(problemsOfExemptions(guardedElsewhere, guarded)).toEqual(problems);
  });

  test('an earlier template need not have what the list names', () => {
    expect(problemsOfExemptions({ Gone: 'x' }, null)).toEqual([]);
    expect(problemsOfExemptions({ Gone: '' }, null)).toHaveLength(1);
  });
});
