/**
 * `npm run test:aws`: runs the tests in `test/aws`, against moto, which plays AWS on this machine, and under the
 * client of the Runtime API that runs functions on Lambda. Installs both under `.build`, where they are not yet.
 */
import { spawnSync } from 'node:child_process';
import { PROJECT } from '../build.ts';
import { installMoto, motoRequirements, startMoto } from './moto.ts';
import { requireAll } from './requirements.ts';
import { clientRequirements, installRuntimeInterfaceClient } from './runtimeInterfaceClient.ts';

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

try {
  requireAll([...motoRequirements(), ...clientRequirements()]);
  await Promise.all([installMoto(), installRuntimeInterfaceClient()]);
  const moto = await startMoto();
  try {
    const { status } = spawnSync(
      process.execPath,
      [...JEST, '--testMatch', '**/test/aws/*.aws.ts', '--runInBand', ...process.argv.slice(2)],
      { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, AWS_ENDPOINT_URL: moto.url } },
    );
    process.exitCode = status ?? 1;
  } finally {
    await moto.stop();
  }
} catch (error) {
  console.error(`npm run test:aws: ${(error as Error).message}`);
  process.exitCode = 1;
}
