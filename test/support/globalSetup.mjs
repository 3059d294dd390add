import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { PROBE_BUNDLE } from './probeBundle.ts';

/** Many tests call the built bundle, with the handlers of the project or with the probe. Each is built once, before all tests. */
export default async function globalSetup() {
  // The cache of a run before would keep what temporary folders held, and another run may have its own now.
  process.env.NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'login-hooks-compile-cache-'));
  process.on('exit', () => rmSync(process.env.NODE_COMPILE_CACHE, { recursive: true, force: true }));
  // It stays empty, so that no test reads the settings of an operator.
  process.env.LOGIN_HOOKS_ENV_FOLDER = join(PROJECT, '.build', 'no-settings');
  await mkdir(process.env.LOGIN_HOOKS_ENV_FOLDER, { recursive: true });
  await build();
  await build(PROBE_BUNDLE);
}
