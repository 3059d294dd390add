/**
 * `npm run doctor`: what can end the logins of a stage soon, or has changed since the last run. It reads: it trusts no new key,
 * sends no login, and writes nothing but the file of facts.
 */
import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { deployed } from '../doctor/deployed.ts';
import { diagnose } from '../doctor/doctor.ts';
import type { Diagnosis, Examination } from '../doctor/examination.ts';
import { doctorPolicy } from '../doctor/policy.ts';
import { project } from '../doctor/project.ts';
import { type ProviderOptions, providers } from '../doctor/providers.ts';
import { reportOf } from '../doctor/report.ts';
import { accessAws } from '../shared/awsAccess.ts';
import { type Arguments, readTextFile, STAGE, UnusableInput, wholeNumber } from '../shared/commandLine.ts';
import type { ExitCode } from '../shared/process.ts';
import { PROJECT } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';

/** By name, as `--only` takes it. */
const EXAMINATIONS: Readonly<Record<string, (options: ProviderOptions) => Examination>> = {
  providers,
  aws: () => deployed,
  project: () => project,
};

export const COMMAND = {
  name: 'doctor',
  purpose: 'examines what can end the logins of a stage, and what has changed since the last run',
  options: {
    stage: STAGE,
    only: {
      type: 'string',
      value: `<${Object.keys(EXAMINATIONS).join('|')}>`,
      choices: Object.keys(EXAMINATIONS),
      about: 'one examination alone',
    },
    facts: {
      type: 'string',
      value: '<file>',
      about:
        'what the last run found out, for the next one; default: doctor.<stage>.json, which may be committed',
    },
    'certificate-percent': {
      type: 'string',
      value: '<number>',
      default: '33',
      about: 'how much of its whole life a TLS certificate must have left',
    },
    metadata: {
      type: 'string',
      value: '<address or file>',
      multiple: true,
      about:
        'SAML metadata of a provider; {entityID} stands for each entity id (MDQ). May be given several times',
    },
    'metadata-key': {
      type: 'string',
      value: '<file>',
      multiple: true,
      about: 'a certificate or public key (PEM), one of which must have signed all metadata',
    },
    'valid-until-hours': {
      type: 'string',
      value: '<number>',
      default: '24',
      about: 'how long metadata must still be valid',
    },
    json: { type: 'boolean', about: 'the findings as JSON' },
    policy: {
      type: 'boolean',
      about: 'prints the policy of AWS that the doctor needs for the stage, and examines nothing',
    },
  },
  example: '--stage prod',
  found: 'there is a finding (notes do not count)',
  missed: 'something could not be asked',
} as const satisfies Command;

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<ExitCode> {
  const stage = new Stage(values.stage);
  accessAws(stage);
  if (values.policy) {
    console.log(JSON.stringify(doctorPolicy(stage), null, 2));
    return 0;
  }
  for (const name of FUNCTION_NAMES) console.error(`${name}: ${stage.answeringOf(name)} answers`);
  const options = {
    certificatePercent: numberOf('certificate-percent', values, 100),
    validUntilHours: numberOf('valid-until-hours', values, 8_760),
    metadata: values.metadata ?? [],
    keys: await Promise.all((values['metadata-key'] ?? []).map(keyIn)),
  };
  const chosen = Object.entries(EXAMINATIONS).filter(([name]) => (values.only ?? name) === name);
  const diagnosis = await diagnose({
    stage,
    examinations: Object.fromEntries(chosen.map(([name, examination]) => [name, examination(options)])),
    file: values.facts ?? join(PROJECT, `doctor.${stage.name}.json`),
  });
  console.log(values.json ? JSON.stringify(diagnosis, null, 2) : reportOf(diagnosis));
  return exitCodeOf(diagnosis);
}

type Thresholds = 'certificate-percent' | 'valid-until-hours';

function numberOf(name: Thresholds, values: { [TName in Thresholds]?: string }, max: number): number {
  return wholeNumber(`--${name}`, values[name] ?? COMMAND.options[name].default, 1, max);
}

/** xml-crypto checks signatures by RSA. */
async function keyIn(file: string): Promise<string> {
  const pem = await readTextFile(file);
  if (isRsaKey(pem)) return pem;
  throw new UnusableInput(`--metadata-key: expected a certificate or a public key (PEM) of RSA: ${file}`);
}

function isRsaKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function exitCodeOf({ findings, unasked }: Diagnosis): ExitCode {
  if (unasked.length > 0) return 2;
  return findings.some(({ level }) => level === 'finding') ? 1 : 0;
}
