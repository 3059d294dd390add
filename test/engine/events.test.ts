import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/local/events.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { openIdEvent } from '../support/wire.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(join(folder, 'openidLoggedIn'));
  await writeFile(join(folder, 'openidLoggedIn', 'one.json'), JSON.stringify(openIdEvent()));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['a pipe', 'pipe.json', (file: string) => execFileSync('mkfifo', [file])],
  ['a pipe for a response', 'one.expected.json', (file: string) => execFileSync('mkfifo', [file])],
  ['a device', 'zero.json', (file: string) => symlink('/dev/zero', file)],
  ['a folder', 'folder.json', (file: string) => mkdir(file)],
])('%s is refused', async (_, name, make) => {
  await make(join(folder, 'openidLoggedIn', name));
  await expect(sampleEvents(folder)).rejects.toThrow(UnusableInput);
  await expect(sampleEvents(folder)).rejects.toThrow(new RegExp(`${name}: expected a file, found`));
});
