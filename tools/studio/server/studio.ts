/** What the studio knows, from the first build on: the logins, and what the last change of a file did. */
import type { Change, Engine } from '../../local/engine.ts';
import { Logins } from './logins.ts';
import type { StudioState } from './request.ts';
import { projectOf } from './views.ts';

export class Studio {
  /** Settles when the functions are built; rejects where they cannot be. */
  readonly state: Promise<StudioState>;
  /** Settles when each sample has its first answer. */
  readonly answered: Promise<void>;
  /** Why the last change is not in force. */
  #problem: string | null = null;

  constructor(opening: Promise<Engine>) {
    this.state = opening.then((engine) => {
      const logins = new Logins(engine);
      return { engine, logins, project: () => this.#project(engine, logins) };
    });
    this.answered = this.state.then(({ logins }) => logins.refresh([]));
    this.answered.catch(() => {});
  }

  /** Answers all logins again. */
  async changed({ files, problem }: Pick<Change, 'files' | 'problem'>): Promise<void> {
    this.#problem = problem;
    await (await this.state).logins.refresh(files);
  }

  #project(engine: Engine, logins: Logins) {
    const problems = [this.#problem, logins.problem].filter((one) => one !== null);
    return projectOf({ engine, problems });
  }
}
