/**
 * `npm run test:aws`: runs the tests in `test/aws` against a moto server, which plays AWS on this machine. Uses
 * `moto_server` where it is on the PATH; otherwise installs it into a virtual environment under `.build`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './build.ts';
import { freePort } from './freePort.ts';

const MOTO = 'moto[server]==5.2.5';
const VENV = join(PROJECT, '.build', 'moto-5.2.5');
const START_TIMEOUT_MS = 30_000;

try {
  const port = await freePort();
  const moto = await startMoto(motoServer(), port);
  try {
    const jest = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
    ];
    const { status } = spawnSync(
      process.execPath,
      [...jest, '--testMatch', '**/test/aws/*.aws.ts', '--runInBand'],
      {
        cwd: PROJECT,
        stdio: 'inherit',
        env: { ...process.env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` },
      },
    );
    process.exitCode = status ?? 1;
  } finally {
    moto.kill();
  }
} catch (error) {
  console.error(`npm run test:aws: ${(error as Error).message}`);
  process.exitCode = 1;
}

/** The path of moto's server, installed where it is not there yet. */
function motoServer(): string {
  if (spawnSync('moto_server', ['--version']).status === 0) return 'moto_server';
  const installed = join(VENV, 'bin', 'moto_server');
  if (existsSync(installed)) return installed;
  if (spawnSync('python3', ['--version']).status !== 0) {
    throw new Error('expected moto_server on the PATH, or Python 3 to install it with');
  }
  console.error(`installing ${MOTO} into ${VENV}`);
  execFileSync('python3', ['-m', 'venv', VENV], { stdio: 'inherit' });
  execFileSync(join(VENV, 'bin', 'pip'), ['install', '--quiet', MOTO], { stdio: 'inherit' });
  return installed;
}

async function startMoto(command: string, port: number): Promise<ChildProcess> {
  const moto = spawn(command, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && moto.exitCode === null) {
    const isUp = await fetch(`http://127.0.0.1:${port}/moto-api/`)
      .then(({ ok }) => ok)
      .catch(() => false);
    if (isUp) return moto;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  moto.kill();
  throw new Error('the moto server did not start');
}
