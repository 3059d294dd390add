/**
 * `npm start`: serves both functions on this machine, sends every sample event through them once, prints what they
 * answered, and goes on serving.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT } from '../build.ts';
import { checkSettings } from '../engine/environment.ts';
import { type SampleEvent, sampleEvents, unwrap } from '../engine/events.ts';
import { prepareBundle } from '../engine/prepareBundle.ts';
import { signatureHeaders } from '../engine/signature.ts';
import { type Command, runCommand, wholeNumber } from './commandLine.ts';
import { table } from './table.ts';

const START_TIMEOUT_MS = 60_000;
const ROUTES: Readonly<Record<string, string>> = { openidLoggedIn: '/openid', samlLoggedIn: '/saml' };

const MAX_PORT = 65_535;

const COMMAND = {
  name: 'npm start',
  purpose: 'serves both functions on this machine, and sends every sample event through them once',
  options: {
    'http-port': { type: 'string', value: '<port>', default: '3000', about: 'where HTTP requests are taken' },
    'lambda-port': {
      type: 'string',
      value: '<port>',
      default: '3002',
      about: "where Lambda's Invoke API is",
    },
  },
  example: '--http-port 4000 --lambda-port 4002',
} as const satisfies Command;

let ports: { http: number; lambda: number };
let http: string;
let lambda: string;
let server: ChildProcess | undefined;

await runCommand(COMMAND, async ({ values }) => {
  const portOf = (option: 'http-port' | 'lambda-port') =>
    wholeNumber(`--${option}`, values[option], 1, MAX_PORT);
  ports = { http: portOf('http-port'), lambda: portOf('lambda-port') };
  http = `http://127.0.0.1:${ports.http}`;
  lambda = `http://127.0.0.1:${ports.lambda}`;
  try {
    await main();
  } catch (error) {
    // It would go on holding its ports.
    server?.kill('SIGTERM');
    throw error;
  }
  return 0;
});

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

/** Starts serverless-offline, and resolves when it listens. */
async function serve(): Promise<void> {
  const arguments_ = [
    'offline',
    'start',
    '--httpPort',
    String(ports.http),
    '--lambdaPort',
    String(ports.lambda),
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
