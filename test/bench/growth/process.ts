/**
 * Measures logins in a process of its own, as its parent asks for them: the functions of a bundle, with the settings of
 * its environment. Started by `growth.ts`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkedInputs } from './checkedInputs.ts';
import { HTTP_INPUTS } from './httpInputs.ts';
import type { GrowingInput } from './input.ts';
import { OPENID_INPUTS } from './openIdInputs.ts';
import { SAML_INPUTS } from './samlInputs.ts';

export interface Question {
  /** Which input, by its place among those of the process. */
  input: number;
  bytes: number;
  /**
   * `clock`: the shortest of some runs; quick, and longer where the machine is busy. `processor`: what the thread itself
   * used, over enough runs to be counted in ticks.
   */
  by: 'clock' | 'processor';
  /** By the clock: for how long it is measured again at least, unless one login takes long. */
  forMs?: number;
}

/** In milliseconds. */
export interface Measured {
  loginMs: number;
  /** `JSON.parse` of the event alone. */
  parseMs: number;
  /** Why the login was decided as it was, as the log says. */
  reason: string;
}

/** By the clock, of a login that takes neither so short nor so long. */
const RUNS = 3;
const SHORT_MS = 1;
const LONG_MS = 100;
/** Processor time is counted in ticks, of 4 ms on some machines. */
const PROCESSOR_MS = 100;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
const context = { awsRequestId: 'growth', getRemainingTimeInMillis: () => 60_000 };

const { GROWTH_ROOT = '', GROWTH_KEY } = process.env;
const inputs = GROWTH_KEY
  ? checkedInputs(JSON.parse(GROWTH_KEY))
  : [...SAML_INPUTS, ...OPENID_INPUTS, ...HTTP_INPUTS];

/** What the functions log is written, as in every login, but not to a pipe that may be full. */
let lastRecord = '{}';
for (const level of ['info', 'warn', 'error'] as const) {
  console[level] = (record: string) => {
    lastRecord = record;
  };
}

const handlers = {
  openidLoggedIn: await load('openidLoggedIn'),
  samlLoggedIn: await load('samlLoggedIn'),
};

process.on('message', async ({ input, bytes, by, forMs = 0 }: Question) => {
  const { name, event } = inputs[input] as GrowingInput;
  const text = JSON.stringify(await event(bytes));
  const login = (parsed: unknown) => handlers[name](parsed, context);
  const times = by === 'clock' ? await byClock(text, login, forMs) : await byProcessor(text, login);
  process.send?.({ ...times, reason: String(JSON.parse(lastRecord).reason) });
});
process.send?.(inputs.map(({ label, largest, refusal }) => ({ label, largest, refusal })));

async function load(name: string): Promise<Handler> {
  return (await import(pathToFileURL(join(GROWTH_ROOT, 'functions', `${name}.mjs`)).href)).handler;
}

type Times = Omit<Measured, 'reason'>;
type Login = (event: unknown) => Promise<unknown>;

async function byClock(text: string, login: Login, forMs: number): Promise<Times> {
  const begin = performance.now();
  let [loginMs, parseMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 1; ; run++) {
    const start = performance.now();
    // Parsed for each login: what a login learns of a text, such as its hash, stays with the text.
    const parsed = JSON.parse(text);
    const parsedAt = performance.now();
    await login(parsed);
    const end = performance.now();
    loginMs = Math.min(loginMs, end - parsedAt);
    parseMs = Math.min(parseMs, parsedAt - start);
    const isEnough = loginMs < SHORT_MS || run >= RUNS;
    if (loginMs > LONG_MS || (isEnough && end - begin >= forMs)) return { loginMs, parseMs };
  }
}

async function byProcessor(text: string, login: Login): Promise<Times> {
  const parsed = JSON.parse(text);
  return {
    parseMs: await processorMs(() => JSON.parse(text)),
    loginMs: await processorMs(() => login(parsed)),
  };
}

async function processorMs(run: () => unknown): Promise<number> {
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    await run();
    const { user, system } = process.threadCpuUsage(before);
    const usedMs = (user + system) / 1_000;
    if (usedMs >= PROCESSOR_MS) return usedMs / runs;
  }
}
