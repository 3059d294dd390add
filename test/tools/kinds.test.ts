/** A project that names one kind of login: its commands, its package and what serves it know no other. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { BUILT } from '../support/environment.ts';
import { ownTools } from '../support/ownProject.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { freePorts, portOptions, requests, STUDIO_ADDRESS } from '../support/studio.ts';
import { resourcesIn, templateIn } from '../support/template.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';
import { namesIn } from '../support/zip.ts';

const CONFIGURATION = `service: my-logins
plugins: [login-hooks/serverless]
provider:
  name: aws
  region: eu-central-1
  memorySize: \${param:memory}
  environment: {DIRECTORY: "\${env:DIRECTORY, null}"}
params: {default: {memory: 1024}, prod: {memory: 2048}}
custom: {loginHooks: {openid: default, http: true}}
package: \${file(package.yml)}
functions:
  openidLoggedIn:
    timeout: \${self:custom.timeout, 12}
    description: \${env:PURPOSE}
`;

const project = await ownTools({
  'serverless.yml': CONFIGURATION,
  'package.yml': "patterns: ['texts/**']\n",
  'texts/a.txt': 'a text',
  'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
  'events/samlLoggedIn/ada.json': JSON.stringify(samlEvent()),
  'response.json': '{}',
  'response.xml': '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>',
});

const run = async (typed: string, settings?: Record<string, string>) => {
  const { status, stdout, stderr } = await project.run(typed.split(' '), settings);
  return { status, told: stdout + stderr };
};

test.each([
  ['build', /^dist\/functions\/openidLoggedIn\.mjs$/m],
  ['verify', /^openidLoggedIn: handler default, .*\n$/],
  ['check', /^openidLoggedIn\/ada /m],
])('%s is of its function alone', async (command, told) => {
  const ended = await run(command, command === 'verify' ? BUILT : {});
  expect(ended).toEqual({ status: 0, told: expect.stringMatching(told) });
  expect(ended.told).not.toMatch(/saml/i);
});

const OTHER_KIND =
  'this is a login of samlLoggedIn, which this project does not have: see custom.loginHooks in serverless.yml';
test.each([
  ['check response.json', 'expected an event with idToken, or a file in a folder openidLogg'],
  ['check events/samlLoggedIn/ada.json', OTHER_KIND],
  ['login saml events/samlLoggedIn/ada.json', OTHER_KIND],
  ['login openid events/samlLoggedIn/ada.json', OTHER_KIND],
  ['capture events/samlLoggedIn/ada.json', OTHER_KIND],
  ['capture response.xml', OTHER_KIND],
  ['doctor --only saml', '--only: expected openid or aws or project, found saml'],
  ['doctor --metadata idp.xml', '--metadata: expected with --only saml'],
])('%s is refused', async (typed, problem) => {
  expect(await run(typed)).toEqual({ status: 2, told: expect.stringContaining(problem) });
});

test('self-test asks the function by the name of the service', async () => {
  const { url, requests, close } = await httpServer((_, response) => sendJson(response, {}, 404));
  const settings = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_ENDPOINT_URL_LAMBDA: url };
  await project.run(['self-test', '--stage', 'prod'], settings);
  await close();
  const asked = requests.map(({ path }) => /functions\/([^/]+)/.exec(path)?.[1]);
  expect(new Set(asked)).toEqual(new Set(['my-logins-prod-openidLoggedIn']));
});

test('start serves it alone', async () => {
  const ports = await freePorts();
  const server = project.start(['start', ...portOptions(ports)]);
  const [address] = await server.printed(STUDIO_ADDRESS);
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

test('serverless package has its function alone, with the variables of the project resolved', async () => {
  const { status, stderr } = await project.serverless(['package', '--stage', 'prod'], { PURPOSE: 'logins' });
  expect(stderr).toContain('openidLoggedIn: handler default, callers iam');
  expect(status).toBe(0);
  const folder = join(project.folder, '.serverless');
  const [fn, ...others] = resourcesIn(templateIn(folder), 'AWS::Lambda::Function');
  expect(others).toEqual([]);
  expect(fn).toMatchObject({
    ...{ FunctionName: 'my-logins-prod-openidLoggedIn', Runtime: 'nodejs24.x', MemorySize: 2048 },
    ...{
      Timeout: 12,
      Description: 'logins',
      Environment: { Variables: expect.not.objectContaining({ DIRECTORY: expect.anything() }) },
    },
  });
  const files = namesIn(await readFile(join(folder, 'my-logins.zip')));
  const own = files.filter((name) => /^dist\/functions\/|^texts\//.test(name));
  expect(own).toEqual(['dist/functions/openidLoggedIn.mjs', 'texts/a.txt']);
});

test('a configuration whose service has another name than a text is refused', async () => {
  await project.write('serverless.yml', CONFIGURATION.replace('my-logins', `\${env:NAME}`));
  const stderr = expect.stringContaining('serverless.yml: service: expected a name that is written out');
  // In a process of its own: it reads the configuration when it starts.
  expect(await project.start(['self-test']).end(0)).toEqual({ status: 2, stdout: '', stderr });
});
