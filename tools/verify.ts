/**
 * `npm run verify`: whether both functions start with the settings of the environment: the settings usable, the
 * configured handlers there. `serverless` runs it before it packages; a mistake would answer every login with an
 * error. Exit code 1 where one is found. `--no-dotenv` leaves out what stands in `.env.<stage>` or `.env`.
 */
import { isAbsolute } from 'node:path';
import { FUNCTIONS, readCommandLine, run } from './arguments.ts';
import { environmentFor, useStage } from './environment.ts';
import { startFunction } from './lambda/functionProcess.ts';
import type { LogRecord } from './lambda/records.ts';
import { prepareBundle } from './prepareBundle.ts';

const USAGE = 'usage: npm run verify [-- --stage <stage>] [--no-dotenv]';

await run(async () => {
  const { values } = readCommandLine(USAGE, 0, {
    'no-dotenv': { type: 'boolean' },
    stage: { type: 'string' },
  });
  useStage(values.stage);
  const { root } = await prepareBundle();
  for (const name of Object.values(FUNCTIONS)) {
    const problem = problemOf(
      await coldStartOf(name, root, values['no-dotenv'] ? process.env : environmentFor(name)),
    );
    if (problem === null) continue;
    console.error(`${name} would answer every login with an error: ${problem}`);
    process.exitCode = 1;
  }
});

async function coldStartOf(name: string, root: string, env: NodeJS.ProcessEnv): Promise<LogRecord> {
  const fn = await startFunction({ name, root, env });
  try {
    await fn.invoke({});
  } catch (error) {
    console.error(fn.output());
    throw error;
  } finally {
    await fn.stop();
  }
  return fn.records().find(({ event }) => event === 'cold_start') ?? {};
}

/** A module of a layer is on Lambda alone: that it is not here says nothing. */
function problemOf({ reason, module, lookedFor, ...details }: LogRecord): string | null {
  if (reason === undefined) return null;
  if (lookedFor !== undefined && typeof module === 'string' && isAbsolute(module)) return null;
  return JSON.stringify({ reason, module, lookedFor, ...details }, null, 2);
}
