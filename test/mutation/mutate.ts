/** `npm run mutate`: changes the code in one place at a time, and expects a test to fail. */
import { startCommand, UnusableInput } from '../../tools/shared/commandLine.ts';
import { table } from '../../tools/shared/readable.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { installStryker } from './installStryker.ts';
import { barOf, keepScores, lastScores, percent, type Score, scoresOf } from './score.ts';
import { isAt, isChanged, measuredFiles, wholeAreas } from './selection.ts';

const COMMAND = {
  name: 'mutate',
  purpose: 'changes the code in one place at a time, and shows the changes that no test detects',
  positionals: [
    { name: '<path>', about: 'a file or a folder; default: all that is measured', isOptional: true },
  ],
  options: {
    changed: {
      type: 'boolean',
      about: 'only the areas that were touched since the scores were written down',
    },
    fresh: { type: 'boolean', about: 'measures again what an earlier run measured' },
  },
  example: 'lib/webhook',
  found: 'the score of an area is below its bar',
} as const satisfies Command;

await startCommand(COMMAND, async ({ positionals: [path], values }) => {
  if (path !== undefined && values.changed)
    throw new UnusableInput('expected a path or --changed, found both');
  const isChosen = values.changed ? await isChanged() : path === undefined ? () => true : isAt(path);
  const files = (await measuredFiles()).filter(isChosen);
  if (files.length === 0 && path !== undefined)
    throw new UnusableInput(`${path}: nothing of it is measured; see test/mutation/areas.ts`);
  if (files.length === 0) {
    console.log('nothing that is measured has changed');
    return 0;
  }
  await installStryker();
  const { runStryker } = await import('./runStryker.ts');
  const scores = scoresOf(await runStryker(files, values.fresh === true));
  const last = lastScores();
  const isMissed = (score: Score) => percent(score) < barOf(score.area, last);
  const rows = scores.map((score) => [
    score.area.name,
    `${score.mutants}`,
    `${score.detected}`,
    `${score.excused}`,
    `${percent(score).toFixed(1)} %`,
    `${barOf(score.area, last)} %${isMissed(score) ? ', missed' : ''}`,
  ]);
  console.log(table(['area', 'mutants', 'detected', 'excused', 'score', 'bar'], rows));
  if (scores.some(isMissed)) return 1;
  const isWhole = await wholeAreas(files);
  keepScores(scores.filter(({ area }) => isWhole(area)));
  return 0;
});
