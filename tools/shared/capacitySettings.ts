/** The settings of Lambda Managed Instances: docs/managed-instances.md. */

/** As CloudFormation's schema of AWS::Lambda::Function has it, with the region in a group. */
const PROVIDER_ARN =
  /^arn:aws[a-zA-Z-]*:lambda:((?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):\d{12}:capacity-provider:[a-zA-Z0-9_-]+$/;
const MAX_ARN_LETTERS = 140;
const ARCHITECTURES = ['arm64', 'x86_64'];
const MIB_PER_GIB = 1_024;
/** Logins at a time; Lambda's own default for Node.js. */
const CONCURRENCY_PER_VCPU = 64;

interface NumberSetting {
  setting: string;
  unset?: number;
  min?: number;
  max?: number;
  among?: readonly number[];
}

/** By their names below `custom.managedInstances`: the settings that are whole numbers, with what they are if not set. */
const NUMBERS = {
  memoryMb: { setting: 'CAPACITY_MEMORY_MB', unset: 2_048, min: 2_048, max: 32_768 },
  memoryGibPerVcpu: { setting: 'CAPACITY_MEMORY_GIB_PER_VCPU', unset: 2, among: [2, 4, 8] },
  concurrency: { setting: 'CAPACITY_CONCURRENCY', min: 1, max: 1_600 },
  minEnvironments: { setting: 'CAPACITY_MIN_ENVIRONMENTS', unset: 3, min: 0, max: 15_000 },
  maxEnvironments: { setting: 'CAPACITY_MAX_ENVIRONMENTS', min: 0, max: 15_000 },
} satisfies Record<string, NumberSetting>;
const ALL_NUMBERS = Object.entries<NumberSetting>(NUMBERS);
const SETTINGS = {
  architecture: 'CAPACITY_ARCHITECTURE',
  ...Object.fromEntries(ALL_NUMBERS.map(([key, { setting }]) => [key, setting])),
};

/** Below `custom.managedInstances` of the service: texts, or null for what is not set. */
type Given = Readonly<Record<string, unknown>>;

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
 * @returns `settings`: null where no provider is set, or with problems
 */
export function capacitySettings(
  given: Given,
  region: string | null,
): { problems: string[]; settings: Capacity | null } {
  if (!isSet(given.providerArn)) return { problems: settingsWithoutProvider(given), settings: null };
  const problems = [...problemsOfArn(given.providerArn, region), ...problemsOfEach(given)];
  if (problems.length > 0) return { problems, settings: null };
  const settings = settingsOf(given);
  const together = problemsTogether(settings);
  return { problems: together, settings: together.length > 0 ? null : settings };
}

/** What is wrong with these settings in an environment. */
export function capacityProblems(env: NodeJS.ProcessEnv): string[] {
  const given = Object.entries(SETTINGS).map(([key, setting]) => [key, env[setting]]);
  return capacitySettings({ providerArn: env.CAPACITY_PROVIDER_ARN, ...Object.fromEntries(given) }, null)
    .problems;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Without its provider, a setting would do nothing: the name of the provider's own may be misspelled. */
function settingsWithoutProvider(given: Given): string[] {
  return Object.entries(SETTINGS)
    .filter(([key]) => isSet(given[key]))
    .map(([, setting]) => `${setting}: expected CAPACITY_PROVIDER_ARN to be set too`);
}

function problemsOfArn(arn: unknown, region: string | null): string[] {
  const [all = '', regionOfArn] = PROVIDER_ARN.exec(String(arn)) ?? [];
  if (regionOfArn === undefined || all.length > MAX_ARN_LETTERS) {
    return [
      'CAPACITY_PROVIDER_ARN: expected arn:aws:lambda:<region>:<account>:capacity-provider:<name>, the ARN of a capacity provider',
    ];
  }
  if (region === null || regionOfArn === region) return [];
  return [
    `CAPACITY_PROVIDER_ARN: expected a capacity provider in ${region}, the region of the deployment, found one in ${regionOfArn}`,
  ];
}

function problemsOfEach({ architecture, ...given }: Given): string[] {
  const problems = ALL_NUMBERS.filter(
    ([key, number]) => isSet(given[key]) && !isAllowed(given[key], number),
  ).map(([, { setting, min, max, among }]) =>
    among
      ? `${setting}: expected ${listed(among)}`
      : `${setting}: expected a whole number from ${min} to ${max}`,
  );
  if (!isSet(architecture) || ARCHITECTURES.includes(String(architecture))) return problems;
  return [...problems, `${SETTINGS.architecture}: expected ${listed(ARCHITECTURES)}`];
}

function isAllowed(value: unknown, { min = 0, max = 0, among }: NumberSetting): boolean {
  if (!/^\d{1,5}$/.test(String(value))) return false;
  return among ? among.includes(Number(value)) : Number(value) >= min && Number(value) <= max;
}

function listed(values: readonly (string | number)[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function settingsOf({ providerArn, architecture, ...given }: Given): Capacity {
  const numberOf = (key: keyof typeof NUMBERS) => (isSet(given[key]) ? Number(given[key]) : undefined);
  const memoryMb = numberOf('memoryMb') ?? NUMBERS.memoryMb.unset;
  const memoryGibPerVcpu = numberOf('memoryGibPerVcpu') ?? NUMBERS.memoryGibPerVcpu.unset;
  const vcpus = Math.floor(memoryMb / (memoryGibPerVcpu * MIB_PER_GIB));
  return {
    providerArn: String(providerArn),
    architecture: isSet(architecture) ? String(architecture) : undefined,
    memoryMb,
    memoryGibPerVcpu,
    vcpus,
    concurrency: numberOf('concurrency') ?? CONCURRENCY_PER_VCPU * vcpus,
    minEnvironments: numberOf('minEnvironments') ?? NUMBERS.minEnvironments.unset,
    maxEnvironments: numberOf('maxEnvironments'),
  };
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

export const CAPACITY_SETTINGS = ['CAPACITY_PROVIDER_ARN', ...Object.values(SETTINGS)];
