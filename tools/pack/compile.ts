/** The package's code as JavaScript, because Node strips no types below `node_modules`, and the types of what handlers import. */
import { execFile } from 'node:child_process';
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STARTERS, sampleFile } from '../create/starters.ts';
import { PACKAGE } from '../shared/project.ts';

/** What runs, or is read, as it is. */
const AS_IT_IS = [
  'tools/**/*.mjs',
  'tools/shared/tsconfig.json',
  'tools/studio/*.{js,css,html,svg}',
  'tools/bundle/licenses/*',
  'secrets.sample.json',
  ...Object.entries(STARTERS).flatMap(([kind, starters]) =>
    Object.values(starters).map((starter) => sampleFile(kind, starter)),
  ),
];
/** Of CommonJS: what they require is compiled. */
const LAUNCHERS = 'tools/**/*.cjs';
const TSC = join(PACKAGE, 'node_modules', 'typescript', 'bin', 'tsc');

/** Writes the code of the package, with what the studio's page loads, and `lib/sdk.d.ts` with those that it imports. */
export async function compile(outdir: string): Promise<void> {
  // File by file, because stack traces, workers and assets go by where a file is. Packing stays here.
  await emit(outdir, {
    compilerOptions: { target: 'esnext', rewriteRelativeImportExtensions: true, noCheck: true },
    include: ['functions', 'lib', 'tools'].map((folder) => join(PACKAGE, folder)),
    exclude: [join(PACKAGE, 'tools', 'pack')],
  });
  await emit(outdir, {
    compilerOptions: { declaration: true, emitDeclarationOnly: true },
    files: [join(PACKAGE, 'lib', 'sdk.ts')],
    include: [],
  });
  for await (const file of glob(AS_IT_IS, { cwd: PACKAGE }))
    await cp(join(PACKAGE, file), join(outdir, file));
  for await (const file of glob(LAUNCHERS, { cwd: PACKAGE })) {
    const launcher = await readFile(join(PACKAGE, file), 'utf8');
    await writeFile(join(outdir, file), launcher.replaceAll(".ts'", ".js'"), { mode: 0o755 });
  }
}

async function emit(outDir: string, { compilerOptions, ...which }: Record<string, object>): Promise<void> {
  const file = join(outDir, 'tsconfig.emit.json');
  const typeRoots = [join(PACKAGE, 'node_modules', '@types')];
  const options = { ...compilerOptions, allowJs: false, noEmit: false, rootDir: PACKAGE, outDir, typeRoots };
  const extended = join(PACKAGE, 'tsconfig.json');
  await writeFile(file, JSON.stringify({ extends: extended, compilerOptions: options, ...which }));
  await promisify(execFile)(process.execPath, [TSC, '--project', file]);
  await rm(file);
}
