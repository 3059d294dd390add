/** Tells of changed files, once for all that change together. */
import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside } from '../shared/project.ts';

/** Editors write a file more than once. */
const SETTLE_MS = 25;
/** The clock of file systems may be so much behind, a tick of the kernel's. */
const CLOCK_MS = 10;
const NOT_WATCHED = /^(?:node_modules|\.git)$/;

export interface Watched {
  /** It may be missing, and come later. */
  folder: string;
  /** Whether the folders in it are watched too. */
  isDeep: boolean;
  /** Whether a file of this path matters. */
  matters: (file: string) => boolean;
}

interface Folder {
  watcher: FSWatcher;
  identity: string | null;
  reasons: Set<Watched>;
}

/**
 * Each folder has a watcher of its own: the recursive watchers of Node 24 lose a file on Linux when another one takes its
 * place, as most editors save.
 */
export class FileWatcher {
  readonly #onChange: (files: string[]) => void;
  readonly #wanted: Watched[] = [];
  readonly #folders = new Map<string, Folder>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange gets the paths of files, and of folders that are gone */
  constructor(onChange: (files: string[]) => void) {
    this.#onChange = onChange;
  }

  /** @param since when files count as changed that were written before they were watched, in milliseconds since 1970 */
  follow(watched: readonly Watched[], since = Number.POSITIVE_INFINITY): void {
    this.#wanted.push(...watched);
    for (const one of watched) {
      if (one.isDeep || !existsSync(one.folder)) this.#open(existingAbove(one.folder));
      this.#add(one.folder, one, since - CLOCK_MS);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const folder of this.#folders.keys()) this.#forget(folder);
  }

  #add(folder: string, reason: Watched, since: number): void {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const { reasons } = this.#open(folder);
    if (reasons.has(reason)) return;
    reasons.add(reason);
    // After the watcher began, so that nothing is missed between the two.
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (isFolder(path)) this.#addInside(name, path, reason, since);
      else if (reason.matters(path) && writtenAt(path) >= since) this.#note(path);
    }
  }

  #addInside(name: string, path: string, reason: Watched, since: number): void {
    if (reason.isDeep && !NOT_WATCHED.test(name)) this.#add(path, reason, since);
  }

  #open(folder: string): Folder {
    const known = this.#folders.get(folder);
    if (known) return known;
    const watcher = watch(folder, (_, name) => name !== null && this.#see(folder, name));
    watcher.on('error', () => this.#forget(folder));
    const opened = { watcher, identity: identityOf(folder), reasons: new Set<Watched>() };
    this.#folders.set(folder, opened);
    return opened;
  }

  #see(folder: string, name: string): void {
    const path = join(folder, name);
    const known = this.#folders.get(path);
    if (known && known.identity !== identityOf(path)) {
      // Its watcher stays with the folder that was moved or removed.
      this.#forget(path);
      this.#note(path);
    }
    for (const reason of this.#folders.get(folder)?.reasons ?? []) {
      if (isFolder(path)) this.#addInside(name, path, reason, 0);
      else if (reason.matters(path)) this.#note(path);
    }
    for (const one of this.#wanted) this.#add(one.folder, one, 0);
  }

  #note(path: string): void {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const files = [...this.#changed];
      this.#changed.clear();
      this.#onChange(files);
    }, SETTLE_MS);
  }

  #forget(folder: string): void {
    for (const [path, { watcher }] of this.#folders) {
      if (path !== folder && !isInside(folder, path)) continue;
      watcher.close();
      this.#folders.delete(path);
    }
  }
}

function existingAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(above) ? above : existingAbove(above);
}

function isFolder(path: string): boolean {
  return identityOf(path) !== null;
}

/** Of a folder; null for anything else. A link to a folder above would have no end. */
function identityOf(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() ? `${found.ino} ${found.birthtimeMs}` : null;
}

/** Also when it was renamed. */
function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

const MAX_SHOWN = 3;

/** E.g. `12:03:04  handlers/staff-group.ts changed`. */
export function changedFiles(files: readonly string[]): string {
  const shown = files
    .slice(0, MAX_SHOWN)
    .map((file) => relative(process.cwd(), file) + (existsSync(file) ? '' : ' (removed)'));
  const more = files.length > MAX_SHOWN ? ` and ${files.length - MAX_SHOWN} more` : '';
  return `${clock()}  ${shown.join(', ')}${more} changed`;
}

export function clock(): string {
  return new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
}
