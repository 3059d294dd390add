/** What a deployment of this project would change of the stage now. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { changesOf } from '../deploy/changes.ts';
import { mapOf, type Values } from '../deploy/waysIn/template.ts';
import { PROJECT } from '../shared/project.ts';
import type { Stage } from '../shared/stage.ts';
import type { Aws } from './aws.ts';
import { type DoctorFinding, note } from './examination.ts';
import { codeDigestOf } from './functionSettings.ts';
import type { Stack } from './stack.ts';

const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
const TEMPLATE = 'cloudformation-template-update-stack.json';
const MAX_OUTPUT = 10_000_000;
const TIMEOUT_MS = 300_000;

export async function projectChanges(aws: Aws, stack: Stack, stage: Stage): Promise<DoctorFinding[]> {
  const next = await packagedTemplate(stage, aws.region);
  if (next === null) {
    const command = `npx serverless package --stage ${stage.name}`;
    aws.unasked.push({
      subject: stack.name,
      message: `this project cannot be packaged, so nothing is compared with it: see ${command}`,
    });
    return [];
  }
  const cure = 'deploy this project, or find out which one was deployed';
  const changes = changesOf(stack.template, next).map(({ id, text, isWeaker }) =>
    note(
      'project_differs',
      stack.nameOf(id),
      `this project would change it: ${text}${isWeaker ? ' (weaker)' : ''}`,
      cure,
    ),
  );
  const codes = stack.loginFunctions
    .filter(({ id }) => codeDigestOf(next, id) !== codeDigestOf(stack.template, id))
    .map(({ name }) =>
      note('project_code_differs', name, 'the code of this project is not the deployed one', cure),
    );
  return [...changes, ...codes];
}

/** @returns null where `serverless` refuses to package it */
async function packagedTemplate({ name, env }: Stage, region: string): Promise<Values | null> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  try {
    const args = ['package', '--stage', name, '--region', region, '--package', folder];
    await promisify(execFile)(process.execPath, [SERVERLESS, ...args], {
      ...{ cwd: PROJECT, env },
      ...{ maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS },
    });
    return mapOf(JSON.parse(await readFile(join(folder, TEMPLATE), 'utf8')));
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true });
  }
}
