/** Sends sample events to a function, in turn and at a steady rate, and counts what becomes of them. */
import { Figures } from './figures.ts';
import type { LoadSample } from './loadSamples.ts';
import { type Outcome, outcomeOf, withoutResponse } from './outcome.ts';
import { type Pace, pace } from './pace.ts';
import { type Received, send } from './send.ts';
import type { Sign } from './signing.ts';
import type { Target } from './target.ts';

/** As many logins as an account of AWS runs at a time, unless it asks for more. */
const MAX_IN_FLIGHT = 1_000;

export interface Load extends Pace {
  target: Target;
  /** Whether the target is Lambda's Invoke API. */
  isDirect: boolean;
  sign: Sign;
  samples: readonly LoadSample[];
  /** How long a login may take, in milliseconds. */
  timeoutMs: number;
}

const NOT_SENT = withoutResponse('error', `not sent: ${MAX_IN_FLIGHT} logins had no response yet`);
const INTERRUPTED = withoutResponse('interrupted', 'no response before the end');

export interface Loaded {
  figures: Figures;
  /** From the first login to the last answer. */
  seconds: number;
}

export async function runLoad(load: Load): Promise<Loaded> {
  const figures = new Figures();
  const begun = performance.now();
  let inFlight = 0;
  await pace(load, async (index, dueMs) => {
    const lateMs = performance.now() - dueMs;
    if (inFlight >= MAX_IN_FLIGHT) return figures.add(NOT_SENT, 0, lateMs);
    inFlight += 1;
    const { outcome } = await login(load, sampleAt(load.samples, index));
    inFlight -= 1;
    figures.add(outcome, performance.now() - dueMs, lateMs);
  });
  return { figures, seconds: (performance.now() - begun) / 1_000 };
}

/** @returns what became of one login, and the response where one came */
export async function login(
  load: Load,
  sample: LoadSample,
): Promise<{ outcome: Outcome; received: Received | null }> {
  const { target, sign, signal, timeoutMs, isDirect } = load;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const request = { headers: await sign(sample.body), body: sample.body };
    const received = await send(target, request, AbortSignal.any([signal, timeout]));
    return { outcome: outcomeOf(sample, received, isDirect), received };
  } catch (error) {
    if (signal.aborted) return { outcome: INTERRUPTED, received: null };
    const what = timeout.aborted ? `no response in ${timeoutMs / 1_000} s` : failureOf(error);
    return { outcome: withoutResponse('error', what), received: null };
  }
}

/** The code of the system or of OpenSSL: `ECONNRESET`, `DEPTH_ZERO_SELF_SIGNED_CERT`. */
function failureOf(error: unknown): string {
  const { name, code } = error as NodeJS.ErrnoException;
  return code ?? name;
}

function sampleAt(samples: readonly LoadSample[], index: number): LoadSample {
  return samples[index % samples.length] as LoadSample;
}
