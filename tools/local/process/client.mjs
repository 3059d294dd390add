/**
 * What calls the function in its process: it takes events from the process that forked this one, one at a time, and sends what
 * became of them. Run as `client.mjs <module> [local]`; with `local` it does what stored events need.
 */
import { pathToFileURL } from 'node:url';

const [, , module, isLocal] = process.argv;
const sendText = process.send.bind(process);
const send = (message) => sendText(JSON.stringify(message));
const realNow = Date.now;

// Libraries use these where they find them.
process.send = undefined;
process.disconnect = undefined;
// Ctrl-C goes to all processes of a terminal; this one ends with its parent.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

// Before the function's code is loaded.
const local = isLocal ? await import('./local.mjs') : null;
local?.install();
const { handler } = await import(pathToFileURL(module).href);
process.on('message', invoke);
send({ type: 'ready' });

async function invoke({ requestId, deadline, event, ...options }) {
  local?.begin(options, () => send({ type: 'asking', requestId }));
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - realNow() };
  try {
    const response = await handler(event, context);
    const requests = await local?.end();
    send({ type: 'response', requestId, response, requests, decisions: local?.decisions() });
  } catch (error) {
    send({ type: 'error', requestId, errorMessage: String(error) });
  }
}
