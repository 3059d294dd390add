/** The Python SDK for the same events, whose response models receivers use. It is installed under `.build`, once. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../../tools/shared/project.ts';
import { installPackages, PYTHON_REQUIREMENT } from './python.ts';
import type { Requirement } from './requirements.ts';

const SDK_VERSION = '1.0.1';
/** The SDK leaves its version open. */
const PYDANTIC_VERSION = '2.14.3';
const FOLDER = join(PROJECT, '.build', `python-sdk-${SDK_VERSION}`);
const PYTHON = join(FOLDER, 'bin', 'python');
const RECEIVER = fileURLToPath(new URL('pythonSdk.py', import.meta.url));

function isInstalled(): boolean {
  return spawnSync(PYTHON, ['-c', 'import fair_wizard.automation.common']).status === 0;
}

/** What must be here to install it; nothing where it is installed. */
export function pythonSdkRequirements(): Requirement[] {
  return isInstalled() ? [] : [PYTHON_REQUIREMENT];
}

/** @throws {Error} with the output of what failed */
export async function installPythonSdk(): Promise<void> {
  if (isInstalled()) return;
  await installPackages(FOLDER, [
    `fair-wizard-integration-sdk==${SDK_VERSION}`,
    `pydantic==${PYDANTIC_VERSION}`,
  ]);
}

/** What a receiver makes of each response: the JSON of its model, or why it takes none. */
export function receivedBySdk(responses: readonly unknown[]): unknown[] {
  const { status, stdout, stderr } = spawnSync(PYTHON, [RECEIVER], {
    input: JSON.stringify(responses),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${RECEIVER} failed:\n${stderr}`);
  return JSON.parse(stdout);
}
