import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DIST } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { withComparison } from './comparison.ts';
import { mean } from './statistics.ts';

const RUNS = 40;
const PROCESS = join(import.meta.dirname, 'firstLogin.mjs');
const run = promisify(execFile);

interface ColdStart {
  label: string;
  module: string;
  event: string;
  env?: Record<string, string>;
}

/** Rows of function, the main thread's CPU time until its first response in milliseconds, and its ratio to the empty function. */
export function coldStarts(): Promise<string[][]> {
  return withComparison(async (root) => {
    const saml = {
      module: join(DIST, 'functions', 'samlLoggedIn.mjs'),
      event: sample('samlLoggedIn/keycloak'),
    };
    const openid = {
      module: join(DIST, 'functions', 'openidLoggedIn.mjs'),
      event: sample('openidLoggedIn/entra'),
    };
    const cases: ColdStart[] = [
      { ...openid, label: 'empty', module: join(root, 'functions', 'empty.mjs') },
      { ...openid, label: 'bare, by hand', module: join(root, 'functions', 'bare.mjs') },
      { ...openid, label: 'openidLoggedIn' },
      { ...saml, label: 'samlLoggedIn' },
      {
        ...saml,
        label: 'samlLoggedIn, a handler of its own',
        env: { SAML_HANDLER_MODULE: 'handlers/staff-group' },
      },
    ];
    const times = await inTurns(cases);
    const [empty = 0] = times;
    return cases.map(({ label }, index) => {
      const ms = times[index] ?? 0;
      return [label, ms.toFixed(1), (ms / empty).toFixed(3)];
    });
  });
}

function sample(name: string): string {
  return join(PROJECT, 'events', `${name}.json`);
}

/**
 * In turns, so that drift hits all alike. The first turn warms the disk's cache and does not count. Of each the quicker half
 * does: the rest was disturbed, and the clock is too coarse for one run to tell.
 */
async function inTurns(cases: readonly ColdStart[]): Promise<number[]> {
  const times: number[][] = cases.map(() => []);
  for (let turn = 0; turn <= RUNS; turn++) {
    for (const [index, coldStart] of cases.entries()) {
      const ms = await cpuMsOf(coldStart);
      if (turn > 0) times[index]?.push(ms);
    }
  }
  return times.map((ms) => mean(ms.toSorted((a, b) => a - b).slice(0, RUNS / 2)));
}

/** @throws {Error} where the first login is not answered as it should: an error is quicker than a login */
async function cpuMsOf({ label, module, event, env }: ColdStart): Promise<number> {
  const { stdout, stderr } = await run(process.execPath, [PROCESS, module, event], {
    env: { ...process.env, ...env, NODE_OPTIONS: '' },
  });
  const { cpuMs, type } = JSON.parse(stdout);
  if (label !== 'empty' && type !== 'AuthorizedUserResponse') throw new Error(`${label}: ${stderr}`);
  return cpuMs;
}
