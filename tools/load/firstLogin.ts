/** One login before the load: it finds out whether the target can be asked at all, and it starts the function. */
import { connectionFailure } from '../../lib/toolkit/connectionFailure.ts';
import { awsFailure } from '../shared/awsFailures.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Load, login } from './load.ts';
import type { LoadSample } from './loadSamples.ts';
import { shownTarget } from './target.ts';

const REFUSED = [401, 403, 404, 421];

const CURES: Readonly<Record<number, string>> = {
  401: 'it does not accept the signature: check SIGNING_SECRET_ID and --sign',
  403: 'it refuses these credentials: allow execute-api:Invoke or lambda:InvokeFunction, and check --sign',
  404: 'there is no such function: correct the path, e.g. /openid or /saml, or the name of the function',
  421: 'it accepts requests only under its own name: send to localhost',
};

/**
 * @returns how long it took, in milliseconds
 * @throws {UnusableInput} where no login of the load would reach the function
 */
export async function firstLogin(load: Load, sample: LoadSample): Promise<number> {
  const begun = performance.now();
  const { outcome, received } = await login(load, sample);
  const problem = received === null ? notReached(load, outcome.what) : refusal(received.status, outcome.what);
  if (problem !== null) throw new UnusableInput(`${shownTarget(load.target)}: ${problem}`);
  return performance.now() - begun;
}

/** @param code of the failure */
function notReached({ target }: Load, code: string): string | null {
  const failure = connectionFailure({ code });
  if (failure === null) return null;
  const isStopped = target.isLoopback && failure.kind !== 'tls';
  return `${failure.what} (${code}): ${isStopped ? 'start the functions with npm start' : failure.cure}`;
}

function refusal(status: number, what: string): string | null {
  if (!REFUSED.includes(status)) return null;
  return `status ${status}${what && ` (${what})`}: ${awsFailure({ name: what }) ?? CURES[status]}`;
}
