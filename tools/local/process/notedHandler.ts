/**
 * Stands in the place of the handler that the settings name, in a process that notes what it reads: calls it with an event that
 * notes each reading, and prints a record of them when it has ended. No function of a deployment has it.
 */
import { subscribe } from 'node:diagnostics_channel';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadHandler } from '../../../lib/login/handlerModule.ts';
import { MAPPING } from '../../../lib/profile/kind.ts';
import { kindOf } from '../../shared/functions.ts';
import { NotedEvent } from './notedEvent.ts';

/** The module of the function, as `client.mjs` gets it. */
const [, , functionModule = ''] = process.argv;
const { LOGIN_HOOKS_NOTED_HANDLER = '' } = process.env;

const handler = await loadHandler(LOGIN_HOOKS_NOTED_HANDLER, {
  root: pathToFileURL(`${dirname(dirname(functionModule))}/`),
  kind: kindOf(basename(functionModule, '.mjs')),
});

let running: NotedEvent | null = null;
// What a mapping reads that the code calls is in the explanation of its decision.
subscribe('login-hooks:decision', (message) => {
  if (running) running.isPaused = (message as { decision: unknown }).decision === null;
});

export default async function noted(event: object): Promise<unknown> {
  // The explanation of a mapping says more.
  if (MAPPING in handler) {
    print(null);
    return handler(event);
  }
  const notes = new NotedEvent(event);
  running = notes;
  try {
    return await handler(notes.event);
  } finally {
    print(notes.reads());
  }
}

function print(reads: unknown): void {
  console.log(JSON.stringify({ level: 'DEBUG', event: 'handler_reads', reads }));
}
