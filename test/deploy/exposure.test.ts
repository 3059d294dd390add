/** `serverless package` on services that open their function, and on honest ones. */
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { judge } from '../../tools/deploy/exposure/judge.ts';
import { ServerlessPlugin } from '../../tools/deploy/plugin.ts';
import type { Serverless } from '../../tools/deploy/service.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { type Packaged, packageServices, type Service, writeService } from '../support/services.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { CHANGES, IAM, MISNAMED, PACKAGINGS } from './packagings.ts';

const ALL_MS = 300_000;

const MISNAMING: Service[] = MISNAMED.map(([, others]) => ({
  others,
  resources: { Resources: { Own: { Type: 'AWS::DynamoDB::Table' } } },
}));
const NAMED: Service = { ...MISNAMING[0], others: { Own: 'a cache', Uri: null } };
/** Of the stage `prod`, with a function of the operator's own and an API whose callers are logged. */
const KEPT: Service = {
  ...IAM,
  functions: { own: { handler: 'own/index.handler' } },
  provider: { stage: 'prod', logs: { httpApi: true } },
  others: { OwnLambdaFunction: 'a job', OwnLogGroup: 'its log' },
};
const SERVICES = [...PACKAGINGS.map(([, service]) => service), IAM, ...MISNAMING, NAMED, KEPT];

const folder = temporaryFolder(join(PROJECT, '.build-test-'));
const packaged = new Map<Service, Packaged>();
beforeAll(async () => {
  const results = await packageServices(SERVICES.map((service) => writeService(folder, service)));
  for (const [index, service] of SERVICES.entries()) packaged.set(service, results[index] as Packaged);
}, ALL_MS);

const resultOf = (service: Service) => packaged.get(service) as Packaged;
/** What is refused. */
const beginnings = (lines: readonly string[]) => [...new Set(lines.map((line) => line.split(':')[0]))].sort();

/** What is told of a template where this is named. What is open stays refused where it is named too, and no name is proposed for it. */
function notesOf(template: object, named: readonly string[], open: readonly string[]): string[] {
  const read = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, 'read by a person']));
  expect(judge(template).problems.length === 0).toBe(named.length + open.length === 0);
  const { problems, notes } = judge(template, read(named));
  expect(beginnings(problems)).toEqual(open.toSorted());
  const refused = judge(template, read([...named, ...open]), true).problems;
  expect(beginnings(refused)).toEqual(open.toSorted());
  expect(refused.join()).not.toContain('name it with a reason');
  return notes;
}

test.each(PACKAGINGS)('%s', (_, service, named = [], open = [], told = []) => {
  const { refusal, template, told: said } = resultOf(service);
  expect(refusal === null).toBe(named.length + open.length === 0);
  const notes = notesOf(template, named, open);
  const naming = named.map((name) => `${name} is named in custom.loginHooks.others: read by a person`);
  if (open.length === 0)
    expect([...new Set([...notes, ...said])].sort()).toEqual([...naming, ...told].sort());
});

test.each(CHANGES)('in a template, %s', (_, change, named = [], open = []) => {
  notesOf(merged(resultOf(IAM).template, { Resources: change }), named, open);
});

/** With what the other has written over it, in lists too. A reference takes the place of what was there. */
function merged(value: object, other: object): object {
  const entries = Object.entries(other).map(([key, item]) => {
    const before = Reflect.get(value, key);
    const isMerged = typeof before === 'object' && typeof item === 'object' && !('Ref' in item);
    return [key, isMerged ? merged(before, item) : item];
  });
  return Object.assign(structuredClone(value), Object.fromEntries(entries));
}

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

test('what has the name of a function and is none is refused', () => {
  const { problems } = judge({ Resources: { SamlLoggedInLambdaFunction: { Type: 'Own::Function' } } });
  expect(problems).toContain('SamlLoggedInLambdaFunction: it is not a function of Lambda');
});
