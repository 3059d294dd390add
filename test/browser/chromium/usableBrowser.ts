/** The browser that tests and pictures are made with: the one that `CHROMIUM_PATH` names, else an installed one. */
import { spawnSync } from 'node:child_process';
import { UnusableInput } from '../../../tools/shared/commandLine.ts';
import { type InstalledChromium, installChromium } from './installedChromium.ts';

const VERSION_TIMEOUT_MS = 20_000;
/** Where Chrome is on the systems that no package of npm has a Chromium for. */
const USUAL_PATHS: Readonly<Record<string, string>> = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  win32: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  linux: '/usr/bin/chromium',
};
const MISSING_LIBRARY = /error while loading shared libraries: ([^\s:]+)/;

export interface Browser {
  executablePath: string;
  /** What it needs in its environment. */
  env: Record<string, string>;
}

/** @throws {UnusableInput} that says what is missing, and what to do */
export async function usableBrowser(): Promise<Browser> {
  const { platform, arch } = process;
  const named = process.env.CHROMIUM_PATH;
  if (named) return namedBrowser(named);
  if (platform !== 'linux' || arch !== 'x64') {
    const usual = USUAL_PATHS[platform] ?? '/usr/bin/chromium';
    throw new UnusableInput(
      `npm has no Chromium for ${platform} on ${arch}: set CHROMIUM_PATH to a Chromium or Chrome, e.g. ${usual}`,
    );
  }
  return withLibraries(await installChromium());
}

function namedBrowser(executablePath: string): Browser {
  // Chrome for Windows opens a window where it is asked for its version.
  const failure = process.platform === 'win32' ? null : failureOf(executablePath, {});
  if (failure === null) return { executablePath, env: {} };
  throw new UnusableInput(
    `CHROMIUM_PATH: expected a Chromium or Chrome, found ${executablePath}: ${failure}`,
  );
}

/** With the libraries of this machine, or else with its own. */
function withLibraries({ executablePath, libraries, fonts }: InstalledChromium): Browser {
  const plain = { FONTCONFIG_FILE: fonts };
  if (failureOf(executablePath, plain) === null) return { executablePath, env: plain };
  const { LD_LIBRARY_PATH: others } = process.env;
  const own = { ...plain, LD_LIBRARY_PATH: others ? `${libraries}:${others}` : libraries };
  const failure = failureOf(executablePath, own);
  if (failure === null) return { executablePath, env: own };
  const cure = `install ${MISSING_LIBRARY.exec(failure)?.[1] ?? 'what it needs'}`;
  throw new UnusableInput(
    `${executablePath} does not run: ${failure}\n${cure}, or set CHROMIUM_PATH to a Chromium or Chrome that runs`,
  );
}

/** Why it does not even print its version; null where it does. */
function failureOf(executablePath: string, env: Record<string, string>): string | null {
  const { status, error, stderr } = spawnSync(executablePath, ['--version'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: VERSION_TIMEOUT_MS,
  });
  if (status === 0) return null;
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `it ended with ${status}`);
}
