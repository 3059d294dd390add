/** `npm run mutate`: changes the code in one place at a time, and expects a test to fail. */
import { dirname, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { startCommand, UnusableInput } from '../../tools/shared/commandLine.ts';
import { table } from '../../tools/shared/readable.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { installStryker } from './installStryker.ts';
import { measuredFolders, readRecord, type Score, writeRecord } from './measured.ts';

const COMMAND = {
  name: 'mutate',
  purpose: 'changes the code in one place at a time, and shows the changes that no test detects',
  positionals: [
    { name: '<path>', about: 'a file or a folder; default: all that is measured', isOptional: true },
  ],
  options: {
    changed: { type: 'boolean', about: 'only the folders that changed since they were measured' },
    fresh: { type: 'boolean', about: 'measures again what an earlier run measured' },
  },
  example: 'lib/webhook',
  found: 'there is a change that no test detects',
} as const satisfies Command;

await startCommand(COMMAND, async ({ positionals: [path = '.'], values }) => {
  const isAtPath = (file: string) => !relative(path, file).startsWith('..');
  const folders = (await measuredFolders()).filter(({ files }) => files.some(isAtPath));
  if (folders.length === 0)
    throw new UnusableInput(`${path}: nothing of it is measured; see test/mutation/measured.ts`);
  const record = readRecord();
  const files = folders
    .filter(({ name, digest }) => !values.changed || record[name]?.digest !== digest)
    .flatMap((folder) => folder.files.filter(isAtPath));
  const mutants = files.length > 0 ? await testedMutants(files, values.fresh === true) : [];

  const scores = folders.map(({ name, files: all, digest }) => {
    const measured = all.filter((file) => files.includes(file)).length;
    const earlier = record[name];
    if (measured === 0 && earlier) return { name, when: 'earlier', ...earlier };
    const score = scoreOf(mutants.filter(({ fileName }) => dirname(fileName) === name));
    const isWhole = measured === all.length;
    if (isWhole) record[name] = { ...score, digest };
    return { name, when: isWhole ? 'now' : 'now, in part', ...score };
  });
  const rows = scores.map(({ name, mutants, detected, excused, when }) => {
    const missed = mutants > detected ? `${mutants - detected}` : '';
    return [name, `${mutants}`, `${detected}`, missed, `${excused}`, when];
  });
  console.log(table(['folder', 'mutants', 'detected', 'missed', 'excused', 'measured'], rows));
  writeRecord(record);
  return scores.every(({ mutants, detected }) => mutants === detected) ? 0 : 1;
});

async function testedMutants(files: string[], isFresh: boolean): Promise<MutantResult[]> {
  await installStryker();
  const { runStryker } = await import('./runStryker.ts');
  return runStryker(files, isFresh);
}

function scoreOf(mutants: readonly MutantResult[]): Score {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const excused = count('Ignored');
  return { mutants: mutants.length - excused, detected: count('Killed', 'Timeout'), excused };
}
