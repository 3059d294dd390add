/**
 * Measures logins in a process of its own, as its parent asks for them: the functions of a bundle, with the settings of
 * its environment. Started by `growth.ts`, either to count what a login runs or to time it.
 */
import { Session } from 'node:inspector/promises';
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
}

export interface Counted {
  /** How many blocks of the bundle's code the login ran. What a built-in does, such as a regular expression, counts nothing. */
  blocks: number;
  /** Why the login was decided as it was, as the log says. */
  reason: string;
}

/** In milliseconds, the shortest of some runs. */
export interface Timed {
  loginMs: number;
  /** `JSON.parse` of the event alone. */
  parseMs: number;
}

/** How long a login is repeated, until the compiler has settled, unless one takes long. */
const MEASURED_MS = 50;
const RUNS = 3;
const LONG_MS = 100;
/** What a function makes once is made by a login of this size, before the blocks are counted. */
const FIRST_BYTES = 1_024;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
const context = { awsRequestId: 'growth', getRemainingTimeInMillis: () => 60_000 };

const { GROWTH_ROOT = '', GROWTH_KEY, GROWTH_COUNTS } = process.env;
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

/** Begins before the functions are loaded: what is compiled earlier has no counters. */
const coverage = GROWTH_COUNTS ? await startCoverage() : null;
const handlers = {
  openidLoggedIn: await load('openidLoggedIn'),
  samlLoggedIn: await load('samlLoggedIn'),
};

process.on('message', async ({ input, bytes }: Question) => {
  const { name, event } = inputs[input] as GrowingInput;
  const login = (parsed: unknown) => handlers[name](parsed, context);
  if (coverage) await login(await event(FIRST_BYTES));
  const text = JSON.stringify(await event(bytes));
  process.send?.(coverage ? await counted(coverage, text, login) : await timed(text, login));
});
process.send?.(inputs.map(({ label, largest, refusal }) => ({ label, largest, refusal })));

async function load(name: string): Promise<Handler> {
  return (await import(pathToFileURL(join(GROWTH_ROOT, 'functions', `${name}.mjs`)).href)).handler;
}

type Login = (event: unknown) => Promise<unknown>;

async function startCoverage(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

async function counted(session: Session, text: string, login: Login): Promise<Counted> {
  await session.post('Profiler.takePreciseCoverage');
  await login(JSON.parse(text));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const blocks = result
    .filter(({ url }) => url.startsWith(pathToFileURL(GROWTH_ROOT).href))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
  return { blocks, reason: String(JSON.parse(lastRecord).reason) };
}

async function timed(text: string, login: Login): Promise<Timed> {
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
    if (loginMs > LONG_MS || (run >= RUNS && end - begin >= MEASURED_MS)) return { loginMs, parseMs };
  }
}
