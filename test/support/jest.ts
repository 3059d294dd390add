/** Test commands that run jest over files of their own, some after they prepared something. */
import { spawnSync } from 'node:child_process';
import { PROJECT } from '../../tools/shared/project.ts';

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

interface Selection {
  positionals: readonly string[];
  values: { testNamePattern?: string | undefined };
}

/** What Node runs: jest, over the chosen files among those of the pattern, one after the other. */
export function jestArgs(pattern: string, { positionals, values }: Selection): string[] {
  const { testNamePattern = '' } = values;
  return [
    ...[
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
    ],
    ...[...positionals, '--testMatch', `**/${pattern}`, '--testNamePattern', testNamePattern, '--runInBand'],
  ];
}

/** @param env beside that of this process */
export function runJest(args: string[], env: Record<string, string> = {}): 0 | 1 {
  const options = { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, args, options).status === 0 ? 0 : 1;
}
