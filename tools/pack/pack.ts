/** `npm run pack`: makes the files of a release. */
import { statSync } from 'node:fs';
import { startCommand } from '../shared/commandLine.ts';
import { ofProject } from '../shared/project.ts';
import type { Command } from '../shared/usage.ts';
import { pack, writeBillOfMaterials } from './releaseFiles.ts';

const COMMAND = {
  name: 'pack',
  purpose: "packs login-hooks as a package, with its bill of materials: an operator's project depends on it",
  options: {},
  example: '',
} as const satisfies Command;

await startCommand(COMMAND, async () => {
  for (const file of [await pack(), await writeBillOfMaterials()])
    console.log(`${ofProject(file)} (${Math.ceil(statSync(file).size / 1_000)} KB)`);
  return 0;
});
