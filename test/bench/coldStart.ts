import { DIST } from '../../tools/bundle/build.ts';
import { sampleEvent } from '../../tools/local/events.ts';
import {
  type FunctionOptions,
  type FunctionProcess,
  startFunction,
} from '../../tools/local/process/functionProcess.ts';
import { runtimeInterfaceClient } from '../aws/machine/runtimeInterfaceClient.ts';
import { startLambda } from '../support/lambda/lambdaFunction.ts';
import { withCheckedLogins } from './checkedLogins.ts';
import { withComparison } from './comparison.ts';
import { median } from './statistics.ts';

const RUNS = 25;
/** Of those that ask another system first: they have no target. */
const CHECKED_RUNS = 9;

interface ColdStart {
  label: string;
  name: string;
  root: string;
  event: unknown;
  env?: Record<string, string>;
}

type Start = (options: FunctionOptions) => Promise<FunctionProcess>;

/** What the processes run under. */
export const COLD_START_CLIENT = coldStartClient();

function coldStartClient(): { start: Start; description: string } {
  const clientFile = runtimeInterfaceClient();
  if (clientFile) {
    const start: Start = (options) => startLambda({ ...options, clientFile });
    return { start, description: "under Lambda's runtime client" };
  }
  return {
    start: async (options) => startFunction({ ...options, nodeOptions: [] }),
    description: "in plain processes; npm run test:aws installs Lambda's runtime client",
  };
}

/** Rows of function, median in milliseconds, ratio to the empty function. */
export function coldStarts(start: Start): Promise<string[][]> {
  return withComparison(async (root) => {
    const openid = await sampleEvent('openidLoggedIn', 'entra');
    const saml = await sampleEvent('samlLoggedIn', 'keycloak');
    const unchecked: ColdStart[] = [
      { label: 'empty', name: 'empty', root, event: openid },
      { label: 'bare, by hand', name: 'bare', root, event: openid },
      { label: 'openidLoggedIn', name: 'openidLoggedIn', root: DIST, event: openid },
      { label: 'samlLoggedIn', name: 'samlLoggedIn', root: DIST, event: saml },
      {
        label: 'samlLoggedIn, a handler of its own',
        name: 'samlLoggedIn',
        root: DIST,
        event: saml,
        env: { SAML_HANDLER_MODULE: 'handlers/staff-group' },
      },
    ];
    const times = await inTurns(unchecked, start, RUNS);
    const checked = await withCheckedLogins(async (logins) => {
      const cases = logins.map((login) => ({ ...login, root: DIST }));
      return { cases, times: await inTurns(cases, start, CHECKED_RUNS) };
    });
    const empty = median(times[0] ?? []);
    const row = ({ label }: ColdStart, ms: number[] = []) => [
      label,
      median(ms).toFixed(1),
      (median(ms) / empty).toFixed(3),
    ];
    return [
      ...unchecked.map((coldStart, index) => row(coldStart, times[index])),
      ...checked.cases.map((coldStart, index) => row(coldStart, checked.times[index])),
    ];
  });
}

/** In turns, so that drift hits all alike. The first turn warms the disk's cache and does not count. */
async function inTurns(cases: ColdStart[], start: Start, runs: number): Promise<number[][]> {
  const times: number[][] = cases.map(() => []);
  for (let run = 0; run <= runs; run++) {
    for (const [index, coldStart] of cases.entries()) {
      const ms = await firstAnswerMs(coldStart, start);
      if (run > 0) times[index]?.push(ms);
    }
  }
  return times;
}

/** @throws {Error} where the first login is not answered as it should: an error is quicker than a login */
async function firstAnswerMs({ name, root, event, env = {} }: ColdStart, start: Start): Promise<number> {
  const begun = performance.now();
  const fn = await start({ name, root, env });
  const answer = JSON.stringify(await fn.invoke(event));
  const elapsed = performance.now() - begun;
  await fn.stop();
  if (name !== 'empty' && !answer.includes('AuthorizedUserResponse'))
    throw new Error(`${name}: ${fn.output()}`);
  return elapsed;
}
