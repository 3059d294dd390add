/** Code that may take any issuer, because the configuration says so of it aloud. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configurationOf, type OwnTools, ownTools } from '../support/ownProject.ts';
import { openIdEvent } from '../support/wire.ts';

const CODE = `export default () =>
  ({ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' });\n`;

let project: OwnTools;
beforeAll(async () => {
  project = await ownTools({
    'serverless.yml': configurationOf('openid: {handler: handlers/named, issuers: any}'),
    'handlers/named.ts': CODE,
    'handlers/other.ts': CODE,
    'events/openidLoggedIn/ada.json': JSON.stringify(openIdEvent()),
  });
});
afterAll(() => project.remove());

test.each([
  ['is told of', 'handlers/named', 'note'],
  ['that another handler takes is an error', 'handlers/other', 'error'],
])('another issuer %s: %s', async (_, OPENID_HANDLER_MODULE, level) => {
  const { stdout } = await project.run(['check', '--attack'], { OPENID_HANDLER_MODULE });
  expect(stdout).toMatch(new RegExp(`^${level} +another_issuer +${OPENID_HANDLER_MODULE}\n  gets in: `, 'm'));
});
