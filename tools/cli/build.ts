/** `npm run build`: bundles the functions and handlers, and names the files that a setting or a deployment names. */
import type { BuildFailure } from 'esbuild';
import { build } from '../bundle/build.ts';
import { buildProblems } from '../bundle/buildProblems.ts';
import { runCommand, UnusableInput } from '../shared/commandLine.ts';
import type { Command } from '../shared/usage.ts';

const COMMAND = {
  name: 'npm run build',
  purpose: 'bundles the functions, and all handlers in handlers/, into dist/',
  options: {},
  example: '',
} as const satisfies Command;

await runCommand(COMMAND, async () => {
  try {
    const { outputs } = await build();
    for (const file of Object.keys(outputs)) if (!file.startsWith('dist/chunks/')) console.log(file);
    return 0;
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput(await buildProblems(errors));
  }
});
