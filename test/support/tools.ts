/** The commands of the project (`npm run check` and the like), each in a process of its own. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from './environment.ts';

/** The bundle is built before all tests, so that no command has to build it again. */
export const BUILT = { LOGIN_HOOKS_BUNDLE: 'built' };

/**
 * @param name of the file below `tools/cli/`
 * @param env all settings: none of this process's environment is one
 */
export function runTool(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [`tools/cli/${name}.ts`, ...args], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: commandEnvironment({ ...BUILT, ...env }),
  });
}
