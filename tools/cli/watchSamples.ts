/** `npm run check -- --watch`: answers all events again after each change of a file, and shows what changed. */

import { dirname, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { changedFiles } from '../bundle/watching.ts';
import type { Change, Engine } from '../local/engine.ts';
import type { SampleEvent } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import { type Checked, changedLines, checkReport, detailOf, labelOf, summary } from './checkReport.ts';
import type { Check } from './checkRun.ts';
import { brokenOnce } from './failure.ts';

export interface WatchedSamples extends Io {
  engine: Engine;
  /** Of the events: a folder, or a file. */
  path: string;
  read: () => Promise<SampleEvent[]>;
  check: Check;
}

/** Ends with Ctrl-C. */
export async function watchSamples({ engine, path, read, check, untilEnded }: WatchedSamples): Promise<0> {
  let before = await check.checkAll(await read());
  console.log(checkReport(before, process.stdout));
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
      for (const line of changesOf(before, all)) console.log(line);
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
function changesOf(before: Checked[], after: Checked[]): string[] {
  const known = new Map(before.map((checked) => [labelOf(checked.sample), checked]));
  const changed = after.filter((checked) => !isAlike(known.get(labelOf(checked.sample)), checked));
  const isGood = ({ verdict }: Checked) => verdict.kind === 'expected';
  const lines = changed.map((checked) => {
    const { type = '-' } = checked.answered.response ?? {};
    const line = `${labelOf(checked.sample)}  ${type}  ${checked.answered.reason}`;
    if (isGood(checked)) return `${line}  as expected`;
    const [detail] = detailOf(checked, process.stdout);
    if (detail !== undefined) return detail;
    const previous = known.get(labelOf(checked.sample))?.answered;
    return [line, ...(previous ? changedLines(previous, checked.answered, process.stdout) : [])].join('\n');
  });
  return [...lines, summary(after)];
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
