/**
 * `npm run test:keycloak`: runs the tests in `test/keycloak`, against a real Keycloak on this machine, which it takes from Maven
 * and puts under `.build`, where it is not yet.
 */
import { startCommand } from '../../tools/shared/commandLine.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { installAll, requireAll } from '../aws/machine/installation.ts';
import { jestArgs, runJest, SELECTION } from '../support/jest.ts';
import { JAVA, KEYCLOAK, startKeycloak } from './machine/keycloak.ts';

const COMMAND = {
  name: 'test:keycloak',
  purpose: 'signs in at a real Keycloak, as docs/providers/keycloak.md says',
  ...SELECTION,
  example: 'saml',
  found: 'a test failed',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const args = await jestArgs('test/keycloak/*.keycloak.ts', arguments_);
  requireAll([JAVA]);
  await installAll(KEYCLOAK);
  const keycloak = await startKeycloak();
  try {
    return runJest(args, keycloak.environment);
  } finally {
    await keycloak.stop();
  }
});
