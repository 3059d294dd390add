/**
 * The client of Lambda's Runtime API that runs a function on AWS, as AWS publishes it (`aws-lambda-ric`). It is
 * compiled where it is installed, for Linux alone, so that it is no dependency of the project: it goes under
 * `.build`, once.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT } from '../../../tools/shared/project.ts';
import { install } from '../../support/install.ts';
import { program, type Requirement, requireAll } from './requirements.ts';

const CLIENT_VERSION = '4.0.2';
const FOLDER = join(PROJECT, '.build', `aws-lambda-ric-${CLIENT_VERSION}`);
const PACKAGE = join(FOLDER, 'node_modules', 'aws-lambda-ric');
const CLIENT = join(PACKAGE, 'index.mjs');
/** What is compiled, put there when all of it is. */
const COMPILED = join(PACKAGE, 'rapid-client.node');

/** The path of its entry point; null where it is not installed. */
export function runtimeInterfaceClient(): string | null {
  return existsSync(COMPILED) ? CLIENT : null;
}

/** What must be here to install it; nothing where it is installed. */
export function clientRequirements(): Requirement[] {
  if (runtimeInterfaceClient() !== null) return [];
  const { CC = 'cc', CXX = 'g++' } = process.env;
  return [
    { name: "Linux, for Lambda's runtime interface client", isMet: () => process.platform === 'linux' },
    program('npm', 'npm'),
    program('Python 3', 'python3'),
    program('cmake', 'cmake'),
    program('make', 'make'),
    program(`a C compiler (${CC})`, CC),
    program(`a C++ compiler (${CXX})`, CXX),
    program('tar', 'tar'),
    program('xz', 'xz'),
  ];
}

/** @throws {Error} that says what is missing, or what failed */
export async function installRuntimeInterfaceClient(): Promise<void> {
  if (runtimeInterfaceClient() !== null) return;
  requireAll(clientRequirements());
  console.error(`compiling aws-lambda-ric ${CLIENT_VERSION} into ${FOLDER}, which takes a minute`);
  // What an interrupted installation left, npm would take for installed.
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  // A package of its own, so that npm heeds neither the project's .npmrc nor its lock file.
  await writeFile(join(FOLDER, 'package.json'), '{ "private": true }\n');
  await install(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', `aws-lambda-ric@${CLIENT_VERSION}`],
    { cwd: FOLDER, env: { ...process.env, ...nodeHeaders() } },
  );
  if (runtimeInterfaceClient() === null) throw new Error(`npm installed no ${COMPILED}`);
}

/** The project's Node brings its headers along; without them node-gyp would fetch them. */
function nodeHeaders(): NodeJS.ProcessEnv {
  try {
    const { resolve } = createRequire(import.meta.url);
    const nodedir = dirname(resolve(`node-${process.platform}-${process.arch}/package.json`));
    return existsSync(join(nodedir, 'include')) ? { npm_config_nodedir: nodedir } : {};
  } catch {
    return {};
  }
}
