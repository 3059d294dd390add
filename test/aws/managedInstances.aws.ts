/** Templates with and without a capacity provider, by CloudFormation's published schema, and as moto deploys them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { account } from '../support/account.ts';
import { REGION } from '../support/aws.ts';
import { createOnlyProperties, type Finding, lint } from '../support/cfnLint.ts';
import { deployedResources, type Resource } from '../support/deployed.ts';
import { DEPLOY_TIMEOUT_MS, remove, serverless } from '../support/deployment.ts';
import { linkedProject } from '../support/linkedProject.ts';
import { blocksOf } from '../support/pages.ts';
import { runCommands } from '../support/serverlessCommands.ts';
import { writeService } from '../support/services.ts';

const CAPACITY_PROVIDER_ARN = `arn:aws:lambda:${REGION}:123456789012:capacity-provider:logins`;
const FN = 'SamlLoggedInLambdaFunction';

const STAGES: [name: string, stage: string, settings: Record<string, string>][] = [
  ['a stage without settings', 'dev', {}],
  ['prod', 'prod', { RESERVED_CONCURRENCY: '5', PROVISIONED_CONCURRENCY: '2' }],
  ['prod on managed instances', 'prod', { CAPACITY_PROVIDER_ARN }],
  [
    'managed instances with every setting',
    'dev',
    {
      CAPACITY_PROVIDER_ARN,
      CAPACITY_ARCHITECTURE: 'x86_64',
      CAPACITY_MEMORY_MB: '32768',
      CAPACITY_MEMORY_GIB_PER_VCPU: '8',
      CAPACITY_CONCURRENCY: '1600',
      CAPACITY_MIN_ENVIRONMENTS: '0',
      CAPACITY_MAX_ENVIRONMENTS: '0',
      CALLER_CHECK: 'signature',
      SIGNING_SECRET_ID: 'login-hooks/signing',
    },
  ],
];

const folder = linkedProject();
const outputOf = (index: number) => join(folder, `package-${index}`);
const templateOf = (index: number) => join(outputOf(index), 'cloudformation-template-update-stack.json');
/** With more environments than there may be: what the schema says of a mistake. */
const MISTAKEN = join(folder, 'mistaken.json');
const ON_THE_PAGE = join(folder, 'provider.yaml');

let found: Map<string, Finding[]>;
/** `serverless` itself makes a resource depend on another twice, which is a mere warning. */
const findings = (file: string) => found.get(file)?.filter(({ rule }) => rule !== 'W3005');

describe("CloudFormation's published schema", () => {
  beforeAll(async () => {
    const commands = STAGES.map(([, stage, settings], index) => ({
      args: ['package', '--package', outputOf(index), '--stage', stage],
      settings,
    }));
    const results = await runCommands(folder, commands);
    expect(results.map(({ status }) => status)).toEqual(STAGES.map(() => 0));
    const template = JSON.parse(readFileSync(templateOf(2), 'utf8'));
    template.Resources[FN].Properties.FunctionScalingConfig.MaxExecutionEnvironments = 15_001;
    writeFileSync(MISTAKEN, JSON.stringify(template));
    const page = await blocksOf('docs/managed-instances.md');
    writeFileSync(ON_THE_PAGE, page.find(({ language }) => language === 'yaml')?.text ?? '');
    found = lint([...STAGES.map((_, index) => templateOf(index)), MISTAKEN, ON_THE_PAGE], REGION);
  }, 2 * DEPLOY_TIMEOUT_MS);

  test.each(STAGES.map(([name], index): [string, number] => [name, index]))('takes %s', (_, index) => {
    expect(findings(templateOf(index))).toEqual([]);
  });

  test('takes the capacity provider on the page', () => {
    expect(readFileSync(ON_THE_PAGE, 'utf8')).toContain('Type: AWS::Lambda::CapacityProvider');
    expect(found.get(ON_THE_PAGE)).toEqual([]);
  });

  test('refuses a mistake', () => {
    expect(findings(MISTAKEN)?.map(({ rule }) => rule)).toEqual(['E3034']);
  });

  /** moto keeps the name of a function that it updates, so that what CloudFormation does is taken from its schema. */
  test('replaces what has the name of a function, there and back', () => {
    const [without, managed] = [templateOf(1), templateOf(2)].map(resourcesIn);
    const common = Object.entries(without ?? {}).flatMap(([id, { Type, Properties }]) =>
      managed?.[id] ? [{ id, type: Type, before: Properties, after: managed[id].Properties }] : [],
    );
    const createOnly = createOnlyProperties([...new Set(common.map(({ type }) => type))], REGION);
    const replaced = common.filter(({ type, before, after }) =>
      createOnly[type]?.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
    );
    const namesIn = (properties: object) => JSON.stringify(properties).match(/login-hooks-prod-\w+In\b/g);
    const updated = common.filter(
      ({ id, before }) => namesIn(before) && !replaced.some((one) => one.id === id),
    );
    expect(replaced.map(({ id }) => id)).toEqual(expect.arrayContaining([FN, 'SamlLoggedInLogGroup']));
    // A metric filter names a namespace, which nothing else holds; all else that has a name is replaced.
    expect(new Set(updated.map(({ type }) => type))).toEqual(new Set(['AWS::Logs::MetricFilter']));
  });
});

function resourcesIn(file: string): Record<string, Resource> {
  return JSON.parse(readFileSync(file, 'utf8')).Resources;
}

describe('deployed to moto, which keeps no capacity provider', () => {
  const NAMES = ['login-hooks-dev-openidLoggedIn-managed', 'login-hooks-dev-samlLoggedIn-managed'];
  let told: string;
  beforeAll(() => {
    told = serverless(['deploy'], { CAPACITY_PROVIDER_ARN });
  }, DEPLOY_TIMEOUT_MS);

  test('it is told that nobody has compared the functions with their provider', () => {
    expect(told).toContain(`${CAPACITY_PROVIDER_ARN} is not compared with the functions: `);
  });

  test('both functions have names of their own, and say their provider in the template', async () => {
    const { functions, logGroups } = await account();
    expect(functions).toEqual(NAMES);
    expect(logGroups).toEqual(NAMES.map((name) => `/aws/lambda/${name}`));
    for (const { Properties } of await deployedResources('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ PublishToLatestPublished: true });
    }
  });

  test(
    'removed, it leaves nothing',
    async () => {
      remove();
      expect(await account()).toMatchObject({ stacks: [], functions: [], logGroups: [] });
    },
    DEPLOY_TIMEOUT_MS,
  );
});

/** Puts the function onto a provider under the name that it has. */
const UNDER_ITS_NAME = `module.exports = class Later {
  constructor({ service }) {
    this.hooks = {
      'before:aws:deploy:deploy:uploadArtifacts': () => {
        const { Properties } = service.provider.compiledCloudFormationTemplate.Resources.${FN};
        Properties.CapacityProviderConfig = {
          LambdaManagedInstancesCapacityProviderConfig: { CapacityProviderArn: '${CAPACITY_PROVIDER_ARN}' },
        };
      },
    };
  }
};\n`;

test(
  'a function does not change sides under its name, whatever a later plugin does',
  async () => {
    const ordinary = writeService(folder, {});
    const managed = writeService(folder, { plugin: UNDER_ITS_NAME });
    try {
      serverless(['deploy'], {}, ordinary);
      expect(() => serverless(['deploy'], {}, managed)).toThrow(
        `${FN}: ways-in-dev-samlLoggedIn is deployed without a capacity provider, which Lambda cannot change`,
      );
    } finally {
      serverless(['remove'], {}, ordinary);
    }
  },
  4 * DEPLOY_TIMEOUT_MS,
);
