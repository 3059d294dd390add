import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { CODE } from '../shared/project.ts';
import type { Engine } from './engine.ts';
import type { MappingWorkerData } from './mappingWorker.ts';

const WORKER = join(import.meta.dirname, `mappingWorker${CODE}`);

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
  const workerData: MappingWorkerData = { ...handler, root: pathToFileURL(`${root}/`).href };
  const worker = new Worker(WORKER, {
    workerData,
    env: stage.env,
    stdout: true,
    stderr: true,
  });
  const found = once(worker, 'message').then(([mapping]): Mapping | null => mapping);
  const ended = once(worker, 'exit').then(() => null);
  try {
    return await Promise.race([found, ended]);
  } finally {
    await worker.terminate();
  }
}
