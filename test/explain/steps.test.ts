/** The path of a login, as the built functions take it: where it ended, and which checks it had. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stepsOf } from '../../tools/explain/loginSteps.ts';
import { Engine } from '../../tools/local/engine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

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
const unnamed = () => {
  const event = openIdEvent();
  delete event.idToken.otherClaims.given_name;
  return event;
};
const inTheDirectory = () => {
  const event = samlEvent();
  event.assertion.assertionIssuer = 'https://sso.example.org/saml';
  return event;
};

test.each([
  [
    'a secret that the caller check needs is not there',
    ['openidLoggedIn', undefined, overHttp],
    [
      'start',
      'request',
      'caller ended: secret_not_found',
      'event not reached',
      'handler not reached',
      'response not reached',
    ],
  ],
  [
    'a secret that the handler needs is not there',
    ['samlLoggedIn', 'handlers/directory-lookup', inTheDirectory],
    ['start', 'event', 'handler ended: secret_not_found', 'response not reached'],
  ],
  [
    'the response has no identifier',
    ['samlLoggedIn', undefined, samlEvent],
    ['start', 'event', 'handler', 'response ended: external_id_missing'],
  ],
  [
    'the profile is incomplete',
    ['openidLoggedIn', undefined, unnamed],
    ['start', 'event', 'handler ended: profile_incomplete', 'response'],
  ],
  [
    'the handler refuses, as it is meant to',
    ['openidLoggedIn', 'handlers/email-domain', openIdEvent],
    ['start', 'event', 'handler refused: issuer_not_listed', 'response'],
  ],
  [
    'the person is authorized',
    ['openidLoggedIn', undefined, openIdEvent],
    ['start', 'event', 'handler', 'response'],
  ],
] as const)('where %s', async (_, [functionName, handlerModule, eventOf], steps) => {
  const event = await eventOf();
  const way = { functionName, handlerModule, isChecked: true };
  const answered = await engine.invoke({ ...way, event, frozenTime: null, requests: [] });
  const shown = stepsOf(answered, event, functionName).map(({ name, state, note }) => {
    if (state === 'passed') return name;
    return [`${name} ${state}`, note].filter(Boolean).join(': ');
  });
  expect(shown).toEqual(steps);
});
