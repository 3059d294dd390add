/** `doctor`: what breaks the logins of a stage, now or soon. It only reads: it changes nothing, and sends no login. */
import { createPublicKey } from 'node:crypto';
import { awsFindings, isDeployed } from '../doctor/aws.ts';
import { Aws } from '../doctor/awsRequests.ts';
import { type Check, diagnose, exitCodeOf } from '../doctor/findings.ts';
import { listedIssuers } from '../doctor/issuers.ts';
import { openIdFindings } from '../doctor/openid.ts';
import { projectFindings } from '../doctor/project.ts';
import { samlFindings } from '../doctor/saml.ts';
import { stageOnAws } from '../shared/awsAccess.ts';
import { type Arguments, readTextFile, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { type Finding, findingText } from '../shared/finding.ts';
import type { ExitCode } from '../shared/process.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import { counted } from '../shared/readable.ts';
import type { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';

const CHECKS = [...Object.keys(FUNCTIONS), 'aws', 'project'];

export const COMMAND = {
  name: 'doctor',
  purpose: 'finds what breaks the logins of a stage, now or soon',
  options: {
    stage: STAGE,
    only: {
      type: 'string',
      value: `<${CHECKS.join('|')}>`,
      choices: CHECKS,
      about: 'one of the examinations',
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
    json: { type: 'boolean', about: 'the findings as JSON' },
  },
  example: '--stage prod',
  found: 'there is an error or a warning',
  missed: 'something could not be asked',
} as const satisfies Command;

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<ExitCode> {
  if (values.metadata && !(FUNCTIONS.saml && (values.only ?? 'saml') === 'saml'))
    throw new UnusableInput(
      '--metadata: expected with --only saml or without --only, in a project with SAML',
    );
  const { stage, region } = stageOnAws(values.stage);
  const aws = new Aws(region);
  await requireStage(stage, aws);
  for (const name of FUNCTION_NAMES) console.error(`${name}: ${stage.answeringOf(name)} answers`);
  const nowMs = Date.now();
  const metadata = {
    metadata: values.metadata ?? [],
    keys: await Promise.all((values['metadata-key'] ?? []).map(keyIn)),
    nowMs,
  };
  const checks: Record<string, Check> = {
    openid: async () => {
      const { issuers, findings } = await listedIssuers(stage, 'OpenID');
      return [...findings, ...(await openIdFindings(issuers, nowMs))];
    },
    saml: async () => {
      const { issuers, findings } = await listedIssuers(stage, 'SAML');
      return [...findings, ...(await samlFindings(issuers, metadata))];
    },
    aws: () => awsFindings(aws, stage, nowMs),
    project: projectFindings,
  };
  const chosen = Object.entries(checks).filter(([name]) => (values.only ?? name) === name);
  const findings = await diagnose(Object.fromEntries(chosen));
  console.log(values.json ? JSON.stringify(findings, null, 2) : reportOf(findings));
  return exitCodeOf(findings);
}

/** @throws {UnusableInput} for a stage that is neither of this project nor in AWS: all would be well with it */
async function requireStage({ name, missing }: Stage, aws: Aws): Promise<void> {
  if (missing === null || (await isDeployed(aws, name))) return;
  throw new UnusableInput(`${missing}, or one that is deployed in ${aws.region}`);
}

/** xml-crypto checks signatures by RSA. */
async function keyIn(file: string): Promise<string> {
  const pem = await readTextFile(file);
  const type = await Promise.try(() => createPublicKey(pem).asymmetricKeyType).catch(() => null);
  if (type === 'rsa') return pem;
  throw new UnusableInput(`--metadata-key: expected a certificate or a public key (PEM) of RSA: ${file}`);
}

function reportOf(findings: readonly Finding[]): string {
  const levels = ['error', 'warning', 'note'] as const;
  const counts = levels.map((level) => counted(findings.filter((one) => one.level === level).length, level));
  return [...findings.map((finding) => `${findingText(finding)}\n`), counts.join(', ')].join('\n');
}
