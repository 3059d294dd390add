/** Test commands that prepare something first, and then run jest over files of their own. */

/** What Node runs: jest, over the files that match, one after the other. */
export function jestArgs(testMatch: string, selection: readonly string[]): string[] {
  return [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...['--testMatch', testMatch, '--runInBand', ...selection],
  ];
}

/** How such a command says which tests it runs. */
export const SELECTION = {
  positionals: [
    {
      name: '<part of a path>',
      about: 'the test files that have this in their paths; default: all',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    testNamePattern: { type: 'string', value: '<pattern>', about: 'the tests that have this in their names' },
  },
} as const;

/** The same for jest. */
export function selectionArgs({
  positionals,
  values: { testNamePattern },
}: {
  positionals: readonly string[];
  values: { testNamePattern?: string | undefined };
}): string[] {
  return [...(testNamePattern === undefined ? [] : ['--testNamePattern', testNamePattern]), ...positionals];
}
