/** What the studio remembers of logins: what other systems answered, and as many as memory has room for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Engine } from '../../tools/local/engine.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { Logins, withRecordings } from '../../tools/studio/logins.ts';
import { WouldAsk } from '../../tools/studio/views/login.tsx';
import { customHandler } from '../support/customHandler.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

/** Tries three times, as look-ups do. */
const ASKS = (url: string) => `const find = async (tries) => {
  try {
    return await (await fetch('${url}/people/1')).json();
  } catch (error) {
    if (tries === 0) throw error;
    return find(tries - 1);
  }
};
const ASKING = ['https://idp.example.org', 'https://accounts.google.com'];
export default async ({ id_token: { iss } }) => ASKING.includes(iss)
  ? { ...await find(2), type: 'AuthorizedUserResponse', last_name: 'Lovelace', email: 'ada@example.org' }
  : { type: 'ForbiddenResponse' };`;

const folder = temporaryFolder();
const server = await httpServer((_, response) => sendJson(response, { first_name: 'Ada' }));
await writeFile(join(folder, '.env.dev'), `OPENID_HANDLER_MODULE=${await customHandler(ASKS(server.url))}`);
const stage = new Stage('dev', { ...process.env, LOGIN_HOOKS_ENV_FOLDER: folder });
const engine = await Engine.open({ stage });
afterAll(async () => {
  await engine.close();
  await server.close();
});

test('a sign-in whose handler asked another system is answered alike after a change, and nobody is asked again', async () => {
  const logins = new Logins(engine);
  const { id, answered } = await logins.signedIn('openidLoggedIn', openIdEvent(), []);
  const { length } = server.requests;
  await logins.refresh();
  expect(logins.get(id)).toMatchObject({ answered: { response: answered.response }, changes: [] });
  expect(answered.response).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada' });
  expect(server.requests).toHaveLength(length);
});

test('what another system is asked for a sample answers it until the end, and may be kept', async () => {
  const logins = new Logins(engine);
  await logins.refresh();
  const before = logins.get('openidLoggedIn.google-workspace');
  if (!before) throw new Error('expected the sample');
  const { length } = server.requests;
  expect(await logins.ask(before)).toEqual([]);
  await logins.refresh();
  const after = logins.get('openidLoggedIn.google-workspace');
  expect(after?.answered.response).toMatchObject({ type: 'AuthorizedUserResponse' });
  expect(server.requests).toHaveLength(length + 1);
  const recorded = { request: `GET ${server.url}/people/1` };
  expect(after && withRecordings(after).recordings).toMatchObject([recorded]);
});

test('what a handler read is not told of another one that takes its place', async () => {
  const logins = new Logins(engine);
  const event = openIdEvent();
  event.idToken.iss = 'https://other.example.org';
  const login = await logins.pasted('openidLoggedIn', event, 'event', []);
  expect(await logins.reads(login)).toMatchObject([{ name: 'iss' }]);
  const answered = await logins.answerOf('default', login);
  expect(await logins.reads({ ...login, handler: null, answered })).toBeNull();
});

test('a request that is tried again is listed once', async () => {
  const logins = new Logins(engine);
  const { id, answered } = await logins.pasted('openidLoggedIn', openIdEvent(), 'event', []);
  const html = String(WouldAsk({ id, requests: answered.requests.missing }));
  expect(html.match(/GET http/g)).toHaveLength(1);
});

test('the last 200 logins that are not stored stay', async () => {
  const logins = new Logins(engine);
  for (let count = 0; count <= 200; count++) await logins.pasted('openidLoggedIn', {}, String(count), []);
  const names = logins.all().map(({ sample }) => sample.name);
  expect([names.length, names[0], names.at(-1)]).toEqual([200, '1', '200']);
});
