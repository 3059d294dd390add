/** The path of a login, as the built functions take it: where it ended, and which checks it had. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stepsOf } from '../../tools/explain/explanation.ts';
import { Engine } from '../../tools/local/engine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { samlEvent } from '../support/wire.ts';

const SETTINGS = {
  CALLER_CHECK: 'signature',
  SIGNING_SECRET_ID: 'no/such-secret',
  OPENID_EXTERNAL_ID: 'sub',
  SAML_EXTERNAL_ID: 'subject_id',
  SAML_ASSERTION_CHECK: 'off',
};

let engine: Engine;
beforeAll(async () => {
  const SECRETS_FILE = join(folder, 'secrets.json');
  await writeFile(SECRETS_FILE, '{}');
  const env = { ...process.env, ...SETTINGS, SECRETS_FILE, LOGIN_HOOKS_ENV_FOLDER: folder };
  engine = await Engine.open({ stage: new Stage('dev', env) });
}, 60_000);
afterAll(() => engine.close());
const folder = temporaryFolder();

const overHttp = async () =>
  JSON.parse(await readFile(join(PROJECT, 'events', 'openidLoggedIn', 'http-api-v2.json'), 'utf8'));
const inTheDirectory = async () => {
  const event = samlEvent();
  event.assertion.assertionIssuer = 'https://sso.example.org/saml';
  return event;
};

test.each([
  [
    'the secret of the caller check is not there',
    ['openidLoggedIn', undefined, overHttp],
    ['start passed', 'request passed', 'caller ended', 'event not reached', 'handler not reached'],
  ],
  [
    'the event is not valid',
    ['samlLoggedIn', undefined, async () => ({})],
    ['start passed', 'event ended', 'handler not reached'],
  ],
  ['a secret of the handler is not there', ['samlLoggedIn', 'handlers/directory-lookup', inTheDirectory], []],
  ['the response has no identifier', ['samlLoggedIn', undefined, async () => samlEvent()], []],
] as const)('where %s', async (_, [functionName, handlerModule, eventOf], steps) => {
  const event = await eventOf();
  const way = { functionName, handlerModule, isChecked: true };
  const answered = await engine.invoke({ ...way, event, frozenTime: null, requests: [] });
  expect(stepsOf({ answered, event, functionName }).map(({ name, state }) => `${name} ${state}`)).toEqual(
    steps,
  );
});
