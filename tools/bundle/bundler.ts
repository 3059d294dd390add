/** The bundle of a command: built again after each change, without the handlers that cannot be built. */
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { UnusableInput } from '../shared/commandLine.ts';
import { PROJECT } from '../shared/project.ts';
import {
  bundling,
  DIST,
  type Entry,
  isBuildFailure,
  lightMiddy,
  problemsOf,
  removeStale,
  writeAtOnce,
} from './build.ts';

export interface BrokenHandler {
  /** As a setting names it, e.g. `handlers/staff-group`. */
  module: string;
  message: string;
}

export interface Bundle {
  root: string;
  broken: BrokenHandler[];
  /** Of everything that a function runs with a handler: it changes with the code, and with nothing else. */
  versionOf(functionName: string, handlerModule: string | undefined): string;
}

/** In `dist/`. */
export const BUILT: Bundle = { root: DIST, broken: [], versionOf: () => 'built' };

const BUILDS = join(PROJECT, '.build');

/**
 * What takes two thirds of the time of a build and changes no answer: the SDK, which comes from the folder that it would be
 * bundled from, and what only a cold start on Lambda needs, the one file of the start and the shortest code.
 */
const LOCAL = {
  external: ['@aws-sdk/client-secrets-manager'],
  plugins: [lightMiddy],
  minifyWhitespace: true,
  sourcemap: 'linked',
} satisfies esbuild.BuildOptions;

type Context = esbuild.BuildContext<{ metafile: true; write: false }>;

/** Builds the bundle as the sources are now, as often as it is asked. */
export class Bundler {
  readonly #root: string;
  readonly #entries: () => Entry[];
  /** Builds again what changed, as long as the entries are the same. */
  #context: { of: string; esbuild: Context } | null = null;
  /** The source files that were ever read, absolute: one that is broken now is among them. */
  readonly inputs = new Set<string>();
  /** Of the files in the bundle, by their paths. */
  #hashes: ReadonlyMap<string, string> = new Map();

  private constructor(root: string, entries: () => Entry[]) {
    this.#root = root;
    this.#entries = entries;
  }

  /** @param entries what is built: it is asked before each build */
  static async open(entries: () => Entry[]): Promise<Bundler> {
    await mkdir(BUILDS, { recursive: true });
    await removeLeft();
    return new Bundler(await mkdtemp(join(BUILDS, `local-${process.pid}-`)), entries);
  }

  /**
   * Chunks of the bundle before stay, so that its processes go on; a handler that is gone leaves nothing.
   *
   * @throws {UnusableInput} where the functions themselves cannot be built
   */
  async build(): Promise<Bundle> {
    const entries = this.#entries();
    for (const { in: file } of entries) this.inputs.add(file);
    try {
      return await this.#bundle(entries, []);
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      // A build that fails does not say what it read.
      for (const { location } of error.errors)
        if (location !== null) this.inputs.add(resolve(PROJECT, location.file));
      const broken = await brokenAmong(entries, this.#root);
      const ofFunction = broken.find(({ module }) => module.startsWith('functions/'));
      if (ofFunction || broken.length === 0)
        throw new UnusableInput(ofFunction?.message ?? (await problemsOf(error)));
      const whole = entries.filter(({ out }) => broken.every(({ module }) => module !== out));
      return this.#bundle(whole, broken);
    }
  }

  async close(): Promise<void> {
    await this.#context?.esbuild.dispose();
    await rm(this.#root, { recursive: true, force: true });
  }

  async #bundle(entries: Entry[], broken: BrokenHandler[]): Promise<Bundle> {
    const { metafile, outputFiles } = await (await this.#contextOf(entries)).rebuild();
    const hashes = new Map(outputFiles.map(({ path, hash }) => [path, hash]));
    const changed = outputFiles.filter(({ path, hash }) => this.#hashes.get(path) !== hash);
    await Promise.all(changed.map(({ path, text }) => writeAtOnce(path, text)));
    await removeStale(join(this.#root, 'handlers'), Object.keys(metafile.outputs));
    this.#hashes = hashes;
    for (const input of Object.keys(metafile.inputs)) this.inputs.add(resolve(PROJECT, input));
    const root = this.#root;
    const versionOf: Bundle['versionOf'] = (functionName, module) => {
      const entries = [join('functions', functionName), ...(module ? [withoutExtension(module)] : [])];
      // What they load is in chunks that are named by their hashes, and source maps belong to these.
      const files = entries.flatMap((entry) => ['.mjs', '.mjs.map'].map((end) => join(root, entry + end)));
      // One of a layer is in no bundle.
      const isOutside = module !== undefined && isAbsolute(module);
      const changedAt = isOutside && statSync(module, { throwIfNoEntry: false })?.mtimeMs;
      return [...files.map((file) => hashes.get(file)), changedAt].join();
    };
    return { root, broken, versionOf };
  }

  async #contextOf(entries: Entry[]): Promise<Context> {
    const of = JSON.stringify(entries);
    if (this.#context?.of === of) return this.#context.esbuild;
    await this.#context?.esbuild.dispose();
    const context = await esbuild.context({ ...(await bundling(entries, this.#root)), ...LOCAL });
    this.#context = { of, esbuild: context };
    return context;
  }
}

/** Removes the bundles of commands that were killed. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const [, pid] = /^local-(\d+)-/.exec(name) ?? [];
    if (pid === undefined) continue;
    try {
      process.kill(Number(pid), 0);
    } catch {
      await rm(join(BUILDS, name), { recursive: true, force: true });
    }
  }
}

/** Each entry is built by itself: a mistake may be in a file that several of them import. */
async function brokenAmong(entries: readonly Entry[], outdir: string): Promise<BrokenHandler[]> {
  const found = entries.map(async (entry) => {
    try {
      const options = await bundling([entry], outdir);
      await esbuild.build({ ...options, plugins: [], external: LOCAL.external });
      return [];
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      return [{ module: entry.out, message: await problemsOf(error) }];
    }
  });
  return (await Promise.all(found)).flat();
}

/** What a source file under `handlers/` may end with, before the build makes `.mjs` of it. */
export function withoutExtension(module: string): string {
  return module.replace(/^\.\//, '').replace(/\.[cm]?[jt]s$/, '');
}
