import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { customHandler } from '../support/customHandler.ts';
import { runTool } from '../support/tools.ts';

const ENTRA = 'events/openidLoggedIn/entra.json';
const KEYCLOAK = 'events/samlLoggedIn/keycloak.json';

const npmRunLogin = (...args: string[]) => runTool('login', args);

const GRACE = { email: 'grace.hopper@example.com' };
const STAFF = { user_group_uuids: [expect.any(String)] };
test.each([
  ['the default handler', ['openid', ENTRA], GRACE],
  ['a handler of the project', ['saml', KEYCLOAK, '--handler', 'handlers/staff-group'], STAFF],
  ['an HTTP envelope', ['openid', 'events/openidLoggedIn/http-api-v2.json'], { statusCode: 200 }],
])('answers with %s: the answer alone on stdout, and no log', async (_, args, answer) => {
  const { status, stdout, stderr } = await npmRunLogin(...args);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject(answer);
  expect(stderr).toMatch(/^\w+ by .*: --explain says why, --verbose prints the log\n$/);
});

test('tells of a process that ended instead of answering', async () => {
  const module = await customHandler('export default () => process.exit(3)');
  const { status, stdout, stderr } = await npmRunLogin('openid', ENTRA, '--handler', module);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('the process of openidLoggedIn ended (exit code 3)');
});

test('sets the clock of the function to the time of the event, where it is asked to', async () => {
  const module = await customHandler(
    `export default () => ({ type: 'ForbiddenResponse', message: new Date().toISOString().slice(0, 16) })`,
  );
  const { idToken } = JSON.parse(readFileSync(join(PROJECT, ENTRA), 'utf8'));
  const timeOf = async (...options: string[]) => {
    const { stdout } = await npmRunLogin('openid', ENTRA, '--handler', module, ...options);
    return JSON.parse(stdout).message.slice(0, 16);
  };
  expect(await timeOf('--at-event-time')).toBe(new Date(idToken.iat * 1_000).toISOString().slice(0, 16));
  expect((await timeOf()).slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
});
