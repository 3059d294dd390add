/** moto plays AWS on this machine. It is installed into a virtual environment under `.build`, once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../../tools/shared/project.ts';
import { installPackages, PYTHON_REQUIREMENT } from './python.ts';
import { type Requirement, requireAll } from './requirements.ts';
import { type Server, startServer } from './server.ts';

const MOTO_VERSION = '5.2.5';
/** What moto checks templates by; moto itself leaves its version open. */
const CFN_LINT_VERSION = '1.58.0';
const FOLDER = join(PROJECT, '.build', `moto-${MOTO_VERSION}`);
const BIN = join(FOLDER, 'bin');
const PYTHON = join(BIN, 'python');
const SERVER = fileURLToPath(new URL('motoServer.py', import.meta.url));

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
export function startMoto(): Promise<Server> {
  return startServer('moto', '/moto-api/', (host, port) => [PYTHON, '-B', SERVER, '-H', host, '-p', port]);
}
