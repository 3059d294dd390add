/** `npm run test:browser`: runs the tests in `test/browser`, in a real browser, which it installs where there is none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../build.ts';
import { type Command, runCommand } from '../cli/commandLine.ts';
import { usableBrowser } from './usableBrowser.ts';

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--cacheDirectory',
  join(PROJECT, '.build', 'jest-browser'),
  '--testMatch',
  '**/test/browser/*.browser.ts',
  '--runInBand',
];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const COMMAND = {
  name: 'npm run test:browser',
  purpose: 'runs the tests of the studio in a real browser',
  positionals: [
    {
      name: '<part of a path>',
      about: 'the test files that have this in their paths; default: all',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    testNamePattern: { type: 'string', value: '<pattern>', about: 'the tests that have this in their names' },
  },
  example: 'hostile',
  found: 'a test failed, or left a file behind',
} as const satisfies Command;

await runCommand(COMMAND, async ({ positionals, values: { testNamePattern } }) => {
  await usableBrowser();
  const only = testNamePattern === undefined ? [] : ['--testNamePattern', testNamePattern];
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-browser-'));
  try {
    const isGreen = await runJest([...only, ...positionals], folder);
    const left = await readdir(folder);
    if (left.length > 0) console.error(`left in the folder for temporary files: ${left.join(', ')}`);
    return isGreen && left.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** @param folder for all temporary files: profiles of browsers, copies of the project */
async function runJest(args: string[], folder: string): Promise<boolean> {
  const child = spawn(process.execPath, [...JEST, ...args], {
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
