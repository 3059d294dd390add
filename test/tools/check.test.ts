import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(join(folder, 'openidLoggedIn'));
  await writeFile(join(folder, 'openidLoggedIn', 'ada.json'), JSON.stringify(openIdEvent()));
  await writeFile(join(folder, 'openidLoggedIn', 'nobody.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true }));

function check(...args: string[]) {
  const { status, stdout, stderr } = runTool('check', args);
  return { status, stdout, stderr };
}

test('the sample events of the project are answered as expected', () => {
  const { status, stdout } = check();
  expect(stdout).toMatch(/^(\d+) of \1 events as expected$/m);
  expect(status).toBe(0);
});

test('writes down what is answered, leaves alone what says the same, and finds what differs later', async () => {
  expect(check(folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 without an expected response: --update writes it'),
  });
  expect(check(folder, '--update').status).toBe(0);
  expect(check(folder)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/ada +default +AuthorizedUserResponse +authorized/),
  });

  const expected = join(folder, 'openidLoggedIn', 'ada.expected.json');
  const asWritten = JSON.stringify(JSON.parse(await readFile(expected, 'utf8')));
  await writeFile(expected, asWritten);
  expect(check(folder, '--update').status).toBe(0);
  expect(await readFile(expected, 'utf8')).toBe(asWritten);

  await writeFile(expected, (await readFile(expected, 'utf8')).replace('Lovelace', 'King'));
  const { status, stdout } = check(folder);
  expect(status).toBe(1);
  expect(stdout).toMatch(/openidLoggedIn\/ada .*DIFFERS/);
  expect(stdout).toMatch(/^openidLoggedIn\/ada\n {2}last_name: "King" → "Lovelace"$/m);
});

test('writes down a handler of the project by the name that a setting takes', async () => {
  const events = join(folder, 'named');
  await mkdir(join(events, 'openidLoggedIn'), { recursive: true });
  await writeFile(join(events, 'openidLoggedIn', 'ada.json'), JSON.stringify(openIdEvent()));
  expect(check(events, '--update', '--handler', './handlers/email-domain.ts').status).toBe(0);
  const expected = await readFile(join(events, 'openidLoggedIn', 'ada.expected.json'), 'utf8');
  expect(JSON.parse(expected)).toMatchObject({ handler: 'handlers/email-domain' });
  expect(check(events)).toMatchObject({ status: 0, stdout: expect.stringContaining('1 of 1 events') });
});

test('writes down any other handler as it was given', async () => {
  const events = join(folder, 'given');
  await mkdir(join(events, 'openidLoggedIn'), { recursive: true });
  await writeFile(join(events, 'openidLoggedIn', 'ada.json'), JSON.stringify(openIdEvent()));
  const module = await customHandler(
    `export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`,
    '.mts',
  );
  expect(check(events, '--update', '--handler', module).status).toBe(0);
  const expected = await readFile(join(events, 'openidLoggedIn', 'ada.expected.json'), 'utf8');
  expect(JSON.parse(expected)).toMatchObject({ handler: module });
});

test('compares with the expected answers of the handler in force alone', async () => {
  const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  const { stdout } = check(folder, '--handler', module);
  expect(stdout).toMatch(/^openidLoggedIn\/ada .* expects default$/m);
  expect(stdout).toContain('0 of 0 events as expected\n2 not compared: they expect another handler');
});

test('names the fields of answers that do not leave', async () => {
  const module = await customHandler(
    `export default () => ({ type: 'ForbiddenResponse', message: 'No.', user_groups: [] })`,
  );
  expect(check(folder, '--handler', module).stdout).toContain('do not leave: user_groups');
});

test.each([
  [{}, 'ada.expected.json: status: expected'],
  [null, 'ada.expected.json: '],
])('an expected answer that is none is named: %j', async (expected, message) => {
  await writeFile(join(folder, 'openidLoggedIn', 'ada.expected.json'), JSON.stringify(expected));
  expect(check(folder)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  await rm(join(folder, 'openidLoggedIn', 'ada.expected.json'));
});

test('an expected answer to no event is named', async () => {
  await writeFile(join(folder, 'openidLoggedIn', 'gone.expected.json'), '{}');
  expect(check(folder)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('gone.expected.json: expected gone.json'),
  });
  await rm(join(folder, 'openidLoggedIn', 'gone.expected.json'));
});

test.each([
  ['throws', 'export default () => { throw new Error("x") }', 'handler_threw'],
  ['answers something else', 'export default () => 7', 'answer_invalid'],
  ['is not there', null, 'handler_not_loaded'],
  ['ends the process', 'export default () => process.exit(1)', 'crash'],
])('a handler that %s makes it fail', async (_, source, reason) => {
  const module = source === null ? 'handlers/none' : await customHandler(source);
  const { status, stdout } = check(folder, '--handler', module);
  expect(status).toBe(1);
  expect(stdout).toContain(reason);
});

test('shows what another handler answers differently', async () => {
  const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  const { status, stdout } = check(folder, '--against', module);
  expect(status).toBe(1);
  expect(stdout).toMatch(/openidLoggedIn\/ada\n {2}type: "AuthorizedUserResponse" → "ForbiddenResponse"\n/);
  expect(stdout).toContain('1 of 2 events are answered differently');
  const same = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  expect(check(folder, '--handler', module, '--against', same).status).toBe(0);
});

test('unusable input is named, with exit code 2', () => {
  expect(check('/no/such/folder')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('found no openidLoggedIn/*.json'),
  });
  expect(check('--only', 'ldap')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('expected openid or saml'),
  });
  expect(check('--handlr', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the nearest is --handler'),
  });
});
