/** `npm run fuzz`: runs the tests in `test/fuzz` with more inputs than `npm test`, and with other ones each time. */
import { startCommand, wholeNumber } from '../../tools/shared/commandLine.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { jestArgs, runJest, SELECTION } from '../support/jest.ts';

const MAX_SEED = 2 ** 31;
const MAX_RUNS = 10 ** 10;

const COMMAND = {
  name: 'fuzz',
  purpose: 'sends hostile inputs through the built functions, and holds their answers to invariants',
  positionals: SELECTION.positionals,
  options: {
    ...SELECTION.options,
    runs: {
      type: 'string',
      value: '<n>',
      default: '5000',
      about: 'how many inputs each invariant is tried with',
    },
    seed: { type: 'string', value: '<n>', about: 'repeats a run; default: a new one each time' },
    path: { type: 'string', value: '<path>', about: 'goes straight to the input that a failure names' },
  },
  example: 'groups --runs 20000',
  found: 'an answer broke an invariant',
} as const satisfies Command;

await startCommand(COMMAND, async (arguments_) => {
  const { runs, seed = String(Math.floor(Math.random() * MAX_SEED)), path = '' } = arguments_.values;
  const args = await jestArgs('test/fuzz/*.test.ts', arguments_);
  return runJest(
    args.filter((arg) => arg !== '--runInBand'),
    {
      FUZZ_RUNS: String(wholeNumber('--runs', runs, 1, MAX_RUNS)),
      FUZZ_SEED: String(wholeNumber('--seed', seed, 0, MAX_SEED)),
      FUZZ_PATH: path,
    },
  );
});
