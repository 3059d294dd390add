/** Loads one handler, and sends the mapping that it is made of to the thread that asks. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadHandler } from '../../lib/login/handlerModule.ts';
import { MAPPING } from '../../lib/profile/kind.ts';
import { kindOf } from '../shared/functions.ts';

export interface MappingWorkerData {
  functionName: string;
  handlerModule: string;
  /** A `file:` URL that ends with `/`. */
  root: string;
}

const { functionName, handlerModule, root } = workerData as MappingWorkerData;
const handler = await loadHandler(handlerModule, { root: new URL(root), kind: kindOf(functionName) });
parentPort?.postMessage((handler as { [MAPPING]?: unknown })[MAPPING] ?? null);
