/** A project that names one kind of login: its commands, its package and what serves it know no other. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnProject, ownProject } from '../support/ownProject.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { freePorts, portOptions, requests, STUDIO_ADDRESS } from '../support/studio.ts';
import { resourcesIn, templateIn } from '../support/template.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';
import { namesIn } from '../support/zip.ts';

const CONFIGURATION = `service: my-logins
plugins: [login-hooks/serverless]
provider: {name: aws, region: eu-central-1}
custom: {loginHooks: {openid: default, http: true}}
`;

let project: OwnProject;
beforeAll(async () => {
  project = await ownProject({
    'serverless.yml': CONFIGURATION,
    'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
    'events/samlLoggedIn/ada.json': JSON.stringify(samlEvent()),
    'response.xml': '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>',
  });
});
afterAll(() => project.remove());

const run = async (...args: string[]) => {
  const { status, stdout, stderr } = await project.run(args);
  return { status, told: stdout + stderr };
};

test.each([
  ['build', 'dist/functions/openidLoggedIn.mjs\n'],
  ['verify', /^openidLoggedIn: handler default, .*\n$/],
  ['check', /^openidLoggedIn\/ada /m],
])('%s is of its function alone', async (command, told) => {
  const ended = await run(command);
  expect(ended).toEqual({ status: 0, told: expect.stringMatching(told) });
  expect(ended.told).not.toMatch(/saml/i);
});

const OTHER_KIND =
  'this is a login of samlLoggedIn, which this project does not have: see custom.loginHooks in serverless.yml';
test.each([
  [
    'check events/samlLoggedIn/ada.json',
    'expected an event with idToken, or a file in a folder openidLoggedIn',
  ],
  ['login saml events/samlLoggedIn/ada.json', 'expected openid, found saml'],
  ['capture response.xml', OTHER_KIND],
])('%s is refused', async (typed, problem) => {
  expect(await run(...typed.split(' '))).toEqual({ status: 2, told: expect.stringContaining(problem) });
});

test('self-test asks the function by the name of the service', async () => {
  const server = await httpServer((_, response) => sendJson(response, {}, 404));
  const settings = {
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL_LAMBDA: server.url,
  };
  await project.run(['self-test', '--stage', 'prod'], settings);
  await server.close();
  const asked = server.requests.map(({ path }) => /functions\/([^/]+)/.exec(path)?.[1]);
  expect(new Set(asked)).toEqual(new Set(['my-logins-prod-openidLoggedIn']));
});

test('start serves it alone', async () => {
  const ports = await freePorts();
  const server = project.start(['start', ...portOptions(ports)]);
  const [address] = await server.printed(STUDIO_ADDRESS);
  await server.printed(/Send a login/);
  const post = (url: string) => fetch(url, { method: 'POST', body: JSON.stringify(openIdEvent()) });
  const invoked = `http://127.0.0.1:${ports.lambda}/2015-03-31/functions/my-logins-dev-openidLoggedIn/invocations`;
  expect((await post(invoked)).status).toBe(200);
  expect((await post(`http://127.0.0.1:${ports.http}/saml`)).status).toBe(404);
  const { page, send } = requests(address, ports.http);
  const offered = await Promise.all([page('#/compare'), page('#/sign-in')]);
  expect(offered.filter(({ main }) => main.includes('SAML'))).toEqual([]);
  expect(await send('sign-in/saml', { metadata: '<EntityDescriptor/>' })).toMatchObject({
    message: OTHER_KIND,
  });
  const { stdout, stderr } = await server.end();
  expect(stdout).toContain(`Serving http://127.0.0.1:${ports.http} (/openid), and`);
  expect(stdout).toContain("/openid -H 'content-type: application/json' -d @events/openidLoggedIn/ada.json");
  expect(stdout + stderr).not.toMatch(/saml/i);
});

test('serverless package has its function alone', async () => {
  const { status, stderr } = await project.serverless(['package']);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('openidLoggedIn: handler default, callers iam'),
  ]);
  const folder = join(project.folder, '.serverless');
  const functions = resourcesIn(templateIn(folder), 'AWS::Lambda::Function');
  expect(functions.map(({ FunctionName }) => FunctionName)).toEqual(['my-logins-dev-openidLoggedIn']);
  const files = namesIn(await readFile(join(folder, 'my-logins.zip')));
  expect(files.filter((name) => name.startsWith('dist/functions/'))).toEqual([
    'dist/functions/openidLoggedIn.mjs',
  ]);
});

test.each([
  ['self-test', 'my-logins', `\${env:NAME}`, 'service: expected a name that is written out'],
  ['check', 'openid: default', 'oidc: default', 'custom.loginHooks: oidc: expected only openid, saml, http'],
])('%s refuses a configuration with another name than %s', async (command, name, other, problem) => {
  await project.write('serverless.yml', CONFIGURATION.replace(name, other));
  const stderr = expect.stringContaining(`serverless.yml: ${problem}`);
  expect(await project.run([command])).toEqual({ status: 2, stdout: '', stderr });
});
