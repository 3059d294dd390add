/** `npm start`: serves the functions and the studio, and sends every event through the functions once. */
import { KINDS } from '../../lib/kinds.ts';
import { changedFiles, clock } from '../bundle/watchFiles.ts';
import { refusals } from '../local/coldStartReport.ts';
import { type Change, Engine } from '../local/engine.ts';
import { EVENTS, labelOf, sampleEvents } from '../local/events.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { listenHttp, listenLambda } from '../local/localApis.ts';
import { lastRecord, printedLines } from '../local/process/logRecords.ts';
import { type Arguments, MAX_PORT, STAGE, wholeNumber } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import type { Io } from '../shared/process.ts';
import { isInside, ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import { type Command, quoted } from '../shared/usage.ts';
import type { Login } from '../studio/logins.ts';
import { listenStudio } from '../studio/server.ts';
import { Studio } from '../studio/studio.ts';
import { failureLines } from './failure.ts';
import { detailsOf, eventsTable } from './report.ts';

const port = (usual: string, about: string) =>
  ({ type: 'string', value: '<port>', default: usual, about }) as const;

export const COMMAND = {
  name: 'start',
  purpose: 'serves the functions on this machine, and sends every event through them once',
  options: {
    'http-port': port('3000', 'the port for HTTP requests'),
    'lambda-port': port('3002', "the port of Lambda's Invoke API"),
    'studio-port': port('3003', 'the port of the studio'),
    stage: STAGE,
  },
  example: '--http-port 4000 --lambda-port 4002',
} as const satisfies Command;

type Ports = Record<'http' | 'lambda' | 'studio', number>;

/** How what comes to a port is answered. */
const LIVE = { isChecked: true, frozenTime: null, requests: 'live' } as const;

/** Has something closed at the end; at once where the end came first. */
type CloseAtEnd = (close: () => Promise<void>) => Promise<void>;

export async function main({ values }: Arguments<typeof COMMAND.options>, { untilEnded }: Io): Promise<0> {
  const portOf = (option: 'http-port' | 'lambda-port' | 'studio-port') =>
    wholeNumber(`--${option}`, values[option] ?? COMMAND.options[option].default, 1, MAX_PORT);
  const ports = { http: portOf('http-port'), lambda: portOf('lambda-port'), studio: portOf('studio-port') };
  const stage = new Stage(values.stage);
  const atEnd = new AsyncDisposableStack();
  const closeAtEnd: CloseAtEnd = async (close) => (atEnd.disposed ? close() : atEnd.defer(close));
  const ending = new AbortController();
  const ended = untilEnded();
  const serving = serve(ports, stage, closeAtEnd, ending.signal);
  try {
    await Promise.race([serving.then(() => ended), ended]);
  } finally {
    ending.abort();
    await atEnd.disposeAsync();
    await serving.catch(() => {});
  }
  return 0;
}

/** @param signal aborted at the end: what is not printed then is of no use */
async function serve(ports: Ports, stage: Stage, closeAtEnd: CloseAtEnd, signal: AbortSignal): Promise<void> {
  // One that is broken is told before anything is served.
  await sampleEvents();
  const opened = Promise.withResolvers<Engine>();
  opened.promise.catch(() => {});
  const studio = new Studio(opened.promise);
  // A request that comes early waits for the build.
  const answer = async (functionName: string, event: unknown) => {
    const engine = await opened.promise;
    const answered = await engine.invoke({ functionName, event, ...LIVE });
    void (await studio.state).logins.received(functionName, event, answered);
    return tell(functionName, answered);
  };
  const { address, close } = await listenStudio({ port: ports.studio, studio: studio.state, stage });
  await closeAtEnd(close);
  await closeAtEnd(await listenHttp(ports.http, answer));
  await closeAtEnd(await listenLambda(ports.lambda, answer));
  signal.throwIfAborted();
  console.log('Building …');
  const opening = Engine.open({ stage, watched: [EVENTS] });
  await closeAtEnd(async () => (await opening.catch(() => null))?.close());
  opening.then(opened.resolve, opened.reject);
  const engine = await opening;
  signal.throwIfAborted();
  for (const { message } of engine.broken) console.error(message);
  const mistakes = await mistakesIn(engine);
  signal.throwIfAborted();
  for (const mistake of mistakes) console.error(mistake);
  let answering = answeringLines(stage);
  for (const line of answering) console.log(line);
  console.log('Sending the events …');
  const { logins } = await studio.state;
  await studio.answered;
  signal.throwIfAborted();
  const samples = logins.all().filter(({ origin }) => origin === 'sample');
  console.log(`\n${samplesReport(samples)}\n`);
  console.log(`Send a login, or end with Ctrl-C${curlLine(samples, engine, ports.http)}\n`);
  const routes = Object.keys(FUNCTIONS).map((word) => `/${word}`);
  console.log(
    `Serving http://127.0.0.1:${ports.http} (${routes.join(', ')}), and Lambda's Invoke API http://127.0.0.1:${ports.lambda}`,
  );
  console.log(`The studio, which shows each login: ${address}`);
  engine.watch({
    onSeen: () => void studio.saving(),
    onChange: async (change) => {
      void studio.changed(change);
      const begun = performance.now();
      const mistakes = await mistakesIn(engine);
      if (signal.aborted) return;
      tellChange({ ...change, ms: change.ms + performance.now() - begun }, mistakes);
      const before = answering;
      answering = answeringLines(stage);
      for (const line of answering.filter((one) => !before.includes(one))) console.log(line);
    },
  });
}

function answeringLines(stage: Stage): string[] {
  return FUNCTION_NAMES.map((name) => `${name}: ${stage.answeringOf(name)} answers`);
}

/** A line for a login, and what its handler printed or threw. */
function tell(functionName: string, answered: InvocationResult): InvocationResult {
  const { response, reason, ms } = answered;
  const columns = [clock(), functionName, response?.type ?? '-', reason, `${ms.toFixed(1)} ms`];
  console.log(columns.join('  '));
  for (const line of printedLines(answered.output)) console.log(`  ${line}`);
  for (const line of failureLines(answered, process.stderr, '  ')) console.error(line);
  return answered;
}

/** A row an event, and each mistake once. They come in the order of their responses. */
function samplesReport(logins: readonly Login[]): string {
  if (logins.length === 0)
    return `There is no event yet: save a login as events/${FUNCTION_NAMES[0]}/<name>.json`;
  const sorted = logins.toSorted((a, b) => labelOf(a.sample).localeCompare(labelOf(b.sample)));
  const title = 'The events, at their own time, with all checks off:';
  return [title, ...eventsTable(sorted), ...detailsOf(sorted)].join('\n\n');
}

/** How to send an event that the handler in force authorizes; a full stop where there is none. */
function curlLine(logins: readonly Login[], engine: Engine, port: number): string {
  const sent = logins.find(
    ({ sample: { functionName, event }, handler, answered: { reason } }) =>
      reason === 'authorized' &&
      handler?.given === engine.stage.handlerOf(functionName) &&
      !isInEnvelope(event),
  );
  if (sent === undefined) return '.';
  const { functionName, file } = sent.sample;
  const url = `http://127.0.0.1:${port}/${KINDS[kindOf(functionName)].word}`;
  return `:\n  curl -s -X POST ${url} -H 'content-type: application/json' -d @${quoted(ofProject(file))}`;
}

/** A change of the sample events alone changes nothing that is served. */
function tellChange({ files, problem, broken, ms }: Change, mistakes: readonly string[]): void {
  if (files.every((file) => isInside(EVENTS, file))) return;
  const changed = changedFiles(files);
  const wrong = [...mistakes, ...broken.map(({ message }) => message)].join('\n');
  if (problem !== null)
    console.error(`${changed}, but cannot be used, so what was served before still is:\n${problem}`);
  else if (wrong !== '') console.error(`${changed}, but ${wrong}`);
  else console.log(`${changed}, served after ${Math.round(ms)} ms`);
}

/**
 * What is wrong with the functions that are served, a sentence each. They are sent what is no login, so that no handler is
 * called: afterwards they are ready for the first one.
 */
async function mistakesIn(engine: Engine): Promise<string[]> {
  const asked = FUNCTION_NAMES.map(async (functionName) => {
    const { records, output } = await engine.invoke({ functionName, event: {}, ...LIVE });
    for (const line of printedLines(output)) console.log(`  ${line}`);
    const record = lastRecord(records, 'cold_start');
    if (record.reason === undefined) return [];
    const told = refusals(functionName, record, engine.stage.sourceOf).join('; ');
    return [`${functionName} responds to every login with an error: ${told}`];
  });
  return (await Promise.all(asked)).flat();
}
