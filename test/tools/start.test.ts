import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/build.ts';
import { sampleEvents } from '../../tools/engine/events.ts';
import { freePort } from '../../tools/freePort.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

let server: ChildProcess;
let stdout = '';
let ports: { http: number; lambda: number };

beforeAll(async () => {
  ports = { http: await freePort(), lambda: await freePort() };
  const args = ['--http-port', String(ports.http), '--lambda-port', String(ports.lambda)];
  server = spawn(process.execPath, ['tools/cli/start.ts', ...args], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  while (!stdout.includes('Serving until Ctrl-C') && server.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}, 60_000);

afterAll(async () => {
  server.kill('SIGINT');
  await once(server, 'close');
});

test('prints what every sample event was answered', async () => {
  for (const { functionName, name } of await sampleEvents()) {
    expect(stdout).toMatch(new RegExp(`^${functionName} +${name} +(HTTP|Lambda) +\\d{3} +\\w+Response`, 'm'));
  }
});

test.each([
  ['/openid', openIdEvent()],
  ['/saml', samlEvent()],
])('goes on serving POST %s', async (path, event) => {
  const response = await fetch(`http://127.0.0.1:${ports.http}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada' });
});

test.each([
  ['a preflight request', '/openid', 'OPTIONS', { 'access-control-request-method': 'POST' }],
  ['a login', '/openid', 'POST', {}],
  ['a path that is not there', '/other', 'POST', {}],
])('lets no web page read its answer to %s', async (_, path, method, headers) => {
  const { rawHeaders } = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(`http://127.0.0.1:${ports.http}${path}`, {
      method,
      headers: { origin: 'https://evil.example', 'content-type': 'application/json', ...headers },
    });
    request.on('response', resolve).on('error', reject).end(JSON.stringify(openIdEvent()));
  });
  expect(rawHeaders.filter((name) => /^access-control-allow-/i.test(name))).toEqual([]);
});

test('and Lambda’s Invoke API', async () => {
  const path = '/2015-03-31/functions/login-hooks-dev-openidLoggedIn/invocations';
  const response = await fetch(`http://127.0.0.1:${ports.lambda}${path}`, {
    method: 'POST',
    body: JSON.stringify(openIdEvent()),
  });
  expect(await response.json()).toMatchObject({ type: 'AuthorizedUserResponse' });
});

test('the curl line that it prints works', async () => {
  const line = /curl .*/.exec(stdout)?.[0] ?? '';
  const curl = spawn('sh', ['-c', line], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = Buffer.concat(await curl.stdout.toArray()).toString();
  expect(JSON.parse(answer)).toMatchObject({ type: 'AuthorizedUserResponse' });
});

test('the functions tell what is in force, when they are asked to', () => {
  const { stdout, status } = spawnSync(process.execPath, ['tools/cli/selfTest.ts'], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: {
      AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${ports.lambda}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    },
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^openidLoggedIn +ok$/m);
  expect(stdout).toMatch(/^samlLoggedIn +ok$/m);
});

test('a broken sample is named before anything is served', async () => {
  const project = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const parts = ['functions', 'handlers', 'lib', 'tools', 'events', 'package.json', 'secrets.sample.json'];
  await Promise.all(parts.map((part) => cp(join(PROJECT, part), join(project, part), { recursive: true })));
  await symlink(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  await writeFile(join(project, 'events', 'openidLoggedIn', 'broken.json'), '{');
  const { status, stderr } = spawnSync(process.execPath, ['tools/cli/start.ts'], {
    cwd: project,
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(stderr).toContain('broken.json: expected JSON');
  expect(status).toBe(2);
  await rm(project, { recursive: true });
});
