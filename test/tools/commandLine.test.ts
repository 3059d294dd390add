/** Every command reads its arguments, and ends, in one way. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';

/** Those of other projects have their own ways. */
const NOT_OURS = /^(jest|biome|tsc) |jest\.js$/;

const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
const COMMANDS = Object.entries<string>(scripts).filter(([, script]) => !NOT_OURS.test(script));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs what a script of package.json runs, with more arguments. */
function run(script: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [...script.split(' ').slice(1), ...args],
      { cwd: PROJECT, env: commandEnvironment(env) },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}

test('there are commands', () => expect(COMMANDS.length).toBeGreaterThan(9));

describe.each(COMMANDS)('%s', (name, script) => {
  const typed = name === 'start' ? 'npm start' : `npm run ${name}`;

  test.concurrent('shows its usage with an example on stdout', async () => {
    const { code, stdout, stderr } = await run(script, ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${typed} .*\n\nusage: ${typed} -- .*^example: ${typed}`, 'ms'));
  });

  test.concurrent('refuses an option that it does not know, on stderr', async () => {
    const { code, stdout, stderr } = await run(script, ['--halp']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `--halp is not an option of ${typed}; the nearest is --help\nSee ${typed} -- --help\n`,
    );
  });
});

describe('the arguments of a command', () => {
  const SEE = '\nSee npm run check -- --help\n';
  test.concurrent.each<[string, string[], Record<string, string>, string]>([
    ['a word too many', ['a', 'b'], {}, `npm run check has no use for b${SEE}`],
    [
      'an option in one hyphen',
      ['-handler'],
      {},
      `-handler is not an option of npm run check; the nearest is --handler${SEE}`,
    ],
    [
      'an option without its value',
      ['--handler'],
      {},
      `--handler: expected <module> after it, found nothing${SEE}`,
    ],
    [
      'an option in place of a value',
      ['--handler', '--update'],
      {},
      `--handler: expected <module> after it, found --update${SEE}`,
    ],
    ['a value of a switch', ['--update=no'], {}, `--update takes no value, found no${SEE}`],
    ['no choice', ['--only', 'ldap'], {}, `--only: expected openid or saml, found ldap${SEE}`],
    [
      'an option that npm took',
      ['handlers/staff-group.ts'],
      { npm_lifecycle_event: 'check', npm_config_handler: 'true' },
      `npm took --handler as its own option: write -- after npm run check, before everything else${SEE}`,
    ],
  ])('%s', async (_, args, env, message) => {
    const { code, stdout, stderr } = await run(scripts.check, args, env);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: message });
  });
});

test.concurrent('what it says is coloured where colour is wanted', async () => {
  const { stderr } = await run(scripts.check, ['--halp'], { FORCE_COLOR: '1' });
  expect(stderr.startsWith('\u001b[31m--halp')).toBe(true);
});
