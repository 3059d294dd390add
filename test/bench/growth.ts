/** The bench's table of inputs that grow: the slowest, by a mapping with every kind of rule and by the checks before it. */
import { join } from 'node:path';
import { build } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { withHandler } from '../support/withHandler.ts';
import { CHECKED_INPUTS, GROWING_INPUTS, type GrowingInput } from './growingInputs.ts';
import { context, type Handler, load } from './warm.ts';

const HANDLER = join(PROJECT, 'test', 'bench', 'handlers', 'everyRule.ts');
/** Each size is so many times the one before. */
const GROWTH = 4;
const STEPS = 3;
const RUNS = 2;
/** A login that takes so long says enough. */
const LONG_MS = 2_000;
const SHOWN = 15;
/** A login that takes less is noise. */
const MIN_MS = 1;

const MAPPING = { OPENID_HANDLER_MODULE: 'handlers/everyRule', SAML_HANDLER_MODULE: 'handlers/everyRule' };
const issuer = (name: string, more: object) =>
  JSON.stringify({ [name]: { audiences: ['client-1'], ...more } });
/** Nobody passes them: what is measured is the way to the refusal. */
const CHECKS = {
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: issuer('https://idp.example.org', { jwks_uri: 'https://localhost:1/keys' }),
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: issuer('https://idp.example.org/saml', { recipients: ['https://app.example.net/saml/acs'] }),
};

export const GROWTH_HEADER = ['input', '1/16: ms', '1/4', 'whole', 'parse ms', 'ratio'];

/** Of one input: the login by size in milliseconds, the smallest first, and `JSON.parse` of the largest event. */
interface Grown {
  label: string;
  loginMs: number[];
  parseMs: number;
}

/**
 * Rows of input, the login in milliseconds for parts of it and for the whole, `JSON.parse` of the whole, and how many times as
 * long at most a login takes as one of a quarter of its size: 4 is in proportion, 16 is quadratic.
 */
export async function growingInputs(): Promise<string[][]> {
  const mapped = await measured('mapped', MAPPING, GROWING_INPUTS);
  const checked = await measured('checked', { ...MAPPING, ...CHECKS }, CHECKED_INPUTS);
  return [...mapped, ...checked]
    .sort((one, other) => Math.max(...other.loginMs) - Math.max(...one.loginMs))
    .slice(0, SHOWN)
    .map(({ label, loginMs, parseMs }) => [
      label,
      ...[0, 1, 2].map((step) => shown(loginMs[step])),
      shown(parseMs),
      shown(Math.max(...loginMs.map((ms, step) => ms / Math.max(MIN_MS, loginMs[step - 1] ?? ms)))),
    ]);
}

/** By a bundle of its own, which reads these settings when it is loaded. */
async function measured(name: string, env: Record<string, string>, inputs: GrowingInput[]): Promise<Grown[]> {
  const root = join(PROJECT, '.build', `bench-growth-${name}`);
  await build({ outdir: root, entries: withHandler(HANDLER) });
  Object.assign(process.env, env);
  const handlers = {
    openidLoggedIn: await load('openidLoggedIn', root),
    samlLoggedIn: await load('samlLoggedIn', root),
  };
  const rows: Grown[] = [];
  for (const input of inputs) {
    const { label, ...times } = await grown(input, handlers[input.name]);
    rows.push({ label: `${name}, ${label}`, ...times });
  }
  return rows;
}

async function grown({ label, largest, event }: GrowingInput, handler: Handler): Promise<Grown> {
  const loginMs: number[] = [];
  let parseMs = Number.NaN;
  for (let step = STEPS - 1; step >= 0; step--) {
    const text = JSON.stringify(event(Math.floor(largest / GROWTH ** step)));
    const times = await shortest(handler, text);
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

function shown(ms: number | undefined): string {
  return ms === undefined ? 'not tried' : ms.toFixed(ms < 1 ? 3 : 1);
}
