/** The files of which what is served is made: code, settings, secrets, and the folders that matter to a command. */
import { basename, dirname, join } from 'node:path';
import { FileWatcher, type Watched } from '../bundle/watchFiles.ts';
import { isInside, PACKAGE, PROJECT } from '../shared/project.ts';
import type { Stage } from '../shared/stage.ts';

const FOLDERS = [...['functions', 'lib'].map((folder) => join(PACKAGE, folder)), join(PROJECT, 'handlers')];
/** What a bundle or an event is read from: no file that an editor keeps beside the one that it saves has such a name. */
const READ = /^[^.#].*\.(?:[cm]?[jt]sx?|json|txt|css)$/;

export function isInSources(file: string): boolean {
  return FOLDERS.some((folder) => file === folder || isInside(folder, file));
}

/** Whether it is read from neither a library nor the folders of the sources. */
export function isForeign(file: string): boolean {
  const libraries = [PROJECT, PACKAGE].map((folder) => join(folder, 'node_modules'));
  return !isInSources(file) && libraries.every((folder) => !isInside(folder, file));
}

export class Sources {
  readonly #stage: Stage;
  readonly #watcher: FileWatcher;
  readonly #followed = new Set<string>();

  /**
   * @param folders with all in them
   * @param onChange gets the paths of what was written, added or removed
   */
  constructor(stage: Stage, folders: readonly string[], onChange: (files: string[]) => void) {
    this.#stage = stage;
    this.#watcher = new FileWatcher(onChange);
    this.#watcher.follow([...FOLDERS, ...folders].map(allIn));
    const settings = {
      folder: stage.folder,
      isDeep: false,
      matters: (file: string) => this.isSettings(file),
    };
    this.#watcher.follow([settings], stage.readAt);
  }

  /** Whether it may be the file of the stage's settings. */
  isSettings(file: string): boolean {
    return ['.env', `.env.${this.#stage.name}`].some((name) => join(this.#stage.folder, name) === file);
  }

  /** @param since when what is in force began to be read, in milliseconds since 1970: a file that is newer has changed */
  follow(files: readonly string[], since: number): void {
    const { secretsFile } = this.#stage;
    const all = secretsFile === null ? files : [...files, secretsFile];
    const added = all.filter((file) => !this.#followed.has(file));
    for (const file of added) this.#followed.add(file);
    this.#watcher.follow(added.map(alone), since);
  }

  close(): void {
    this.#watcher.close();
  }
}

function allIn(folder: string): Watched {
  return { folder, isDeep: true, matters: (file) => READ.test(basename(file)) };
}

function alone(file: string): Watched {
  return { folder: dirname(file), isDeep: false, matters: (one) => one === file };
}
