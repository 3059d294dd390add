/** `npm run test:browser`: runs the tests in `test/browser`, in a real browser, which it installs where there is none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, SELECTION } from '../support/jest.ts';
import { usableBrowser } from './chromium/chromium.ts';

const CACHE = ['--cacheDirectory', join(PROJECT, '.build', 'jest-browser')];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-browser-'));
  try {
    const isGreen = await runJest([...args, ...CACHE], folder);
    const left = await readdir(folder);
    if (left.length > 0) console.error(`left in the folder for temporary files: ${left.join(', ')}`);
    return isGreen && left.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** @param folder for all temporary files: profiles of browsers, copies of the project */
async function runJest(args: string[], folder: string): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  // Until it has ended, there are files to remove.
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const [code] = await once(child, 'close');
  for (const signal of SIGNALS) process.off(signal, pass);
  return code === 0;
}
