/**
 * The browser that tests and pictures are made with: the one that `CHROMIUM_PATH` names, else one that npm has for Linux on
 * x64 (`@sparticuz/chromium`), with fonts and with the libraries that a small machine lacks.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { UnusableInput } from '../../../tools/shared/commandLine.ts';
import { folderOf, type Installation, installAll, installFromNpm } from '../../aws/machine/installation.ts';
import { install } from '../../support/install.ts';

const VERSION = '153.0.0';
const PACKAGE = '@sparticuz/chromium';
const CHROMIUM: Installation = { name: `chromium-${VERSION}`, make };
const FOLDER = folderOf(CHROMIUM.name);
const INSTALLED = join(FOLDER, 'chromium');
const UNPACK = fileURLToPath(new URL('unpack.mjs', import.meta.url));
/** The package unpacks its libraries only where it takes the machine for one of AWS. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
const INSTEAD = 'set CHROMIUM_PATH to a Chromium or Chrome of this machine';

/** The file of the package names folders of AWS. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(FOLDER, 'fonts')}</dir>
  <cachedir>${join(FOLDER, 'fonts-cache')}</cachedir>
</fontconfig>
`;

/** @throws {UnusableInput} that says what is missing, and what to do */
export async function usableBrowser() {
  const { platform, arch, env } = process;
  if (env.CHROMIUM_PATH) return { executablePath: env.CHROMIUM_PATH, env };
  if (platform !== 'linux' || arch !== 'x64')
    throw new UnusableInput(`npm has no Chromium for ${platform} on ${arch}: ${INSTEAD}`);
  await installAll(CHROMIUM).catch((error: Error) => {
    throw new UnusableInput(`${error.message.trimEnd()}\nWithout it, ${INSTEAD}`);
  });
  const plain = { ...env, FONTCONFIG_FILE: join(FOLDER, 'fonts.conf') };
  // With the libraries of this machine, or else with its own.
  const libraries = [join(FOLDER, 'al2023', 'lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  const usable = [plain, { ...plain, LD_LIBRARY_PATH: libraries }].find(
    (one) => spawnSync(INSTALLED, ['--version'], { env: one }).status === 0,
  );
  if (usable) return { executablePath: INSTALLED, env: usable };
  throw new UnusableInput(`${INSTALLED} does not run here: ${INSTEAD}`);
}

/**
 * Starts a browser without a window, with a profile of its own, which is removed when it is closed. What isolates
 * sites from each other is on, as people have it.
 *
 * @throws {UnusableInput} where there is none
 */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await usableBrowser();
  // Chromium leaves files behind that it downloaded or shared among its processes.
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const browser = await chromium.launch({ executablePath, env: { ...env, TMPDIR: folder } });
    browser.on('disconnected', remove);
    return browser;
  } catch (error) {
    remove();
    throw error;
  }
}

async function make(folder: string): Promise<void> {
  await installFromNpm(folder, `${PACKAGE}@${VERSION}`, ['--ignore-scripts']);
  const modules = join(folder, 'node_modules');
  const entry = pathToFileURL(join(modules, PACKAGE, 'build', 'index.js')).href;
  await install(process.execPath, [UNPACK, entry], {
    env: { ...process.env, ...WITH_LIBRARIES, TMPDIR: folder },
  });
  await rm(modules, { recursive: true });
  await writeFile(join(folder, 'fonts.conf'), FONTS);
}
