/** What the studio knows, from the first build on: the logins, and what the last change of a file did. */
import { KINDS } from '../../lib/kinds.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { variableOf } from '../../lib/settings.ts';
import { handlerNames } from '../bundle/build.ts';
import type { Change, Engine } from '../local/engine.ts';
import { type FunctionName, kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
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
  name: FunctionName;
  /** As the setting has it, or `default`. */
  handler: string;
  /** With their settings, e.g. `CALLER_CHECK=signature`. */
  checks: string[];
}

export interface Project {
  stage: string;
  functions: FunctionSettings[];
  /** What may answer a login, as a setting names it. */
  handlers: string[];
  /** Handlers that cannot be built, and why the last change is not in force. */
  problems: string[];
  /** Modules of handlers that cannot be built: their logins have the answers of before. */
  broken: string[];
  /** Whether no answer is of the files as they are. */
  isOlder: boolean;
  served: Served;
}

export interface StudioState {
  engine: Engine;
  logins: Logins;
  project: () => Project;
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
    const state = problem === null && broken.length === 0 ? 'served' : 'refused';
    this.#served = { state, at: Date.now(), files: files.map(ofProject) };
    await (await this.state).logins.refresh();
  }

  #project({ stage, broken }: Engine, logins: Logins): Project {
    const functions = FUNCTION_NAMES.map((name) => settingsOf(name, stage));
    const problems = [
      ...[this.#problem, logins.problem].filter((one) => one !== null),
      ...broken.map(({ message }) => message),
      ...functions.flatMap((one) => one.problems),
    ];
    return {
      stage: stage.name,
      functions,
      handlers: ['default', ...handlerNames()],
      problems: [...new Set(problems)],
      broken: broken.map(({ module }) => module),
      isOlder: this.#problem !== null || this.#served.state === 'saving',
      served: this.#served,
    };
  }
}

function settingsOf(name: FunctionName, stage: Stage) {
  const kind = kindOf(name);
  const { settings, problems } = readConfiguration(kind, stage.env);
  const { check } = KINDS[kind];
  return {
    ...{ name, problems },
    handler: stage.handlerOf(name) ?? 'default',
    checks: [`CALLER_CHECK=${settings.callerCheck}`, `${variableOf(check)}=${settings[check]}`],
  };
}

/** Where a mistake stands, as esbuild tells it, with line and column, from the project's folder; null where it names no file. */
export function placeIn(problem: string): string | null {
  return /^\s*((?!\/|\.\.)[^\s:]+:\d+:\d+):/m.exec(problem)?.[1] ?? null;
}
