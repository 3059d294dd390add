/**
 * The environment of a command: of this process's environment nothing that is a setting. `globalSetup.mjs` names the
 * compile cache: the commands share it, and start three times as fast. It names a folder without `.env` files too; a test that writes some
 * gives `LOGIN_HOOKS_ENV_FOLDER`.
 */
export function commandEnvironment(settings: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE, LOGIN_HOOKS_ENV_FOLDER } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, LOGIN_HOOKS_ENV_FOLDER, ...settings };
}

/** The bundle is built before all tests, so that no command has to build it again. */
export const BUILT = { LOGIN_HOOKS_BUNDLE: 'built' };
