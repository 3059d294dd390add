/**
 * What calls the handler in a function's process: it takes events from a pipe, one at a time, and writes what became of them.
 * Run as `node runtimeClient.mjs <module> [<local>]`. `local` is a module with what stored events need.
 */
import { pathToFileURL } from 'node:url';
import { frameOf, frameReader } from './frames.mjs';

// Imported, built-ins of the network would load more than is used.
const { Socket } = process.getBuiltinModule('node:net');

/** As `childProcess.ts` has it. */
const PIPE_FD = 3;
const [, , module, localModule] = process.argv;
const realNow = Date.now;

// Ctrl-C goes to all processes of a terminal; this one ends with its parent.
process.on('SIGINT', () => {});
const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: true });
pipe.on('error', () => process.exit());
pipe.on('close', () => process.exit());
const send = (message) => pipe.write(frameOf(message));

const local = localModule === undefined ? null : await import(pathToFileURL(localModule).href);
local?.install();
const { handler } = await import(pathToFileURL(module).href);
pipe.on(
  'data',
  frameReader((body) => void answer(JSON.parse(body))),
);
send({ type: 'ready' });

async function answer({ requestId, deadline, event, ...asked }) {
  local?.begin(asked, () => send({ type: 'asking', requestId }));
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - realNow() };
  try {
    const answer = await handler(event, context);
    send({ type: 'response', requestId, answer, asked: await local?.end() });
  } catch (error) {
    send({ type: 'error', requestId, errorMessage: String(error) });
  }
}
