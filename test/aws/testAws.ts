/**
 * `npm run test:aws`: runs the tests in `test/aws`, against moto, which plays AWS on this machine, and under the
 * client of the Runtime API that runs functions on Lambda; and with the Python SDK, which is a receiver. Installs all of them
 * under `.build`, where they are not yet.
 */
import { startCommand } from '../../tools/shared/commandLine.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, runJest, SELECTION } from '../support/jest.ts';
import { installAll } from './machine/installation.ts';
import { MOTO, startMoto } from './machine/moto.ts';
import { PYTHON_SDK } from './machine/pythonSdk.ts';
import { RUNTIME_INTERFACE_CLIENT } from './machine/runtimeInterfaceClient.ts';

const COMMAND = {
  name: 'test:aws',
  purpose: 'runs the tests that need AWS, against moto, which plays AWS on this machine',
  ...SELECTION,
  example: 'deployment',
  found: 'a test failed',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const args = await jestArgs('test/aws/*.aws.ts', arguments_);
  await installAll(MOTO, RUNTIME_INTERFACE_CLIENT, PYTHON_SDK);
  const moto = await startMoto();
  try {
    return runJest(args, { AWS_ENDPOINT_URL: moto.url });
  } finally {
    await moto.stop();
  }
});
