import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST } from '../build.ts';
import { sampleEvent } from '../events.ts';
import { startFunction } from '../lambda/functionProcess.ts';
import { median } from './statistics.ts';

const RUNS = 21;

interface ColdStart {
  label: string;
  name: string;
  root: string;
  event: unknown;
  times: number[];
}

/** Rows of function, median in milliseconds, ratio to the empty function. In turns, so that drift hits all alike. */
export async function coldStarts(): Promise<string[][]> {
  const emptyRoot = await emptyFunction();
  const cases: ColdStart[] = [
    { label: 'empty', name: 'empty', root: emptyRoot, event: {}, times: [] },
    {
      label: 'openidLoggedIn',
      name: 'openidLoggedIn',
      root: DIST,
      event: await sampleEvent('openidLoggedIn', 'entra'),
      times: [],
    },
    {
      label: 'samlLoggedIn',
      name: 'samlLoggedIn',
      root: DIST,
      event: await sampleEvent('samlLoggedIn', 'keycloak'),
      times: [],
    },
  ];
  for (let run = 0; run < RUNS; run++)
    for (const coldStart of cases) coldStart.times.push(await firstAnswerMs(coldStart));
  await rm(emptyRoot, { recursive: true });
  const empty = median(cases[0]?.times ?? []);
  return cases.map(({ label, times }) => [
    label,
    median(times).toFixed(1),
    (median(times) / empty).toFixed(3),
  ]);
}

async function firstAnswerMs({ name, root, event }: ColdStart): Promise<number> {
  const start = performance.now();
  const fn = await startFunction({ name, root });
  await fn.invoke(event);
  const elapsed = performance.now() - start;
  await fn.stop();
  return elapsed;
}

async function emptyFunction(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(join(root, 'functions'));
  await writeFile(join(root, 'functions', 'empty.mjs'), 'export const handler = async () => ({});\n');
  return root;
}
