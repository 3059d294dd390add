/** Makes stand-ins until one is proven, and says what stands in the way where none is. */
import type { Answered } from '../local/answered.ts';
import { type Fitted, fitted, usedExchanges } from './fitting.ts';
import { type Allowed, leaksIn, occurs, tracesOf } from './leaks.ts';
import type { Original } from './leaves.ts';
import { obstacles } from './obstacles.ts';
import { type Ask, differingFields, handlersTexts } from './proof.ts';
import type { Known, Stay } from './staying.ts';
import { Substitution } from './substitution.ts';

/** A stand-in collides with a text of the original by chance, seldom: then others are made. */
const TRIES = 5;
/** Of very many words, some always collide. */
const TRIES_FOR_PARTS = 3;
/** A handler that asks other systems may take seconds for what it does not find. In milliseconds. */
const MAX_TRYING_MS = 3_000;
/** Of many places that are alike, so many are named. */
const MAX_NAMED = 5;

export interface Proven extends Original {
  stays: readonly Stay[];
  /** What stands in the way, in sentences; empty where all is proven. */
  problems: string[];
  /** The response to the stand-in. */
  after: Answered;
  /** Whether a name has a text of the original in it. */
  isNamed(name: string): boolean;
}

/** @param before the response to the original */
export async function provenSubstitution(
  original: Original,
  before: Answered,
  known: Known,
  ask: Ask,
): Promise<Proven> {
  const begun = performance.now();
  for (let tries = 1; ; tries++) {
    const substitution = new Substitution(original, known);
    const fit = await fitted(substitution.event, substitution.exchanges, ask);
    const fields = differingFields(before, fit.after, substitution);
    const { leaks, traces } = leaksOf(original, { before, substitution, fit });
    const isLast = tries === TRIES || performance.now() - begun > MAX_TRYING_MS;
    const isUnlucky = substitution.hasCollided && tries < TRIES_FOR_PARTS;
    if (!isLast && (isUnlucky || fields.length + leaks.length > 0)) continue;
    const obstacle = await obstacles({ fields, before, substitution, fit, ask });
    return {
      stays: substitution.stays,
      event: substitution.event,
      exchanges: usedExchanges(fit),
      after: fit.after,
      problems: [...obstacle, ...leakSentences(leaks)],
      isNamed: (name) => occurs(traces, name) || occurs(traces, name.replaceAll('-', '')),
    };
  }
}

interface Made {
  before: Answered;
  substitution: Substitution;
  fit: Fitted;
}

/** What of the original occurs in the files, and what was looked for. */
function leaksOf({ event, exchanges }: Original, { before, substitution, fit }: Made) {
  const allowed: Allowed = {
    stays: substitution.stays,
    written: handlersTexts(before, fit.after, substitution),
    withoutHandlersWords: (text) => substitution.withoutHandlersWords(text),
  };
  const traces = tracesOf({ event, outside: exchanges }, allowed);
  const written = { event: substitution.event, answer: fit.after.response, outside: usedExchanges(fit) };
  return { leaks: leaksIn(written, traces, allowed), traces: traces.words };
}

function leakSentences(paths: readonly string[]): string[] {
  const others = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).map((path) => `A text of the original occurs in ${path}.`);
  return others > 0 ? [...named, `Texts of the original occur in ${others} more places.`] : named;
}
