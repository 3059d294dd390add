/** Which browser the tests take, and what they say where there is none. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { inFolder, installChromium } from './installedChromium.ts';
import { type Machine, usableBrowser } from './usableBrowser.ts';

const LINUX: Machine = { environment: {}, platform: 'linux', arch: 'x64' };
const NO_LIBRARY = 'error while loading shared libraries: libnss3.so: cannot open shared object file';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** A program in the place of the browser. */
async function program(script: string): Promise<string> {
  const { executablePath } = inFolder(folder);
  await writeFile(executablePath, `#!/bin/sh\n${script}\n`);
  await chmod(executablePath, 0o700);
  return executablePath;
}

describe('CHROMIUM_PATH', () => {
  const named = (CHROMIUM_PATH: string) => ({ ...LINUX, environment: { CHROMIUM_PATH } });

  test('names a browser, and none is installed', async () => {
    const executablePath = await program('echo Chromium 153');
    expect(await usableBrowser(named(executablePath))).toEqual({ executablePath, env: {} });
  });

  test.each([
    ['no file', async () => join(folder, 'nothing'), 'ENOENT'],
    ['a folder', async () => folder, 'EACCES'],
    ['a program that fails', () => program('echo "no display" >&2; exit 3'), 'no display'],
    ['a program that says nothing', () => program('exit 3'), 'it ended with 3'],
  ])('is refused where it names %s', async (_, made, why) => {
    const path = await made();
    const message = `CHROMIUM_PATH: expected a Chromium or Chrome, found ${path}: `;
    const refused = expect(usableBrowser(named(path))).rejects;
    await refused.toThrow(message);
    await expect(usableBrowser(named(path))).rejects.toThrow(why);
  });
});

test.each([
  ['darwin', 'arm64', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  ['win32', 'x64', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
  ['linux', 'arm64', '/usr/bin/chromium'],
  ['freebsd', 'x64', '/usr/bin/chromium'],
])('on %s with %s, CHROMIUM_PATH must name one', async (platform, arch, usual) => {
  await expect(usableBrowser({ environment: {}, platform, arch })).rejects.toThrow(
    `npm has no Chromium for ${platform} on ${arch}: set CHROMIUM_PATH to a Chromium or Chrome, e.g. ${usual}`,
  );
});

describe('the libraries', () => {
  const installed = async () => inFolder(folder);

  const needsOwn = 'case "$LD_LIBRARY_PATH" in */al2023/lib*) ;; *) exit 127; esac';

  test.each([
    ['of this machine are taken where it has them', 'exit 0', undefined, undefined],
    ['of the package are taken where this machine lacks one', needsOwn, undefined, ''],
    ['of the package come before others', needsOwn, '/opt/lib', ':/opt/lib'],
  ])('%s', async (_, script, others, expected) => {
    const executablePath = await program(script);
    const { libraries, fonts } = inFolder(folder);
    const machine = { ...LINUX, environment: others ? { LD_LIBRARY_PATH: others } : {} };
    const env = {
      FONTCONFIG_FILE: fonts,
      ...(expected !== undefined && { LD_LIBRARY_PATH: libraries + expected }),
    };
    expect(await usableBrowser(machine, installed)).toEqual({ executablePath, env });
  });

  test('that are missing even so are named', async () => {
    const executablePath = await program(`echo "${NO_LIBRARY}" >&2; exit 127`);
    await expect(usableBrowser(LINUX, installed)).rejects.toThrow(
      `${executablePath} does not run: ${NO_LIBRARY}\ninstall libnss3.so, or set CHROMIUM_PATH to a Chromium or Chrome that runs`,
    );
  });
});

describe('an installation', () => {
  test('that was made is taken', async () => {
    await mkdir(join(folder, 'made'));
    expect(await installChromium(join(folder, 'made'), {})).toEqual(inFolder(join(folder, 'made')));
  });

  test('that fails says why, and what to do, and leaves nothing', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
    const installing = installChromium(join(folder, 'chromium'), {
      ...process.env,
      ...offline,
      npm_config_cache: join(folder, 'cache'),
    });
    await expect(installing).rejects.toThrow(/ECONNREFUSED[\s\S]*set CHROMIUM_PATH/);
    expect(await readdir(folder)).toEqual(['cache']);
    expect(existsSync(join(folder, 'chromium.partial'))).toBe(false);
  });
});
