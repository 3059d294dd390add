/**
 * `npm run test:aws`: runs the tests in `test/aws`, against moto, which plays AWS on this machine, and under the
 * client of the Runtime API that runs functions on Lambda. Installs both under `.build`, where they are not yet.
 */
import { spawnSync } from 'node:child_process';
import { PROJECT } from '../build.ts';
import { type Command, runCommand } from '../cli/commandLine.ts';
import { installMoto, motoRequirements, startMoto } from './moto.ts';
import { requireAll } from './requirements.ts';
import { clientRequirements, installRuntimeInterfaceClient } from './runtimeInterfaceClient.ts';

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

const COMMAND = {
  name: 'npm run test:aws',
  purpose: 'runs the tests that need AWS, against moto, which plays AWS on this machine',
  positionals: [
    {
      name: '<part of a path>',
      about: 'the test files that have this in their paths; default: all',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    testNamePattern: { type: 'string', value: '<pattern>', about: 'the tests that have this in their names' },
  },
  example: 'waysIn',
  found: 'a test failed',
} as const satisfies Command;

await runCommand(COMMAND, async ({ positionals, values: { testNamePattern } }) => {
  requireAll([...motoRequirements(), ...clientRequirements()]);
  await Promise.all([installMoto(), installRuntimeInterfaceClient()]);
  const moto = await startMoto();
  try {
    const only = testNamePattern === undefined ? [] : ['--testNamePattern', testNamePattern];
    const { status } = spawnSync(
      process.execPath,
      [...JEST, '--testMatch', '**/test/aws/*.aws.ts', '--runInBand', ...only, ...positionals],
      { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, AWS_ENDPOINT_URL: moto.url } },
    );
    return status === 0 ? 0 : 1;
  } finally {
    await moto.stop();
  }
});
