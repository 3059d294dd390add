import { Console } from 'node:console';
import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { DIST } from '../../tools/bundle/build.ts';
import { sampleEvent } from '../support/projectSamples.ts';

const ROUNDS = 9;
const ROUND_MS = 150;
const BURST = 10;
const WARM_UP_ROUNDS = 10;
const LOGINS = 25_000;
const PARTS = 4;

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;
export const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 60_000 };

/** Writes the log where it goes nowhere, at once, as Lambda's client writes it to its file descriptor. */
const nowhere = openSync(devNull, 'w');
const log = new Console(
  new Writable({
    write(chunk, _, done) {
      writeSync(nowhere, chunk);
      done();
    },
  }),
);

/** The function as it is loaded on Lambda, its log written. The report of this process goes to its own console. */
export async function load(name: string, root = DIST): Promise<Handler> {
  Object.assign(console, { debug: log.debug, info: log.info, warn: log.warn, error: log.error });
  const { handler } = await import(pathToFileURL(join(root, 'functions', `${name}.mjs`)).href);
  return handler;
}

async function textOf(functionName: string, name: string): Promise<string> {
  return JSON.stringify(await sampleEvent(functionName, name));
}

/** Rows of event, size in bytes, bare JSON, login, ratio. */
export async function warmLogins(): Promise<string[][]> {
  const rows = [];
  for (const [functionName, name] of [
    ['openidLoggedIn', 'entra'],
    ['openidLoggedIn', 'http-api-v2'],
    ['samlLoggedIn', 'keycloak'],
    ['samlLoggedIn', 'http-api-v2'],
  ] as const) {
    const handler = await load(functionName);
    const text = await textOf(functionName, name);
    const [bare, login] = await sideBySide(
      () => JSON.stringify(JSON.parse(text)),
      async () => JSON.stringify(await handler(JSON.parse(text), context)),
    );
    const ratio = (login / bare).toFixed(2);
    rows.push([`${functionName}/${name}`, String(text.length), bare.toFixed(2), login.toFixed(2), ratio]);
  }
  return rows;
}

/** Rows of logins so far, logins a second, heap, growth. */
export async function manyLogins(): Promise<string[][]> {
  const handler = await load('samlLoggedIn');
  const text = await textOf('samlLoggedIn', 'keycloak');
  // A login before the count starts: what the first one makes is no growth.
  await handler(JSON.parse(text), context);
  const atStart = heapKb();
  const rows = [];
  for (let logins = LOGINS; logins <= PARTS * LOGINS; logins += LOGINS) {
    const start = performance.now();
    for (let login = 0; login < LOGINS; login++) JSON.stringify(await handler(JSON.parse(text), context));
    const aSecond = (LOGINS * 1_000) / (performance.now() - start);
    const heap = heapKb();
    rows.push([String(logins), aSecond.toFixed(0), heap.toFixed(0), (heap - atStart).toFixed(0)]);
  }
  return rows;
}

function heapKb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024;
}

/** The time of either in microseconds, a round of one after a round of the other. */
async function sideBySide(first: () => unknown, second: () => unknown): Promise<[number, number]> {
  const times: [number, number][] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    times.push([await roundMicros(first), await roundMicros(second)]);
  // The compiler has settled by then.
  const settled = times.slice(WARM_UP_ROUNDS);
  return [quickMean(settled.map(([micros]) => micros)), quickMean(settled.map(([, micros]) => micros))];
}

/** Of the quicker half: the rest was disturbed by what else the machine does. */
export function quickMean(times: readonly number[]): number {
  const quick = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length / 2));
  return quick.reduce((sum, time) => sum + time, 0) / quick.length;
}

/** The mean time of a run in microseconds, over a round's time. Awaits what `run` returns only if it is a promise. */
async function roundMicros(run: () => unknown): Promise<number> {
  const start = performance.now();
  let runs = 0;
  while (performance.now() - start < ROUND_MS) {
    for (let burst = 0; burst < BURST; burst++) {
      const result = run();
      if (result instanceof Promise) await result;
      runs += 1;
    }
  }
  return ((performance.now() - start) / runs) * 1_000;
}
