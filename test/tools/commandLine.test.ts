/** Every command reads its arguments, and ends, in one way. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';

const folder = temporaryFolder();
const BIN = 'tools/cli/bin.cjs';
/** Those of other projects have their own ways. */
const NOT_OURS = /^(?!node )|jest\.js$/;

const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
const COMMANDS = Object.entries<string>(scripts).filter(([, script]) => !NOT_OURS.test(script));

/** In a process of its own. */
function start(args: string[], env: Record<string, string> = {}) {
  const options = { cwd: PROJECT, encoding: 'utf8', env: commandEnvironment(env) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

test('there are commands', () => expect(COMMANDS.length).toBeGreaterThan(9));

test.each(COMMANDS)('npm run %s shows its usage with an example on stdout', async (name, script) => {
  const isOurs = script.includes(BIN);
  const typed = isOurs ? `npx login-hooks ${name}` : `npm run ${name}`;
  const usage = new RegExp(`^${typed} .*\n\nusage: ${typed} .*^example: ${typed}`, 'ms');
  const stdout = expect.stringMatching(usage);
  const shown = isOurs ? await runTool(name, ['--help']) : start([...script.split(' ').slice(1), '--help']);
  expect(shown).toEqual({ status: 0, stdout, stderr: '' });
});

describe('login-hooks', () => {
  test('lists every command of a script, with its purpose', async () => {
    const { status, stdout } = await runTool('--help', []);
    expect(status).toBe(0);
    const listed = Array.from(stdout.matchAll(/^ {2}(\S+) +\S+s /gm), ([, name]) => `node ${BIN} ${name}`);
    // A few are for projects of an operator's own alone.
    const scripts = COMMANDS.map(([, script]) => script).filter((script) => script.includes(BIN));
    expect(listed).toEqual(expect.arrayContaining(scripts));
  });

  test.each([
    ['chek', '; the nearest is check'],
    ['constructor', ''],
  ])('has no command %s', async (name, hint) => {
    const stderr = expect.stringMatching(new RegExp(`expected start or .*, found ${name}${hint}\n`));
    expect(await runTool(name, [])).toEqual({ status: 2, stdout: '', stderr });
  });

  test('under an older Node, says in one sentence which is needed', () => {
    const older = `Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } }); require('./${BIN}');`;
    const stderr = `login-hooks needs Node 24, and this is 22.9.0: run npm ci, which installs it in the project, and then npm run or npx, which use it\n`;
    expect(start(['-e', older])).toEqual({ status: 2, stdout: '', stderr });
  });
});

describe('the arguments of a command', () => {
  const NPM = { npm_lifecycle_event: 'check', npm_config_handler: 'true' };
  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['a word too many', ['a', 'b'], {}, /^npx login-hooks check has no use for b$/m],
    ['an unknown option', ['--halp'], {}, /^--halp is not an option .*; the nearest is --help$/m],
    [
      'an option in one hyphen',
      ['-handler'],
      {},
      /^-handler is not an option .*; the nearest is --handler$/m,
    ],
    ['an option without its value', ['--handler'], {}, /--handler <value>' argument missing/],
    ['an option in place of a value', ['--handler', '--update'], {}, /'--handler' argument is ambiguous/],
    ['a value of a switch', ['--update=no'], {}, /'--update' does not take an argument/],
    ['an option that npm took', ['handlers/staff-group.ts'], NPM, /^npm took --handler .* -- --handler$/m],
  ])('%s', async (_, args, env, message) => {
    const { status, stdout, stderr } = await runTool('check', args, env);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/\nSee npx login-hooks check --help\n$/);
  });
});

test.each([
  ['start', ['--studio-port', '3002'], /^expected three ports, found 3000 .*, 3002 .* and 3002 \(studio\)\n/],
  ['create', ['x', '--kind', 'ldap'], /^--kind: expected openid or saml, found ldap\n/],
  [
    'login',
    ['openid', join(folder, 'utf16.json')],
    /utf16\.json: expected a file of UTF-8 text: save it as UTF-8\n/,
  ],
])('%s %j is refused', async (name, args, message) => {
  await writeFile(join(folder, 'utf16.json'), Buffer.from('\ufeff{}', 'utf16le'));
  expect(await runTool(name, args)).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('what it says is coloured where colour is wanted', () => {
  const { stderr } = start([BIN, 'check', '--halp'], { FORCE_COLOR: '1' });
  expect(stderr.startsWith('\u001b[31m--halp')).toBe(true);
});
