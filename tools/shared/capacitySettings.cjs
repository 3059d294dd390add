/** The settings of Lambda Managed Instances: docs/managed-instances.md. */

/** As CloudFormation's schema of AWS::Lambda::Function has it, with the region in a group. */
const PROVIDER_ARN =
  /^arn:aws[a-zA-Z-]*:lambda:((?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):\d{12}:capacity-provider:[a-zA-Z0-9_-]+$/;
const MAX_ARN_LETTERS = 140;
const ARCHITECTURES = ['arm64', 'x86_64'];
const MIB_PER_GIB = 1_024;
/** Logins at a time; Lambda's own default for Node.js. */
const CONCURRENCY_PER_VCPU = 64;

/** By their names below `custom.managedInstances`: the settings that are whole numbers, with what they are if not set. */
const NUMBERS = {
  memoryMb: { setting: 'CAPACITY_MEMORY_MB', unset: 2_048, min: 2_048, max: 32_768 },
  memoryGibPerVcpu: { setting: 'CAPACITY_MEMORY_GIB_PER_VCPU', unset: 2, among: [2, 4, 8] },
  concurrency: { setting: 'CAPACITY_CONCURRENCY', min: 1, max: 1_600 },
  minEnvironments: { setting: 'CAPACITY_MIN_ENVIRONMENTS', unset: 3, min: 0, max: 15_000 },
  maxEnvironments: { setting: 'CAPACITY_MAX_ENVIRONMENTS', min: 0, max: 15_000 },
};
const SETTINGS = {
  architecture: 'CAPACITY_ARCHITECTURE',
  ...Object.fromEntries(Object.entries(NUMBERS).map(([key, { setting }]) => [key, setting])),
};

/**
 * @param {Record<string, unknown>} given `custom.managedInstances` of the service: texts, or null for what is not set
 * @param {string | null} region of the deployment; null where that is not known
 * @returns {{ problems: string[], settings: Record<string, unknown> | null }} `settings`: null where no provider is set, or with problems;
 *   else `providerArn`, `architecture` and `maxEnvironments` (undefined if not set), `memoryMb`, `memoryGibPerVcpu`,
 *   `vcpus` of an environment, `concurrency`, `minEnvironments`
 */
function capacitySettings(given, region) {
  if (!isSet(given.providerArn)) return { problems: settingsWithoutProvider(given), settings: null };
  const problems = [...problemsOfArn(given.providerArn, region), ...problemsOfEach(given)];
  if (problems.length > 0) return { problems, settings: null };
  const settings = settingsOf(given);
  const together = problemsTogether(settings);
  return { problems: together, settings: together.length > 0 ? null : settings };
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {string[]} what is wrong with these settings in an environment
 */
function capacityProblems(env) {
  const given = Object.entries(SETTINGS).map(([key, setting]) => [key, env[setting]]);
  return capacitySettings({ providerArn: env.CAPACITY_PROVIDER_ARN, ...Object.fromEntries(given) }, null)
    .problems;
}

function isSet(value) {
  return value !== undefined && value !== null;
}

/** Without its provider, a setting would do nothing: the name of the provider's own may be misspelled. */
function settingsWithoutProvider(given) {
  return Object.entries(SETTINGS)
    .filter(([key]) => isSet(given[key]))
    .map(([, setting]) => `${setting}: expected CAPACITY_PROVIDER_ARN too, which is not set`);
}

function problemsOfArn(arn, region) {
  const [, regionOfArn] = PROVIDER_ARN.exec(arn) ?? [];
  if (regionOfArn === undefined || arn.length > MAX_ARN_LETTERS) {
    return [
      'CAPACITY_PROVIDER_ARN: expected arn:aws:lambda:<region>:<account>:capacity-provider:<name>, the ARN of a capacity provider',
    ];
  }
  if (region === null || regionOfArn === region) return [];
  return [
    `CAPACITY_PROVIDER_ARN: expected a capacity provider in ${region}, where this is deployed, found one in ${regionOfArn}`,
  ];
}

function problemsOfEach({ architecture, ...given }) {
  const problems = Object.entries(NUMBERS)
    .filter(([key, number]) => isSet(given[key]) && !isAllowed(given[key], number))
    .map(([, { setting, min, max, among }]) =>
      among
        ? `${setting}: expected ${listed(among)}`
        : `${setting}: expected a whole number from ${min} to ${max}`,
    );
  if (!isSet(architecture) || ARCHITECTURES.includes(architecture)) return problems;
  return [...problems, `${SETTINGS.architecture}: expected ${listed(ARCHITECTURES)}`];
}

function isAllowed(value, { min, max, among }) {
  if (!/^\d{1,5}$/.test(String(value))) return false;
  return among ? among.includes(Number(value)) : Number(value) >= min && Number(value) <= max;
}

function listed(values) {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function settingsOf({ providerArn, architecture, ...given }) {
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([key, { unset }]) => [key, isSet(given[key]) ? Number(given[key]) : unset]),
  );
  const vcpus = Math.floor(numbers.memoryMb / (numbers.memoryGibPerVcpu * MIB_PER_GIB));
  const concurrency = numbers.concurrency ?? CONCURRENCY_PER_VCPU * vcpus;
  return { providerArn, architecture: architecture ?? undefined, ...numbers, vcpus, concurrency };
}

function problemsTogether({ memoryMb, memoryGibPerVcpu, minEnvironments, maxEnvironments }) {
  const minMemoryMb = memoryGibPerVcpu * MIB_PER_GIB;
  const rules = [
    [
      memoryMb >= minMemoryMb,
      `CAPACITY_MEMORY_GIB_PER_VCPU: expected CAPACITY_MEMORY_MB=${minMemoryMb} or more with it, which is one vCPU, found ${memoryMb}`,
    ],
    [
      maxEnvironments === undefined || maxEnvironments >= minEnvironments,
      `CAPACITY_MAX_ENVIRONMENTS: expected CAPACITY_MIN_ENVIRONMENTS at least, which is ${minEnvironments}, found ${maxEnvironments}`,
    ],
    [
      minEnvironments > 0 || maxEnvironments === 0,
      'CAPACITY_MIN_ENVIRONMENTS: expected a number above 0, or CAPACITY_MAX_ENVIRONMENTS=0 too, which switches the functions off',
    ],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, problem]) => problem);
}

const CAPACITY_SETTINGS = ['CAPACITY_PROVIDER_ARN', ...Object.values(SETTINGS)];

module.exports = { CAPACITY_SETTINGS, capacityProblems, capacitySettings };
