/** What the studio knows, from the first build on: the logins, and what the last change of a file did. */
import { KINDS } from '../../lib/kinds.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { variableOf } from '../../lib/settings.ts';
import type { Change, Engine } from '../local/engine.ts';
import { type FunctionName, kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
import { handlersOf } from './handlerKinds.ts';
import { Logins } from './logins.ts';

type Told = Pick<Change, 'files' | 'problem'> & Partial<Pick<Change, 'broken'>>;

/** Whether the functions that answer are made of the files as they are. */
export interface Served {
  /** `saving`: a change was seen, and what answers is older. `refused`: what the last change made cannot be built. */
  state: 'unchanged' | 'saving' | 'served' | 'refused';
  /** Since when, in milliseconds since 1970. */
  at: number;
  /** What changed last, from the project's folder. */
  files: readonly string[];
}

export interface FunctionSettings {
  name: string;
  /** As the setting has it, or `default`. */
  handler: string;
  /** Each check by its setting, e.g. `CALLER_CHECK: signature`. */
  checks: Record<string, string>;
  /** What its handler setting may name: the project's handlers for logins of this kind. */
  handlers: string[];
}

interface Problem {
  text: string;
  /** With line and column, from the project's folder; null where it names no file. */
  place: string | null;
}

export interface Project {
  stage: string;
  functions: FunctionSettings[];
  /** Handlers that cannot be built, and why the last change is not in force. */
  problems: Problem[];
  /** Modules of handlers that cannot be built: their logins have the answers of before. */
  broken: string[];
  /** Whether no answer is of the files as they are. */
  isOlder: boolean;
  served: Served;
}

export interface StudioState {
  engine: Engine;
  logins: Logins;
  project: () => Promise<Project>;
}

export class Studio {
  /** Settles when the functions are built; rejects where they cannot be. */
  readonly state: Promise<StudioState>;
  /** Settles when each sample has its first answer. */
  readonly answered: Promise<void>;
  /** Why the last change is not in force. */
  #problem: string | null = null;
  #served: Served = { state: 'unchanged', at: Date.now(), files: [] };

  constructor(opening: Promise<Engine>) {
    this.state = opening.then((engine) => {
      const logins = new Logins(engine);
      return { engine, logins, project: () => this.#project(engine, logins) };
    });
    this.answered = this.state.then(({ logins }) => logins.refresh());
    this.answered.catch(() => {});
  }

  /** A change is seen, and not in force yet. */
  async saving(): Promise<void> {
    this.#served = { state: 'saving', at: Date.now(), files: [] };
    (await this.state).logins.tell();
  }

  /** Answers all logins again. */
  async changed({ files, problem, broken = [] }: Told): Promise<void> {
    this.#problem = problem;
    const isServed = problem === null && broken.length === 0;
    this.#served = {
      state: isServed ? 'served' : 'refused',
      at: Date.now(),
      files: files.map(ofProject),
    };
    await (await this.state).logins.refresh();
  }

  async #project({ stage, broken }: Engine, logins: Logins): Promise<Project> {
    const functions = await Promise.all(FUNCTION_NAMES.map((name) => settingsOf(name, stage)));
    const problems = [
      this.#problem,
      logins.problem,
      ...broken.map(({ message }) => message),
      ...functions.flatMap((one) => one.problems),
    ].filter((one) => one !== null);
    return {
      stage: stage.name,
      functions: functions.map(({ problems: _, ...fn }) => fn),
      problems: [...new Set(problems)].map((text) => ({ text, place: placeIn(text) })),
      broken: broken.map(({ module }) => module),
      isOlder: this.#problem !== null || this.#served.state === 'saving',
      served: this.#served,
    };
  }
}

async function settingsOf(name: FunctionName, stage: Stage) {
  const kind = kindOf(name);
  const { settings, problems } = readConfiguration(kind, stage.env);
  const { check } = KINDS[kind];
  return {
    name,
    problems,
    handler: stage.handlerOf(name) ?? 'default',
    checks: { CALLER_CHECK: settings.callerCheck, [variableOf(check)]: settings[check] },
    handlers: await handlersOf(name),
  };
}

/** Where a mistake stands, as esbuild tells it. */
function placeIn(text: string): string | null {
  return /^\s*((?!\/|\.\.)[^\s:]+:\d+:\d+):/m.exec(text)?.[1] ?? null;
}
