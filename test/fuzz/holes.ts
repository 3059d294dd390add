/**
 * `npm run fuzz:holes`: shows that the fuzz, and the tests, find what was there once. Each patch in `holes/` opens such a
 * hole. A copy of the project gets the patch: there the fuzz must fail, with three fresh seeds, or a test of the file that
 * the patch names. Without a patch they must not.
 */
import { type Command, runCommand, UnusableInput } from '../../tools/cli/commandLine.ts';
import { table } from '../../tools/cli/table.ts';
import { type Hole, inCopy, readHoles } from './patches.ts';
import { type Search, searchHole, searchNothing } from './searchedHoles.ts';
import { type Tested, testHoles } from './testedHoles.ts';

const COMMAND = {
  name: 'npm run fuzz:holes',
  purpose: 'opens each defect of test/fuzz/holes/ in a copy of the project, and expects the fuzz to find it',
  options: {
    only: { type: 'string', value: '<name>', about: 'the defects that have this in their names' },
    tests: {
      type: 'boolean',
      about: 'runs the tests that each defect names instead, and expects one to fail',
    },
  },
  example: '--tests --only email',
  found: 'a defect was not found, or one where there is none',
} as const satisfies Command;

await runCommand(COMMAND, async ({ values }) => {
  const holes = (await readHoles()).filter(({ name }) => name.includes(values.only ?? ''));
  if (holes.length === 0) {
    throw new UnusableInput(`--only: no file of test/fuzz/holes/ has ${values.only} in its name`);
  }
  const results = values.tests
    ? await showTests(holes)
    : await showSearches(holes, { alsoWithout: values.only === undefined });
  const failed = results.filter(({ problem }) => problem !== null).length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});

/** @param alsoWithout whether the fuzz runs without any patch first */
async function showSearches(holes: Hole[], { alsoWithout }: { alsoWithout: boolean }): Promise<Search[]> {
  const searches = alsoWithout ? await inCopy(searchNothing) : [];
  for (const hole of holes) {
    searches.push(...(await inCopy((copy) => searchHole(hole, copy))));
    console.log(`${hole.name}: ${searches.at(-1)?.foundBy ?? 'NOT FOUND'}`);
  }
  console.log(`\n${table(['hole', 'seed', 'cases', 'found by', ''], searches.map(searchRow))}`);
  return searches;
}

function searchRow({ hole, seed, cases, foundBy, problem }: Search): string[] {
  return [hole, String(seed), String(cases), foundBy ?? '-', problem ?? ''];
}

async function showTests(holes: Hole[]): Promise<Tested[]> {
  const tested = await testHoles(holes, ({ hole, failed, problem }) =>
    console.log(`${hole}: ${problem ?? failed[0] ?? 'no test fails'}`),
  );
  console.log(`\n${table(['hole', 'test', 'failed', ''], tested.map(testRow))}`);
  return tested;
}

function testRow({ hole, test, failed, problem }: Tested): string[] {
  return [hole, test, String(failed.length), problem ?? ''];
}
