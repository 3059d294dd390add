/** `check --watch`: answers all events again after each change of a file, and shows what changed. */
import { isDeepStrictEqual } from 'node:util';
import { changedFiles } from '../bundle/watchFiles.ts';
import type { Change, Engine } from '../local/engine.ts';
import { labelOf, type SampleEvent } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import type { Checked } from './checked.ts';
import { runReport } from './report.ts';
import type { Run } from './run.ts';

interface WatchedSamples extends Io {
  engine: Engine;
  read: () => Promise<readonly SampleEvent[]>;
  run: Run;
}

/** Ends with Ctrl-C. */
export async function watchSamples({ engine, read, run, untilEnded }: WatchedSamples): Promise<0> {
  let before = await run.of(await read());
  console.log(runReport(before, before.events));

  async function answerAgain({ files, problem }: Change): Promise<void> {
    if (problem !== null) return console.error(problem);
    const begun = performance.now();
    try {
      const now = await run.of(await read());
      const ms = Math.round(performance.now() - begun);
      console.log(`\n${changedFiles(files)}: ${now.events.length} events in ${ms} ms\n`);
      const rows = now.events.filter((checked) => !before.events.some(isLike(checked)));
      console.log(runReport(now, rows, rows));
      before = now;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      console.error(error.message);
    }
  }

  let running = Promise.resolve();
  engine.watch({
    onChange: (change) => {
      running = running.then(() => answerAgain(change));
    },
  });
  console.log('\nWatching. Ctrl-C ends it.');
  await untilEnded();
  return 0;
}

function isLike(one: Checked): (other: Checked) => boolean {
  const shownOf = ({ sample, verdict, answered: { status, response, reason, failed } }: Checked) => ({
    ...{ label: labelOf(sample), verdict },
    ...{ status, response, reason, failed },
  });
  return (other) => isDeepStrictEqual(shownOf(one), shownOf(other));
}
