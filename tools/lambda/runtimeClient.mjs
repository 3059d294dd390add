/**
 * A small stand-in for Lambda's runtime client: takes events from a Runtime API server and calls the handler.
 * Run as `node runtimeClient.mjs <host:port> <module> [<local>]`. The address is an argument and not
 * `AWS_LAMBDA_RUNTIME_API`, so that the function knows it is not on Lambda. `local` is a module with what stored events need.
 */
import { pathToFileURL } from 'node:url';

// Imported, it would load undici, which takes a third of the time that a process needs to start.
const http = process.getBuiltinModule('node:http');

const [, , address, module, localModule] = process.argv;
const base = `http://${address}/2018-06-01/runtime`;
const realNow = Date.now;

/** @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, text: string }>} */
function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(base + path, { method }, async (response) => {
      const chunks = await response.toArray();
      resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The process ends with its server, however that ends. */
function next() {
  return call('GET', '/invocation/next').catch(() => process.exit());
}

// Ctrl-C goes to all processes of a terminal; this one ends with its server.
process.on('SIGINT', () => {});
const local = localModule === undefined ? null : await import(pathToFileURL(localModule).href);
local?.install(call);
const { handler } = await import(pathToFileURL(module).href);
for (;;) {
  const { headers, text } = await next();
  await local?.begin(headers);
  const awsRequestId = headers['lambda-runtime-aws-request-id'];
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  const context = { awsRequestId, getRemainingTimeInMillis: () => deadline - realNow() };
  try {
    const answer = await handler(JSON.parse(text), context);
    await local?.end();
    await call('POST', `/invocation/${awsRequestId}/response`, JSON.stringify(answer));
  } catch (error) {
    await call('POST', `/invocation/${awsRequestId}/error`, JSON.stringify({ errorMessage: String(error) }));
  }
}
