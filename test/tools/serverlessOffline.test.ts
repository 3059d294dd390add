/** `npx serverless offline` serves the functions too: with the routes of serverless.yml, and without AWS. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningCommand, runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { linkedProject } from '../support/linkedProject.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

let server: RunningCommand;
let ports: { http: number; lambda: number };

beforeAll(async () => {
  ports = { http: await freePort(), lambda: await freePort() };
  const options = ['--httpPort', String(ports.http), '--lambdaPort', String(ports.lambda)];
  server = runCommand(['node_modules/serverless/bin/serverless.js', 'offline', 'start', ...options], {
    cwd: project,
    env: commandEnvironment({ NODE_NO_WARNINGS: '1' }),
  });
  while (!(server.stdout() + server.stderr()).includes('Server ready') && server.child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}, 60_000);

afterAll(() => server.end());
/** It is removed when the server has ended. */
const project = linkedProject();

test.each([
  ['/openid', openIdEvent()],
  ['/saml', samlEvent()],
])('serves POST %s', async (path, event) => {
  const response = await fetch(`http://127.0.0.1:${ports.http}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada' });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('serves Lambda’s Invoke API', async () => {
  const path = '/2015-03-31/functions/login-hooks-dev-openidLoggedIn/invocations';
  const response = await fetch(`http://127.0.0.1:${ports.lambda}${path}`, {
    method: 'POST',
    body: JSON.stringify(openIdEvent()),
  });
  expect(await response.json()).toMatchObject({ type: 'AuthorizedUserResponse' });
});
