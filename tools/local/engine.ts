/**
 * What all commands stand on that answer events on this machine: a bundle that follows its sources, and warm processes of
 * its functions. Nothing here prints.
 */
import { randomUUID } from 'node:crypto';
import { basename, dirname, isAbsolute, join } from 'node:path';
import {
  type BrokenHandler,
  type Builder,
  type Bundle,
  Bundler,
  brokenIn,
  isPrebuilt,
  prebuilt,
} from '../bundle/bundler.ts';
import { type Handlers, handlersFrom } from '../bundle/handlers.ts';
import { type Watched, watchFiles } from '../bundle/watchFiles.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { CODE, isInside, PACKAGE, PROJECT } from '../shared/project.ts';
import {
  handlerIn,
  handlerSetting,
  Stage,
  shadowIn,
  withDefaultResponses,
  withoutChecks,
  withoutShadows,
} from '../shared/stage.ts';
import { type Answered, answeredByNone, answeredOf } from './answered.ts';
import { type ColdStart, notBuilt } from './coldStartRecord.ts';
import { Pool } from './pool.ts';
import type { PooledFunction } from './pooled.ts';
import type { Outside } from './process/exchanges.ts';

export interface EngineOptions {
  /** Whose settings are in force. */
  stage?: Stage;
  /** Handlers of the command line: what the setting takes, or source files. */
  handlers?: readonly string[];
  /** Whether these are built without the other handlers of the project. */
  isAlone?: boolean;
}

/** A function as it answers. */
export interface Way {
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** What the handler setting says instead of what it said. */
  handlerModule?: string | undefined;
  /** Whether callers, tokens and assertions are checked, where the settings say so. */
  isChecked: boolean;
  /** Whether a process goes on after it asked another system, with what it cached, as on Lambda. */
  isLive: boolean;
  /** Whether settings that change the form of a response have their defaults. Default: false. */
  hasDefaultResponses?: boolean;
  /** Whether the shadow that the settings name is asked too. Default: false. */
  hasShadow?: boolean;
  /** Whether a record of the log says what a handler of code reads of the event. Default: false. */
  isNotingReads?: boolean;
}

export interface Question extends Way {
  event: unknown;
  requestId?: string;
  /** What the function takes for now, in milliseconds since 1970; null for the real time. */
  moment: number | null;
  outside: Outside;
}

export interface Change {
  /** Paths of what was written, added or removed. */
  files: string[];
  /** Why the bundle before stays in force; null where all is well. */
  problem: string | null;
  /** How long it took until the change was in force, in milliseconds. */
  ms: number;
}

const SOURCES = [...['functions', 'lib'].map((folder) => join(PACKAGE, folder)), join(PROJECT, 'handlers')];
const NOTED_HANDLER = join(import.meta.dirname, 'process', `notedHandler${CODE}`);
const DOTENV = /^\.env(?:\.|$)/;

export class Engine {
  readonly #bundler: Builder;
  readonly #handlers: Handlers;
  readonly #pool = new Pool();
  /** What is kept warm, with what it said when it started. */
  readonly #warm = new Map<Way, ColdStart | null>();
  /** Whose settings are in force. */
  readonly stage: Stage;
  #bundle: Bundle;
  /** Counts changes of the settings and secrets: processes have read them. */
  #settings = 0;
  #stopWatching = () => {};
  #isClosed = false;
  #refreshing: Promise<void> = Promise.resolve();

  private constructor(bundler: Builder, handlers: Handlers, bundle: Bundle, stage: Stage) {
    this.#bundler = bundler;
    this.#handlers = handlers;
    this.#bundle = bundle;
    this.stage = stage;
  }

  /** @throws {UnusableInput} where the functions cannot be built, or a source file is not there */
  static async open({
    stage = new Stage(),
    handlers: given = [],
    isAlone = false,
  }: EngineOptions = {}): Promise<Engine> {
    const handlers = handlersFrom(given, isAlone);
    const bundler = isPrebuilt() && !handlers.hasSources ? prebuilt : await Bundler.open(handlers.entries);
    try {
      return new Engine(bundler, handlers, await bundler.build(), stage);
    } catch (error) {
      await bundler.close();
      throw error;
    }
  }

  /** The folder of the bundle in force. */
  get root(): string {
    return this.#bundle.root;
  }

  /** Handlers that cannot be built: all others are served. */
  get broken(): readonly BrokenHandler[] {
    return this.#bundle.broken;
  }

  /** What the functions said that are kept warm, when they started. */
  get coldStarts(): (ColdStart & { functionName: string })[] {
    return [...this.#warm].flatMap(([{ functionName }, said]) =>
      said === null ? [] : [{ functionName, ...said }],
    );
  }

  /** What the handler setting must say for a handler of the command line. */
  moduleOf(given: string): string {
    return this.#handlers.modules.get(given) ?? given;
  }

  /** What the command line, or else a setting, says for a handler. */
  givenFor(module: string): string {
    return this.#handlers.modules.entries().find(([, one]) => one === module)?.[0] ?? module;
  }

  /** Never throws for what the function does. */
  async answer({ event, requestId = randomUUID(), moment, outside, ...way }: Question): Promise<Answered> {
    const fn = this.#functionOf(way, this.#bundle);
    const broken = brokenIn(this.#bundle, handlerIn(fn.env, fn.name));
    if (broken) return answeredByNone(broken.module);
    return answeredOf(await this.#pool.answer(fn, { event, requestId, moment, outside }), fn, this.stage);
  }

  /** From now on a process is ready for this, also right after a change. */
  async keepWarm(way: Way): Promise<void> {
    this.#warm.set(way, null);
    await this.#warmUp(this.#bundle);
  }

  /**
   * Follows the sources, the settings and the secrets. The new bundle is in force when `onChange` is called.
   *
   * @param folders that matter to the caller, with all in them
   */
  watch(folders: readonly string[], onChange: (change: Change) => void): void {
    if (this.#isClosed) return;
    const follow = (files: string[]) => {
      this.#refreshing = this.#refreshing.then(async () => {
        const begun = performance.now();
        const problem = await this.#refresh(files);
        if (!this.#isClosed) onChange({ files, problem, ms: performance.now() - begun });
      });
    };
    this.#stopWatching = watchFiles([...this.#watched(), ...folders.map(allIn)], follow);
  }

  /** Leaves no process and no file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching();
    await this.#pool.close();
    await this.#refreshing.catch(() => {});
    await this.#pool.close();
    await this.#bundler.close();
  }

  #functionOf(way: Way, bundle: Bundle): PooledFunction {
    const { functionName, handlerModule, isChecked, isLive } = way;
    const all = this.stage.environmentOf(functionName, handlerModule);
    const ofStage = way.hasShadow ? all : withoutShadows(all);
    const env = way.hasDefaultResponses ? withDefaultResponses(ofStage) : ofStage;
    const noted = way.isNotingReads ? withNotedHandler(functionName, env) : {};
    return {
      name: functionName,
      root: bundle.root,
      version: this.#versionIn(bundle, functionName, env),
      // The text of what a handler throws is at this level.
      env: { ...(isChecked ? env : withoutChecks(env)), ...noted, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' },
      isLive,
    };
  }

  #versionIn(bundle: Bundle, functionName: string, env: NodeJS.ProcessEnv): string {
    const modules = [handlerIn(env, functionName), shadowIn(env, functionName)];
    return [this.#settings, ...modules.map((module) => bundle.versionOf(functionName, module))].join(' ');
  }

  async #refresh(files: readonly string[]): Promise<string | null> {
    try {
      const hasSettings = files.some((file) => DOTENV.test(basename(file)));
      if (hasSettings) this.stage.refresh();
      if (hasSettings || files.some((file) => file === this.stage.secretsFile)) this.#settings += 1;
      const bundle = files.some((file) => this.#isSource(file)) ? await this.#bundler.build() : this.#bundle;
      await this.#warmUp(bundle);
      this.#bundle = bundle;
      // They end while the new ones answer; closing waits for them.
      void this.#pool.retire(({ name, env, version }) => version === this.#versionIn(bundle, name, env));
      return null;
    } catch (error) {
      if (error instanceof UnusableInput) return error.message;
      throw error;
    }
  }

  #isSource(file: string): boolean {
    return SOURCES.some((folder) => isInside(folder, file)) || this.#foreign().includes(file);
  }

  /** Files from elsewhere: handlers that the command line names, and what they import. */
  #foreign(): string[] {
    const named = [...this.#handlers.modules.values()].filter((module) => isAbsolute(module));
    const known = [...SOURCES, join(PROJECT, 'node_modules'), join(PACKAGE, 'node_modules')];
    const isForeign = (file: string) => known.every((folder) => !isInside(folder, file));
    return [...named, ...[...this.#bundle.inputs].filter(isForeign)];
  }

  async #warmUp(bundle: Bundle): Promise<void> {
    const warmUp = async (way: Way) => this.#warm.set(way, await this.#coldStartOf(way, bundle));
    await Promise.all(Array.from(this.#warm.keys(), warmUp));
  }

  async #coldStartOf(way: Way, bundle: Bundle): Promise<ColdStart | null> {
    const fn = this.#functionOf(way, bundle);
    const broken = brokenIn(bundle, handlerIn(fn.env, fn.name));
    if (broken) return { handler: notBuilt(broken) };
    const said = await this.#pool.keepWarm(fn);
    const brokenShadow = brokenIn(bundle, shadowIn(fn.env, fn.name));
    return said && brokenShadow ? { ...said, shadow: notBuilt(brokenShadow) } : said;
  }

  #watched(): Watched[] {
    const { secretsFile: secrets, folder } = this.stage;
    const named = (file: string) => ({
      folder: dirname(file),
      isDeep: false,
      matters: (name: string) => name === basename(file),
    });
    return [
      ...SOURCES.map(allIn),
      { folder, isDeep: false, matters: (name) => DOTENV.test(name) },
      ...(secrets === null ? [] : [named(secrets)]),
      ...this.#foreign().map(named),
    ];
  }
}

/** The settings by which the handler that an environment names is called by the one that notes its reads. */
function withNotedHandler(functionName: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const module = handlerIn(env, functionName);
  if (module === undefined) return {};
  return { ...handlerSetting(functionName, NOTED_HANDLER), LOGIN_HOOKS_NOTED_HANDLER: module };
}

function allIn(folder: string): Watched {
  return { folder, isDeep: true };
}
