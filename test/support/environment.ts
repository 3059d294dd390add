/**
 * The environment of a command: of this process's environment nothing that is a setting. `globalSetup.mjs` names the
 * compile cache: the commands share it, and start three times as fast.
 */
export function commandEnvironment(settings: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, ...settings };
}
