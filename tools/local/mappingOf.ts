import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { CODE } from '../shared/project.ts';
import type { Engine } from './engine.ts';

/** A handler, as a function's setting names it. */
export interface HandlerOf {
  functionName: string;
  handlerModule: string;
}

export type Loaded = Pick<Engine, 'root' | 'stage'>;

/** @returns null for a handler of plain code, and for one that cannot be loaded */
export function mappingOf(handler: HandlerOf, loaded: Loaded): Promise<Mapping | null> {
  return loadedMapping(handler, loaded).catch(() => null);
}

/**
 * The handler is loaded in a thread of its own: what it leaves running when it loads ends with the thread.
 *
 * @returns null for a handler of plain code
 * @throws {Error} for one that cannot be loaded
 */
export async function loadedMapping(handler: HandlerOf, { root, stage }: Loaded): Promise<Mapping | null> {
  const worker = new Worker(join(import.meta.dirname, `mappingWorker${CODE}`), {
    workerData: { ...handler, root: pathToFileURL(`${root}/`).href },
    env: stage.env,
    stdout: true,
    stderr: true,
  });
  const ended = once(worker, 'exit').then(() => [null]);
  try {
    const [mapping] = await Promise.race([once(worker, 'message'), ended]);
    return mapping;
  } finally {
    await worker.terminate();
  }
}
