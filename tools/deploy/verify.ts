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

export interface Verifiable {
  /** Its name in the service. */
  label: string;
  /** Its name in the bundle. */
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
  const { coldStart, printed } = await startOf(fn);
  const { notes, problems } = ofHandler(fn, coldStart);
  return { coldStart, notes, problems: [...printed, ...problems] };
}

/** The event is no login, so that no handler is called with it. */
async function startOf({ name, env }: Verifiable): Promise<{ coldStart: LogRecord; printed: string[] }> {
  const fn = await startFunction({ name, env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' }, isLocal: true });
  try {
    await fn.invoke({});
    return { coldStart: coldStartIn(fn.output()), printed: [] };
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    const printed = fn.output().trimEnd();
    const coldStart = coldStartFailed(error, handlerIn(env, name));
    return { coldStart, printed: printed === '' ? [] : [printed] };
  } finally {
    await fn.stop();
  }
}

function ofHandler({ label, name, sourceOf }: Verifiable, record: LogRecord): Judgement {
  const told = `${label}: ${inForce(name, record)}`;
  const { reason, lookedFor, module } = record;
  if (reason === undefined) return note(told);
  // A module of a layer is on Lambda only: that it is not here says nothing.
  if (lookedFor !== undefined && typeof module === 'string' && isAbsolute(module))
    return note(`${told}; the handler is not on this machine, and was not verified`);
  const refused = indented(refusals(name, record, sourceOf));
  return problem(`${label} would respond to every login with an error:\n${refused}`);
}

export function note(text: string): Judgement {
  return { notes: [text], problems: [] };
}

export function problem(text: string): Judgement {
  return { notes: [], problems: [text] };
}
