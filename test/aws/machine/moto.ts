/** moto plays AWS on this machine. It is installed into a virtual environment under `.build`, once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../../tools/shared/project.ts';
import { freePort } from '../../support/freePort.ts';
import { installPackages, PYTHON_REQUIREMENT } from './python.ts';
import { type Requirement, requireAll } from './requirements.ts';

const MOTO_VERSION = '5.2.5';
/** What moto checks templates by; moto itself leaves its version open. */
const CFN_LINT_VERSION = '1.58.0';
const FOLDER = join(PROJECT, '.build', `moto-${MOTO_VERSION}`);
const BIN = join(FOLDER, 'bin');
/** The Python that has moto, and cfn-lint with CloudFormation's published schema. */
export const PYTHON = join(BIN, 'python');
export const CFN_LINT = join(BIN, 'cfn-lint');
const SERVER = fileURLToPath(new URL('motoServer.py', import.meta.url));
/** What the last server wrote. */
const LOG = join(PROJECT, '.build', 'moto.log');
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

export interface Moto {
  url: string;
  stop(): Promise<void>;
}

/** What must be here to install it; nothing where it is installed. */
export function motoRequirements(): Requirement[] {
  if (existsSync(join(BIN, 'moto_server'))) return [];
  return [PYTHON_REQUIREMENT];
}

/** @throws {Error} that says what is missing, or what failed */
export async function installMoto(): Promise<void> {
  if (existsSync(join(BIN, 'moto_server'))) return;
  requireAll(motoRequirements());
  await installPackages(FOLDER, [`moto[server]==${MOTO_VERSION}`, `cfn-lint==${CFN_LINT_VERSION}`]);
}

/** A server of its own, empty. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(LOG, 'w');
  const server = spawn(PYTHON, ['-B', SERVER, '-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', log, log],
  });
  const stop = () => end(server);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && server.exitCode === null) {
    if (await isUp(url)) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await stop();
  throw new Error(`the moto server did not start, see ${LOG}`);
}

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/moto-api/`)
    .then(({ ok }) => ok)
    .catch(() => false);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, 'close');
  server.kill();
  await closed;
}
