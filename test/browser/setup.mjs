/** Finds or installs the browser, and gives the tests a folder for temporary files, in which nothing may be left. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import projectSetup from '../support/globalSetup.mjs';
import { usableBrowser } from './chromium/chromium.ts';

export default async function setup() {
  await projectSetup();
  await usableBrowser();
  // For profiles of browsers and copies of the project.
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-browser-'));
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  globalThis.endSetup = async () => {
    const left = await readdir(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    if (left.length > 0) throw new Error(`left in the folder for temporary files: ${left.join(', ')}`);
  };
}
