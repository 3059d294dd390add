/** A bundle that follows its sources, and warm processes of its functions: what all commands stand on that answer events. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isPrebuilt } from '../bundle/build.ts';
import { type BrokenHandler, BUILT, type Bundle, Bundler, withoutExtension } from '../bundle/bundler.ts';
import { entriesWith, SOURCE } from '../bundle/handlers.ts';
import { FileWatcher } from '../bundle/watchFiles.ts';
import { handlerIn, handlerSetting } from '../shared/functions.ts';
import { CODE, isInside, ofProject, PACKAGE, PROJECT } from '../shared/project.ts';
import { Stage, withDefaultResponses, withoutChecks } from '../shared/stage.ts';
import { type Invocation, type InvocationResult, type RunOptions, resultOf } from './invocation.ts';
import { Pool, type PooledFunction } from './pool.ts';
import { FunctionFailed, failed, type Outcome } from './process/functionProcess.ts';

export interface EngineOptions {
  stage?: Stage;
  /** Handlers of the command line: what the setting takes, or source files. */
  handlers?: readonly string[];
  /** Whether these are built without the other handlers of the project. */
  isAlone?: boolean;
  /** Folders that matter to the caller, with all in them. Files are watched where it names some, from before they are read. */
  watched?: readonly string[];
}

export interface Change {
  files: string[];
  /** Why the bundle before stays in force; null where all is well. */
  problem: string | null;
  /** Handlers that cannot be built since this change, or still not after it. */
  broken: BrokenHandler[];
  /** From when the change was seen until it was in force, in milliseconds. */
  ms: number;
}

interface Watcher {
  /** Called when a change is seen: what answers now may be older than the files. */
  onSeen?: () => void;
  /** Called when what was seen is in force, or cannot be. The next change waits until it settles. */
  onChange: (change: Change) => void | Promise<void>;
}

const NOTED_HANDLER = join(import.meta.dirname, 'process', `notedHandler${CODE}`);
const SOURCES = [join(PACKAGE, 'functions'), join(PACKAGE, 'lib'), join(PROJECT, 'handlers')];
const LIBRARIES = [PROJECT, PACKAGE].map((folder) => join(folder, 'node_modules'));

export class Engine {
  readonly stage: Stage;
  /** Null where `dist/` is built already. */
  readonly #bundler: Bundler | null;
  /** Handlers of the command line. */
  readonly #given: readonly string[];
  readonly #pool = new Pool();
  readonly #files: FileWatcher | null;
  #bundle = BUILT;
  /** Of made-up secrets: no package holds them, and each command has its own. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'login-hooks-secrets-'));
  /** Made-up values, where this machine has no secrets: a setting of their file. */
  #standInSecrets: NodeJS.ProcessEnv = {};
  /** Counts changes of the settings and secrets: processes have read them. */
  #settings = 0;
  #isClosed = false;
  #refreshing: Promise<void> = Promise.resolve();

  private constructor(
    bundler: Bundler | null,
    { stage = new Stage(), handlers = [], watched }: EngineOptions,
  ) {
    this.#bundler = bundler;
    this.#given = handlers;
    this.stage = stage;
    this.#files = watched ? new FileWatcher() : null;
    this.#files?.follow([...SOURCES, ...stage.files, ...(watched ?? [])]);
  }

  /** @throws {UnusableInput} where the functions cannot be built, or a source file is not there */
  static async open(options: EngineOptions = {}): Promise<Engine> {
    const { handlers = [], isAlone = false } = options;
    const isBuilt = isPrebuilt() && !handlers.some((one) => SOURCE.test(one));
    const bundler = isBuilt ? null : await Bundler.open(entriesWith(handlers, isAlone));
    const engine = new Engine(bundler, options);
    try {
      engine.#bundle = await engine.#build();
      engine.#standInSecrets = engine.stage.standInSecrets(engine.#folder);
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  get root(): string {
    return this.#bundle.root;
  }

  get broken(): readonly BrokenHandler[] {
    return this.#bundle.broken;
  }

  /** Never throws for what the function does. */
  async invoke(invocation: Invocation): Promise<InvocationResult> {
    const { event, requestId = randomUUID(), frozenTime, requests } = invocation;
    const fn = this.#functionOf(invocation);
    const handler = withoutExtension(handlerIn(fn.env, fn.name) ?? '');
    const broken = this.broken.find(({ module }) => module === handler);
    const outcome = broken
      ? notBuilt(broken)
      : await this.#pool.invoke(fn, { event, requestId, frozenTime, requests });
    // Those that were sent are recorded now; an answer by recordings made no other ones.
    const heard = requests === 'live' ? outcome.requests.recordings : requests;
    const again = { requestId, frozenTime: frozenTime ?? Date.now(), requests: heard };
    return { ...resultOf(outcome, fn, this.stage), again: { ...invocation, ...again } };
  }

  /** What answers: another text after a change of its code, its settings or its secrets. */
  fingerprintOf(options: RunOptions): string {
    return JSON.stringify(this.#functionOf(options));
  }

  /** Tells of changes of the sources, the settings and the secrets, also of those since the engine was opened. */
  watch({ onSeen, onChange }: Watcher): void {
    this.#files?.start((files) => {
      onSeen?.();
      this.#refreshing = this.#refreshing.then(() => this.#refreshAfter(files, onChange));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#files?.close();
    await this.#pool.close();
    await this.#refreshing;
    await this.#bundler?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  readonly [Symbol.asyncDispose] = () => this.close();

  #functionOf(options: RunOptions): PooledFunction {
    const { functionName, handlerModule, isChecked } = options;
    const ofStage = this.stage.environmentOf(functionName, handlerModule);
    const env = options.hasDefaultResponses ? withDefaultResponses(ofStage) : ofStage;
    return {
      name: functionName,
      root: this.root,
      version: `${this.#settings} ${this.#bundle.versionOf(functionName, handlerIn(env, functionName))}`,
      env: {
        ...(isChecked ? env : withoutChecks(env)),
        ...(options.hasStandInSecrets && this.#standInSecrets),
        ...(options.isNotingReads && withNotedHandler(functionName, env)),
        // The text of what a handler throws is at this level.
        AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
      },
    };
  }

  async #refreshAfter(files: string[], onChange: Watcher['onChange']): Promise<void> {
    if (this.#isClosed) return;
    const begun = performance.now();
    const told = this.broken.map(({ message }) => message);
    const problem = await this.#refresh(files).catch((error: Error) => error.message);
    if (this.#isClosed) return;
    const names = files.map(ofProject);
    const broken = this.broken.filter(
      ({ message }) => !told.includes(message) || names.some((name) => message.includes(name)),
    );
    await onChange({ files, problem, broken, ms: performance.now() - begun });
  }

  /** @throws {UnusableInput} where what was before stays in force */
  async #refresh(files: readonly string[]): Promise<null> {
    if (files.some((file) => this.stage.files.includes(file) || file === this.stage.secretsFile)) {
      this.stage.refresh();
      this.#standInSecrets = this.stage.standInSecrets(this.#folder);
      this.#settings += 1;
    }
    const isOfSource = files.some((file) => isInAny(SOURCES, file) || this.#foreign().includes(file));
    if (isOfSource) this.#bundle = await this.#build();
    return null;
  }

  async #build(): Promise<Bundle> {
    const since = Date.now();
    try {
      return (await this.#bundler?.build()) ?? BUILT;
    } finally {
      const { secretsFile } = this.stage;
      this.#files?.follow([...this.#foreign(), ...(secretsFile === null ? [] : [secretsFile])], since);
    }
  }

  /** Files from elsewhere: handlers that the command line names, and what handlers import. */
  #foreign(): string[] {
    const isForeign = (file: string) => !isInAny([...SOURCES, ...LIBRARIES], file);
    return [...this.#given.filter(isAbsolute), ...[...(this.#bundler?.inputs ?? [])].filter(isForeign)];
  }
}

function notBuilt({ module }: BrokenHandler): Outcome {
  const record = { event: 'cold_start', reason: 'not_built', module, problem: 'cannot be built' };
  return failed(new FunctionFailed('not_built', `${module} cannot be built`), [record]);
}

function isInAny(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => isInside(folder, file));
}

/** The settings by which the handler that an environment names is called by the one that notes its reads. */
function withNotedHandler(functionName: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const module = handlerIn(env, functionName);
  if (module === undefined) return {};
  return { ...handlerSetting(functionName, NOTED_HANDLER), LOGIN_HOOKS_NOTED_HANDLER: module };
}
