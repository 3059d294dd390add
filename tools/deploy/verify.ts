/** Whether a function starts with its settings: the settings usable, the handler there. No handler is called. */
import { isAbsolute } from 'node:path';
import {
  coldStartFailed,
  coldStartIn,
  indented,
  inForce,
  refusals,
  type SourceOf,
} from '../local/coldStartReport.ts';
import { FunctionFailed, startFunction } from '../local/process/functionProcess.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { handlerIn } from '../shared/stage.ts';

interface Verifiable {
  name: string;
  env: NodeJS.ProcessEnv;
  sourceOf: SourceOf;
}

/** Texts of a line or more, for people. */
export interface Judgement {
  /** What is in force, and what cannot be judged on this machine. */
  notes: string[];
  /** Why a login would fail. */
  problems: string[];
}

/** @returns the record of its cold start too */
export async function verifyFunction(fn: Verifiable): Promise<Judgement & { coldStart: LogRecord }> {
  const { name, sourceOf } = fn;
  const { coldStart, printed } = await startOf(fn);
  const { reason, lookedFor, module } = coldStart;
  const told = `${name}: ${inForce(name, coldStart)}`;
  // A module of a layer is on Lambda only: that it is not here says nothing.
  const isElsewhere = lookedFor !== undefined && typeof module === 'string' && isAbsolute(module);
  const elsewhere = isElsewhere ? '; the handler is not on this machine, and was not verified' : '';
  if (reason === undefined || isElsewhere) return { coldStart, notes: [told + elsewhere], problems: printed };
  const refused = indented(refusals(name, coldStart, sourceOf));
  const problems = [...printed, `${name} would respond to every login with an error:\n${refused}`];
  return { coldStart, notes: [], problems };
}

/** The event is no login, so that no handler is called with it. */
async function startOf({ name, env }: Verifiable): Promise<{ coldStart: LogRecord; printed: string[] }> {
  const fn = await startFunction({ name, env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' }, isLocal: true });
  try {
    await fn.invoke({});
    return { coldStart: coldStartIn(fn.output()), printed: [] };
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    const printed = [fn.output().trimEnd()].filter(Boolean);
    return { coldStart: coldStartFailed(error, handlerIn(env, name)), printed };
  } finally {
    await fn.stop();
  }
}

export function note(text: string): Judgement {
  return { notes: [text], problems: [] };
}

export function problem(text: string): Judgement {
  return { notes: [], problems: [text] };
}
