/**
 * What calls the function in its process: it takes events from the process that started this one, one at a time, and sends what
 * became of them, all as lines of JSON. Run as `client.mjs <module> [local]`; with `local` it does what stored events need.
 */
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const [, , module, isLocal] = process.argv;
/** As `functionProcess.ts` has it. */
const channel = new Socket({ fd: 4, readable: true, writable: true });
const send = (message) => channel.write(`${JSON.stringify(message)}\n`);
const realNow = Date.now;

// Ctrl-C goes to all processes of a terminal; this one ends with its parent.
process.on('SIGINT', () => {});
channel.on('close', () => process.exit());

// Before the function's code is loaded.
const local = isLocal ? await import('./local.mjs') : null;
local?.install();
const { handler } = await import(pathToFileURL(module).href);
let received = '';
channel.setEncoding('utf8').on('data', (text) => {
  received += text;
  if (!received.endsWith('\n')) return;
  const message = JSON.parse(received);
  received = '';
  invoke(message);
});
send({ requestId: '' });

async function invoke({ requestId, deadline, event, ...options }) {
  local?.begin(options);
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - realNow() };
  try {
    const response = await handler(event, context);
    send({ requestId, response, ...local?.told() });
  } catch (error) {
    send({ requestId, errorMessage: String(error) });
  }
}
