import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser as Launched } from 'playwright-core';
import { usableBrowser } from './usableBrowser.ts';

/**
 * Starts a browser without a window, with a profile of its own, which is removed when it is closed. What isolates
 * sites from each other is on, as people have it.
 *
 * @param args of Chromium
 * @throws {UnusableInput} where there is none
 */
export async function launchBrowser(args: string[] = []): Promise<Launched> {
  const { executablePath, env } = await usableBrowser();
  // Chromium leaves files behind that it downloaded or shared among its processes.
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const browser = await chromium.launch({
      executablePath,
      args,
      env: { ...process.env, ...env, TMPDIR: folder },
    });
    browser.on('disconnected', remove);
    return browser;
  } catch (error) {
    remove();
    throw error;
  }
}
