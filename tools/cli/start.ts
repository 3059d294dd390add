/**
 * `npm start [-- --http-port 3000 --lambda-port 3002]`: serves both functions on this machine, sends every
 * sample event through them once, prints what they answered, and goes on serving.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from '../build.ts';
import { checkSettings } from '../engine/environment.ts';
import { type SampleEvent, sampleEvents, unwrap } from '../engine/events.ts';
import { prepareBundle } from '../engine/prepareBundle.ts';
import { signatureHeaders } from '../engine/signature.ts';
import { UnusableInput } from './commandLine.ts';
import { table } from './table.ts';

const START_TIMEOUT_MS = 60_000;
const ROUTES: Readonly<Record<string, string>> = { openidLoggedIn: '/openid', samlLoggedIn: '/saml' };

const ports = readPorts();
const http = `http://127.0.0.1:${ports['http-port']}`;
const lambda = `http://127.0.0.1:${ports['lambda-port']}`;

function readPorts() {
  try {
    const options = {
      'http-port': { type: 'string', default: '3000' },
      'lambda-port': { type: 'string', default: '3002' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(
      `npm start: ${(error as Error).message}\nusage: npm start [-- --http-port 3000 --lambda-port 3002]`,
    );
    process.exit(2);
  }
}

async function main(): Promise<void> {
  checkSettings();
  const samples = await sampleEvents();
  await prepareBundle();
  await serve();
  const rows = [];
  for (const sample of samples) rows.push(await answerRow(sample));
  console.log(`\n${table(['function', 'event', 'sent to', 'status', 'answer', 'message'], rows)}\n`);
  console.log(`Serving until Ctrl-C. Send a login event:

  curl -s -X POST ${http}/openid -H 'content-type: application/json' -d @events/openidLoggedIn/entra.json

Lambda's Invoke API, for an AWS SDK or the AWS CLI: --endpoint-url ${lambda}, functions
login-hooks-dev-openidLoggedIn and login-hooks-dev-samlLoggedIn. One event without a server:
npm run -s login -- openid events/openidLoggedIn/entra.json`);
}

let server: ChildProcess | undefined;

/** Starts serverless-offline, and resolves when it listens. */
async function serve(): Promise<void> {
  const arguments_ = [
    'offline',
    'start',
    '--httpPort',
    ports['http-port'],
    '--lambdaPort',
    ports['lambda-port'],
  ];
  const serverless = join(PROJECT, 'node_modules', 'serverless', 'bin', 'serverless.js');
  const child = spawn(process.execPath, [serverless, ...arguments_], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = child;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const listening = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => listening.reject(new Error('the server did not start in time')),
    START_TIMEOUT_MS,
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      if (text.includes('Server ready')) listening.resolve();
    });
  }
  void once(child, 'close').then(([code]) => {
    listening.reject(
      new Error(
        'the server ended, see above; where a port is taken: npm start -- --http-port 4000 --lambda-port 4002',
      ),
    );
    process.exitCode = code ?? 1;
  });
  await listening.promise.finally(() => clearTimeout(timer));
}

/** An HTTP envelope goes to Lambda's Invoke API as it is; any other event is posted to the function's route. */
async function answerRow({ functionName, name, event }: SampleEvent): Promise<string[]> {
  const isEnvelope = typeof event === 'object' && event !== null && 'requestContext' in event;
  const path = `/2015-03-31/functions/login-hooks-dev-${functionName}/invocations`;
  const url = isEnvelope ? lambda + path : http + ROUTES[functionName];
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...(await signatureHeaders(body)) };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { status, answer } = unwrap(await response.json());
  const { type = 'no answer', message } = (answer ?? {}) as { type?: string; message?: string };
  const sentTo = isEnvelope ? 'Lambda' : 'HTTP';
  return [functionName, name, sentTo, String(status ?? response.status), type, message ?? ''];
}

try {
  await main();
} catch (error) {
  console.error(`npm start: ${(error as Error).message}`);
  process.exitCode = error instanceof UnusableInput ? 2 : 1;
  // It would go on holding its ports.
  server?.kill('SIGTERM');
}
