/** What the doctor says of what moto does not play: rotations that are due, subscriptions that wait, runtimes that end. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Aws } from '../../tools/doctor/aws.ts';
import { expectedPermissions, permissionsIn } from '../../tools/doctor/permissions.ts';
import { runtimeFindings } from '../../tools/doctor/runtimes.ts';
import { secrets } from '../../tools/doctor/secrets.ts';
import { Stack } from '../../tools/doctor/stack.ts';
import { subscriptionsOf } from '../../tools/doctor/topic.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { httpServer } from '../support/servers.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-23');
const inDays = (days: number) => (NOW + days * DAY_MS) / 1_000;

let answer = '';
let server: Awaited<ReturnType<typeof httpServer>>;
beforeAll(async () => {
  server = await httpServer((_, response: ServerResponse) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(answer);
  });
  const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL: server.url });
});
afterAll(() => server.close());

const CURRENT = { VersionIdsToStages: { v1: ['AWSCURRENT'] } };

test.each<[string, object, string[]]>([
  ['a secret without rotation', { ...CURRENT, CreatedDate: inDays(-10) }, []],
  ['one that is rotated', { ...CURRENT, RotationEnabled: true, NextRotationDate: inDays(1) }, []],
  [
    'one whose rotation was due',
    { ...CURRENT, RotationEnabled: true, NextRotationDate: inDays(-1) },
    ['rotation_overdue'],
  ],
  ['one whose rotation is off', { ...CURRENT, RotationEnabled: false, NextRotationDate: inDays(-1) }, []],
  [
    'one of last year',
    { ...CURRENT, CreatedDate: inDays(-700), LastChangedDate: inDays(-366) },
    ['secret_old'],
  ],
  [
    'one that was changed since',
    { ...CURRENT, CreatedDate: inDays(-700), LastChangedDate: inDays(-365) },
    [],
  ],
  ['one without a value', { VersionIdsToStages: { v1: ['AWSPENDING'] } }, ['secret_empty']],
])('%s', async (_, described, codes) => {
  answer = JSON.stringify(described);
  const stage = new Stage('dev', { ...process.env, SECRET_IDS: 'login-hooks/x' });
  const { findings } = await secrets(new Aws('eu-central-1'), { stage, nowMs: NOW, before: {} });
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

test('counts the subscriptions that are confirmed, and those that wait', async () => {
  const members = [
    'arn:aws:sns:eu-central-1:123456789012:logins:1',
    'PendingConfirmation',
    'PendingConfirmation',
  ];
  const text = members.map((arn) => `<member><SubscriptionArn>${arn}</SubscriptionArn></member>`).join('');
  answer = `<ListSubscriptionsByTopicResponse>${text}</ListSubscriptionsByTopicResponse>`;
  const arn = 'arn:aws:sns:eu-central-1:123456789012:logins';
  const credentials = new Aws('eu-central-1').credentials;
  expect(await subscriptionsOf(arn, credentials)).toEqual({ confirmed: 1, pending: 2 });
});

test.each<[string, string, string[]]>([
  ['nodejs24.x', '2027-10-31', []],
  ['nodejs24.x', '2027-11-05', ['runtime_ends']],
  ['nodejs24.x', '2028-05-01', ['runtime_deprecated']],
  ['nodejs99.x', '2026-11-23', ['runtime_unknown']],
])('the runtime %s on %s', (runtime, date, codes) => {
  expect(runtimeFindings('fn', runtime, Date.parse(date)).map(({ code }) => code)).toEqual(codes);
});

const STACK = new Stack(
  'logins-dev',
  {
    Resources: {
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: {} },
    },
  },
  new Map([['Role', 'logins-role']]),
);
const ARN = 'arn:aws:iam::123456789012:role/logins-role';

test.each<[string, unknown, string, boolean]>([
  ['a text is itself', 'a.b', 'a.b', true],
  ['a text is no pattern', 'a.b', 'axb', false],
  ['a text with a placeholder of its own is itself', `x \${Role}`, `x \${Role}`, true],
  ['a number is its text', 20, '20', true],
  ['what is left out is nothing', undefined, 'x', false],
  ['a resource has its name', { Ref: 'Role' }, 'logins-role', true],
  ['a resource has no other name', { Ref: 'Role' }, 'other', false],
  ['an ARN ends with its name', { 'Fn::GetAtt': ['Role', 'Arn'] }, ARN, true],
  ['an ARN of another', { 'Fn::GetAtt': ['Role', 'Arn'] }, `${ARN}-2`, false],
  ['a region is one word', { 'Fn::Sub': `a:\${AWS::Region}:b` }, 'a:eu-central-1:b', true],
  ['a region is no more than a word', { 'Fn::Sub': `a:\${AWS::Region}:b` }, 'a:eu:central:b', false],
  ['what CloudFormation alone knows may be anything', { Ref: 'Api' }, 'a1b2c3', true],
  ['and so what it reads elsewhere', '{{resolve:ssm:/x}}', 'a1b2c3', true],
])('of a value in a template, %s', (_, value, found, isMade) => {
  expect(STACK.made(value).test(found)).toBe(isMade);
});

describe('a permission', () => {
  const fn = { id: 'Login', name: 'logins-openid', properties: {} };
  const VERSION = 'arn:aws:lambda:eu-central-1:111111111111:function:logins-openid:1';
  const ACCOUNT = { Ref: 'AWS::AccountId' };
  const ROLE = { 'Fn::GetAtt': ['Role', 'Arn'] };
  const root = (account: string) => ({ AWS: `arn:aws:iam::${account}:root` });
  const role = (account: string) => ({ AWS: `arn:aws:iam::${account}:role/logins-caller` });

  test.each<[title: string, deployed: object, found: unknown, version: string, isSame: boolean]>([
    ['for this account', ACCOUNT, root('111111111111'), VERSION, true],
    ['for another account', ACCOUNT, root('222222222222'), VERSION, false],
    ['for everybody', ACCOUNT, '*', VERSION, false],
    ['for this account, which no name tells', ACCOUNT, root('111111111111'), '1', true],
    ['for everybody, where no name tells the account', ACCOUNT, '*', '1', false],
    ['for a role', ROLE, role('111111111111'), VERSION, true],
    ['for the same role of another account', ROLE, role('222222222222'), VERSION, false],
  ])('%s', (_, deployed, found, version, isSame) => {
    const Action = 'lambda:InvokeFunction';
    const Properties = { FunctionName: { Ref: 'Login' }, Action, Principal: deployed };
    const Resources = {
      Login: { Type: 'AWS::Lambda::Function', Properties: {} },
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Allowed: { Type: 'AWS::Lambda::Permission', Properties },
    };
    const names = { Login: fn.name, Role: 'logins-caller', Version: version };
    const stack = new Stack('logins-dev', { Resources }, new Map(Object.entries(names)));
    const [key = ''] = permissionsIn(JSON.stringify({ Statement: [{ Principal: found, Action }] }));
    const [expected] = expectedPermissions(stack, fn);
    expect(expected?.key.test(key)).toBe(isSame);
  });
});
