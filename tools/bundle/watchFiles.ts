/** Tells of changed files, once for all that change together. */
import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file more than once. */
const SETTLE_MS = 25;
const NOT_WATCHED = /^(?:node_modules|\.git)$/;

export interface Watched {
  folder: string;
  /** Whether the folders in it are watched too. */
  isDeep: boolean;
  /** Whether a file of this name matters; each does where it is left out. */
  matters?: (name: string) => boolean;
}

/**
 * Each folder has a watcher of its own: the recursive watchers of Node 24 lose a file on Linux when another one takes its
 * place, as most editors save.
 *
 * @param onChange gets the paths of the files
 * @returns what ends it
 */
export function watchFiles(watched: readonly Watched[], onChange: (files: string[]) => void): () => void {
  const folders = new Map<string, { watcher: FSWatcher; reasons: Watched[] }>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    const files = [...changed];
    changed.clear();
    onChange(files);
  }

  function note(folder: string, name: string): void {
    const reasons = folders.get(folder)?.reasons ?? [];
    // It may be a folder that is new.
    for (const reason of reasons) if (reason.isDeep) addFoldersIn(reason);
    if (!reasons.some(({ matters }) => matters?.(name) ?? true)) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  }

  function add(reason: Watched): void {
    const { folder, isDeep } = reason;
    const known = folders.get(folder);
    if (known) known.reasons.push(reason);
    else if (existsSync(folder)) {
      const watcher = watch(folder, (_, name) => name !== null && note(folder, name));
      watcher.on('error', () => folders.delete(folder));
      // A folder that was removed, and comes back, needs another one.
      watcher.on('close', () => folders.delete(folder));
      folders.set(folder, { watcher, reasons: [reason] });
    }
    if (isDeep) addFoldersIn(reason);
  }

  function addFoldersIn({ folder, ...reason }: Watched): void {
    for (const name of foldersIn(folder)) {
      const inside = join(folder, name);
      if (!folders.has(inside)) add({ ...reason, folder: inside });
    }
  }

  for (const one of watched) add(one);
  return () => {
    clearTimeout(timer);
    for (const { watcher } of folders.values()) watcher.close();
  };
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_WATCHED.test(entry.name))
    .map(({ name }) => name);
}
