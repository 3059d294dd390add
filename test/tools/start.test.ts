/** `npm start`: what it says, what it serves, what follows a change of a file, and what is left of it. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningCommand, runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { ownProject, ownTools } from '../support/ownProject.ts';
import { freePorts, portOptions, STUDIO_ADDRESS } from '../support/studio.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

const unverified = openIdEvent();
Object.assign(unverified.idToken.otherClaims, { email_verified: false });
const HANDLER = 'handlers/own.ts';
const OWN = 'SAML_HANDLER_MODULE=handlers/own\n';
const handler = (code: string) => `export default ${code};\n`;
const forbids = (words: string) => handler(`() => ({ type: 'ForbiddenResponse', message: '${words}' })`);

const BIN = 'node_modules/login-hooks/tools/cli/bin.cjs';

/** A command in a folder, with a process group of its own. */
function startGroup(folder: string, args: string[], settings: Record<string, string> = {}): RunningCommand {
  const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: folder, ...settings });
  return runCommand(args, { cwd: folder, env, isGroup: true });
}

/** What is left of a process group. */
function processesOf(group: number): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-g', String(group)], { encoding: 'utf8' });
  // One that has ended, and that nobody has asked for its exit code.
  return stdout.split('\n').filter((line) => line !== '' && !line.includes('<defunct>'));
}

/** Killed alone, until nothing of its group is left. */
async function killed({ child }: RunningCommand): Promise<void> {
  child.kill('SIGKILL');
  while (processesOf(child.pid ?? 0).length > 0) await setTimeout(50);
}

/** The tests change its handlers. */
const project = await ownTools({
  'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
  'events/openidLoggedIn/unverified.json': JSON.stringify(unverified),
  'events/samlLoggedIn/ada.json': JSON.stringify(samlEvent()),
  '.env.dev': OWN,
  [HANDLER]: forbids('First.'),
  'handlers/broken.ts': 'export default (;\n',
  '.studio/saml-identity.json': '{',
});
const ports = await freePorts();
/** As npm starts it: a shell that waits for it, and may go on when npm has ended. */
let server: RunningCommand;
/** What is printed before the first login. */
let stdout: string;
let stderr: string;

beforeAll(async () => {
  const command = `"${process.execPath}" ${BIN} start ${portOptions(ports).join(' ')}; exit`;
  const npm = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
  server = startGroup(project.folder, ['-e', npm], { npm_lifecycle_event: 'start' });
  await server.printed(/^The studio, .*\n/m);
  [stdout, stderr] = [server.stdout(), server.stderr()];
});
afterAll(() => server.end('SIGKILL'));

function post(path: string, event: unknown, port = ports.http): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(event) });
}

test('says what every event was answered, and last where it serves', () => {
  expect(stdout).toMatch(/^Building …\n(?:.* answers\n){2}Sending the events …\n/);
  const others = stdout.split('\n').slice(4);
  expect(others.slice(-3)).toEqual([
    `Serving http://127.0.0.1:${ports.http} (/openid, /saml), and Lambda's Invoke API http://127.0.0.1:${ports.lambda}`,
    `The studio, which shows each login: ${STUDIO_ADDRESS.exec(stdout)?.[0]}`,
    '',
  ]);
  const rows = others.flatMap((line) => /^(\w+LoggedIn\/\S+) .* (\w+Response) /.exec(line)?.slice(1) ?? []);
  expect(rows).toEqual([
    ...['openidLoggedIn/ada', 'AuthorizedUserResponse'],
    ...['openidLoggedIn/unverified', 'ErrorResponse'],
    ...['samlLoggedIn/ada', 'ForbiddenResponse'],
  ]);
});

test('says what answers, where that is said, and which handler cannot be built', () => {
  expect(stdout).toContain('openidLoggedIn: the default handler (serverless.yml) answers\n');
  expect(stdout).toContain('samlLoggedIn: handlers/own (.env.dev) answers\n');
  expect(stderr).toMatch(/handlers\/broken\.ts:1:16/);
});

test('login builds the handler that it tries, and no other', async () => {
  const { status, stderr } = await project.run(['login', 'saml', 'samlLoggedIn/ada', '--handler', HANDLER]);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('broken')]);
});

test('a broken sample is refused before anything is served', async () => {
  const start = ['start', ...portOptions(await freePorts())];
  const { status, stderr } = await project.changed({ 'events/openidLoggedIn/broken.json': '{' }, start);
  expect([status, stderr]).toEqual([2, expect.stringContaining('broken.json:1:2: expected JSON')]);
});

test('where the keys of SAML sign-ins cannot be used, there is no metadata, and it says why', async () => {
  const response = await fetch(`http://127.0.0.1:${ports.studio}/saml/metadata`);
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({ message: expect.stringContaining('.studio') });
});

test.each(['http', 'lambda', 'studio'] as const)(
  'a port for %s that is taken is refused, with the option',
  async (name) => {
    const taken = { ...(await freePorts()), [name]: ports[name] };
    const stderr = `port ${ports[name]} is taken: choose another with --${name}-port\n`;
    expect(await project.run(['start', ...portOptions(taken)])).toEqual({ status: 2, stdout: '', stderr });
  },
);

test.each([
  ['/openid', openIdEvent(), { type: 'AuthorizedUserResponse', first_name: 'Ada' }, 'authorized'],
  ['/saml', samlEvent(), { type: 'ForbiddenResponse' }, 'forbidden'],
])('serves POST %s, with a line for each login', async (path, event, expected, reason) => {
  const response = await post(path, event);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await response.json()).toMatchObject(expected);
  const told = `\\w+LoggedIn  ${expected.type}  ${reason}  [\\d.]+ ms`;
  await server.printed(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${told}$`, 'm'));
});

test('the curl line that it prints works', async () => {
  const line = /curl .*/.exec(stdout)?.[0] ?? '';
  expect(line).toContain('@events/openidLoggedIn/');
  const curl = spawn('sh', ['-c', line], { cwd: project.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = Buffer.concat(await curl.stdout.toArray()).toString();
  expect(JSON.parse(answer)).toMatchObject({ type: 'AuthorizedUserResponse' });
});

test('the functions tell what is in force, when they are asked to by the AWS SDK', async () => {
  const { status, stdout } = await project.run(['self-test'], {
    AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${ports.lambda}`,
    ...{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  });
  expect(stdout).toMatch(/^openidLoggedIn *\n.*\nversion +\S+\nhandler +default\n/);
  expect(stdout).toMatch(/^samlLoggedIn *\n.*\nversion +\S+\nhandler +handlers\/own\n/m);
  expect(status).toBe(0);
});

describe('after a change', () => {
  /** The change is in force when its line is printed. */
  async function afterChange(file: string, text: string | null): Promise<void> {
    server.forget();
    if (text === null) await rm(join(project.folder, file));
    else await save(file, text);
    const removed = text === null ? ' \\(removed\\)' : '';
    await server.printed(new RegExp(`${file}${removed} changed.*\\n`));
  }

  /** In one change, as most editors save: a file that is emptied and then filled may be seen twice. */
  async function save(file: string, text: string): Promise<void> {
    await project.write('saved', text);
    await rename(join(project.folder, 'saved'), join(project.folder, file));
  }

  const answer = async () => (await post('/saml', samlEvent())).json();
  const saying = (beginning: string) => ({ message: expect.stringMatching(`^${beginning}`) });

  test('of a handler, serves the new one, and says so', async () => {
    await afterChange(HANDLER, forbids('Second.'));
    expect(server.stdout()).toMatch(/^\S+ {2}handlers\/own\.ts changed, served after \d+ ms\n$/);
    expect(await answer()).toMatchObject(saying('Second.'));
  });

  test('of a check, which samples do without, says at once what becomes of logins', async () => {
    await afterChange('.env.dev', `${OWN}SAML_ASSERTION_CHECK=ON\n`);
    const told = 'samlLoggedIn responds to every login with an error: .env.dev: SAML_ASSERTION_CHECK: ';
    expect(server.stderr()).toContain(` changed, but ${told}`);
  });

  test('of the settings, serves by them, and says what answers now', async () => {
    await afterChange('.env.dev', 'RESPONSE_NAMES=camelCase\n');
    await server.printed(/^samlLoggedIn: the default handler \(serverless\.yml\) answers$/m);
    expect(await answer()).toMatchObject({ firstName: 'Ada' });
  });

  test('of the settings that cannot be used, says why, and serves by those before', async () => {
    await afterChange('.env.dev', 'SAML_HANDLER_MODUL=handlers/own\n');
    expect(server.stderr()).toContain('SAML_HANDLER_MODUL is not a setting');
    expect(await answer()).toMatchObject({ firstName: 'Ada' });
  });

  test('to a handler that throws, shows its text and source, and sends neither', async () => {
    await afterChange('.env.dev', OWN);
    await afterChange(HANDLER, handler(`() => {\n  throw new Error('out of order');\n}`));
    expect(await answer()).toMatchObject(saying('Your login failed.'));
    await server.printed(/^ {4}> 2 \| {3}throw new Error\('out of order'\);$/m);
    expect(server.stderr()).toMatch(/^ {2}Error: out of order\n {4}handlers\/own\.ts:2:9$/m);
  });

  const WRONG = 'samlLoggedIn responds to every login with an error: .env.dev: SAML_HANDLER_MODULE: ';
  const [CRASHED, FAILED] = [{ message: 'Internal Server Error' }, { type: 'ErrorResponse' }];
  test.each([
    ['that cannot be built', 'export default (;\n', 'handlers/own: cannot be built', CRASHED],
    ['that is gone', null, 'there is no handler handlers/own; expected handlers/<name> of', FAILED],
    ['that ends its process', 'process.exit(3);', 'handlers/own: the process of saml', CRASHED],
  ])('to a handler %s, says at once what becomes of logins', async (_, text, told, answered) => {
    await afterChange(HANDLER, text);
    expect(server.stderr()).toContain(` changed, but ${WRONG}${told}`);
    expect(await answer()).toMatchObject(answered);
    expect((await post('/openid', openIdEvent())).status).toBe(200);
  });

  test('to a handler that no setting names and that cannot be built, does not say that it is served', async () => {
    await afterChange('handlers/draft.ts', 'export default (;\n');
    expect(server.stderr()).toMatch(/ handlers\/draft\.ts changed, but .*draft\.ts:1:16/s);
    expect(server.stdout()).toBe('');
  });

  test('to a file that a handler imports since a change, and that is elsewhere, serves it', async () => {
    const told = handler(`() => ({ type: 'ForbiddenResponse', message: words })`);
    await project.write('shared/words.ts', `export const words = ;\n`);
    await afterChange(HANDLER, `import { words } from '../shared/words.ts';\n${told}`);
    expect(server.stderr()).toContain('shared/words.ts:1:21');
    for (const words of ['Third.', 'Fourth.']) {
      await afterChange('shared/words.ts', `export const words = '${words}';\n`);
      expect(await answer()).toMatchObject(saying(words));
    }
  });
});

test('ended by the end of npm, leaves no process', () => killed(server));

const other = await ownProject({
  'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
  '.env.dev': OWN,
  [HANDLER]: forbids('First.'),
});

describe('another one', () => {
  test.each([
    ['a signal as soon as it builds', /Building/, 1],
    ['Ctrl-C while it answers samples', /Sending the events/, -1],
  ])('ended by %s, leaves no process and no file', async (_, moment, ofGroup) => {
    const args = [BIN, 'start', ...portOptions(await freePorts())];
    const command = startGroup(other.folder, args);
    const { pid = 0 } = command.child;
    await command.printed(moment);
    process.kill(ofGroup * pid, 'SIGINT');
    expect(await command.end(0)).toEqual({ status: 0, stdout: expect.any(String), stderr: '' });
    expect(processesOf(pid)).toEqual([]);
    expect(await readdir(join(other.folder, '.build'))).toEqual([]);
  });

  test('serves a handler that is saved while it builds, and killed, leaves no process of it, though it never yields', async () => {
    const begun = join(other.folder, 'begun');
    const endless = `() => { writeFileSync('${begun}', ''); for (;;); }`;
    const ports = await freePorts();
    const command = startGroup(other.folder, [BIN, 'start', ...portOptions(ports)]);
    await command.printed(/Building/);
    await other.write(HANDLER, `import { writeFileSync } from 'node:fs';\n${handler(endless)}`);
    await command.printed(STUDIO_ADDRESS);
    let login = Promise.resolve<unknown>(null);
    while (!existsSync(begun)) {
      login = post('/saml', samlEvent(), ports.http).catch(() => null);
      await Promise.race([login, setTimeout(50)]);
    }
    await killed(command);
    await login;
  });
});
