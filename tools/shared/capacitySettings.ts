/** The settings of Lambda Managed Instances: docs/managed-instances.md. */
import { oneOf, stringThat, wholeNumber } from '../../lib/schema.ts';

/** As CloudFormation's schema of AWS::Lambda::Function has it. */
const PROVIDER_ARN =
  /^arn:aws[a-zA-Z-]*:lambda:(?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d:\d{12}:capacity-provider:[a-zA-Z0-9_-]+$/;
const MAX_ARN_LETTERS = 140;
const EXPECTED_ARN =
  'expected arn:aws:lambda:<region>:<account>:capacity-provider:<name>, the ARN of a capacity provider';
const MIB_PER_GIB = 1_024;
/** Logins at a time; Lambda's own default for Node.js. */
const CONCURRENCY_PER_VCPU = 64;
const MAX_ENVIRONMENTS = 15_000;

/** By their names below `custom.managedInstances`. */
export const CAPACITY = {
  providerArn: { variable: 'CAPACITY_PROVIDER_ARN', schema: stringThat(isProviderArn, EXPECTED_ARN) },
  architecture: { variable: 'CAPACITY_ARCHITECTURE', schema: oneOf(['arm64', 'x86_64']) },
  memoryMb: { variable: 'CAPACITY_MEMORY_MB', schema: wholeNumber(2_048, 32_768), unset: 2_048 },
  memoryGibPerVcpu: { variable: 'CAPACITY_MEMORY_GIB_PER_VCPU', schema: oneOf(['2', '4', '8']), unset: 2 },
  concurrency: { variable: 'CAPACITY_CONCURRENCY', schema: wholeNumber(1, 1_600) },
  minEnvironments: {
    variable: 'CAPACITY_MIN_ENVIRONMENTS',
    schema: wholeNumber(0, MAX_ENVIRONMENTS),
    unset: 3,
  },
  maxEnvironments: { variable: 'CAPACITY_MAX_ENVIRONMENTS', schema: wholeNumber(0, MAX_ENVIRONMENTS) },
};

function isProviderArn(arn: string): boolean {
  return arn.length <= MAX_ARN_LETTERS && PROVIDER_ARN.test(arn);
}

/** Values that their schemas accept, as text or as a number; null or undefined for what is not set. */
type Given = { readonly [key in keyof typeof CAPACITY]?: unknown };

export interface Capacity {
  providerArn: string;
  /** Undefined where it is not set. */
  architecture: string | undefined;
  memoryMb: number;
  memoryGibPerVcpu: number;
  /** Of an environment. */
  vcpus: number;
  concurrency: number;
  minEnvironments: number;
  maxEnvironments: number | undefined;
}

/**
 * @param region of the deployment; null where that is not known
 * @returns `settings`: null where no provider is set, or where something does not go together
 */
export function capacitySettings(
  given: Given,
  region: string | null,
): { problems: string[]; settings: Capacity | null } {
  if (!isSet(given.providerArn)) return { problems: settingsWithoutProvider(given), settings: null };
  const settings = settingsOf(given);
  const problems = [...problemsOfRegion(settings, region), ...problemsTogether(settings)];
  return { problems, settings: problems.length > 0 ? null : settings };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Without its provider, a setting would do nothing: the name of the provider's own may be misspelled. */
function settingsWithoutProvider(given: Given): string[] {
  return Object.entries(CAPACITY)
    .filter(([key]) => isSet(given[key as keyof Given]))
    .map(([, { variable }]) => `${variable}: expected CAPACITY_PROVIDER_ARN to be set too`);
}

function settingsOf({ providerArn, architecture, ...given }: Given): Capacity {
  const numberOf = (key: keyof typeof given) => (isSet(given[key]) ? Number(given[key]) : undefined);
  const memoryMb = numberOf('memoryMb') ?? CAPACITY.memoryMb.unset;
  const memoryGibPerVcpu = numberOf('memoryGibPerVcpu') ?? CAPACITY.memoryGibPerVcpu.unset;
  const vcpus = Math.floor(memoryMb / (memoryGibPerVcpu * MIB_PER_GIB));
  return {
    providerArn: String(providerArn),
    architecture: isSet(architecture) ? String(architecture) : undefined,
    memoryMb,
    memoryGibPerVcpu,
    vcpus,
    concurrency: numberOf('concurrency') ?? CONCURRENCY_PER_VCPU * vcpus,
    minEnvironments: numberOf('minEnvironments') ?? CAPACITY.minEnvironments.unset,
    maxEnvironments: numberOf('maxEnvironments'),
  };
}

function problemsOfRegion({ providerArn }: Capacity, region: string | null): string[] {
  const [, , , found] = providerArn.split(':');
  if (region === null || found === region) return [];
  return [
    `CAPACITY_PROVIDER_ARN: expected a capacity provider in ${region}, the region of the deployment, found one in ${found}`,
  ];
}

function problemsTogether({
  memoryMb,
  memoryGibPerVcpu,
  minEnvironments,
  maxEnvironments,
}: Capacity): string[] {
  const minMemoryMb = memoryGibPerVcpu * MIB_PER_GIB;
  const rules: [isKept: boolean, problem: string][] = [
    [
      memoryMb >= minMemoryMb,
      `CAPACITY_MEMORY_GIB_PER_VCPU: expected CAPACITY_MEMORY_MB=${minMemoryMb} or more with it, which is one vCPU, found ${memoryMb}`,
    ],
    [
      maxEnvironments === undefined || maxEnvironments >= minEnvironments,
      `CAPACITY_MAX_ENVIRONMENTS: expected at least CAPACITY_MIN_ENVIRONMENTS, which is ${minEnvironments}, found ${maxEnvironments}`,
    ],
    [
      minEnvironments > 0 || maxEnvironments === 0,
      'CAPACITY_MIN_ENVIRONMENTS: expected a number above 0, or CAPACITY_MAX_ENVIRONMENTS=0 too, which switches the functions off',
    ],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, problem]) => problem);
}
