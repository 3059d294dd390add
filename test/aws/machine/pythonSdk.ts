/** The Python SDK for the same events, whose response models receivers use. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { folderOf, fromPyPi, pythonIn } from './installation.ts';

const VERSION = '1.0.1';
/** The SDK leaves the version of pydantic open. */
const PACKAGES = [`fair-wizard-integration-sdk==${VERSION}`, 'pydantic==2.14.3'];
export const PYTHON_SDK = fromPyPi(`python-sdk-${VERSION}`, PACKAGES);
const RECEIVER = fileURLToPath(new URL('pythonSdk.py', import.meta.url));

/** What a receiver makes of each response: the JSON of its model, or why it takes none. */
export function receivedBySdk(responses: readonly unknown[]): unknown[] {
  const input = JSON.stringify(responses);
  const python = pythonIn(folderOf(PYTHON_SDK.name));
  const { status, stdout, stderr } = spawnSync(python, [RECEIVER], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${RECEIVER} failed:\n${stderr}`);
  return JSON.parse(stdout);
}
