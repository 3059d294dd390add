/** `npm run load` against `npm start`: what is served is what is measured, and what may not be put under load is refused. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/local/events.ts';
import { runCommand } from '../support/commands.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { type Studio, startStudio } from '../support/studio.ts';
import { runTool } from '../support/tools.ts';

const SIGNATURE = {
  CALLER_CHECK: 'signature',
  SIGNING_SECRET_ID: 'login-hooks/signing',
  SECRETS_FILE: 'secrets.sample.json',
};
const ENTRA = 'events/openidLoggedIn/entra.json';
const QUICK = ['--seconds', '1', '--rate', '20'];

let studio: Studio;
/** Where the SDK's endpoint is that of `npm start`. */
let direct: { AWS_ENDPOINT_URL_LAMBDA: string };

beforeAll(async () => {
  studio = await startStudio({}, { samples: ['openidLoggedIn/entra'], settings: { ...BUILT, ...SIGNATURE } });
  direct = { AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${studio.ports.lambda}` };
  await studio.ready();
}, 60_000);
afterAll(() => studio.close());

function load(args: string[], env: Record<string, string> = {}) {
  return runTool('load', args, env);
}

const target = (path: string) => ['--target', `http://127.0.0.1:${studio.ports.http}${path}`];

/** Nothing of an event stands in the output: neither an address nor a token. */
async function expectNoValue(output: string): Promise<void> {
  const events = JSON.stringify(await sampleEvents());
  const values = events.match(/[\w.]+@[\w.]+|eyJ[\w.-]{20,}/g) ?? [];
  expect(values.length).toBeGreaterThan(50);
  expect(values.filter((value) => output.includes(value))).toEqual([]);
  expect(output).not.toMatch(/whsec_|v1,|AWS4-HMAC/);
}

test.each(['openid', 'saml'])('each login of %s is signed, and answered as expected', async (kind) => {
  const { status, stdout, stderr } = await load([kind, ...target(`/${kind}`), ...QUICK], SIGNATURE);
  expect(stderr).toMatch(
    /\/(openid|saml), signature: signature\n\d+ sample events of handler default in turn/,
  );
  expect(stdout).toMatch(/^20 logins in 1\.\d s, at a rate of 20 a second\n/);
  expect(stdout).toMatch(/^as expected {2}200 {5}AuthorizedUserResponse {2}\d+$/m);
  expect(stdout).toMatch(/^As expected: (1\d|20)\.\d a second$/m);
  expect(stdout).not.toMatch(/mismatch|error {2}/);
  expect(status).toBe(0);
  await expectNoValue(stdout + stderr);
});

test.each([
  ['by its ARN', ['arn:aws:lambda:eu-central-1:123456789012:function:login-hooks-dev-openidLoggedIn']],
  ['by an alias', ['login-hooks-dev-openidLoggedIn', '--qualifier', 'live']],
])('a function is invoked directly %s', async (_, names) => {
  const { status, stdout, stderr } = await load(['openid', '--function', ...names, ...QUICK], direct);
  expect(stderr).toContain(', signature: none\n');
  expect(stdout).toMatch(/^as expected {2}200 /m);
  expect(stdout).not.toMatch(/mismatch|error {2}/);
  expect(status).toBe(0);
});

test('a load that is answered by another function is a failure', async () => {
  const { status, stdout, stderr } = await load(['openid', ...target('/saml'), ...QUICK], SIGNATURE);
  expect(stdout).toMatch(/^mismatch {2}422 .* differs in status, type, /m);
  expect(stdout).toContain('No login had the expected response.');
  expect(status).toBe(1);
  await expectNoValue(stdout + stderr);
});

test('only the named events are sent', async () => {
  const files = ['events/openidLoggedIn/orcid.json', 'events/openidLoggedIn/keycloak-suspended.json'];
  const { stdout, stderr } = await load(['openid', ...files, ...target('/openid'), ...QUICK], SIGNATURE);
  expect(stderr).toContain('1 sample events of handler default in turn, 1 others left out');
  expect(stdout).toMatch(/^as expected {2}200 {5}ErrorResponse {2}20$/m);
});

describe('with a server that throttles', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await httpServer((_, response) => sendJson(response, { message: 'Too Many Requests' }, 429));
  });
  afterAll(() => server.close());

  test('throttles are told', async () => {
    const { status, stdout } = await load(['openid', '--target', server.url, ...QUICK]);
    expect(stdout).toMatch(/^throttled {2}429 {5}- {5}20$/m);
    expect(status).toBe(1);
  });

  test('Ctrl-C shows what was seen so far', async () => {
    const command = runCommand([
      'tools/cli/bin.cjs',
      'load',
      'openid',
      '--target',
      server.url,
      '--seconds',
      '300',
    ]);
    await command.printed(/The first login took/);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const stdout = expect.stringMatching(
      /^\d logins in 0\.\d s, at a rate of 10 a second\n.*^throttled +429 /ms,
    );
    expect(await command.end('SIGINT')).toEqual({ status: 1, stdout, stderr: expect.any(String) });
  });
});

describe('over TLS', () => {
  let server: Awaited<ReturnType<typeof httpsServer>>;
  let folder: string;
  beforeAll(async () => {
    const [sample] = await sampleEvents(ENTRA);
    server = await httpsServer((_, response) => sendJson(response, sample?.expected?.answer));
    folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
    await writeFile(join(folder, 'ca.pem'), server.ca);
  });
  afterAll(() => Promise.all([server.close(), rm(folder, { recursive: true })]));

  test('a certificate that nobody vouches for gets no login', async () => {
    const { status, stderr } = await load(['openid', ENTRA, '--target', server.url, ...QUICK]);
    expect(stderr).toMatch(
      /certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): .* set NODE_EXTRA_CA_CERTS .*\n$/,
    );
    expect({ status, requests: server.requests }).toEqual({ status: 2, requests: [] });
  });

  test('a certificate of an authority that the settings name is trusted', async () => {
    const settings = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    // In a process of its own, because all of a process trusts it.
    const args = ['tools/cli/bin.cjs', 'load', 'openid', ENTRA, '--target', server.url, ...QUICK];
    const command = runCommand(args, { env: commandEnvironment(settings) });
    const stdout = expect.stringMatching(/^as expected {2}200 {5}AuthorizedUserResponse {2}20$/m);
    expect(await command.end(0)).toEqual({ status: 0, stdout, stderr: expect.any(String) });
  });
});

describe('what it refuses, before a load', () => {
  const ELSEWHERE = 'is not this machine: add --i-operate-this if you operate it and may put load on it\n';
  test.each<[string, string[], string | RegExp]>([
    [
      'a higher rate',
      ['--rate', '501'],
      '--rate: expected at most 500, found 501: one process cannot send more on time\n',
    ],
    ['a longer wait', ['--timeout', '31'], /^--timeout: expected at most 30, found 31: /],
    ['another machine', ['--target', 'https://192.0.2.1/openid'], `192.0.2.1 ${ELSEWHERE}`],
    ['a function on AWS', ['--function', 'f'], `lambda.eu-central-1.amazonaws.com ${ELSEWHERE}`],
    [
      'two targets',
      ['--function', 'f', '--target', 'http://127.0.0.1'],
      /^--function: expected without --target/,
    ],
    ['a webhook to Lambda', ['--function', 'f', '--sign', 'signature'], /^--sign: expected none or iam/],
    [
      'a signature without a secret',
      ['--target', 'http://127.0.0.1:1', '--sign', 'signature'],
      /^SIGNING_SECRET_ID: expected/,
    ],
    [
      'events of the other function',
      ['events/samlLoggedIn'],
      /^events\/samlLoggedIn: expected an event of openidLoggedIn/,
    ],
    [
      'an event of another handler',
      ['events/openidLoggedIn/entra-groups.json'],
      /handler in the settings: default\n$/,
    ],
    [
      'a port where nothing is served',
      ['--target', 'http://127.0.0.1:1/openid'],
      /no connection \(ECONNREFUSED\): start the functions with npm start\n$/,
    ],
  ])('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await load(['openid', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });

  test('a path without a function, a function that is not there, and a missing signature', async () => {
    const path = await load(['openid', ...target('/other')], SIGNATURE);
    const name = await load(['openid', '--function', 'other'], direct);
    const unsigned = await load(['openid', ...target('/openid'), '--sign', 'none'], SIGNATURE);
    expect(path.stderr).toMatch(/\/other: status 404 \(.*\): there is no such function: correct the path/);
    expect(name.stderr).toMatch(/status 404 \(ResourceNotFoundException\): there is no such function/);
    expect(unsigned.stderr).toMatch(/\/openid: status 401 \(.*\): it does not accept the signature: /);
    expect([path, name, unsigned].map(({ status }) => status)).toEqual([2, 2, 2]);
  });
});
