/** What reaches a terminal: nothing that moves its cursor, hides text or turns its direction. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { terminalText } from '../../tools/shared/terminal.ts';
import { runCommand } from '../support/commands.ts';
import { customHandler } from '../support/customHandler.ts';
import { commandEnvironment } from '../support/environment.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();

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
  const args = ['tools/cli/bin.cjs', 'login', 'openid', file, '--handler', handler, '--explain', '--values'];
  const command = runCommand(args, { env: commandEnvironment({ NO_COLOR: '1' }) });
  const { stdout, stderr } = await command.end(0);
  const written = stdout + stderr;
  expect(written).toMatch(/printed.*\\u001b/);
  expect(written).toMatch(/^Error: threw \[31mhttps:.* reason authorized$/m);
  expect(written).not.toMatch(HARMFUL);
});
