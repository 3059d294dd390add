/** The types of what handlers import. */
import { execFile } from 'node:child_process';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE } from '../shared/project.ts';

const TSC = join(PACKAGE, 'node_modules', 'typescript', 'bin', 'tsc');

/** Writes `lib/sdk.d.ts`, and those that it imports. */
export async function emitTypes(outdir: string): Promise<void> {
  const configuration = join(outdir, 'tsconfig.types.json');
  const compilerOptions = {
    ...{ allowJs: false, noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: PACKAGE, outDir: outdir, typeRoots: [join(PACKAGE, 'node_modules', '@types')] },
  };
  const files = [join(PACKAGE, 'lib', 'sdk.ts')];
  const content = { extends: join(PACKAGE, 'tsconfig.json'), compilerOptions, include: [], files };
  await writeFile(configuration, JSON.stringify(content));
  await promisify(execFile)(process.execPath, [TSC, '--project', configuration]);
  await rm(configuration);
  for await (const file of glob('**/*.d.ts', { cwd: outdir })) {
    const types = await readFile(join(outdir, file), 'utf8');
    await writeFile(join(outdir, file), types.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
