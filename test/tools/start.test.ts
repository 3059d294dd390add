import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { type RunningCommand, runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { BUILT } from '../support/tools.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

const READY = /Send a login/;

/** A copy of the project, whose handlers the tests change. */
let project: string;
let server: RunningCommand;
let ports: { http: number; lambda: number; studio: number };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const parts = [
    'dist',
    'functions',
    'handlers',
    'lib',
    'tools',
    'events',
    'package.json',
    'secrets.sample.json',
    'serverless.yml',
  ];
  await Promise.all(parts.map((part) => cp(join(PROJECT, part), join(project, part), { recursive: true })));
  await symlink(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  await writeFile(join(project, '.env.dev'), 'SAML_HANDLER_MODULE=handlers/own\n');
  await writeHandler(`() => ({ type: 'ForbiddenResponse', message: 'First.' })`);
  await writeFile(join(project, 'handlers', 'broken.ts'), 'export default (;\n');
  ports = await freePorts();
  server = runCommand(['tools/cli/start.ts', ...portOptions(ports)], {
    cwd: project,
    env: commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: project }),
  });
  await server.printed(READY);
}, 60_000);

afterAll(async () => {
  await server.end();
  await rm(project, { recursive: true });
});

async function freePorts(): Promise<typeof ports> {
  return { http: await freePort(), lambda: await freePort(), studio: await freePort() };
}

function portOptions({ http, lambda, studio }: typeof ports): string[] {
  return ['--http-port', `${http}`, '--lambda-port', `${lambda}`, '--studio-port', `${studio}`];
}

function writeHandler(handler: string): Promise<void> {
  return save(join('handlers', 'own.ts'), `export default ${handler};\n`);
}

/** In one change, as most editors save: a file that is emptied and then filled may be seen twice. */
async function save(file: string, text: string): Promise<void> {
  const saved = join(project, 'saved');
  await writeFile(saved, text);
  await rename(saved, join(project, file));
}

async function post(path: string, event: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${ports.http}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
}

test('says in a line where it serves, then what every sample event was answered, failures first', async () => {
  const [studio, building, serving, ...others] = server.stdout().split('\n');
  expect(studio).toContain(`http://localhost:${ports.studio}/#token=`);
  expect(building).toBe('Building …');
  expect(serving).toBe(
    `Serving http://127.0.0.1:${ports.http} (/openid, /saml), and Lambda's Invoke API http://127.0.0.1:${ports.lambda}`,
  );
  const rows = others.filter((line) => /^\w+LoggedIn\//.test(line));
  const samples = await sampleEvents();
  expect(rows.map((row) => row.split(' ')[0]).sort()).toEqual(
    samples.map(({ functionName, name }) => `${functionName}/${name}`).sort(),
  );
  const types = rows.map((row) => /\w+Response/.exec(row)?.[0]);
  expect([...new Set(types)]).toEqual(['ErrorResponse', 'ForbiddenResponse', 'AuthorizedUserResponse']);
});

test('names a handler that cannot be built, and serves the others', () => {
  expect(server.stderr()).toMatch(/handlers\/broken\.ts:1:16/);
});

const UNUSED =
  'OPENID_HANDLER_MODULE is not set: the default handler is in force, and not your own in handlers/ (broken, own)';
test('says where the default handler answers, and not the operator’s own', () => {
  expect(server.stderr()).toContain(`openidLoggedIn: ${UNUSED}\n`);
  expect(server.stderr()).not.toContain('SAML_HANDLER_MODULE is not set');
});

test.each([
  [
    'verify',
    ['openidLoggedIn'],
    'stdout',
    `openidLoggedIn: handler default, callers iam, ID token check off; ${UNUSED}`,
  ],
  ['check', ['events/openidLoggedIn/entra.json'], 'stderr', `openidLoggedIn: ${UNUSED}`],
  ['login', ['openid', 'events/openidLoggedIn/entra.json'], 'stderr', `openidLoggedIn: ${UNUSED}`],
] as const)('npm run %s says so too', (tool, args, stream, told) => {
  const env = commandEnvironment({ ...BUILT, LOGIN_HOOKS_ENV_FOLDER: project });
  const done = spawnSync(process.execPath, [`tools/cli/${tool}.ts`, ...args], {
    cwd: project,
    encoding: 'utf8',
    env,
  });
  expect(done[stream]).toContain(`${told}\n`);
});

test('while login builds the handler that it tries, and no other', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['tools/cli/login.ts', 'saml', 'events/samlLoggedIn/keycloak.json', '--handler', 'handlers/own.ts'],
    { cwd: project, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('broken')]);
});

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
  expect(await server.printed(line)).not.toBeNull();
});

test.each([
  ['a preflight request', '/openid', 'OPTIONS', { 'access-control-request-method': 'POST' }, 403],
  ['a login', '/openid', 'POST', {}, 403],
  ['a login of plain text', '/openid', 'POST', { 'content-type': 'text/plain' }, 403],
  ['a login without an origin', '/openid', 'POST', { origin: '', 'sec-fetch-site': 'same-site' }, 403],
  ['another method', '/openid', 'GET', {}, 403],
  ['a request under another name of this machine', '/openid', 'POST', { host: 'rebound.example' }, 421],
])('lets no web page send %s', async (_, path, method, headers, status) => {
  const lines = server.stdout();
  const { rawHeaders, statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(`http://127.0.0.1:${ports.http}${path}`, {
      method,
      headers: { origin: 'https://evil.example', 'content-type': 'application/json', ...headers },
    });
    request
      .on('response', resolve)
      .on('error', reject)
      .end(method === 'POST' ? JSON.stringify(openIdEvent()) : undefined);
  });
  expect(statusCode).toBe(status);
  expect(rawHeaders.filter((name) => /^access-control-allow-/i.test(name))).toEqual([]);
  expect(server.stdout()).toBe(lines);
});

test.each([
  ['another method', '/openid', 'GET'],
  ['a path that is not there', '/other', 'POST'],
])('answers 404 to %s', async (_, path, method) => {
  expect((await fetch(`http://127.0.0.1:${ports.http}${path}`, { method })).status).toBe(404);
});

test('the curl line that it prints works', async () => {
  const line = /curl .*/.exec(server.stdout())?.[0] ?? '';
  const curl = spawn('sh', ['-c', line], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
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

  test('gives the end of the log where it is asked for', async () => {
    const Payload = JSON.stringify(openIdEvent());
    const { LogResult = '' } = await client.send(
      new InvokeCommand({ FunctionName: 'openidLoggedIn', LogType: 'Tail', Payload }),
    );
    expect(Buffer.from(LogResult, 'base64').toString()).toContain('"event":"login"');
  });

  test.each([
    ['Event', 202],
    ['DryRun', 204],
  ] as const)('answers an invocation of type %s with no payload', async (InvocationType, status) => {
    const { StatusCode, Payload } = await client.send(
      new InvokeCommand({ FunctionName: 'openidLoggedIn', InvocationType, Payload: '{}' }),
    );
    expect([StatusCode, Payload?.length ?? 0]).toEqual([status, 0]);
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

  test('the functions tell what is in force, when they are asked to', () => {
    const { stdout, status } = spawnSync(process.execPath, ['tools/cli/selfTest.ts'], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: commandEnvironment({
        AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${ports.lambda}`,
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'x',
      }),
    });
    expect(stdout).toMatch(
      /\nopenidLoggedIn: handler default, callers iam, ID token check off\nsamlLoggedIn: handler .*\n$/,
    );
    expect(status).toBe(0);
  });
});

describe('after a change', () => {
  /** The change is in force when its line is printed. */
  async function afterChange(write: () => Promise<void>, file: string): Promise<void> {
    const lines = () =>
      `${server.stdout()}${server.stderr()}`.split('\n').filter((line) => line.includes(`${file} changed`))
        .length;
    const before = lines();
    await write();
    while (lines() === before) await setTimeout(20);
  }

  test('of a handler, serves the new one, and says so', async () => {
    await afterChange(
      () => writeHandler(`() => ({ type: 'ForbiddenResponse', message: 'Second.' })`),
      'handlers/own.ts',
    );
    expect(await (await post('/saml', samlEvent())).json()).toMatchObject({
      message: expect.stringMatching(/^Second\./),
    });
  });

  test('of the settings, serves by them', async () => {
    await afterChange(() => save('.env.dev', 'RESPONSE_NAMES=camelCase\n'), '.env.dev');
    expect(await (await post('/saml', samlEvent())).json()).toMatchObject({ firstName: 'Ada' });
    await afterChange(() => save('.env.dev', 'SAML_HANDLER_MODULE=handlers/own\n'), '.env.dev');
  });

  test('of the settings that cannot be used, says why, and serves by those before', async () => {
    await save('.env.dev', 'SAML_HANDLER_MODUL=handlers/own\n');
    await server.printed(/SAML_HANDLER_MODUL\b/, 'stderr');
    // The studio answers all samples again meanwhile.
    await setTimeout(500);
    const { type } = (await (await post('/saml', samlEvent())).json()) as { type: string };
    expect(type).toBe('ForbiddenResponse');
    await afterChange(() => save('.env.dev', 'SAML_HANDLER_MODULE=handlers/own\n'), '.env.dev');
  });

  test('to a handler that throws, shows its text and source, and sends neither', async () => {
    await afterChange(
      () => writeHandler(`() => {\n  throw new Error('out of order');\n}`),
      'handlers/own.ts',
    );
    const { message } = (await (await post('/saml', samlEvent())).json()) as { message: string };
    expect(message).toMatch(/^Your login failed\./);
    await server.printed(/own\.ts:2:9/, 'stderr');
    expect(server.stderr()).toMatch(/^ {2}Error: out of order\n {4}handlers\/own\.ts:2:9$/m);
    expect(server.stderr()).toMatch(/^ {4}> 2 \| {3}throw new Error\('out of order'\);$/m);
  });

  const OWN = 'SAML_HANDLER_MODULE=handlers/own\n';
  const ERROR = 'samlLoggedIn responds to every login with an error: .env.dev: SAML_HANDLER_MODULE: ';
  const SHADOW = `samlLoggedIn compares no login, because its shadow cannot be loaded: .env.dev: SAML_SHADOW_HANDLER_MODULE: `;
  test.each([
    [
      'that cannot be built',
      'handlers/own.ts',
      'export default (;\n',
      `${ERROR}handlers/own: cannot be built`,
    ],
    [
      'that is gone',
      'handlers/own.ts',
      null,
      `${ERROR}there is no handler handlers/own; expected handlers/<name> of`,
    ],
    [
      'that ends its process',
      'handlers/own.ts',
      'process.exit(3);',
      `${ERROR}handlers/own: the process of samlLoggedIn`,
    ],
    [
      'named wrongly',
      '.env.dev',
      'SAML_HANDLER_MODULE=own\n',
      `${ERROR}there is no handler own; the nearest is handlers/own`,
    ],
    [
      'with a wrong shadow',
      '.env.dev',
      `${OWN}SAML_SHADOW_HANDLER_MODULE=handlers/broken\n`,
      `${SHADOW}handlers/broken: cannot`,
    ],
  ])('to a handler %s, says at once what becomes of logins', async (_, file, text, told) => {
    await afterChange(() => (text === null ? rm(join(project, file)) : save(file, text)), file);
    expect(server.stderr().slice(server.stderr().lastIndexOf(' changed'))).toContain(` changed, but ${told}`);
    await afterChange(() => save('.env.dev', OWN), '.env.dev');
    await afterChange(
      () => writeHandler(`() => ({ type: 'ForbiddenResponse', message: 'Mended.' })`),
      'handlers/own.ts',
    );
    expect(await (await post('/saml', samlEvent())).json()).toMatchObject({ type: 'ForbiddenResponse' });
  });

  test('to a handler that is gone, answers no login by the one before', async () => {
    await afterChange(() => rm(join(project, 'handlers', 'own.ts')), 'handlers/own.ts');
    expect(await (await post('/saml', samlEvent())).json()).toMatchObject({ type: 'ErrorResponse' });
    expect(await server.printed(/handler_not_loaded/)).not.toBeNull();
  });

  test('to a handler that cannot be built, says where, and answers no login by the one before', async () => {
    await afterChange(() => writeHandler('(;'), 'handlers/own.ts');
    expect(await server.printed(/handlers\/own\.ts:1:16/, 'stderr')).not.toBeNull();
    expect((await post('/saml', samlEvent())).status).toBe(500);
    expect(await server.printed(/handlers\/own cannot be built/, 'stderr')).not.toBeNull();
    expect((await post('/openid', openIdEvent())).status).toBe(200);
  });

  test('to a handler that ends its process, tells the caller so, and goes on serving', async () => {
    await afterChange(() => writeHandler('() => process.exit(3)'), 'handlers/own.ts');
    expect((await post('/saml', samlEvent())).status).toBe(500);
    const response = await fetch(
      `http://127.0.0.1:${ports.lambda}/2015-03-31/functions/samlLoggedIn/invocations`,
      { method: 'POST', body: JSON.stringify(samlEvent()) },
    );
    expect([response.status, response.headers.get('x-amz-function-error')]).toEqual([200, 'Unhandled']);
    expect(await response.json()).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: 'crash: the process of samlLoggedIn ended (exit code 3)',
    });
    expect((await post('/openid', openIdEvent())).status).toBe(200);
  });
});

describe('what it refuses', () => {
  test.each(['http', 'lambda', 'studio'] as const)(
    'a port for %s that is taken, with the option',
    async (name) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const others = { ...(await freePorts()), [name]: port };
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['tools/cli/start.ts', ...portOptions(others)],
        { cwd: PROJECT, encoding: 'utf8', timeout: 20_000 },
      );
      taken.close();
      const refusal = `port ${port} is taken: choose another with --${name}-port\n`;
      expect([status, stdout, stderr]).toEqual([2, '', refusal]);
    },
  );

  test('a port that is none, in a sentence', () => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/cli/start.ts', '--http-port', '99999'], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      '--http-port: expected a whole number from 1 to 65535, found 99999\n',
    ]);
  });

  test('a broken sample, before anything is served', async () => {
    const file = join(project, 'events', 'openidLoggedIn', 'broken.json');
    await writeFile(file, '{');
    const { status, stderr } = spawnSync(process.execPath, ['tools/cli/start.ts'], {
      cwd: project,
      encoding: 'utf8',
      timeout: 20_000,
    });
    await rm(file);
    expect(stderr).toContain('broken.json:1:2: expected JSON');
    expect(status).toBe(2);
  });
});

describe('at its end', () => {
  /** What is left of a process group. */
  function processesOf(group: number): string[] {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-g', String(group)], { encoding: 'utf8' });
    // One that has ended, and that nobody has asked for its exit code.
    return stdout.split('\n').filter((line) => line !== '' && !line.includes('<defunct>'));
  }

  test.each([
    ['as soon as it builds', /Building/],
    ['while it answers samples', /Serving/],
    ['while it serves', READY],
  ])('by Ctrl-C %s, leaves no process and no file', async (_, moment) => {
    const options = portOptions(await freePorts());
    const command = runCommand(['tools/cli/start.ts', ...options], { isGroup: true });
    await command.printed(moment);
    expect(await command.end()).toBe(0);
    expect(command.stderr()).toBe('');
    expect(processesOf(command.child.pid ?? 0)).toEqual([]);
    const left = await readdir(join(PROJECT, '.build'));
    expect(left.filter((name) => name.startsWith(`local-${command.child.pid}-`))).toEqual([]);
  });

  test('by the end of npm, whose shell may go on, leaves no process', async () => {
    // As npm starts it: a shell that waits for it.
    const options = portOptions(await freePorts());
    const command = `"${process.execPath}" tools/cli/start.ts ${options.join(' ')}; exit`;
    const script = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
    const npm = runCommand(['-e', script], {
      isGroup: true,
      env: commandEnvironment({ npm_lifecycle_event: 'start' }),
    });
    await npm.printed(/Serving/);
    npm.child.kill('SIGKILL');
    while (processesOf(npm.child.pid ?? 0).length > 0) await setTimeout(50);
  });
});
