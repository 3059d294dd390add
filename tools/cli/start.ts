/**
 * `npm start`: serves both functions on this machine, sends every sample event through them once, prints what they
 * answered, and goes on serving. Everything runs in this process, and in those of the functions.
 */
import type { Answered } from '../engine/answered.ts';
import { type Change, Engine } from '../engine/engine.ts';
import { loadDotenv, useStage } from '../engine/environment.ts';
import { type SampleEvent, sampleEvents } from '../engine/events.ts';
import { listenHttp } from '../engine/httpRoutes.ts';
import { listenLambda } from '../engine/invokeApi.ts';
import { Samples } from '../engine/samples.ts';
import { type Command, FUNCTIONS, runCommand, STAGE, wholeNumber } from './commandLine.ts';
import { brokenOnce, failureLines } from './failure.ts';
import { printedLines } from './logLines.ts';
import { withProgress } from './progress.ts';
import { table } from './table.ts';
import { changedFiles, clock, untilEnded } from './watching.ts';

const MAX_PORT = 65_535;
/** The order of the samples' rows, behind those that failed. */
const RANKS = ['ErrorResponse', 'ForbiddenResponse', 'AuthorizedUserResponse'];

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
    stage: STAGE,
  },
  example: '--http-port 4000 --lambda-port 4002',
} as const satisfies Command;

interface Ports {
  http: number;
  lambda: number;
}

/** What has to be closed, the last one first. */
type Closing = (() => Promise<void>)[];

async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

await runCommand(COMMAND, async ({ values }) => {
  const portOf = (option: 'http-port' | 'lambda-port') =>
    wholeNumber(`--${option}`, values[option] ?? COMMAND.options[option].default, 1, MAX_PORT);
  const ports = { http: portOf('http-port'), lambda: portOf('lambda-port') };
  useStage(values.stage);
  loadDotenv();
  const closing: Closing = [];
  const ending = new AbortController();
  const ended = untilEnded();
  const serving = serve(ports, closing, ending.signal);
  try {
    await Promise.race([serving.then(() => ended), ended]);
  } finally {
    ending.abort();
    await closeAll(closing);
    await serving.catch(() => {});
    // What was opened meanwhile.
    await closeAll(closing);
  }
  return 0;
});

/** @param signal aborted at the end: what is not printed then is of no use */
async function serve(ports: Ports, closing: Closing, signal: AbortSignal): Promise<void> {
  const samples = await sampleEvents();
  const opened = Promise.withResolvers<Engine>();
  opened.promise.catch(() => {});
  // A request that comes early waits for the build.
  const answer = async (functionName: string, event: unknown) =>
    tell(functionName, await answerLive(await opened.promise, functionName, event));
  closing.push((await listenHttp(ports.http, answer)).close);
  closing.push((await listenLambda(ports.lambda, answer)).close);
  signal.throwIfAborted();
  console.log('Building …');
  const opening = Engine.open();
  closing.push(async () => (await opening.catch(() => null))?.close());
  opening.then(opened.resolve, opened.reject);
  const engine = await opening;
  signal.throwIfAborted();
  const showBroken = brokenOnce(engine);
  showBroken();
  await Promise.all(Object.values(FUNCTIONS).map((functionName) => engine.keepWarm(live(functionName))));
  signal.throwIfAborted();
  console.log(
    `Serving http://127.0.0.1:${ports.http} (/openid, /saml), and Lambda's Invoke API http://127.0.0.1:${ports.lambda}`,
  );
  const rows = await sampleRows(engine, samples);
  signal.throwIfAborted();
  console.log('\nThe sample events, at their own time, with all checks off:\n');
  console.log(table(['event', 'handler', 'response', 'reason', 'ms'], rows));
  console.log(`
Send a login, or end with Ctrl-C:
  curl -s -X POST http://127.0.0.1:${ports.http}/openid -H 'content-type: application/json' -d @events/openidLoggedIn/entra.json
`);
  engine.watch([], (change) => {
    showChange(change);
    showBroken();
  });
}

function live(functionName: string) {
  return { functionName, isChecked: true, isLive: true };
}

function answerLive(engine: Engine, functionName: string, event: unknown): Promise<Answered> {
  return engine.answer({ ...live(functionName), event, moment: null, outside: 'live' });
}

/** A line for a login, and what its handler printed or threw. */
function tell(functionName: string, answered: Answered): Answered {
  const { response, reason, ms } = answered;
  console.log([clock(), functionName, response?.type ?? '-', reason, `${ms.toFixed(1)} ms`].join('  '));
  for (const line of printedLines(answered.output)) console.log(`  ${line}`);
  for (const line of failureLines(answered, process.stderr, '  ')) console.error(line);
  return answered;
}

/** The samples by their handlers in force, failures first. Nobody signed them: what checks them is off. */
async function sampleRows(engine: Engine, samples: SampleEvent[]): Promise<string[][]> {
  const stored = new Samples(engine, { isOffline: true });
  const rows = await withProgress(samples, 'events', async (sample) => {
    const { response, reason, failed, ms, handler } = await stored.answer(sample, undefined);
    const type = String(response?.type ?? '-');
    const label = `${sample.functionName}/${sample.name}`;
    return {
      rank: failed === null ? RANKS.indexOf(type) : -1,
      row: [label, handler, type, reason, ms.toFixed(1)],
    };
  });
  return rows.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function showChange({ files, problem, ms }: Change): void {
  if (problem === null) console.log(`${changedFiles(files)}, and is served after ${Math.round(ms)} ms`);
  else console.error(`${changedFiles(files)}, and what was built before is served:\n${problem}`);
}
