/** The files of which what is served is made: code, settings, secrets, and the folders that matter to a command. */
import { join } from 'node:path';
import { FileWatcher } from '../bundle/watchFiles.ts';
import { isInside, PACKAGE, PROJECT } from '../shared/project.ts';
import type { Stage } from '../shared/stage.ts';

const FOLDERS = [...['functions', 'lib'].map((folder) => join(PACKAGE, folder)), join(PROJECT, 'handlers')];

export function isInSources(file: string): boolean {
  return FOLDERS.some((folder) => isInside(folder, file));
}

/** Whether it is read from neither a library nor the folders of the sources. */
export function isForeign(file: string): boolean {
  const libraries = [PROJECT, PACKAGE].map((folder) => join(folder, 'node_modules'));
  return !isInSources(file) && libraries.every((folder) => !isInside(folder, file));
}

export class Sources {
  readonly #stage: Stage;
  readonly #watcher: FileWatcher;
  readonly #settings: readonly string[];

  /**
   * @param folders with all in them
   * @param onChange gets the paths of what was written, added or removed
   */
  constructor(stage: Stage, folders: readonly string[], onChange: (files: string[]) => void) {
    this.#stage = stage;
    this.#settings = ['.env', `.env.${stage.name}`].map((name) => join(stage.folder, name));
    this.#watcher = new FileWatcher(onChange);
    this.#watcher.follow([...FOLDERS, ...folders]);
    this.#watcher.follow(this.#settings, stage.readAt);
  }

  /** Whether it may be the file of the stage's settings. */
  isSettings(file: string): boolean {
    return this.#settings.includes(file);
  }

  /** @param since when what is in force began to be read, in milliseconds since 1970: a file that is newer has changed */
  follow(files: readonly string[], since: number): void {
    const { secretsFile } = this.#stage;
    this.#watcher.follow(secretsFile === null ? files : [...files, secretsFile], since);
  }

  close(): void {
    this.#watcher.close();
  }
}
