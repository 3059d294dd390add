/** Whether a function starts with its settings: the settings usable, the handler there. No handler is called. */
import { isAbsolute } from 'node:path';
import { coldStartIn, indented, inForce, refusals, type SourceOf } from '../local/coldStartReport.ts';
import { REQUEST_ID, startFunction } from '../local/process/functionProcess.ts';
import { handlerIn } from '../shared/functions.ts';

interface Verifiable {
  name: string;
  env: NodeJS.ProcessEnv;
  sourceOf: SourceOf;
}

/** @returns texts for people; `notes`: what is in force, and what cannot be judged here; `problems`: why a login would fail */
export async function verifyFunction({ name, env, sourceOf }: Verifiable) {
  const { coldStart, printed } = await startOf(name, env);
  const { reason, lookedFor, module } = coldStart;
  const told = `${name}: ${inForce(name, coldStart)}`;
  if (reason === undefined) return { notes: [told], problems: printed };
  // A module of a layer is on Lambda only: that it is not here says nothing.
  const isElsewhere = lookedFor !== undefined && typeof module === 'string' && isAbsolute(module);
  const unverified = `${told}; the handler is not on this machine, and was not verified`;
  if (isElsewhere) return { notes: [unverified], problems: printed };
  const refused = indented(refusals(name, coldStart, sourceOf));
  return {
    notes: [],
    problems: [...printed, `${name} would respond to every login with an error:\n${refused}`],
  };
}

/** The event is no login, so that no handler is called with it. */
async function startOf(name: string, env: NodeJS.ProcessEnv) {
  const fn = startFunction({ name, env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' }, isLocal: true });
  const event = { event: {}, requestId: REQUEST_ID, frozenTime: null, requests: 'live' } as const;
  const { failure, output } = await fn.run(event);
  await fn.stop();
  const printed = failure ? [output.trimEnd()].filter(Boolean) : [];
  return { coldStart: coldStartIn(output, failure, handlerIn(env, name)), printed };
}
