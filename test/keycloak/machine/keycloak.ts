/** Keycloak on this machine, which Maven brings. Its database is in memory. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, type Installation } from '../../aws/machine/installation.ts';
import { startServer } from '../../aws/machine/server.ts';
import { install } from '../../support/install.ts';

const VERSION = '26.7.3';
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';

export const KEYCLOAK: Installation = {
  name: `keycloak-${VERSION}`,
  /** Maven compares it with the checksum that its repository publishes. */
  async make(folder) {
    const repository = join(folder, 'repository');
    const args = [
      ...['--batch-mode', '--quiet', '--strict-checksums', `-Dmaven.repo.local=${repository}`, UNPACK],
      ...[`-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`, `-DoutputDirectory=${folder}`],
    ];
    // Without a project, it leaves files of its own where it runs.
    await install('mvn', args, { cwd: folder });
    await rm(repository, { recursive: true });
  },
};

/** The unpacked distribution. */
export const HOME = join(folderOf(KEYCLOAK.name), `keycloak-${VERSION}`);

/** A server of its own, with nobody but its administrator. */
export async function startKeycloak() {
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
