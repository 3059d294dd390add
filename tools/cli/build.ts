/** `build`: bundles the functions and handlers, and names the files that a setting or a deployment names. */
import { build } from '../bundle/build.ts';
import type { Command } from '../shared/usage.ts';

export const COMMAND = {
  name: 'build',
  purpose: 'bundles the functions, and all handlers in handlers/, into dist/',
  options: {},
  example: '',
} as const satisfies Command;

export async function main(): Promise<0> {
  const { outputs } = await build();
  for (const file of Object.keys(outputs)) if (!file.startsWith('dist/chunks/')) console.log(file);
  return 0;
}
