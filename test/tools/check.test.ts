import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectedFile, rawRecordingsFile } from '../../tools/local/events.ts';
import { runCommand } from '../support/commands.ts';
import { customHandler } from '../support/customHandler.ts';
import { projectCopy } from '../support/projectCopy.ts';
import type { ProjectFolder } from '../support/projectFolder.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool, toolsOf } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await mkdir(join(folder, 'openidLoggedIn'));
  await writeFile(join(folder, 'openidLoggedIn', 'ada.json'), JSON.stringify(openIdEvent()));
  await writeFile(join(folder, 'openidLoggedIn', 'nobody.json'), '{}');
});

/** A folder of events with one in it. */
async function eventsIn(name: string): Promise<string> {
  const events = join(folder, name);
  await mkdir(join(events, 'openidLoggedIn'), { recursive: true });
  await writeFile(join(events, 'openidLoggedIn', 'ada.json'), JSON.stringify(openIdEvent()));
  return events;
}

async function check(...args: string[]) {
  return runTool('check', args);
}

test('the sample events of the project are answered as expected, whatever the settings say', async () => {
  const events = join(folder, 'of-the-project');
  for (const sample of await projectSamples()) {
    for (const file of [sample.file, expectedFile(sample)])
      await cp(file, join(events, sample.functionName, basename(file)));
  }
  const { status, stdout } = await runTool('check', [events, '--offline'], {
    RESPONSE_NAMES: 'camelCase',
    MESSAGE_LANGUAGE: 'de',
    OPENID_EXTERNAL_ID: 'sub',
    SAML_EXTERNAL_ID: 'persistent_name_id',
    CALLER_CHECK: 'signature',
    SIGNING_SECRET_ID: 'login-hooks/signing',
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: '{"https://idp.example.org":{"audiences":["client-1"]}}',
  });
  expect(stdout).toMatch(/^([1-9]\d*) of \1 events as expected, of all events not asked$/m);
  expect(status).toBe(0);
});

describe('beside the samples that login-hooks ships', () => {
  let copy: ProjectFolder;
  let checkCopy: (...args: string[]) => ReturnType<typeof check>;
  beforeAll(async () => {
    const files = {
      'events/openidLoggedIn/ours.json': JSON.stringify(openIdEvent()),
      'events/samlLoggedIn/okta.expected.json': '{"status": 200, "answer": {"type": "ForbiddenResponse"}}',
    };
    const samples = ['openidLoggedIn/entra', 'samlLoggedIn/okta', 'samlLoggedIn/keycloak-staff'];
    copy = await projectCopy(files, samples);
    const runCopy = await toolsOf(copy.folder);
    checkCopy = (...args) => runCopy('check', ['--offline', ...args]);
  });
  afterAll(() => copy.remove());

  const rowsIn = (text: string) =>
    Array.from(text.matchAll(/^(\w+LoggedIn\/\S+) {2,}/gm), ([, label]) => label);

  test("one's own events have rows, and samples only where they differ", async () => {
    const { status, stdout } = await checkCopy();
    expect(rowsIn(stdout)).toEqual(['samlLoggedIn/okta', 'openidLoggedIn/ours']);
    expect(stdout).toMatch(
      /\nSamples of login-hooks: 2 as expected; --all shows each\n0 of 1 events as expected, 1 without .*\n$/,
    );
    expect(status).toBe(1);
  });

  test('samples that expect another handler than the one in force have none', async () => {
    await copy.write('.env.dev', 'SAML_HANDLER_MODULE=handlers/edugain-federation\n');
    const { status, stdout } = await checkCopy();
    await rm(join(copy.folder, '.env.dev'));
    expect(rowsIn(stdout)).toEqual(['openidLoggedIn/ours']);
    expect(stdout).toContain(
      'Samples of login-hooks: 1 as expected, 2 for another handler; --all shows each\n',
    );
    // The handler in force is compared with no event.
    expect(status).toBe(1);
  });

  test.each([
    ['--all', ['--all'], 4],
    ['a folder', ['events/openidLoggedIn'], 2],
  ])('with %s, each event has a row', async (_, args, rows) => {
    const { stdout } = await checkCopy(...args);
    expect(rowsIn(stdout)).toHaveLength(rows);
    expect(stdout).not.toContain('Samples of login-hooks');
  });
});

describe('events of the kind that a handler is not for are left out', () => {
  test('where an event expects it', async () => {
    const { status, stdout } = await check('--handler', 'handlers/renamed-attributes', '--all');
    expect(stdout).toMatch(/^samlLoggedIn\/onelogin /m);
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('openidLoggedIn')]);
  });

  test('where a setting names it', async () => {
    const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse' })`);
    const env = { SAML_HANDLER_MODULE: module };
    const { stdout } = await runTool('check', ['--handler', module, '--all'], env);
    expect(stdout).toMatch(/^samlLoggedIn\/onelogin /m);
    expect(stdout).not.toContain('openidLoggedIn');
  });

  test.each(['--handler', '--against'])(
    'where nothing tells the kind of %s, it must be said',
    async (option) => {
      const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse' })`);
      const stderr = `${module}: no setting names this handler, and no event expects it: add --only openid or --only saml\n`;
      expect(await check(option, module)).toEqual({ status: 2, stdout: '', stderr });
    },
  );
});

test('people without an address are let in where the settings say so, with the identifier that they need', async () => {
  const events = join(folder, 'without-address', 'openidLoggedIn');
  await mkdir(events, { recursive: true });
  const event = openIdEvent();
  event.idToken.otherClaims = {};
  await writeFile(join(events, 'nobody.json'), JSON.stringify(event));
  const settings = { REQUIRED_FIELDS: 'none', OPENID_EXTERNAL_ID: 'sub', RESPONSE_NAMES: 'camelCase' };
  const { status } = await runTool('check', [join(events, '..'), '--update'], settings);
  const { answer } = JSON.parse(await readFile(join(events, 'nobody.expected.json'), 'utf8'));
  expect(status).toBe(0);
  expect(answer).toMatchObject({ first_name: null, email: null, external_id: event.idToken.sub });
});

test.each(['openidLoggedIn', 'samlLoggedIn'])('%s has samples in every envelope', async (functionName) => {
  const envelopes = ['http-alb', 'http-api-v2', 'http-function-url', 'http-rest-v1'];
  const own = (await projectSamples()).filter((sample) => sample.functionName === functionName);
  expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(envelopes));
});

test('writes down what is answered, leaves alone what says the same, and finds what differs later', async () => {
  expect(await check(folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 without an expected response (--update writes it)'),
  });
  expect((await check(folder, '--update')).status).toBe(0);
  expect(await check(folder)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/ada +default +AuthorizedUserResponse +authorized/),
  });

  const expected = join(folder, 'openidLoggedIn', 'ada.expected.json');
  const asWritten = JSON.stringify(JSON.parse(await readFile(expected, 'utf8')));
  await writeFile(expected, asWritten);
  expect((await check(folder, '--update')).status).toBe(0);
  expect(await readFile(expected, 'utf8')).toBe(asWritten);

  await writeFile(expected, (await readFile(expected, 'utf8')).replace('Lovelace', 'King'));
  const { status, stdout } = await check(folder);
  expect(status).toBe(1);
  expect(stdout).toMatch(/openidLoggedIn\/ada .*DIFFERS/);
  expect(stdout).toMatch(/^openidLoggedIn\/ada\n {2}last_name: "King" → "Lovelace"$/m);
});

test('below a difference stands what a handler of code read', async () => {
  const events = await eventsIn('read-by-code');
  const handler = await customHandler(
    `export default ({ id_token }) => ({ type: 'ForbiddenResponse', message: id_token.other_claims.email });`,
  );
  const place = join(events, 'openidLoggedIn');
  const answer = { type: 'ForbiddenResponse', message: 'No.' };
  const expected = JSON.stringify({ handler, status: 200, answer });
  await writeFile(join(place, 'ada.expected.json'), expected);
  const { stdout } = await check(events, '--handler', handler);
  expect(stdout).toMatch(/^ +Found +email: \S+ \(id_token\.other_claims\.email\)$/m);
});

test('somebody who gets in and should not is first', async () => {
  const events = await eventsIn('gets-in');
  const place = join(events, 'openidLoggedIn');
  await cp(join(place, 'ada.json'), join(place, 'zoe.json'));
  const answer = { type: 'ForbiddenResponse', message: 'No.' };
  await writeFile(join(place, 'zoe.expected.json'), JSON.stringify({ status: 200, answer }));
  const { status, stdout } = await check(events);
  expect(status).toBe(1);
  expect(stdout.split('\n')[2]).toMatch(/^openidLoggedIn\/zoe .* Gets in, expected Forbidden$/);
});

test('writes down a handler of the project by the name that a setting takes', async () => {
  const events = await eventsIn('named');
  expect((await check(events, '--update', '--handler', './handlers/email-domain.ts')).status).toBe(0);
  const expected = await readFile(join(events, 'openidLoggedIn', 'ada.expected.json'), 'utf8');
  expect(JSON.parse(expected)).toMatchObject({ handler: 'handlers/email-domain' });
  expect(await check(events)).toMatchObject({ status: 0, stdout: expect.stringContaining('1 of 1 events') });
});

test('writes down any other handler as it was given', async () => {
  const events = await eventsIn('given');
  const module = await customHandler(
    `export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`,
    '.mts',
  );
  expect((await check(events, '--update', '--handler', module)).status).toBe(0);
  const expected = await readFile(join(events, 'openidLoggedIn', 'ada.expected.json'), 'utf8');
  expect(JSON.parse(expected)).toMatchObject({ handler: module });
});

test('compares with the expected answers of the handler in force alone', async () => {
  const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  const { stdout } = await check(folder, '--handler', module);
  expect(stdout).toMatch(/^openidLoggedIn\/ada .* expects default$/m);
  expect(stdout).toContain('0 of 0 events as expected, 2 not compared (they expect another handler)');
});

test('names the fields of answers that do not leave', async () => {
  const module = await customHandler(
    `export default () => ({ type: 'ForbiddenResponse', message: 'No.', user_groups: [] })`,
  );
  expect((await check(folder, '--handler', module)).stdout).toContain(
    'unknown fields of the response, left out: user_groups',
  );
});

test.each([
  [{}, 'ada.expected.json: status: expected'],
  [null, 'ada.expected.json: '],
])('an expected answer that is none is named: %j', async (expected, message) => {
  await writeFile(join(folder, 'openidLoggedIn', 'ada.expected.json'), JSON.stringify(expected));
  expect(await check(folder)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  await rm(join(folder, 'openidLoggedIn', 'ada.expected.json'));
});

test('an expected answer to no event is named', async () => {
  await writeFile(join(folder, 'openidLoggedIn', 'gone.expected.json'), '{}');
  expect(await check(folder)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('gone.expected.json: expected the event'),
  });
  await rm(join(folder, 'openidLoggedIn', 'gone.expected.json'));
});

test.each([
  ['answers something else', 'export default () => 7', 'answer_invalid'],
  ['ends the process', 'export default () => process.exit(1)', 'crash'],
])('a handler that %s makes it fail', async (_, source, reason) => {
  const { status, stdout } = await check(folder, '--handler', await customHandler(source));
  expect(status).toBe(1);
  expect(stdout).toContain(reason);
});

test('shows what another handler answers differently', async () => {
  const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  const { status, stdout } = await check(folder, '--against', module);
  expect(status).toBe(1);
  expect(stdout).toMatch(/openidLoggedIn\/ada\n {2}type: "AuthorizedUserResponse" → "ForbiddenResponse"\n/);
  expect(stdout).toContain('1 of 2 events have another response');
  const same = await customHandler(`export default () => ({ type: 'ForbiddenResponse', message: 'No.' })`);
  expect((await check(folder, '--handler', module, '--against', same)).status).toBe(0);
});

test('checks the one event, or the folder of one kind, that it is given', async () => {
  const file = join(folder, 'openidLoggedIn', 'ada.json');
  expect((await check(file)).stdout).toMatch(
    /ada .*\n\n0 of 0 events as expected, 1 without an expected response/,
  );
  const { stdout } = await check(join(folder, 'openidLoggedIn'));
  expect(stdout).toContain('1 of 1 events as expected, 1 without an expected response');
});

test('takes an event as its table names it', async () => {
  expect(await check('samlLoggedIn/keycloak')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^samlLoggedIn\/keycloak .*\n\n1 of 1 events as expected, of all events not asked$/m,
    ),
  });
});

test('finds the kind of an event in a folder of any name', async () => {
  const file = join(folder, 'caught.json');
  await writeFile(file, JSON.stringify(openIdEvent()));
  expect((await check(file)).stdout).toMatch(/^openidLoggedIn\/caught +default +AuthorizedUserResponse/m);
  expect((await check(file.replace('.json', ''))).stdout).toMatch(/^openidLoggedIn\/caught /m);
  await writeFile(file, '{}');
  for (const { status, stderr } of [await check(file), await runTool('login', ['openid', file])]) {
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('expected an event with idToken or assertion'),
    ]);
  }
});

test('compares groups as sets, and names those that are new or gone', async () => {
  const events = await eventsIn('groups');
  const groups = async (...uuids: string[]) =>
    customHandler(
      `export default () => ({ type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'L', email: 'a@example.org',
        user_group_uuids: ${JSON.stringify(uuids)} })`,
    );
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  const handler = await groups(`${a}`, `${b}`);
  expect((await check(events, '--handler', handler, '--against', await groups(`${b}`, `${a}`))).status).toBe(
    0,
  );
  const { stdout } = await check(events, '--handler', handler, '--against', await groups(`${b}`, `${c}`));
  expect(stdout).toContain(`  user_group_uuids: - "${a}", + "${c}"\n`);
});

test('names the user groups that a mapping names, and leaves the response as it is', async () => {
  const events = await eventsIn('named-groups');
  const [a, b] = ['a', 'b'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  const mapping = (uuid: string | undefined, name: string) =>
    customHandler(
      `import { mapOpenIdLogin } from 'login-hooks';
      export default mapOpenIdLogin({ groups: { from: ['email'], table: [
        { group: 'ada@example.org', uuid: '${uuid}', name: '${name}' }] } });`,
      '.ts',
    );
  const handler = await mapping(a, 'Editors');
  const { stdout } = await check(events, '--handler', handler, '--against', await mapping(b, 'Readers'));
  expect(stdout).toContain(`  user_group_uuids: - "${a}" (Editors), + "${b}" (Readers)\n`);
  await check(events, '--handler', handler, '--update');
  const expected = expectedFile({ file: join(events, 'openidLoggedIn', 'ada.json') });
  const { answer } = JSON.parse(await readFile(expected, 'utf8'));
  expect(answer.user_group_uuids).toEqual([a]);
});

test('shows what a handler throws, with its source', async () => {
  const file = await customHandler(
    `export default () => {\n  throw new TypeError('out of order');\n};\n`,
    '.ts',
  );
  const { status, stdout } = await check(folder, '--handler', file);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^openidLoggedIn\/ada .*FAILED$/m)]);
  expect(stdout).toContain(`openidLoggedIn/ada\n  TypeError: out of order\n    ${file}:2:9\n`);
  expect(stdout).toContain(`    > 2 |   throw new TypeError('out of order');\n        |         ^\n`);
});

test('shows a mistake that many events have once', async () => {
  const events = await eventsIn('twice');
  await writeFile(join(events, 'openidLoggedIn', 'second.json'), JSON.stringify(openIdEvent()));
  const handler = await customHandler(
    `export default () => { throw new TypeError('out of order'); };`,
    '.ts',
  );
  const { stdout } = await check(events, '--handler', handler);
  expect(stdout).toContain('\n2 events, the first is openidLoggedIn/ada\n  TypeError: out of order\n');
  expect(stdout.match(/TypeError:/g)).toHaveLength(1);
});

test.each([
  ['--handler', ''],
  ['--against', 'git knows no commit email-domain, and '],
])('names the nearest handler once where %s is none', async (option, begin) => {
  expect(await check(folder, option, 'email-domain')).toEqual({
    status: 2,
    stdout: '',
    stderr: `${begin}there is no handler email-domain; the nearest is handlers/email-domain\n`,
  });
});

describe('a handler that asks another system', () => {
  let events: string;
  let handler: string;
  let directory: LocalServer;
  let name: string | null = 'Ada';
  beforeAll(async () => {
    events = await eventsIn('asking');
    directory = await httpServer((_, response) => sendJson(response, { name }));
    handler = await customHandler(
      `import * as v from 'valibot';
      import { endpoint, forbidden, lookUp, type OpenIdHandler, url } from 'login-hooks';
      const api = endpoint('${directory.url}');
      const asking: OpenIdHandler = async ({ id_token }) => {
        const options = { allowHttp: true, headers: { authorization: 'Bearer secret' }, cacheSeconds: 60 };
        return forbidden((await lookUp(url\`\${api}/people/\${id_token.sub}\`, v.object({ name: v.string() }), options)).name);
      };
      export default asking;`,
      '.ts',
    );
  });
  afterAll(() => directory.close());

  const record = () => rawRecordingsFile({ file: join(events, 'openidLoggedIn', 'ada.json') });
  const run = (...options: string[]) => check(events, '--handler', handler, ...options);

  test('asks it where nothing is recorded, unless it is offline', async () => {
    expect(await run('--update')).toMatchObject({ status: 0 });
    expect(directory.requests).toHaveLength(1);
    const { status, stdout } = await run('--offline', '--stage', 'prod');
    expect(status).toBe(1);
    const file = join(events, 'openidLoggedIn', 'ada.json');
    expect(stdout).toContain(
      `ada\n  the response to GET ${directory.url}/people/subject-1 is not recorded: npm run check -- ${file} --record\n`,
    );
    expect(directory.requests).toHaveLength(1);
  });

  test('is answered by what was recorded, which has no token', async () => {
    expect(await run('--record')).toMatchObject({ status: 0 });
    const recorded = await readFile(record(), 'utf8');
    expect(JSON.parse(recorded)).toEqual([
      {
        request: `GET ${directory.url}/people/subject-1`,
        status: 200,
        headers: { 'content-type': 'application/json' },
        json: { name: 'Ada' },
      },
    ]);
    name = 'Augusta';
    expect(await run()).toMatchObject({ status: 0 });
    expect(directory.requests).toHaveLength(2);
    const differs = await run('--record');
    expect(differs).toMatchObject({ status: 1, stdout: expect.stringContaining('message: "Ada') });
  });

  test('--update does not write what a failed look-up led to', async () => {
    const expected = join(events, 'openidLoggedIn', 'ada.expected.json');
    const before = await readFile(expected, 'utf8');
    await rm(record());
    name = null;
    expect(await run('--update')).toMatchObject({ status: 1 });
    expect(await readFile(expected, 'utf8')).toBe(before);
    name = 'Ada';
  });

  test.each([
    ['[{}]', 'ada.recordings.json: expected an object'],
    ['{"recordings": []}', 'ada.recordings.json: invented: expected true, because the file is in git'],
    ['{"invented": true, "recordings": [{}]}', 'ada.recordings.json: recordings[0].request: expected a text'],
  ])('%s is no recording', async (text, problem) => {
    const file = join(events, 'openidLoggedIn', 'ada.recordings.json');
    await writeFile(file, text);
    const { status, stderr } = await check(events);
    await rm(file);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

/** At once: no build reads half of it. */
async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

const AUTHORIZES = `import { authorizedUser } from 'login-hooks';
export default () => authorizedUser({ first_name: 'Ada', last_name: 'L', email: 'ada@example.org' });\n`;

test('with --watch, answers again after each change, and shows what changed', async () => {
  const events = await eventsIn('watched');
  const source = (message: string) =>
    `import { forbidden } from 'login-hooks';\nexport default () => forbidden('${message}');\n`;
  const handler = await customHandler(source('First.'), '.ts');
  expect((await check(events, '--handler', handler, '--update')).status).toBe(0);
  const command = runCommand(['tools/cli/bin.cjs', 'check', events, '--handler', handler, '--watch']);
  await command.printed(/^Watching\./m);
  expect(command.stdout()).toContain('1 of 1 events as expected, of all events not asked');

  await replaceFile(handler, source('Second.'));
  await command.printed(/^0 of 1 events as expected, /m);
  expect(command.stdout()).toMatch(
    /handler-\d+\.ts changed: 1 events in \d+ ms\n.*\n.*\nopenidLoggedIn\/ada .* DIFFERS\nopenidLoggedIn\/ada\n {2}message: "First\./,
  );

  await replaceFile(handler, AUTHORIZES);
  await command.printed(/^openidLoggedIn\/ada .* Gets in, expected Forbidden$/m);

  await replaceFile(handler, 'export default (;');
  await command.printed(/handler-\d+\.ts:1:16/);

  await writeFile(join(events, 'openidLoggedIn', 'copy.json'), JSON.stringify(openIdEvent()));
  await replaceFile(handler, 'export default () => { throw new TypeError("out of order"); };');
  await command.printed(/^2 events, the first is openidLoggedIn\/ada\n {2}TypeError: out of order$/m);
  await rm(join(events, 'openidLoggedIn', 'copy.json'));

  command.forget();
  await replaceFile(handler, source('First.'));
  await command.printed(/^1 of 1 events as expected, /m);
  await writeFile(join(events, 'openidLoggedIn', 'two.json'), JSON.stringify(openIdEvent()));
  await command.printed(/two\.json changed: 2 events/);
  expect((await command.end()).status).toBe(0);
});

test.each(['keycloak.expected.json', 'keycloak.recordings.json'])('%s is not an event', async (name) => {
  const file = `events/samlLoggedIn/${name}`;
  const stderr = `${file}: this file belongs to an event: expected events/samlLoggedIn/keycloak.json\n`;
  expect(await check(file)).toEqual({ status: 2, stdout: '', stderr });
});
