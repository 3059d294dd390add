/** `check`: which events it sends, to which handler, and what it says of the responses. */
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { handlerFor } from '../../tools/explain/judgedSamples.ts';
import {
  eventsPath,
  expectedFile,
  labelOf,
  rawRecordingsFile,
  sampleEvents,
} from '../../tools/local/events.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { runCommand } from '../support/commands.ts';
import { customHandler } from '../support/customHandler.ts';
import { handlerOf } from '../support/ownProject.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const ADA = JSON.stringify(openIdEvent());
let folders = 0;

/** A folder of OpenID events, by the names of their files. */
async function eventsWith(files: Readonly<Record<string, string>> = { 'ada.json': ADA }): Promise<string> {
  folders += 1;
  const events = join(folder, `events-${folders}`);
  await mkdir(join(events, 'openidLoggedIn'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(fileOf(events, name), text);
  return events;
}

const fileOf = (events: string, name: string) => join(events, 'openidLoggedIn', name);
const expectedIn = async (events: string) =>
  JSON.parse(await readFile(fileOf(events, 'ada.expected.json'), 'utf8'));
const expecting = (type: string, more: object = {}) =>
  JSON.stringify({ status: 200, answer: { type }, ...more });
const check = (...args: string[]) => runTool('check', args);

test('the sample events of the project are answered as expected, whatever the settings say', async () => {
  const events = await eventsWith({});
  for (const sample of await projectSamples()) {
    for (const file of [sample.file, expectedFile(sample)])
      await cp(file, join(events, sample.functionName, basename(file)));
  }
  const { status, stdout } = await runTool('check', [events, '--offline'], {
    ...{ RESPONSE_NAMES: 'camelCase', MESSAGE_LANGUAGE: 'de' },
    ...{ OPENID_EXTERNAL_ID: 'sub', SAML_EXTERNAL_ID: 'persistent_name_id' },
    ...{ CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing', OPENID_TOKEN_CHECK: 'on' },
    OPENID_ISSUERS: '{"https://idp.example.org":{"audiences":["client-1"]}}',
  });
  expect(stdout).toMatch(/^([1-9]\d*) of \1 events as expected, only the named events sent$/m);
  expect(status).toBe(0);
});

test('people without an address are let in where the settings say so, with the identifier that they need', async () => {
  const event = openIdEvent();
  event.idToken.otherClaims = {};
  const events = await eventsWith({ 'ada.json': JSON.stringify(event) });
  const settings = { REQUIRED_FIELDS: 'none', OPENID_EXTERNAL_ID: 'sub', RESPONSE_NAMES: 'camelCase' };
  expect(await runTool('check', [events, '--update'], settings)).toMatchObject({ status: 0 });
  const { answer } = await expectedIn(events);
  expect(answer).toMatchObject({ first_name: null, email: null, external_id: event.idToken.sub });
});

test('writes down what is answered, leaves alone what says the same, and finds what differs later', async () => {
  const events = await eventsWith({ 'ada.json': ADA, 'nobody.json': '{}' });
  const told = async (status: number, stdout: RegExp, ...args: string[]) =>
    expect(await check(events, ...args)).toMatchObject({ status, stdout: expect.stringMatching(stdout) });
  await told(
    0,
    /^openidLoggedIn\/ada +default +AuthorizedUserResponse +authorized .* no expected response\n[\s\S]*, 2 without an expected response \(--update writes it\)/m,
  );
  await told(0, /^note +written +openidLoggedIn\/ada\n[\s\S]*^2 of 2 events as expected/m, '--update');
  const file = fileOf(events, 'ada.expected.json');
  const asWritten = JSON.stringify(await expectedIn(events));
  await writeFile(file, asWritten);
  await told(0, /^2 of 2 events as expected/m, '--update');
  expect(await readFile(file, 'utf8')).toBe(asWritten);
  await writeFile(file, asWritten.replace('Lovelace', 'King'));
  await told(
    1,
    /^openidLoggedIn\/ada .*DIFFERS\n[\s\S]*^openidLoggedIn\/ada\n {2}last_name: "King" → "Lovelace"$/m,
  );
});

test('below a difference stands what a handler of code read', async () => {
  const handler = await customHandler(
    `export default ({ id_token }) => ({ type: 'ForbiddenResponse', message: id_token.other_claims.email });`,
  );
  const files = { 'ada.json': ADA, 'ada.expected.json': expecting('ErrorResponse', { handler }) };
  const { stdout } = await check(await eventsWith(files), '--handler', handler);
  expect(stdout).toMatch(/^ +Found +email: \S+ \(id_token\.other_claims\.email\)$/m);
});

test('somebody who gets in and should not is first', async () => {
  const files = { 'ada.json': ADA, 'zoe.json': ADA, 'zoe.expected.json': expecting('ForbiddenResponse') };
  const { status, stdout } = await check(await eventsWith(files));
  expect(status).toBe(1);
  expect(stdout.split('\n')[2]).toMatch(/^openidLoggedIn\/zoe .* Gets in, expected Forbidden$/);
});

test.each([
  ['./handlers/email-domain.ts', 'handlers/email-domain'],
  ['/opt/own/handler.mjs', '/opt/own/handler.mjs'],
])('%s is written down as %s, as a setting takes it', (handler, given) => {
  const sample = { functionName: 'openidLoggedIn', expected: null };
  expect(handlerFor(sample, new Stage(), { handler })?.given).toBe(given);
});

test('only the expected responses of the handler in force are compared, and fields that do not leave are named', async () => {
  const files = { 'ada.json': ADA, 'ada.expected.json': expecting('AuthorizedUserResponse') };
  const FORBIDS = `export default () => ({ type: 'ForbiddenResponse', user_groups: [] })`;
  const handler = await customHandler(FORBIDS);
  const { stdout } = await check(await eventsWith(files), '--handler', handler);
  expect(stdout).toMatch(/^openidLoggedIn\/ada .* expects default$/m);
  expect(stdout).toContain('0 of 0 events as expected, 1 not compared (they expect another handler)');
  expect(stdout).toMatch(/^left out of the response: user_groups; /m);
});

const MISSPELLED = expecting('ErrorResponse', { handlr: 'handlers/campus' });
test.each([
  ['a response that is none', 'ada.expected.json', '{}', 'status: expected'],
  ['no object', 'ada.expected.json', 'null', ''],
  ['misspelled', 'ada.expected.json', MISSPELLED, 'handlr: expected only handler, status, answer, mayBe'],
  ['a response to no event', 'gone.expected.json', '{}', 'expected the event'],
])('what is expected is named where it is %s', async (_, name, text, message) => {
  const ended = await check(await eventsWith({ 'ada.json': ADA, [name]: text }));
  expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining(`${name}: ${message}`) });
});

test('shows what a handler throws, with its source, once for all events', async () => {
  const THROWS = `export default () => {\n  throw new TypeError('out of order');\n};\n`;
  const file = await customHandler(THROWS, '.ts');
  const events = await eventsWith({ 'ada.json': ADA, 'second.json': ADA });
  const { status, stdout } = await check(events, '--handler', file);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^openidLoggedIn\/ada .*FAILED$/m)]);
  const first = '2 events, the first is openidLoggedIn/ada';
  expect(stdout).toContain(`\n${first}\n  TypeError: out of order\n    ${file}:2:9\n`);
  expect(stdout).toContain(`    > 2 |   throw new TypeError('out of order');\n        |         ^\n`);
  expect(stdout.match(/TypeError:/g)).toHaveLength(1);
});

test('one event is found by its file, by its short name and in a folder of any name, and so is a folder', async () => {
  const events = await eventsWith();
  await cp(fileOf(events, 'ada.json'), join(events, 'caught.json'));
  for (const [place, label] of [
    [fileOf(events, 'ada.json'), 'openidLoggedIn/ada'],
    [join(events, 'openidLoggedIn'), 'openidLoggedIn/ada'],
    [events, 'openidLoggedIn/ada'],
    [join(events, 'caught.json'), 'openidLoggedIn/caught'],
    [join(events, 'caught'), 'openidLoggedIn/caught'],
    ['samlLoggedIn/keycloak', 'samlLoggedIn/keycloak'],
  ] as const)
    expect((await sampleEvents(eventsPath(place))).map(labelOf)).toEqual([label]);
});

test('groups are compared as sets, and those that are new or gone are named as the mapping names them', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  const row = (uuid = '', name = '') => ({ group: 'ada@example.org', uuid, name });
  const groups = { from: ['email'], table: [row(a, 'Editors'), row(b, 'Readers')] };
  const handler = await customHandler(handlerOf({ groups }), '.ts');
  const events = await eventsWith({ 'ada.json': ADA, 'zoe.json': ADA });
  await check(events, '--handler', handler, '--update');
  const expected = await expectedIn(events);
  expect(expected.answer.user_group_uuids).toEqual([a, b]);
  const expectingGroups = (uuids: unknown[]) =>
    JSON.stringify({ ...expected, answer: { ...expected.answer, user_group_uuids: uuids } });
  await writeFile(fileOf(events, 'ada.expected.json'), expectingGroups([b, a]));
  await writeFile(fileOf(events, 'zoe.expected.json'), expectingGroups([a, c]));
  const { stdout } = await check(events, '--handler', handler);
  expect(stdout).toContain('1 of 2 events as expected');
  expect(stdout).toContain(`openidLoggedIn/zoe\n  user_group_uuids: - "${c}", + "${b}" (Readers)\n`);
});

test.each([
  ['a handler that is not there', ['--handler', 'email-domain'], 'the nearest is handlers/email-domain'],
  ['events of both kinds for a handler', ['--handler', 'handlers/email-domain'], 'events/openidLoggedIn'],
  ['--attack beside --update', ['--attack', '--update'], 'expected --attack or --update, found both'],
  ['--offline beside --record', ['--offline', '--record'], 'expected --offline or --record, found both'],
  ['--against without --report', ['--against', 'main'], 'expected --report with --against'],
  ['what is expected of an event', ['events/samlLoggedIn/keycloak.expected.json'], 'belongs to an event'],
  ['recordings', ['events/samlLoggedIn/keycloak.recordings.json'], 'belongs to an event'],
])('%s is refused', async (_, args, told) => {
  expect(await check(...args)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(told) });
});

describe('--attack', () => {
  /** Of an event by the issuer that the handler lists. */
  const campus = openIdEvent();
  campus.idToken.iss = 'https://sso.example.edu/realms/campus';
  const event = JSON.stringify(campus);
  const guarded = (condition: string) =>
    customHandler(`export default ({ id_token: { iss, other_claims: { email } } }) => ${condition}
      ? { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email, user_group_uuids: [] }
      : { type: 'ForbiddenResponse', message: 'No.' };`);

  test('has a finding for each handler and change with the cure, and tells the checks that are off', async () => {
    const handler = await guarded('true');
    const args = [await eventsWith({ 'ada.json': event }), '--attack', '--handler', handler];
    const { status, stdout } = await runTool('check', args);
    expect(stdout).toMatch(/^error +another_issuer +\S+\n {2}gets in: .*; ada\n {2}→ List the issuers: /m);
    expect(stdout).toContain('OPENID_TOKEN_CHECK is off, so nothing looks at ');
    expect(stdout).not.toContain('SAML_ASSERTION_CHECK');
    expect(stdout).toMatch(
      /, \d+ attacks refused, [1-9]\d* got in that must not, \d+ that no rule forbids, 2 not tested\n$/,
    );
    expect(status).toBe(1);
  });

  test('excuses what the expected file means, of its own handler', async () => {
    const handler = await guarded(`iss === '${campus.idToken.iss}'`);
    const mayBe = { foreign_address: 'The realm gives its people addresses.' };
    const attack = async (expectedOf: object) => {
      const expected = expecting('AuthorizedUserResponse', { mayBe, ...expectedOf });
      const events = await eventsWith({ 'ada.json': event, 'ada.expected.json': expected });
      return (await check(events, '--attack', '--handler', handler)).stdout;
    };
    expect(await attack({ handler })).not.toMatch(/^error +(?:foreign_address|excuses_nothing)/m);
    expect(await attack({})).toMatch(/^error +foreign_address /m);
  });

  test('asks no other system, where nothing is recorded', async () => {
    const system = await httpServer((_, response) => sendJson(response, {}));
    const handler = await customHandler(`export default async ({ id_token: { iss } }) => {
      if (iss !== '${campus.idToken.iss}') await fetch('${system.url}');
      return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
    };`);
    const { stdout } = await check(await eventsWith({ 'ada.json': event }), '--attack', '--handler', handler);
    await system.close();
    expect(stdout).toMatch(/^note +another_issuer +\S+\n {2}not tested: /m);
    expect(system.requests).toEqual([]);
  });
});

describe('a handler that asks another system', () => {
  let events: string;
  let handler: string;
  let directory: LocalServer;
  let name: string | null = 'Ada';
  let isDown = false;
  beforeAll(async () => {
    events = await eventsWith();
    directory = await httpServer((_, response) => {
      if (isDown) response.destroy();
      else sendJson(response, { name });
    });
    handler = await customHandler(
      `export default async ({ id_token: { sub } }) => {
        const headers = { authorization: 'Bearer secret' };
        const { name } = await (await fetch('${directory.url}/people/' + sub, { headers })).json();
        return { type: 'ForbiddenResponse', message: name };
      };`,
    );
  });
  afterAll(() => directory.close());

  const run = (...options: string[]) => check(events, '--handler', handler, ...options);
  const recorded = () => readFile(rawRecordingsFile({ file: fileOf(events, 'ada.json') }), 'utf8');

  test('asks it where nothing is recorded, unless it is offline', async () => {
    expect(await run('--update')).toMatchObject({ status: 0 });
    expect(directory.requests).toHaveLength(1);
    const { status, stdout } = await run('--offline', '--stage', 'prod');
    const missing = `the response to GET ${directory.url}/people/subject-1 is not recorded`;
    const record = `npx login-hooks check ${fileOf(events, 'ada.json')} --record`;
    expect(stdout).toContain(`ada\n  ${missing}: ${record}\n`);
    expect(status).toBe(1);
    expect(directory.requests).toHaveLength(1);
  });

  test('is answered by what was recorded, which has no token, and stays where it does not respond', async () => {
    expect(await run('--record')).toMatchObject({ status: 0 });
    const headers = { 'content-type': 'application/json' };
    const request = `GET ${directory.url}/people/subject-1`;
    expect(JSON.parse(await recorded())).toEqual([{ request, status: 200, headers, json: { name: 'Ada' } }]);
    name = 'Augusta';
    expect(await run()).toMatchObject({ status: 0 });
    expect(directory.requests).toHaveLength(2);
    const stdout = expect.stringContaining('message: "Ada');
    expect(await run('--record')).toMatchObject({ status: 1, stdout });
    const before = await recorded();
    isDown = true;
    expect(await run('--record')).toMatchObject({ status: 1 });
    isDown = false;
    expect(await recorded()).toBe(before);
  });

  test('--update does not write what a failed look-up led to', async () => {
    const lookingUp = await customHandler(
      `import * as v from 'valibot';
      import { endpoint, forbidden, lookUp, url } from 'login-hooks';
      const api = endpoint('${directory.url}');
      export default async () =>
        forbidden((await lookUp(url\`\${api}/x\`, v.object({ name: v.string() }), { allowHttp: true })).name);`,
      '.ts',
    );
    const own = await eventsWith();
    name = null;
    expect(await check(own, '--handler', lookingUp, '--update')).toMatchObject({ status: 1 });
    await expect(expectedIn(own)).rejects.toThrow('ENOENT');
    name = 'Ada';
  });

  test.each([
    ['[{}]', 'expected an object'],
    ['{"recordings": []}', 'invented: expected true, because the file is in git'],
    ['{"invented": true, "recordings": [{}]}', 'recordings[0].request: expected a text'],
  ])('%s is no recording', async (text, problem) => {
    const stderr = expect.stringContaining(`ada.recordings.json: ${problem}`);
    const files = { 'ada.json': ADA, 'ada.recordings.json': text };
    expect(await check(await eventsWith(files))).toMatchObject({ status: 2, stderr });
  });
});

/** At once: no build reads half of it. */
async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

test('with --watch, answers again after each change, and shows what changed', async () => {
  const events = await eventsWith();
  const source = (message: string) =>
    `import { forbidden } from 'login-hooks';\nexport default () => forbidden('${message}');\n`;
  const handler = await customHandler(source('First.'), '.ts');
  expect((await check(events, '--handler', handler, '--update')).status).toBe(0);
  const command = runCommand(['tools/cli/bin.cjs', 'check', events, '--handler', handler, '--watch']);
  await command.printed(/^Watching\./m);
  expect(command.stdout()).toContain('1 of 1 events as expected, only the named events sent');

  await replaceFile(handler, source('Second.'));
  await command.printed(/^0 of 1 events as expected, /m);
  expect(command.stdout()).toMatch(
    /handler-\d+\.ts changed: 1 events in \d+ ms\n\n.*\n.*\nopenidLoggedIn\/ada .* DIFFERS\n\nopenidLoggedIn\/ada\n {2}message: "First\./,
  );

  await replaceFile(handler, 'export default (;');
  await command.printed(/handler-\d+\.ts:1:16/);

  command.forget();
  await replaceFile(handler, source('First.'));
  await command.printed(/^1 of 1 events as expected, /m);
  await writeFile(join(events, 'openidLoggedIn', 'two.json'), JSON.stringify(openIdEvent()));
  await command.printed(/two\.json changed: 2 events/);
  expect((await command.end()).status).toBe(0);
});
