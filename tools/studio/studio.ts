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

/** What the last change did. While it is `saving`, what answers is older; what is `refused` cannot be built. */
interface Served {
  state: 'unchanged' | 'saving' | 'served' | 'refused';
  /** In milliseconds since 1970. */
  at: number;
  files: readonly string[];
  /** Why it is not in force; null where it is. */
  problem: string | null;
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
  #served: Served = { state: 'unchanged', at: Date.now(), files: [], problem: null };

  constructor(opening: Promise<Engine>) {
    this.state = opening.then((engine) => {
      const logins = new Logins(engine);
      return { engine, logins, project: () => projectOf(engine, logins, this.#served) };
    });
    this.answered = this.state.then(({ logins }) => logins.refresh());
    this.answered.catch(() => {});
  }

  /** A change is seen, and not in force yet. */
  async saving(): Promise<void> {
    this.#served = { ...this.#served, state: 'saving' };
    (await this.state).logins.refreshLater();
  }

  /** Answers all logins again. */
  async changed({ files, problem, broken }: Pick<Change, 'files' | 'problem' | 'broken'>): Promise<void> {
    const state = problem === null && broken.length === 0 ? 'served' : 'refused';
    this.#served = { state, at: Date.now(), files: files.map(ofProject), problem };
    await (await this.state).logins.refresh();
  }
}

export type Project = ReturnType<typeof projectOf>;

function projectOf({ stage, broken }: Engine, logins: Logins, served: Served) {
  const functions = FUNCTION_NAMES.map((name) => settingsOf(name, stage));
  const problems = [
    ...[served.problem, logins.problem].filter((one) => one !== null),
    ...broken.map(({ message }) => message),
    ...functions.flatMap((one) => one.problems),
  ];
  return {
    functions,
    served,
    stage: stage.name,
    /** What may answer a login, as a setting names it. */
    handlers: ['default', ...handlerNames()],
    /** Handlers that cannot be built, and why the last change is not in force. */
    problems: [...new Set(problems)],
    /** Whether a login has an answer of before: no answer is of the files as they are, or its handler cannot be built. */
    isOlder: (module: string | undefined) =>
      served.problem !== null || served.state === 'saving' || broken.some((one) => one.module === module),
  };
}

function settingsOf(name: FunctionName, stage: Stage) {
  const kind = kindOf(name);
  const { settings, problems } = readConfiguration(kind, stage.env);
  const { check } = KINDS[kind];
  return {
    name,
    problems,
    handler: stage.handlerOf(name) ?? 'default',
    checks: [`CALLER_CHECK=${settings.callerCheck}`, `${variableOf(check)}=${settings[check]}`],
  };
}

/** Where a mistake stands, as esbuild tells it, with line and column, from the project's folder; null where it names no file. */
export function placeIn(problem: string): string | null {
  return /^\s*((?!\/|\.\.)[^\s:]+:\d+:\d+):/m.exec(problem)?.[1] ?? null;
}
