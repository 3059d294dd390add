/** `npm run check -- --watch`: answers all events again after each change of a file, and shows what changed. */

import { dirname, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { changedFiles } from '../bundle/watching.ts';
import type { Change, Engine } from '../local/engine.ts';
import { labelOf, type SampleEvent } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import { type Checked, changedLines, checkReport, detailOf, detailsOf, totals } from './checkReport.ts';
import type { Check } from './checkRun.ts';
import { isCollapsed } from './collapsed.ts';
import { brokenOnce } from './failure.ts';

export interface WatchedSamples extends Io {
  engine: Engine;
  /** Of the events: a folder, or a file. */
  path: string;
  read: () => Promise<SampleEvent[]>;
  check: Check;
  /** Whether samples that login-hooks ships are shown like one's own. */
  showsAll: boolean;
}

/** Ends with Ctrl-C. */
export async function watchSamples(watched: WatchedSamples): Promise<0> {
  const { engine, path, read, check, showsAll, untilEnded } = watched;
  let before = await check.checkAll(await read());
  console.log(checkReport(before, process.stdout, showsAll));
  const showBroken = brokenOnce(engine);
  showBroken();

  async function answerAgain({ files, problem }: Change): Promise<void> {
    if (problem !== null) return console.error(problem);
    const begun = performance.now();
    try {
      const all = await check.checkAll(await read());
      const ms = Math.round(performance.now() - begun);
      console.log(`\n${changedFiles(files)}: ${all.length} events in ${ms} ms`);
      showBroken();
      for (const line of changesOf(before, all, showsAll)) console.log(line);
      before = all;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      console.error(error.message);
    }
  }

  let running = Promise.resolve();
  engine.watch([extname(path) === '.json' ? dirname(path) : path], (change) => {
    running = running.then(() => answerAgain(change));
  });
  console.log('\nWatching. Ctrl-C ends it.');
  await untilEnded();
  return 0;
}

/** Events whose response or verdict changed, with what changed, and how many are as expected. */
function changesOf(before: Checked[], after: Checked[], showsAll: boolean): string[] {
  const known = new Map(before.map((checked) => [labelOf(checked.sample), checked]));
  const isShown = (checked: Checked | undefined) => checked && (showsAll || !isCollapsed(checked));
  const changed = after.filter((checked) => {
    const previous = known.get(labelOf(checked.sample));
    return !isAlike(previous, checked) && (isShown(checked) || isShown(previous));
  });
  const lines = changed
    .filter((checked) => detailOf(checked, process.stdout) === '')
    .map((checked) => changeOf(known.get(labelOf(checked.sample)), checked));
  return [...lines, ...detailsOf(changed, process.stdout), totals(after, showsAll)];
}

/** Of an event with which nothing is wrong. */
function changeOf(previous: Checked | undefined, { sample, answered, verdict }: Checked): string {
  const line = `${labelOf(sample)}  ${answered.response?.type ?? '-'}  ${answered.reason}`;
  if (verdict.kind === 'expected') return `${line}  as expected`;
  return [line, ...(previous ? changedLines(previous.answered, answered, process.stdout) : [])].join('\n');
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
