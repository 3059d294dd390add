/** `serverless package` on services that open their function, and on honest ones. */
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { judge } from '../../tools/deploy/exposure/judge.ts';
import { ServerlessPlugin } from '../../tools/deploy/plugin.ts';
import type { Serverless } from '../../tools/deploy/service.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { type Packaged, packageServices, type Service, writeService } from '../support/services.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { MISNAMED, PACKAGINGS } from './packagings.ts';

const ALL_MS = 300_000;

const MISNAMING: Service[] = MISNAMED.map(([, others]) => ({
  others,
  resources: { Resources: { Own: { Type: 'AWS::DynamoDB::Table' } } },
}));
const NAMED: Service = { ...MISNAMING[0], others: { Own: 'a cache', Uri: null } };
/** With a route by IAM. */
const ROUTED: Service = {
  fn: { events: [{ httpApi: { method: 'POST', path: '/saml', authorizer: { type: 'aws_iam' } } }] },
};
/** Of the stage `prod`, with a function of the operator's own and an API whose callers are logged. */
const KEPT: Service = {
  ...ROUTED,
  functions: { own: { handler: 'own/index.handler' } },
  provider: { stage: 'prod', logs: { httpApi: true } },
  others: { OwnLambdaFunction: 'a job', OwnLogGroup: 'its log' },
};
const SERVICES = [...PACKAGINGS.map(([, service]) => service), ...MISNAMING, NAMED, KEPT];

const folder = temporaryFolder(join(PROJECT, '.build-test-'));
const packaged = new Map<Service, Packaged>();
beforeAll(async () => {
  const results = await packageServices(SERVICES.map((service) => writeService(folder, service)));
  for (const [index, service] of SERVICES.entries()) packaged.set(service, results[index] as Packaged);
}, ALL_MS);

const resultOf = (service: Service) => packaged.get(service) as Packaged;
/** What is refused. */
const beginnings = (lines: readonly string[]) => [...new Set(lines.map((line) => line.split(':')[0]))].sort();

test.each(PACKAGINGS)('%s', (_, service, named = [], open = [], told = []) => {
  const { refusal, template, told: said } = resultOf(service);
  const isMade = named.length + open.length === 0;
  expect([refusal === null, judge(template).problems.length === 0]).toEqual([isMade, isMade]);

  const others = Object.fromEntries(named.map((name) => [name, 'read by a person']));
  const { problems, notes } = judge(template, others);
  expect(beginnings(problems)).toEqual(open.toSorted());
  if (open.length > 0) {
    const all = Object.fromEntries([...named, ...open].map((name) => [name, 'read by a person']));
    const refused = judge(template, all, true).problems;
    expect(beginnings(refused)).toEqual(open.toSorted());
    expect(refused.join()).not.toContain('name it with a reason');
    return;
  }
  const naming = named.map((name) => `${name} is named in custom.loginHooks.others: read by a person`);
  expect([...new Set([...notes, ...said])].sort()).toEqual([...naming, ...told].sort());
});

test.each(MISNAMED)('a name is refused: %s', (title, _, problem) => {
  const index = MISNAMED.findIndex((one) => one[0] === title);
  expect(resultOf(MISNAMING[index] as Service).refusal).toContain(problem);
});

test('what is named packages, and is told once with its reason', () => {
  const told = ['Own is named in custom.loginHooks.others: a cache'];
  expect(resultOf(NAMED)).toMatchObject({ refusal: null, told });
});

test('in prod the logs of all functions stay after the stack is removed, and no others', () => {
  const { refusal, template } = resultOf(KEPT);
  expect(refusal).toBeNull();
  const { Resources } = template as { Resources: Record<string, { DeletionPolicy?: string }> };
  const kept = Object.keys(Resources).filter((id) => Resources[id]?.DeletionPolicy === 'Retain');
  expect(kept.filter((id) => id.endsWith('LogGroup'))).toEqual(['SamlLoggedInLogGroup', 'OwnLogGroup']);
  expect(Resources).toHaveProperty('HttpApiLogGroup');
});

const OPEN = { Resources: { Own: { Type: 'AWS::A::B' } } };
test.each([
  ['before:aws:package:finalize:saveServiceState', { compiledCloudFormationTemplate: OPEN }],
  ['before:aws:deploy:deploy:createStack', { coreCloudFormationTemplate: OPEN }],
  ['before:aws:deploy:deploy:uploadArtifacts', { compiledCloudFormationTemplate: OPEN }],
  ['before:aws:deploy:deploy:updateStack', { compiledCloudFormationTemplate: OPEN }],
])('at %s, %j is judged', (moment, templates) => {
  const provider = { compiledCloudFormationTemplate: { Resources: {} }, ...templates };
  const serverless = { processedInput: { isHelpRequest: true }, service: { provider }, classes: { Error } };
  const { hooks } = new ServerlessPlugin(serverless as unknown as Serverless, {});
  expect((hooks as unknown as Record<string, () => void>)[moment]).toThrow('Own: AWS::A::B');
});

test('the cures are said', () => {
  const { problems } = judge({ Resources: { Own: { Type: 'AWS::A::B' } } });
  expect(problems).toEqual([
    'Own: AWS::A::B: serverless makes none for the login functions: name it with a reason below custom.loginHooks.others, ' +
      'or put it into a stack of its own; docs/deploy.md shows how two stacks share a value',
  ]);
});
