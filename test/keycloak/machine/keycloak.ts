/**
 * Keycloak on this machine. Maven brings it, as it is set up here, and compares it with the checksum that its repository
 * publishes. It is unpacked under `.build`, once; its database is in memory.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../../tools/shared/project.ts';
import { program, type Requirement } from '../../aws/machine/requirements.ts';
import { startServer } from '../../aws/machine/server.ts';
import { install } from '../../support/install.ts';

const VERSION = '26.7.3';
const MIN_JAVA = 17;
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';
const FOLDER = join(PROJECT, '.build', `keycloak-${VERSION}`);
export const HOME = join(FOLDER, `keycloak-${VERSION}`);

export interface Keycloak {
  /** Where it is and how its administrator signs in, for `keycloakHere`. */
  environment: Record<'KEYCLOAK_URL' | 'KEYCLOAK_PASSWORD', string>;
  stop(): Promise<void>;
}

/** What must be here to install and to start it. */
export function keycloakRequirements(): Requirement[] {
  const java: Requirement = { name: `Java ${MIN_JAVA} or newer (java)`, isMet: isJavaNewEnough };
  const here = [java, program('a POSIX shell (sh)', 'sh', ['-c', ':'])];
  return existsSync(HOME) ? here : [...here, program('Maven (mvn)', 'mvn')];
}

function isJavaNewEnough(): boolean {
  const { JAVA_HOME } = process.env;
  const java = JAVA_HOME === undefined ? 'java' : join(JAVA_HOME, 'bin', 'java');
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= MIN_JAVA;
}

/** @throws {Error} with what Maven says */
export async function installKeycloak(): Promise<void> {
  if (existsSync(HOME)) return;
  const [unfinished, repository] = [`${FOLDER}.unfinished`, `${FOLDER}.repository`];
  console.error(`taking Keycloak ${VERSION} from Maven, 200 MB, into ${FOLDER}`);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const args = [
    ...['--batch-mode', '--quiet', '--strict-checksums', `-Dmaven.repo.local=${repository}`, UNPACK],
    ...[`-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`, `-DoutputDirectory=${unfinished}`],
  ];
  // Without a project, it leaves files of its own where it runs.
  await install('mvn', args, { cwd: unfinished });
  await rm(FOLDER, { recursive: true, force: true });
  await rename(unfinished, FOLDER);
  await rm(repository, { recursive: true });
}

/** A server of its own, with nobody but its administrator. */
export async function startKeycloak(): Promise<Keycloak> {
  const password = randomBytes(16).toString('hex');
  const command = (host: string, port: string) => [
    ...['sh', join(HOME, 'bin', 'kc.sh'), 'start-dev', '--db=dev-mem', '--cache=local'],
    ...['--health-enabled=false', `--http-host=${host}`, `--http-port=${port}`],
  ];
  const { url, stop } = await startServer('keycloak', '/realms/master', command, {
    ...process.env,
    ...{ KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: password },
  });
  return { environment: { KEYCLOAK_URL: url, KEYCLOAK_PASSWORD: password }, stop };
}
