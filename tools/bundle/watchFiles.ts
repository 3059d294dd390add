/** Tells of changed files, once for all that change together. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Files are looked at, as esbuild does it: the watchers of file systems lose a file when another one takes its place, as most
 * editors save, and tell nothing of folders that are shared with a container.
 */
const LOOK_MS = 100;
/** After a change: editors write a file more than once. */
const SETTLED_MS = 40;
/** The clock of file systems may be so much behind, a tick of the kernel's. */
const CLOCK_MS = 10;
const NOT_WATCHED = /^(?:node_modules|\.git)$/;
/** What a bundle or an event is read from: no file that an editor keeps beside the one that it saves has such a name. */
const READ = /^[^.#].*\.(?:[cm]?[jt]sx?|json|txt|css)$/;

export class FileWatcher {
  #onChange: ((files: string[]) => void) | null = null;
  readonly #paths = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), LOOK_MS);
  #known = new Map<string, string>();
  #settling: NodeJS.Timeout | undefined;

  /**
   * @param paths of files, and of folders with all in them that is read: they may be missing, and come later
   * @param since what was written after that counts as changed: it was read before it is watched. In milliseconds since 1970
   */
  follow(paths: readonly string[], since = Number.POSITIVE_INFINITY): void {
    for (const path of paths.filter((one) => !this.#paths.has(one))) {
      this.#paths.add(path);
      for (const file of filesAt(path)) {
        this.#known.set(file, stateOf(file));
        if ((found(file)?.mtimeMs ?? 0) >= since - CLOCK_MS) this.#changed.add(file);
      }
    }
  }

  /** @param onChange gets the paths of files that were written, added or removed, those first that were so before */
  start(onChange: (files: string[]) => void): void {
    this.#onChange = onChange;
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#settling);
  }

  /** What changes is told as soon as nothing more does. */
  #look(): void {
    const files = Array.from(this.#paths, filesAt).flat();
    const now = new Map(files.map((file) => [file, stateOf(file)]));
    const changed = [...now.keys(), ...this.#known.keys()].filter(
      (file) => now.get(file) !== this.#known.get(file),
    );
    this.#known = now;
    for (const file of changed) this.#changed.add(file);
    if (changed.length > 0) this.#settling = setTimeout(() => this.#look(), SETTLED_MS);
    if (changed.length > 0 || this.#changed.size === 0 || this.#onChange === null) return;
    const told = [...this.#changed];
    this.#changed.clear();
    this.#onChange(told);
  }
}

function found(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

function stateOf(file: string): string {
  const { ino, size, mtimeMs } = found(file) ?? {};
  return [ino, size, mtimeMs].join();
}

/** A link to a folder is none: one above would have no end. */
function filesAt(path: string): string[] {
  if (!found(path)?.isDirectory()) return found(path) ? [path] : [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return NOT_WATCHED.test(entry.name) ? [] : filesAt(inside);
    return READ.test(entry.name) ? [inside] : [];
  });
}

const MAX_SHOWN = 3;

/** E.g. `12:03:04  handlers/staff-group.ts changed`. */
export function changedFiles(files: readonly string[]): string {
  const names = files.map((file) => relative(process.cwd(), file) + (existsSync(file) ? '' : ' (removed)'));
  const others = files.length > MAX_SHOWN ? ' and others' : '';
  return `${clock()}  ${names.slice(0, MAX_SHOWN).join(', ')}${others} changed`;
}

export function clock(): string {
  return new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
}
