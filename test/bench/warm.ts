import { Console } from 'node:console';
import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { DIST } from '../../tools/bundle/build.ts';
import { sampleEvent } from '../support/projectSamples.ts';
import { median, percentile } from './statistics.ts';

const ROUNDS = 9;
const ROUND_MS = 150;
const BURST = 10;
const WARM_UP_ROUNDS = 10;
const LOGINS = 100_000;
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

/** Rows of event, size in bytes, bare JSON, login, ratio; by hand: the function that has no validation. */
export async function warmLogins(): Promise<string[][]> {
  const rows = [];
  for (const [functionName, name] of [
    ['openidLoggedIn', 'entra'],
    ['openidLoggedIn', 'http-api-v2'],
    ['samlLoggedIn', 'keycloak'],
    ['samlLoggedIn', 'http-api-v2'],
    ['bare', 'entra'],
  ] as const) {
    const isBare = functionName === 'bare';
    const handler = await load(functionName, isBare ? import.meta.dirname : DIST);
    const text = await textOf(isBare ? 'openidLoggedIn' : functionName, name);
    const [bare, login] = await sideBySide(
      () => JSON.stringify(JSON.parse(text)),
      async () => JSON.stringify(await handler(JSON.parse(text), context)),
    );
    const label = isBare ? 'bare, by hand' : `${functionName}/${name}`;
    const ratio = (login / bare).toFixed(2);
    rows.push([label, String(text.length), bare.toFixed(2), login.toFixed(2), ratio]);
  }
  return rows;
}

/** Rows of logins so far, logins a second, 50th and 99th percentile in microseconds, their ratio, heap, growth. */
export async function manyLogins(): Promise<string[][]> {
  const handler = await load('samlLoggedIn');
  const text = await textOf('samlLoggedIn', 'keycloak');
  const times = new Float64Array(LOGINS / PARTS);
  // A login before the count starts: what the first one makes is no growth.
  await handler(JSON.parse(text), context);
  const atStart = heapKb();
  const rows = [];
  for (let part = 1; part <= PARTS; part++) {
    const start = performance.now();
    for (let login = 0; login < times.length; login++) times[login] = await loginMicros(handler, text);
    const seconds = (performance.now() - start) / 1_000;
    const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
    const heap = heapKb();
    rows.push([
      String(part * times.length),
      (times.length / seconds).toFixed(0),
      p50.toFixed(1),
      p99.toFixed(1),
      (p99 / p50).toFixed(1),
      heap.toFixed(0),
      (heap - atStart).toFixed(0),
    ]);
  }
  return rows;
}

async function loginMicros(handler: Handler, text: string): Promise<number> {
  const start = performance.now();
  JSON.stringify(await handler(JSON.parse(text), context));
  return (performance.now() - start) * 1_000;
}

function heapKb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024;
}

/** The median time of either in microseconds, a round of one after a round of the other. */
async function sideBySide(first: () => unknown, second: () => unknown): Promise<[number, number]> {
  const times: [number, number][] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    times.push([await roundMicros(first), await roundMicros(second)]);
  // The compiler has settled by then.
  const settled = times.slice(WARM_UP_ROUNDS);
  return [median(settled.map(([micros]) => micros)), median(settled.map(([, micros]) => micros))];
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
