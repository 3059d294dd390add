/** Loads one handler, and sends the mapping that it is made of to the thread that asks. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadHandler } from '../../lib/login/handlerModule.ts';
import { MAPPING } from '../../lib/profile/kind.ts';
import { kindOf } from '../shared/functions.ts';

const { functionName, handlerModule, root } = workerData;
const handler = await loadHandler(handlerModule, { root: new URL(root), kind: kindOf(functionName) });
parentPort?.postMessage((handler as { [MAPPING]?: unknown })[MAPPING] ?? null);
