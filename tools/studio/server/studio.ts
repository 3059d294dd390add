/** What the studio knows, from the first build on: the logins, and what the last change of a file did. */
import type { Change, Engine } from '../../local/engine.ts';
import type { Served } from '../api.ts';
import { Logins } from './logins.ts';
import type { StudioState } from './request.ts';
import { projectOf } from './views.ts';

type Told = Pick<Change, 'files' | 'problem'> & Partial<Pick<Change, 'broken'>>;

export class Studio {
  /** Settles when the functions are built; rejects where they cannot be. */
  readonly state: Promise<StudioState>;
  /** Settles when each sample has its first answer. */
  readonly answered: Promise<void>;
  /** Why the last change is not in force. */
  #problem: string | null = null;
  #served: Served = { state: 'unchanged', at: Date.now() };

  constructor(opening: Promise<Engine>) {
    this.state = opening.then((engine) => {
      const logins = new Logins(engine);
      return { engine, logins, project: () => this.#project(engine, logins) };
    });
    this.answered = this.state.then(({ logins }) => logins.refresh([]));
    this.answered.catch(() => {});
  }

  /** A change is seen, and not in force yet. */
  async saving(): Promise<void> {
    this.#served = { state: 'saving', at: Date.now() };
    (await this.state).logins.saving();
  }

  /** Answers all logins again. */
  async changed({ files, problem, broken = [] }: Told): Promise<void> {
    this.#problem = problem;
    const isServed = problem === null && broken.length === 0;
    this.#served = { state: isServed ? 'served' : 'refused', at: Date.now() };
    await (await this.state).logins.refresh(files);
  }

  #project(engine: Engine, logins: Logins) {
    const problems = [this.#problem, logins.problem].filter((one) => one !== null);
    return projectOf({ engine, problems, served: this.#served });
  }
}
