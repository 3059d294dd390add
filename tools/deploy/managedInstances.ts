/** Both login functions on Lambda Managed Instances, where a capacity provider is set: docs/managed-instances.md. */
import { type Capacity, capacitySettings } from '../shared/capacitySettings.ts';
import { loginFunctions } from './loginFunctions.ts';
import type { FunctionOfService, Naming, Service } from './service.ts';
import type { Values } from './waysIn/template.ts';

/** Lambda lets no function change sides: on managed instances it has a name of its own, and CloudFormation replaces it. */
const NAME_SUFFIX = '-managed';
const MAX_NAME_LETTERS = 64;
/** Longer time-outs are for asynchronous invocations. */
const MAX_TIMEOUT_SECONDS = 900;

/** Of Lambda's runtime client: each of them holds a thread of Node's pool while it waits for a login. */
const WORKERS_PER_VCPU = 8;
/** What is left of the pool for files and host names: without, look-ups wait until the next login comes. */
const SPARE_THREADS = 64;

interface Conflict {
  isThere(fn: FunctionOfService, provider: Service['provider']): boolean;
  /** @param name of the function in the service */
  says(name: string): string;
  because: string;
}

/** What a function may have that does not go with a capacity provider, each with the reason. */
const CONFLICTS: readonly Conflict[] = [
  {
    isThere: ({ reservedConcurrency }) => isSet(reservedConcurrency),
    says: () => 'RESERVED_CONCURRENCY: expected none with CAPACITY_PROVIDER_ARN',
    because: 'CAPACITY_CONCURRENCY and CAPACITY_MAX_ENVIRONMENTS limit the logins at a time',
  },
  {
    isThere: ({ provisionedConcurrency }) => isSet(provisionedConcurrency),
    says: () => 'PROVISIONED_CONCURRENCY: expected none with CAPACITY_PROVIDER_ARN',
    because: 'CAPACITY_MIN_ENVIRONMENTS environments stay started',
  },
  {
    isThere: ({ vpc }, provider) => (vpc === undefined ? isSet(provider.vpc) : isSet(vpc) && vpc !== false),
    says: (name) => `${name}: vpc: expected none with CAPACITY_PROVIDER_ARN`,
    because: 'the capacity provider has the network',
  },
  {
    isThere: ({ versionFunction }) => versionFunction === true,
    says: (name) => `${name}: versionFunction: expected false or nothing with CAPACITY_PROVIDER_ARN`,
    because: 'each version starts environments of its own, which cost money until it is deleted',
  },
  {
    isThere: ({ timeout }, provider) => (timeout ?? provider.timeout ?? 0) > MAX_TIMEOUT_SECONDS,
    says: (name) => `${name}: timeout: expected ${MAX_TIMEOUT_SECONDS} seconds at most`,
    because: 'a login is a synchronous invocation',
  },
  {
    isThere: ({ name }) => nameOnInstances(name).length > MAX_NAME_LETTERS,
    says: (name) => `${name}: name: expected ${MAX_NAME_LETTERS - NAME_SUFFIX.length} letters at most`,
    because: `${NAME_SUFFIX} is added to it with CAPACITY_PROVIDER_ARN`,
  },
];

/**
 * Puts the login functions of a service onto Lambda Managed Instances, where `custom.managedInstances.providerArn` is set;
 * else it changes nothing. It must be called before anything takes the names of the functions.
 *
 * @param region of the deployment
 * @returns what is wrong with the settings, or does not go together; then nothing is changed
 */
export function useManagedInstances(
  service: Service,
  naming: Pick<Naming, 'getLambdaLogicalId'>,
  region: string,
): string[] {
  const { problems, settings } = capacitySettings(service.custom?.managedInstances ?? {}, region);
  if (settings === null) return problems;
  const conflicts = conflictsOf(service);
  if (conflicts.length > 0) return conflicts;
  for (const { name, fn } of loginFunctions(service)) {
    fn.name = nameOnInstances(fn.name);
    fn.memorySize = settings.memoryMb;
    fn.versionFunction = false;
    if (!isSet(service.provider.environment?.UV_THREADPOOL_SIZE)) {
      fn.environment = { UV_THREADPOOL_SIZE: threadsOf(settings), ...fn.environment };
    }
    if (settings.architecture !== undefined) fn.architecture = settings.architecture;
    extend(service, naming.getLambdaLogicalId(name), propertiesOf(settings));
  }
  return [];
}

/** @returns the name in Lambda of a function that runs on managed instances */
export function nameOnInstances(functionName: string): string {
  return functionName + NAME_SUFFIX;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The same of both functions is one problem. */
function conflictsOf(service: Service): string[] {
  const problems = loginFunctions(service).flatMap(({ name, fn }) =>
    CONFLICTS.filter(({ isThere }) => isThere(fn, service.provider)).map(
      ({ says, because }) => `${says(name)}, because ${because}`,
    ),
  );
  return [...new Set(problems)];
}

function threadsOf({ vcpus }: Capacity): string {
  return String(WORKERS_PER_VCPU * vcpus + SPARE_THREADS);
}

/** The properties of AWS::Lambda::Function that `serverless` does not know. */
function propertiesOf(settings: Capacity): Values {
  const { providerArn, memoryGibPerVcpu, concurrency, minEnvironments, maxEnvironments } = settings;
  return {
    CapacityProviderConfig: {
      LambdaManagedInstancesCapacityProviderConfig: {
        CapacityProviderArn: providerArn,
        PerExecutionEnvironmentMaxConcurrency: concurrency,
        ExecutionEnvironmentMemoryGiBPerVCpu: memoryGibPerVcpu,
      },
    },
    FunctionScalingConfig: {
      MinExecutionEnvironments: minEnvironments,
      ...(maxEnvironments !== undefined && { MaxExecutionEnvironments: maxEnvironments }),
    },
    // Who calls the function without a version calls `$LATEST.PUBLISHED`: each deployment publishes to it.
    PublishToLatestPublished: true,
  };
}

function extend(service: Service, logicalId: string, properties: Values): void {
  service.resources ??= {};
  service.resources.extensions ??= {};
  const { Properties, ...rest } = service.resources.extensions[logicalId] ?? {};
  service.resources.extensions[logicalId] = { ...rest, Properties: { ...Properties, ...properties } };
}
