import { join } from 'node:path';
import { build } from '../../tools/bundle/build.ts';
import { sampleEvent } from '../../tools/local/events.ts';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { durationsOf } from './durations.ts';
import { slowServer } from './slowServer.ts';
import { median } from './statistics.ts';

const RUNS = 7;
const ROOT = join(PROJECT, '.build', 'bench');

/** What each login of a new process asks for, in this order. */
const STEPS = [
  { label: 'nothing, not even a handler of its own', sub: null },
  { label: 'a look-up, the first one', sub: 'first' },
  { label: 'a look-up, on the open connection', sub: 'second' },
  { label: 'a secret, the first one', sub: 'secret' },
  { label: 'a secret that is kept', sub: 'secret' },
];

/** Rows of what a login asks for, and its median time in milliseconds; the server is on this machine. */
export async function outsideLogins(): Promise<string[][]> {
  await build({ outdir: ROOT, extraHandler: join(PROJECT, 'test', 'bench', 'handlers', 'outside.ts') });
  const server = await slowServer(0);
  const times: number[][] = STEPS.map(() => []);
  for (let run = 0; run < RUNS; run++) {
    for (const [step, ms] of (await loginTimes(server.url)).entries()) times[step]?.push(ms);
  }
  await server.close();
  return STEPS.map(({ label }, step) => [label, median(times[step] ?? []).toFixed(1)]);
}

async function loginTimes(url: string): Promise<number[]> {
  const event = await sampleEvent('openidLoggedIn', 'entra');
  const [first, ...others] = STEPS;
  const withDefault = await durations([first?.sub ?? null], event, {});
  const env = {
    OPENID_HANDLER_MODULE: 'handlers/outside',
    BENCH_URL: url,
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  };
  return [
    ...withDefault,
    ...(await durations(
      others.map(({ sub }) => sub),
      event,
      env,
    )),
  ];
}

async function durations(
  subs: (string | null)[],
  event: unknown,
  env: Record<string, string>,
): Promise<number[]> {
  const fn = await startFunction({ name: 'openidLoggedIn', root: ROOT, env });
  for (const sub of subs) {
    const copy = structuredClone(event) as { idToken: { sub: string } };
    if (sub !== null) copy.idToken.sub = sub;
    await fn.invoke(copy);
  }
  await fn.stop();
  return durationsOf(fn);
}
