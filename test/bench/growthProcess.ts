/** Times logins whose parts grow, in a process with the settings of its environment, and sends a row of each to its parent. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKED_INPUTS, GROWING_INPUTS, type GrowingInput } from './growingInputs.ts';

/** Of one input: the login by size in milliseconds, the smallest first, and `JSON.parse` of the largest event. */
export interface Grown {
  label: string;
  loginMs: number[];
  parseMs: number;
}

/** Each size is so many times the one before. */
export const GROWTH = 4;
const STEPS = 3;
const RUNS = 2;
/** A login that takes so long says enough. */
const LONG_MS = 2_000;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
const context = { awsRequestId: 'growth', getRemainingTimeInMillis: () => 60_000 };

const { GROWTH_ROOT = '', OPENID_TOKEN_CHECK } = process.env;
// A login writes its record; where to is nothing of ours.
for (const level of ['info', 'warn', 'error'] as const) console[level] = () => {};

const handlers: Record<GrowingInput['name'], Handler> = {
  openidLoggedIn: await load('openidLoggedIn'),
  samlLoggedIn: await load('samlLoggedIn'),
};

const isChecked = OPENID_TOKEN_CHECK === 'on';
for (const input of isChecked ? CHECKED_INPUTS : GROWING_INPUTS) process.send?.(await grown(input));
process.disconnect();

async function load(name: string): Promise<Handler> {
  return (await import(pathToFileURL(join(GROWTH_ROOT, 'functions', `${name}.mjs`)).href)).handler;
}

async function grown({ label, name, largest, event }: GrowingInput): Promise<Grown> {
  const loginMs: number[] = [];
  let parseMs = Number.NaN;
  for (let step = STEPS - 1; step >= 0; step--) {
    const text = JSON.stringify(event(Math.floor(largest / GROWTH ** step)));
    const times = await shortest(handlers[name], text);
    loginMs.push(times.loginMs);
    parseMs = times.parseMs;
    if (times.loginMs > LONG_MS) break;
  }
  return { label, loginMs, parseMs };
}

/** The shortest of some runs, because a longer one shows what else the machine did. */
async function shortest(handler: Handler, text: string): Promise<{ loginMs: number; parseMs: number }> {
  let [loginMs, parseMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS && !(loginMs > LONG_MS && run > 0); run++) {
    const start = performance.now();
    // Parsed for each login: what a login learns of a text, such as its hash, stays with the text.
    const parsed = JSON.parse(text);
    const parsedAt = performance.now();
    await handler(parsed, context);
    loginMs = Math.min(loginMs, performance.now() - parsedAt);
    parseMs = Math.min(parseMs, parsedAt - start);
  }
  return { loginMs, parseMs };
}
