/** `npm run check -- --watch`: answers all events again after each change of a file, and shows what changed. */

import { isDeepStrictEqual } from 'node:util';
import { changedFiles } from '../bundle/watchFiles.ts';
import type { Change, Engine } from '../local/engine.ts';
import { labelOf, type SampleEvent } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import type { Checked } from './checked.ts';
import {
  changedLines,
  detailOf,
  detailsOf,
  eventsTable,
  isCollapsed,
  lastLines,
  runReport,
} from './checkReport.ts';
import type { Run } from './run.ts';

export interface WatchedSamples extends Io {
  engine: Engine;
  read: () => Promise<SampleEvent[]>;
  run: Run;
  /** Whether samples that login-hooks ships are shown like one's own. */
  showsAll: boolean;
  isOfAllEvents: boolean;
}

/** Ends with Ctrl-C. */
export async function watchSamples(watched: WatchedSamples): Promise<0> {
  const { engine, read, run, showsAll, isOfAllEvents, untilEnded } = watched;
  const first = await run.of(await read(), { isOfAllEvents });
  let before = first.events;
  console.log(runReport(first, { hasRows: true, showsAll }));

  async function answerAgain({ files, problem, broken }: Change): Promise<void> {
    if (problem !== null) return console.error(problem);
    const begun = performance.now();
    try {
      const { events: all, totals } = await run.of(await read(), { isOfAllEvents });
      const ms = Math.round(performance.now() - begun);
      console.log(`\n${changedFiles(files)}: ${all.length} events in ${ms} ms`);
      for (const { message } of broken) console.error(message);
      for (const line of changesOf(before, all, showsAll)) console.log(line);
      for (const line of lastLines(all, showsAll, totals)) console.log(line);
      before = all.map((checked) => (isBuilt(checked) ? checked : (before.find(isOf(checked)) ?? checked)));
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

/** Events whose response or verdict changed, as a check shows them, with what changed. */
function changesOf(before: readonly Checked[], after: readonly Checked[], showsAll: boolean): string[] {
  const isShown = (checked: Checked | undefined) => checked && (showsAll || !isCollapsed(checked));
  const changed = after.filter((checked) => {
    const previous = before.find(isOf(checked));
    return !isAlike(previous, checked) && (isShown(checked) || isShown(previous));
  });
  const unexplained = changed.filter(
    (checked) => checked.verdict.kind !== 'expected' && detailOf(checked, process.stdout) === '',
  );
  return [
    ...eventsTable(changed, process.stdout),
    ...unexplained.flatMap((checked) => differencesSince(before.find(isOf(checked)), checked)),
    ...detailsOf(changed, process.stdout),
  ];
}

/** Of an event that no expected response is compared with. */
function differencesSince(previous: Checked | undefined, { sample, answered }: Checked): string[] {
  if (previous === undefined || !isBuilt(previous)) return [];
  return [[labelOf(sample), ...changedLines(previous.answered, answered, process.stdout)].join('\n')];
}

function isOf({ sample }: Checked): (other: Checked) => boolean {
  return (other) => labelOf(other.sample) === labelOf(sample);
}

/** A typo in a handler is no response: later ones are compared with the one before it. */
function isBuilt({ answered }: Checked): boolean {
  return answered.reason !== 'not_built';
}

function isAlike(one: Checked | undefined, other: Checked): boolean {
  const relevant = ({ verdict, answered: { status, response, reason, failed } }: Checked) => ({
    verdict,
    status,
    reason,
    failed,
    response,
  });
  return one !== undefined && isDeepStrictEqual(relevant(one), relevant(other));
}
