/**
 * A small stand-in for Lambda's runtime client: takes events from a Runtime API server and calls the handler.
 * Run as `node runtimeClient.mjs <host:port> <module>`. The address is an argument and not `AWS_LAMBDA_RUNTIME_API`, so
 * that the function knows it is not on Lambda.
 */
import { pathToFileURL } from 'node:url';

// Imported, it would load undici, which takes a third of the time that a process needs to start.
const http = process.getBuiltinModule('node:http');

const [, , address, module] = process.argv;
const base = `http://${address}/2018-06-01/runtime/invocation`;

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

const { handler } = await import(pathToFileURL(module).href);
for (;;) {
  const { headers, text } = await call('GET', '/next');
  const awsRequestId = headers['lambda-runtime-aws-request-id'];
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  const context = { awsRequestId, getRemainingTimeInMillis: () => deadline - Date.now() };
  try {
    const answer = await handler(JSON.parse(text), context);
    await call('POST', `/${awsRequestId}/response`, JSON.stringify(answer));
  } catch (error) {
    await call('POST', `/${awsRequestId}/error`, JSON.stringify({ errorMessage: String(error) }));
  }
}
