/** `npm run test:package`: packs login-hooks, and runs the tests of projects that depend on it. They install from the registry. */
import { startCommand } from '../../tools/shared/commandLine.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, runJest, SELECTION } from '../support/jest.ts';

const COMMAND = {
  name: 'test:package',
  purpose: 'runs the tests of the packed package, in projects that depend on it',
  ...SELECTION,
  example: 'packed',
  found: 'a test failed',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const args = await jestArgs('test/package/*.package.ts', arguments_);
  return runJest(args);
});
