/** The commands of the project (`npm run check` and the like), in the process of the test. */
import { join } from 'node:path';
import { run } from '../../tools/cli/bin.ts';
import { BUILT, commandEnvironment } from './environment.ts';
import { type Ended, inFolder, inThisProcess } from './inProcess.ts';

/** @param env all settings: none of this process's environment is one */
export type RunTool = (name: string, args: string[], env?: Record<string, string>) => Promise<Ended>;

export const runTool: RunTool = (name, args, env = {}) =>
  inThisProcess(run, [name, ...args], commandEnvironment({ ...BUILT, ...env }));

/** The commands of a copy of the project, run in its folder, with its own settings. */
export async function toolsOf(folder: string): Promise<RunTool> {
  const copy = await inFolder<{ run: typeof run }>(folder, () => import(join(folder, 'tools/cli/bin.ts')));
  return (name, args, env = {}) => {
    const settings = { HOME: folder, LOGIN_HOOKS_ENV_FOLDER: folder, ...BUILT, ...env };
    return inFolder(folder, () => inThisProcess(copy.run, [name, ...args], commandEnvironment(settings)));
  };
}
