import { spawn, spawnSync } from 'node:child_process';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { projectCopy } from '../support/projectCopy.ts';
import {
  freePorts,
  portOptions,
  STUDIO_ADDRESS,
  type Studio,
  startProject,
  startStudio,
} from '../support/studio.ts';
import { runTool, toolsOf } from '../support/tools.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

/** Each is answered again after each change. */
const SAMPLES = ['openidLoggedIn/entra', 'openidLoggedIn/keycloak-unverified-email', 'samlLoggedIn/keycloak'];
const unverified = openIdEvent();
Object.assign(unverified.idToken.otherClaims, { email_verified: false });
const OWN_EVENTS = {
  'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
  'events/openidLoggedIn/unverified.json': JSON.stringify(unverified),
  'events/samlLoggedIn/ada.json': JSON.stringify(samlEvent()),
};
const ONE = ['openidLoggedIn/entra'];
const OWN = 'SAML_HANDLER_MODULE=handlers/own\n';
const handler = (code: string) => `export default ${code};\n`;

/** Of a copy of the project, whose handlers the tests change. */
let studio: Studio;
let server: Studio['command'];
let ports: Studio['ports'];
/** What is printed before the first login. */
let stdout: string;
let stderr: string;

beforeAll(async () => {
  const own = handler(`() => ({ type: 'ForbiddenResponse', message: 'First.' })`);
  const files = {
    ...OWN_EVENTS,
    '.env.dev': OWN,
    'handlers/own.ts': own,
    'handlers/broken.ts': 'export default (;\n',
    '.studio/saml-identity.json': '{',
  };
  studio = await startStudio(files, { samples: SAMPLES });
  ({ command: server, ports } = studio);
  await studio.ready();
  [stdout, stderr] = [server.stdout(), server.stderr()];
}, 60_000);
afterAll(() => studio.close());

async function post(path: string, event: unknown, port = ports.http): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
}

test('says what every event was answered, and last where it serves', () => {
  expect(stdout).toMatch(/^Building …\n(?:.* answers\n){2}Sending the events …\n/);
  const others = stdout.split('\n').slice(4);
  expect(others.slice(-3)).toEqual([
    `Serving http://127.0.0.1:${ports.http} (/openid, /saml), and Lambda's Invoke API http://127.0.0.1:${ports.lambda}`,
    `The studio, which shows each login: ${studio.address}`,
    '',
  ]);
  const rows = others.flatMap((line) => /^(\w+LoggedIn\/\S+) .* (\w+Response) /.exec(line)?.slice(1) ?? []);
  expect(rows).toEqual([
    ...['openidLoggedIn/ada', 'AuthorizedUserResponse'],
    ...['openidLoggedIn/entra', 'AuthorizedUserResponse'],
    ...['openidLoggedIn/keycloak-unverified-email', 'ErrorResponse'],
    ...['openidLoggedIn/unverified', 'ErrorResponse'],
    ...['samlLoggedIn/ada', 'ForbiddenResponse'],
    ...['samlLoggedIn/keycloak', 'ForbiddenResponse'],
  ]);
});

test('names a handler that cannot be built, and serves the others', () => {
  expect(stderr).toMatch(/handlers\/broken\.ts:1:16/);
});

test('says what answers, and where that is said', () => {
  expect(stdout).toContain('openidLoggedIn: the default handler (serverless.yml) answers\n');
  expect(stdout).toContain('samlLoggedIn: handlers/own (.env.dev) answers\n');
});

describe('in the same project', () => {
  let runTool: Awaited<ReturnType<typeof toolsOf>>;
  beforeAll(async () => {
    runTool = await toolsOf(studio.folder);
  });

  test('login builds the handler that it tries, and no other', async () => {
    const args = ['saml', 'samlLoggedIn/keycloak', '--handler', 'handlers/own.ts'];
    const { status, stderr } = await runTool('login', args);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('broken')]);
  });

  test('a broken sample is refused before anything is served', async () => {
    await studio.write('events/openidLoggedIn/broken.json', '{');
    const { status, stderr } = await runTool('start', portOptions(await freePorts()));
    await rm(join(studio.folder, 'events', 'openidLoggedIn', 'broken.json'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('broken.json:1:2: expected JSON')]);
  });
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
    expect(await runTool('start', portOptions(taken))).toEqual({ status: 2, stdout: '', stderr });
  },
);

test.each([
  ['/openid', openIdEvent(), { type: 'AuthorizedUserResponse', first_name: 'Ada' }, 'authorized'],
  ['/saml', samlEvent(), { type: 'ForbiddenResponse' }, 'forbidden'],
])('serves POST %s, with a line for each login', async (path, event, expected, reason) => {
  const response = await post(path, event);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject(expected);
  const line = new RegExp(
    `^\\d\\d:\\d\\d:\\d\\d  \\w+LoggedIn  ${expected.type}  ${reason}  [\\d.]+ ms$`,
    'm',
  );
  await server.printed(line);
});

test.each([
  ['another method', '/openid', 'GET'],
  ['a path that is not there', '/other', 'POST'],
])('answers 404 to %s', async (_, path, method) => {
  expect((await fetch(`http://127.0.0.1:${ports.http}${path}`, { method })).status).toBe(404);
});

test('the curl line that it prints works', async () => {
  const line = /curl .*/.exec(stdout)?.[0] ?? '';
  expect(line).toContain('@events/openidLoggedIn/');
  const curl = spawn('sh', ['-c', line], { cwd: studio.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = Buffer.concat(await curl.stdout.toArray()).toString();
  expect(JSON.parse(answer)).toMatchObject({ type: 'AuthorizedUserResponse' });
});

describe('Lambda’s Invoke API, by the AWS SDK', () => {
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  let client: LambdaClient;
  beforeAll(() => {
    client = new LambdaClient({
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${ports.lambda}`,
      credentials,
      maxAttempts: 1,
    });
  });

  test.each([
    ['openidLoggedIn'],
    ['login-hooks-dev-openidLoggedIn'],
    ['arn:aws:lambda:eu-central-1:123456789012:function:login-hooks-dev-openidLoggedIn'],
    ['login-hooks-dev-openidLoggedIn:live'],
  ])('finds %s', async (FunctionName) => {
    const Payload = JSON.stringify(openIdEvent());
    const {
      StatusCode,
      Payload: answer,
      FunctionError,
    } = await client.send(new InvokeCommand({ FunctionName, Payload }));
    expect([StatusCode, FunctionError]).toEqual([200, undefined]);
    expect(JSON.parse(answer?.transformToString() ?? '')).toMatchObject({ first_name: 'Ada' });
  });

  test('answers an asynchronous invocation with no payload', async () => {
    const { StatusCode, Payload } = await client.send(
      new InvokeCommand({ FunctionName: 'openidLoggedIn', InvocationType: 'Event', Payload: '{}' }),
    );
    expect([StatusCode, Payload?.length ?? 0]).toEqual([202, 0]);
  });

  test.each([
    ['another function', { FunctionName: 'other' }, 'ResourceNotFoundException'],
    [
      'a payload that is no JSON',
      { FunctionName: 'openidLoggedIn', Payload: '{' },
      'InvalidRequestContentException',
    ],
  ])('refuses %s', async (_, input, name) => {
    await expect(client.send(new InvokeCommand(input))).rejects.toMatchObject({ name });
  });

  test('the functions tell what is in force, when they are asked to', async () => {
    const { status, stdout } = await runTool('self-test', [], {
      AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${ports.lambda}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
    expect(stdout).toMatch(/^openidLoggedIn *\n.*\nversion +\S+\nhandler +default\n/);
    expect(stdout).toMatch(/^samlLoggedIn *\n.*\nversion +\S+\nhandler +handlers\/own\n/m);
    expect(status).toBe(0);
  });
});

describe('after a change', () => {
  /** The change is in force when its line is printed. */
  async function afterChange(file: string, text: string | null): Promise<void> {
    server.forget();
    if (text === null) await rm(join(studio.folder, file));
    else await save(file, text);
    await server.printed(new RegExp(`${file}(?: \\(removed\\))? changed.*\\n`));
  }

  /** In one change, as most editors save: a file that is emptied and then filled may be seen twice. */
  async function save(file: string, text: string): Promise<void> {
    await studio.write('saved', text);
    await rename(join(studio.folder, 'saved'), join(studio.folder, file));
  }

  const answerOf = async (path: string, event: unknown) => (await post(path, event)).json();

  test('of a handler, serves the new one, and says so', async () => {
    await afterChange(
      'handlers/own.ts',
      handler(`() => ({ type: 'ForbiddenResponse', message: 'Second.' })`),
    );
    expect(await answerOf('/saml', samlEvent())).toMatchObject({
      message: expect.stringMatching(/^Second\./),
    });
  });

  test('of the settings, serves by them, and says what answers now', async () => {
    await afterChange('.env.dev', 'RESPONSE_NAMES=camelCase\n');
    await server.printed(/^samlLoggedIn: the default handler \(serverless\.yml\) answers$/m);
    expect(await answerOf('/saml', samlEvent())).toMatchObject({ firstName: 'Ada' });
  });

  test('of the settings that are removed, says so', async () => {
    await rm(join(studio.folder, '.env.dev'));
    await server.printed(/\.env\.dev \(removed\) changed, served/);
    await afterChange('.env.dev', 'RESPONSE_NAMES=camelCase\n');
  });

  test('of the settings that cannot be used, says why, and serves by those before', async () => {
    await afterChange('.env.dev', 'SAML_HANDLER_MODUL=handlers/own\n');
    expect(server.stderr()).toContain('SAML_HANDLER_MODUL is not a setting');
    expect(await answerOf('/saml', samlEvent())).toMatchObject({ firstName: 'Ada' });
  });

  test('to a handler that throws, shows its text and source, and sends neither', async () => {
    await afterChange('.env.dev', OWN);
    await afterChange('handlers/own.ts', handler(`() => {\n  throw new Error('out of order');\n}`));
    expect(await answerOf('/saml', samlEvent())).toMatchObject({
      message: expect.stringMatching(/^Your login failed\./),
    });
    await server.printed(/^ {4}> 2 \| {3}throw new Error\('out of order'\);$/m);
    expect(server.stderr()).toMatch(/^ {2}Error: out of order\n {4}handlers\/own\.ts:2:9$/m);
  });

  const ERROR = 'samlLoggedIn responds to every login with an error: .env.dev: SAML_HANDLER_MODULE: ';
  test.each([
    [
      'that cannot be built',
      'handlers/own.ts',
      'export default (;\n',
      `${ERROR}handlers/own: cannot be built`,
      { message: 'Internal Server Error' },
    ],
    [
      'that is gone',
      'handlers/own.ts',
      null,
      `${ERROR}there is no handler handlers/own; expected handlers/<name> of`,
      { type: 'ErrorResponse' },
    ],
    [
      'that ends its process while it loads',
      'handlers/own.ts',
      'process.exit(3);',
      `${ERROR}handlers/own: the process of samlLoggedIn`,
      { message: 'Internal Server Error' },
    ],
    [
      'named wrongly',
      '.env.dev',
      'SAML_HANDLER_MODULE=own\n',
      `${ERROR}there is no handler own; the nearest is handlers/own`,
      { type: 'ErrorResponse' },
    ],
  ])('to a handler %s, says at once what becomes of logins', async (_, file, text, told, answer) => {
    await afterChange(file, text);
    expect(server.stderr()).toContain(` changed, but ${told}`);
    expect(await answerOf('/saml', samlEvent())).toMatchObject(answer);
    expect((await post('/openid', openIdEvent())).status).toBe(200);
  });

  test('to a handler that no setting names and that cannot be built, does not say that it is served', async () => {
    await afterChange('handlers/draft.ts', 'export default (;\n');
    expect(server.stderr()).toMatch(/ handlers\/draft\.ts changed, but .*draft\.ts:1:16/s);
    expect(server.stdout()).toBe('');
  });

  test('to a file that a handler imports since a change, and that is elsewhere, serves it', async () => {
    await afterChange('.env.dev', OWN);
    const told = handler(`() => ({ type: 'ForbiddenResponse', message: words })`);
    await studio.write('shared/words.ts', `export const words = ;\n`);
    await afterChange('handlers/own.ts', `import { words } from '../shared/words.ts';\n${told}`);
    expect(server.stderr()).toContain('shared/words.ts:1:21');
    for (const words of ['Third.', 'Fourth.']) {
      await afterChange('shared/words.ts', `export const words = '${words}';\n`);
      const answer = await answerOf('/saml', samlEvent());
      expect(answer).toMatchObject({ message: expect.stringContaining(words) });
    }
  });

  test('to what an editor keeps beside a file that it saves, does nothing', async () => {
    const kept = ['.own.ts.swp', '4913', '#own.ts#', '.#own.ts', 'own.ts~', 'own.ts___jb_tmp___'];
    const files = [...kept.map((name) => `handlers/${name}`), '.env.dev.swp', '.env.dev~'];
    server.forget();
    for (const file of files) await studio.write(file, 'kept');
    for (const file of files) await rm(join(studio.folder, file));
    await afterChange('handlers/own.ts', handler(`() => ({ type: 'ForbiddenResponse' })`));
    expect(server.stderr()).toBe('');
    expect(server.stdout()).toMatch(/^\S+ {2}handlers\/own\.ts changed, served after \d+ ms\n$/);
  });

  test('to a handler that ends its process, tells the caller so, and goes on serving', async () => {
    await afterChange('.env.dev', OWN);
    await afterChange('handlers/own.ts', handler('() => process.exit(3)'));
    expect((await post('/saml', samlEvent())).status).toBe(500);
    const response = await fetch(
      `http://127.0.0.1:${ports.lambda}/2015-03-31/functions/samlLoggedIn/invocations`,
      { method: 'POST', body: JSON.stringify(samlEvent()) },
    );
    expect([response.status, response.headers.get('x-amz-function-error')]).toEqual([200, 'Unhandled']);
    expect(await response.json()).toEqual({
      errorType: 'crash',
      errorMessage: 'crash: the process of samlLoggedIn ended (exit code 3)',
    });
    expect((await post('/openid', openIdEvent())).status).toBe(200);
  });
});

test.each([
  ['builds', /Building/],
  ['sends the events', /Sending the events/],
])('a handler that is saved while it %s is served', async (_, moment) => {
  const answers = (words: string) => handler(`() => ({ type: 'ForbiddenResponse', message: '${words}' })`);
  const files = { '.env.dev': OWN, 'handlers/own.ts': answers('First.') };
  const { command, ports, write, close } = await startProject(files, { samples: ONE });
  const answer = async () => (await post('/saml', samlEvent(), ports.http)).text();
  try {
    await command.printed(moment);
    await write('handlers/own.ts', answers('Second.'));
    await command.printed(STUDIO_ADDRESS);
    while (!(await answer()).includes('Second.')) await setTimeout(50);
  } finally {
    await close();
  }
});

describe('at its end', () => {
  /** What is left of a process group. */
  function processesOf(group: number): string[] {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-g', String(group)], { encoding: 'utf8' });
    // One that has ended, and that nobody has asked for its exit code.
    return stdout.split('\n').filter((line) => line !== '' && !line.includes('<defunct>'));
  }

  test.each([
    ['a signal as soon as it builds', /Building/, 1],
    ['Ctrl-C while it answers samples', /Sending the events/, -1],
    ['Ctrl-C while it serves', /The studio/, -1],
  ])('by %s, leaves no process and no file', async (_, moment, ofGroup) => {
    const { command, folder, close } = await startProject({}, { isGroup: true });
    const { pid = 0 } = command.child;
    await command.printed(moment);
    process.kill(ofGroup * pid, 'SIGINT');
    expect(await command.end(0)).toEqual({ status: 0, stdout: expect.any(String), stderr: '' });
    expect(processesOf(pid)).toEqual([]);
    expect(await readdir(join(folder, '.build'))).toEqual([]);
    await close();
  });

  test('by the end of npm, whose shell may go on, leaves no process', async () => {
    const { folder, remove } = await projectCopy({}, ONE);
    // As npm starts it: a shell that waits for it.
    const options = portOptions(await freePorts());
    const command = `"${process.execPath}" tools/cli/bin.cjs start ${options.join(' ')}; exit`;
    const script = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
    const npm = runCommand(['-e', script], {
      cwd: folder,
      isGroup: true,
      env: commandEnvironment({ npm_lifecycle_event: 'start' }),
    });
    await npm.printed(/Serving/);
    npm.child.kill('SIGKILL');
    while (processesOf(npm.child.pid ?? 0).length > 0) await setTimeout(50);
    await remove();
  });
});
