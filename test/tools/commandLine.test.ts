/** Every command reads its arguments, and ends, in one way; and nothing that reaches a terminal moves its cursor, hides text or turns its direction. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { exitCodeOf } from '../../tools/shared/commandLine.ts';
import { PROJECT, packageManifest } from '../../tools/shared/project.ts';
import { terminalText } from '../../tools/shared/terminal.ts';
import { customHandler } from '../support/customHandler.ts';
import { commandEnvironment } from '../support/environment.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const BIN = 'tools/cli/bin.cjs';
const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
const COMMANDS = Object.keys(scripts).filter((name) => scripts[name].includes(BIN));

/** In a process of its own. */
function start(args: string[], env: Record<string, string> = {}) {
  const options = { cwd: PROJECT, encoding: 'utf8', env: commandEnvironment(env) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

test.each(COMMANDS)('npm run %s shows its usage with an example on stdout', async (name) => {
  const typed = `npx login-hooks ${name}`;
  const usage = new RegExp(`^${typed} .*\n\nusage: ${typed} .*^example: ${typed}`, 'ms');
  const stdout = expect.stringMatching(usage);
  expect(await runTool(name, ['--help'])).toEqual({ status: 0, stdout, stderr: '' });
});

test('a script of the repository shows its usage too', () => {
  const { status, stdout } = start([...scripts.pack.split(' ').slice(1), '--help']);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^npm run pack .*\n\nusage: npm run pack/)]);
});

describe('login-hooks', () => {
  test('lists every command of a script, with its purpose', async () => {
    const { status, stdout } = await runTool('--help', []);
    expect(status).toBe(0);
    const listed = Array.from(stdout.matchAll(/^ {2}(\S+) +\S+s /gm), ([, name]) => name);
    // A few are only for projects of an operator's own.
    expect(listed).toEqual(expect.arrayContaining(COMMANDS));
  });

  test('says its version', async () => {
    const { version } = await packageManifest();
    expect(await runTool('--version', [])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
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

test.each([
  [
    'check',
    ['-handler'],
    /^-handler is not an option .*; the nearest is --handler\nSee npx .* check --help\n$/,
  ],
  ['verify', ['--stage='], /^--stage: expected a value, found nothing\nSee npx .* verify --help\n$/],
  ['login', ['openid', join(folder, 'utf16.json')], /utf16\.json: expected a file of UTF-8 text: save it as/],
])('%s %j is refused', async (name, args, message) => {
  await writeFile(join(folder, 'utf16.json'), Buffer.from('\ufeff{}', 'utf16le'));
  const stderr = expect.stringMatching(message);
  expect(await runTool(name, args)).toEqual({ status: 2, stdout: '', stderr });
});

test('what another program says of its failure is told, without a stack', async () => {
  const told = jest.spyOn(console, 'error').mockReturnValue();
  // As `execFile` has it.
  const error = Object.assign(new Error('Command failed: npm pack'), { cmd: 'npm pack' });
  expect(await exitCodeOf(() => Promise.reject(error))).toBe(2);
  expect(told.mock.calls).toEqual([['Command failed: npm pack']]);
});

test('what it says is coloured where colour is wanted', () => {
  const { stderr } = start([BIN, 'check', '--halp'], { FORCE_COLOR: '1' });
  expect(stderr.startsWith('\u001b[31m--halp')).toBe(true);
});

describe('a text is written', () => {
  test.each([
    ['as it is', 'Ada\tLovelace → é 李 👩‍🚀\n', 'Ada\tLovelace → é 李 👩‍🚀\n'],
    ['with our colours', '\x1b[31mred\x1b[39m \x1b[2mdim\x1b[22m', '\x1b[31mred\x1b[39m \x1b[2mdim\x1b[22m'],
    [
      'without other sequences',
      '\x1b[8mhidden\x1b[2J\x1b]0;title\x07',
      '\\u001b[8mhidden\\u001b[2J\\u001b]0;title\\u0007',
    ],
    ['without returns to the start of a line', 'refused\rauthorized\b', 'refused\\u000dauthorized\\u0008'],
    ['without C1 characters', '\x9b31m\x85', '\\u009b31m\\u0085'],
    ['without turns of direction', 'a\u202eb\u2066c\u200f', 'a\\u202eb\\u2066c\\u200f'],
  ])('%s', (_, text, written) => expect(terminalText(text)).toBe(written));

  test('as JSON of the same value', () => {
    const value = { name: 'a\u202e\u009b\u001b[2J' };
    expect(JSON.parse(terminalText(JSON.stringify(value)))).toEqual(value);
  });
});

const HOSTILE = '\x1b]0;owned\x07\x1b[2J\r\x9b2J\u202e';
const HARMFUL = /[\p{Cc}\u202e](?<![\n\t])/u;

test('an issuer, an error of a handler and what it prints are written so', async () => {
  const event = openIdEvent();
  event.idToken.iss = `https://${HOSTILE}`;
  const file = join(folder, 'event.json');
  await writeFile(file, JSON.stringify(event));
  const handler = await customHandler(`export default ({ id_token: { iss } }) => {
    console.log('printed ' + iss);
    throw new Error('threw \\u001b[31m' + iss + '\\nreason authorized');
  }`);
  const args = [BIN, 'login', 'openid', file, '--handler', handler, '--explain', '--values'];
  const { stdout, stderr } = start(args, { NO_COLOR: '1' });
  const written = stdout + stderr;
  expect(written).toMatch(/printed.*\\u001b/);
  expect(written).toMatch(/^Error: threw \[31mhttps:.* reason authorized$/m);
  expect(written).not.toMatch(HARMFUL);
});
