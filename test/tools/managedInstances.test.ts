/** Both functions on Lambda Managed Instances: what the settings make of them, and what is refused before it is packaged. */
import { describe, expect, test } from '@jest/globals';
import { useManagedInstances } from '../../tools/deploy/managedInstances.ts';
import type { FunctionOfService, Service } from '../../tools/deploy/service.ts';
import { deploymentProblems } from '../../tools/shared/deployment.ts';

const REGION = 'eu-central-1';
const ARN = `arn:aws:lambda:${REGION}:123456789012:capacity-provider:logins`;
const NAMING = { getLambdaLogicalId: (name: string) => `${name}LambdaFunction` };
const PROVIDER = { runtime: 'nodejs24.x', architecture: 'arm64', memorySize: 512, timeout: 20 };
const LOGIN_FUNCTIONS = ['openidLoggedIn', 'samlLoggedIn'];

/** As `serverless` has it when its plugins begin; `null` stands for a variable that is not set. */
function serviceWith(managedInstances?: Record<string, unknown>, fn: object = {}, provider = {}): Service {
  const names = LOGIN_FUNCTIONS.map((name): [string, FunctionOfService] => [
    name,
    { handler: `dist/functions/${name}.handler`, name: `login-hooks-dev-${name}`, ...fn },
  ]);
  return {
    provider: { ...PROVIDER, ...provider },
    functions: { ...Object.fromEntries(names), own: { handler: 'own/index.handler', name: 'own' } },
    ...(managedInstances && { custom: { managedInstances } }),
  };
}

const use = (service: Service) => useManagedInstances(service, NAMING, REGION);
const propertiesOf = ({ resources }: Service, name = 'samlLoggedIn') =>
  resources?.extensions?.[`${name}LambdaFunction`]?.Properties;
/** Concurrency, memory ratio, fewest and most environments. */
function sizesOf(service: Service) {
  const properties = propertiesOf(service) as {
    CapacityProviderConfig: { LambdaManagedInstancesCapacityProviderConfig: Record<string, number> };
    FunctionScalingConfig: Record<string, number>;
  };
  const config = properties.CapacityProviderConfig.LambdaManagedInstancesCapacityProviderConfig;
  const { MinExecutionEnvironments, MaxExecutionEnvironments } = properties.FunctionScalingConfig;
  return [
    config.PerExecutionEnvironmentMaxConcurrency,
    config.ExecutionEnvironmentMemoryGiBPerVCpu,
    MinExecutionEnvironments,
    MaxExecutionEnvironments,
  ];
}

test.each([
  [undefined],
  [{}],
  [{ providerArn: null, architecture: null, memoryMb: null, maxEnvironments: null }],
])('without a provider (%j), nothing is changed', (managedInstances) => {
  const service = serviceWith(managedInstances);
  const before = structuredClone(service);
  expect(use(service)).toEqual([]);
  expect(service).toEqual(before);
});

describe('with a provider', () => {
  test('both functions have it, a name and a size of their own, and no versions', () => {
    const service = serviceWith({ providerArn: ARN, memoryMb: null });
    expect(use(service)).toEqual([]);
    for (const name of LOGIN_FUNCTIONS) {
      expect(service.functions[name]).toEqual({
        handler: `dist/functions/${name}.handler`,
        name: `login-hooks-dev-${name}-managed`,
        memorySize: 2048,
        versionFunction: false,
        environment: { UV_THREADPOOL_SIZE: '72' },
      });
      expect(propertiesOf(service, name)).toEqual({
        CapacityProviderConfig: {
          LambdaManagedInstancesCapacityProviderConfig: {
            CapacityProviderArn: ARN,
            PerExecutionEnvironmentMaxConcurrency: 64,
            ExecutionEnvironmentMemoryGiBPerVCpu: 2,
          },
        },
        FunctionScalingConfig: { MinExecutionEnvironments: 3 },
        PublishToLatestPublished: true,
      });
    }
  });

  test('a function of other code stays as it is', () => {
    const service = serviceWith({ providerArn: ARN });
    use(service);
    expect(service.functions.own).toEqual({ handler: 'own/index.handler', name: 'own' });
    expect(Object.keys(service.resources?.extensions ?? {})).toHaveLength(2);
  });

  test('the pool has threads left beside the workers that wait, unless an operator sets it', () => {
    const sizeOf = (given: object, provider = {}, fn = {}) => {
      const service = serviceWith({ providerArn: ARN, ...given }, fn, provider);
      expect(use(service)).toEqual([]);
      return (service.functions.samlLoggedIn as { environment?: object } | undefined)?.environment;
    };
    const own = { environment: { UV_THREADPOOL_SIZE: '7' } };
    expect(sizeOf({ memoryMb: 8_192 })).toEqual({ UV_THREADPOOL_SIZE: '96' });
    expect(sizeOf({ memoryMb: 32_768 })).toEqual({ UV_THREADPOOL_SIZE: '192' });
    expect(sizeOf({}, {}, own)).toEqual({ UV_THREADPOOL_SIZE: '7' });
    expect(sizeOf({}, own)).toBeUndefined();
  });

  test('what an operator extends stays', () => {
    const service = serviceWith({ providerArn: ARN });
    service.resources = { extensions: { samlLoggedInLambdaFunction: { Properties: { Description: 'x' } } } };
    use(service);
    expect(propertiesOf(service)).toMatchObject({ Description: 'x', PublishToLatestPublished: true });
  });

  test('an architecture of its own takes the place of the service’s', () => {
    const service = serviceWith({ providerArn: ARN, architecture: 'x86_64' });
    expect(use(service)).toEqual([]);
    expect(service.functions.samlLoggedIn).toMatchObject({ architecture: 'x86_64' });
  });

  test.each<[Record<string, string>, (number | undefined)[]]>([
    [{ memoryMb: '8192' }, [256, 2, 3, undefined]],
    [{ memoryMb: '8192', memoryGibPerVcpu: '8' }, [64, 8, 3, undefined]],
    [{ memoryMb: '5000' }, [128, 2, 3, undefined]],
    [{ memoryMb: '32768' }, [1024, 2, 3, undefined]],
    [{ concurrency: '1600' }, [1600, 2, 3, undefined]],
    [{ minEnvironments: '1', maxEnvironments: '15000' }, [64, 2, 1, 15_000]],
    [{ maxEnvironments: '3' }, [64, 2, 3, 3]],
    [{ minEnvironments: '0', maxEnvironments: '0' }, [64, 2, 0, 0]],
  ])('%j is concurrency, memory ratio, fewest and most environments %j', (settings, sizes) => {
    const service = serviceWith({ providerArn: ARN, ...settings });
    expect(use(service)).toEqual([]);
    expect(sizesOf(service)).toEqual(sizes);
  });

  test.each([
    ['aws', REGION],
    ['aws-us-gov', 'us-gov-west-1'],
    ['aws-iso-b', 'us-isob-east-1'],
    ['aws-eusc', 'eusc-de-east-1'],
  ])('of the partition %s is one', (partition, region) => {
    const providerArn = `arn:${partition}:lambda:${region}:123456789012:capacity-provider:a_b-1`;
    expect(useManagedInstances(serviceWith({ providerArn }), NAMING, region)).toEqual([]);
  });
});

const UNUSABLE_ARN =
  'CAPACITY_PROVIDER_ARN: expected arn:aws:lambda:<region>:<account>:capacity-provider:<name>, the ARN of a capacity provider';
test.each<[string, string, string | null]>([
  ...['', 'logins', `${ARN}:1`, ARN.replace('capacity-provider', 'function')].map(
    (arn): [string, string, string] => ['PROVIDER_ARN', arn, UNUSABLE_ARN],
  ),
  ['PROVIDER_ARN', ARN.replace('123456789012', '12345'), UNUSABLE_ARN],
  ['PROVIDER_ARN', ARN + 'x'.repeat(100), UNUSABLE_ARN],
  ['ARCHITECTURE', 'arm', 'CAPACITY_ARCHITECTURE: expected arm64 or x86_64'],
  ['MEMORY_MB', '2047', 'CAPACITY_MEMORY_MB: expected a whole number from 2048 to 32768'],
  ['MEMORY_MB', '2GB', 'CAPACITY_MEMORY_MB: expected a whole number from 2048 to 32768'],
  ['MEMORY_MB', '32768', null],
  ['MEMORY_GIB_PER_VCPU', '3', 'CAPACITY_MEMORY_GIB_PER_VCPU: expected 2, 4 or 8'],
  ['CONCURRENCY', '0', 'CAPACITY_CONCURRENCY: expected a whole number from 1 to 1600'],
  ['CONCURRENCY', '6.4', 'CAPACITY_CONCURRENCY: expected a whole number from 1 to 1600'],
  ['MIN_ENVIRONMENTS', '-1', 'CAPACITY_MIN_ENVIRONMENTS: expected a whole number from 0 to 15000'],
  ['MAX_ENVIRONMENTS', '15001', 'CAPACITY_MAX_ENVIRONMENTS: expected a whole number from 0 to 15000'],
])('CAPACITY_%s=%s is judged as it is in the environment: %j', (name, value, problem) => {
  const env = { CAPACITY_PROVIDER_ARN: ARN, [`CAPACITY_${name}`]: value };
  expect(deploymentProblems(env)).toEqual(problem === null ? [] : [problem]);
});

describe('is refused', () => {
  test.each<[Record<string, string>, RegExp]>([
    [
      { providerArn: ARN.replace(REGION, 'us-east-1') },
      /^CAPACITY_PROVIDER_ARN: expected a capacity provider in eu-central-1, .* found one in us-east-1$/,
    ],
    [
      { memoryGibPerVcpu: '4' },
      /^CAPACITY_MEMORY_GIB_PER_VCPU: expected CAPACITY_MEMORY_MB=4096 or more with it, which is one vCPU, found 2048$/,
    ],
    [{ memoryGibPerVcpu: '8', memoryMb: '8191' }, /=8192 or more .* found 8191$/],
    [
      { maxEnvironments: '2' },
      /^CAPACITY_MAX_ENVIRONMENTS: expected at least CAPACITY_MIN_ENVIRONMENTS, which is 3, found 2$/,
    ],
    [{ minEnvironments: '0' }, /^CAPACITY_MIN_ENVIRONMENTS: expected a number above 0, or/],
    [{ minEnvironments: '0', maxEnvironments: '5' }, /^CAPACITY_MIN_ENVIRONMENTS: expected/],
  ])('%j', (settings, problem) => {
    const service = serviceWith({ providerArn: ARN, ...settings });
    const before = structuredClone(service);
    expect(use(service)).toEqual([expect.stringMatching(problem)]);
    expect(service).toEqual(before);
  });

  test.each([
    'architecture',
    'memoryMb',
    'memoryGibPerVcpu',
    'concurrency',
    'minEnvironments',
    'maxEnvironments',
  ])('%s without a provider', (key) => {
    const problem = /^CAPACITY_\w+: expected CAPACITY_PROVIDER_ARN to be set too$/;
    expect(use(serviceWith({ providerArn: null, [key]: '4' }))).toEqual([expect.stringMatching(problem)]);
  });

  const VPC = { subnetIds: ['subnet-1'], securityGroupIds: ['sg-1'] };
  test.each<[string, object, object, RegExp[]]>([
    ['reserved concurrency', { reservedConcurrency: 5 }, {}, [/^RESERVED_CONCURRENCY: expected none/]],
    ['no concurrency at all', { reservedConcurrency: '0' }, {}, [/^RESERVED_CONCURRENCY: expected none/]],
    [
      'provisioned concurrency',
      { provisionedConcurrency: '2' },
      {},
      [/^PROVISIONED_CONCURRENCY: expected none/],
    ],
    ['a network of a function', { vpc: VPC }, {}, [/^openidLoggedIn: vpc: /, /^samlLoggedIn: vpc: /]],
    ['a network of all functions', {}, { vpc: VPC }, [/^openidLoggedIn: vpc: /, /^samlLoggedIn: vpc: /]],
    ['versions', { versionFunction: true }, {}, [/^openidLoggedIn: versionFunction: /, /^samlLoggedIn: /]],
    [
      'a time-out',
      {},
      { timeout: 901 },
      [/^openidLoggedIn: timeout: expected 900 seconds/, /^samlLoggedIn: /],
    ],
    [
      'a name',
      { name: 'x'.repeat(57) },
      {},
      [/^openidLoggedIn: name: expected 56 letters at most/, /^samlLoggedIn: /],
    ],
  ])('%s that a function has', (_, fn, provider, problems) => {
    const service = serviceWith({ providerArn: ARN }, fn, provider);
    const before = structuredClone(service);
    expect(use(service)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
    expect(service).toEqual(before);
  });

  test.each<[string, object, object]>([
    ['no concurrency', { reservedConcurrency: null, provisionedConcurrency: null }, {}],
    ['no network', { vpc: false }, { vpc: VPC }],
    ['a network that is set to nothing', { vpc: null }, { vpc: VPC }],
    ['no versions', { versionFunction: false }, {}],
    ['the longest time-out', { timeout: 900 }, {}],
    ['the longest name', { name: 'x'.repeat(56) }, {}],
  ])('never %s', (_, fn, provider) => {
    expect(use(serviceWith({ providerArn: ARN }, fn, provider))).toEqual([]);
  });
});
