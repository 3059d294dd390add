/** What the studio knows, from the first build on: the logins, and what the last change of a file did. */
import type { Change, Engine } from '../../engine/engine.ts';
import type { StudioState } from './loginRoutes.ts';
import { Logins } from './logins.ts';
import { projectOf } from './views.ts';

export class Studio {
  /** Settles when the samples are answered for the first time; rejects where the functions cannot be built. */
  readonly state: Promise<StudioState>;
  /** Why the last change is not in force. */
  #problem: string | null = null;

  constructor(opening: Promise<Engine>, stage: string) {
    this.state = opening.then(async (engine) => {
      const logins = new Logins(engine);
      await logins.refresh([]);
      return { engine, logins, project: () => this.#project(engine, logins, stage) };
    });
    this.state.catch(() => {});
  }

  /** Answers all logins again. */
  async changed({ files, problem }: Pick<Change, 'files' | 'problem'>): Promise<void> {
    this.#problem = problem;
    await (await this.state).logins.refresh(files);
  }

  #project(engine: Engine, logins: Logins, stage: string) {
    const problems = [this.#problem, logins.problem].filter((one) => one !== null);
    return projectOf({ engine, stage, problems });
  }
}
