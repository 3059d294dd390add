/** `npm run test:browser`: runs the tests in `test/browser`, in a real browser, which it installs where there is none. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, runJest, SELECTION } from '../support/jest.ts';
import { usableBrowser } from './chromium/chromium.ts';

const CACHE = ['--cacheDirectory', join(PROJECT, '.build', 'jest-browser')];

const COMMAND = {
  name: 'test:browser',
  purpose: 'runs the tests of the studio in a real browser',
  ...SELECTION,
  example: 'hostile',
  found: 'a test failed, or left a file behind',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const args = await jestArgs('test/browser/*.browser.ts', arguments_);
  await usableBrowser();
  // For all temporary files: profiles of browsers, copies of the project.
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-browser-'));
  try {
    const code = runJest([...args, ...CACHE], { TMPDIR: folder, TEMP: folder, TMP: folder });
    const left = await readdir(folder);
    if (left.length > 0) console.error(`left in the folder for temporary files: ${left.join(', ')}`);
    return left.length === 0 ? code : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
