/**
 * Stands in the place of the handler that the settings name, in a process that notes what it reads: calls it with an event that
 * notes each reading, and prints a record of them when it has ended. No function of a deployment has it.
 */
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

export default async function noted(event: object): Promise<unknown> {
  // The explanation of a mapping says more.
  if (MAPPING in handler) {
    print(null);
    return handler(event);
  }
  const notes = new NotedEvent(event);
  try {
    return await handler(notes.event);
  } finally {
    print(notes.reads());
  }
}

function print(reads: unknown): void {
  console.log(JSON.stringify({ event: 'handler_reads', reads }));
}
