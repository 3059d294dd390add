/**
 * A Chromium for Linux on x64, as npm has it (`@sparticuz/chromium`): with fonts, and with the libraries that a small
 * machine lacks. It is unpacked into a folder under `.build`, once.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UnusableInput } from '../../../tools/shared/commandLine.ts';
import { PROJECT } from '../../../tools/shared/project.ts';
import { program, requireAll } from '../../aws/machine/requirements.ts';
import { install } from '../../support/install.ts';

const CHROMIUM_VERSION = '153.0.0';
const FOLDER = join(PROJECT, '.build', `chromium-${CHROMIUM_VERSION}`);
const PACKAGE = '@sparticuz/chromium';
const UNPACK = fileURLToPath(new URL('unpack.mjs', import.meta.url));
/** The package unpacks its libraries only where it takes the machine for one of AWS. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

/** The file of the package names folders of AWS. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(FOLDER, 'fonts')}</dir>
  <cachedir>${join(FOLDER, 'fonts-cache')}</cachedir>
</fontconfig>
`;

export interface InstalledChromium {
  executablePath: string;
  /** Libraries for a machine that lacks them. */
  libraries: string;
  /** A fontconfig file: the fonts of this machine, and those of the package. */
  fonts: string;
}

const INSTALLED: InstalledChromium = {
  executablePath: join(FOLDER, 'chromium'),
  libraries: join(FOLDER, 'al2023', 'lib'),
  fonts: join(FOLDER, 'fonts.conf'),
};

/**
 * @throws {UnusableInput} that says what is missing
 * @throws {Error} that says what failed
 */
export async function installChromium(): Promise<InstalledChromium> {
  if (existsSync(FOLDER)) return INSTALLED;
  requireAll([program('npm', 'npm')]);
  console.error(`installing ${PACKAGE} ${CHROMIUM_VERSION}, which is 68 MB, into ${FOLDER}`);
  // It gets its name when all of it is there: an installation that was interrupted has another.
  const partial = `${FOLDER}.partial`;
  await rm(partial, { recursive: true, force: true });
  try {
    await unpackInto(partial);
    await writeFile(join(partial, 'fonts.conf'), FONTS);
    await rename(partial, FOLDER);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return INSTALLED;
}

async function unpackInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // A package of its own, so that npm heeds neither the project's .npmrc nor its lock file.
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await install('npm', ['install', ...options, `${PACKAGE}@${CHROMIUM_VERSION}`], {
    cwd: folder,
  }).catch((error: Error) => {
    throw new UnusableInput(
      `${error.message.trimEnd()}\nWithout it, set CHROMIUM_PATH to a Chromium or Chrome of this machine`,
    );
  });
  const modules = join(folder, 'node_modules');
  const entry = pathToFileURL(join(modules, PACKAGE, 'build', 'index.js')).href;
  const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: folder };
  await install(process.execPath, [UNPACK, entry], { env });
  await rm(modules, { recursive: true });
}
