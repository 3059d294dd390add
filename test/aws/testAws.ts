/**
 * `npm run test:aws`: runs the tests in `test/aws`, against moto, which plays AWS on this machine, and under the
 * client of the Runtime API that runs functions on Lambda; and with the Python SDK, which is a receiver. Installs all of them
 * under `.build`, where they are not yet.
 */
import { spawnSync } from 'node:child_process';
import { startCommand } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, SELECTION } from '../support/jest.ts';
import { installMoto, motoRequirements, startMoto } from './machine/moto.ts';
import { installPythonSdk, pythonSdkRequirements } from './machine/pythonSdk.ts';
import { requireAll } from './machine/requirements.ts';
import { clientRequirements, installRuntimeInterfaceClient } from './machine/runtimeInterfaceClient.ts';

const COMMAND = {
  name: 'test:aws',
  purpose: 'runs the tests that need AWS, against moto, which plays AWS on this machine',
  ...SELECTION,
  example: 'waysIn',
  found: 'a test failed',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const args = await jestArgs('test/aws/*.aws.ts', arguments_);
  requireAll([...motoRequirements(), ...clientRequirements(), ...pythonSdkRequirements()]);
  await Promise.all([installMoto(), installRuntimeInterfaceClient(), installPythonSdk()]);
  const moto = await startMoto();
  try {
    const { status } = spawnSync(process.execPath, args, {
      cwd: PROJECT,
      stdio: 'inherit',
      env: { ...process.env, AWS_ENDPOINT_URL: moto.url },
    });
    return status === 0 ? 0 : 1;
  } finally {
    await moto.stop();
  }
});
