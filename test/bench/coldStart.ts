import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DIST } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { quickMean } from './warm.ts';

const RUNS = 40;
const PROCESS = join(import.meta.dirname, 'firstLogin.mjs');
const run = promisify(execFile);

const OPENID = join(PROJECT, 'events', 'openidLoggedIn', 'entra.json');
const SAML = join(PROJECT, 'events', 'samlLoggedIn', 'keycloak.json');
const OWN = { SAML_HANDLER_MODULE: 'handlers/staff-group' };

interface ColdStart {
  label: string;
  /** A function, by the folder of its module. */
  root: string;
  name: string;
  event: string;
  env?: Record<string, string>;
}

const CASES: ColdStart[] = [
  { label: 'empty', root: import.meta.dirname, name: 'empty', event: OPENID },
  { label: 'openidLoggedIn', root: DIST, name: 'openidLoggedIn', event: OPENID },
  { label: 'samlLoggedIn', root: DIST, name: 'samlLoggedIn', event: SAML },
  { label: 'samlLoggedIn, a handler of its own', root: DIST, name: 'samlLoggedIn', event: SAML, env: OWN },
];

/**
 * Rows of function, the main thread's CPU time until its first response in milliseconds, and its ratio to the empty function.
 * Measured in turns, so that drift hits all alike. The first turn warms the disk's cache and does not count.
 */
export async function coldStarts(): Promise<string[][]> {
  const times: number[][] = CASES.map(() => []);
  for (let turn = 0; turn <= RUNS; turn++) {
    for (const [index, coldStart] of CASES.entries()) {
      const ms = await cpuMsOf(coldStart);
      if (turn > 0) times[index]?.push(ms);
    }
  }
  const means = times.map(quickMean);
  const [empty = 0] = means;
  return CASES.map(({ label }, index) => {
    const ms = means[index] ?? 0;
    return [label, ms.toFixed(1), (ms / empty).toFixed(3)];
  });
}

/** @throws {Error} where the first login is not answered as it should: an error is quicker than a login */
async function cpuMsOf({ label, root, name, event, env }: ColdStart): Promise<number> {
  const { stdout, stderr } = await run(
    process.execPath,
    [PROCESS, join(root, 'functions', `${name}.mjs`), event],
    { env: { ...process.env, ...env, NODE_OPTIONS: '' } },
  );
  const { cpuMs, type } = JSON.parse(stdout);
  if (label !== 'empty' && type !== 'AuthorizedUserResponse') throw new Error(`${label}: ${stderr}`);
  return cpuMs;
}
