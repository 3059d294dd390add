/** Stored events on the engine. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moduleOf } from '../../tools/bundle/handlers.ts';
import { Engine } from '../../tools/local/engine.ts';
import type { SampleEvent } from '../../tools/local/events.ts';
import { frozenTimeOf } from '../../tools/local/httpEvent.ts';
import { joinRecordings } from '../../tools/local/recordings.ts';
import { Samples } from '../../tools/local/samples.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const event = openIdEvent();
const SAMPLE: SampleEvent = {
  ...{ functionName: 'openidLoggedIn', name: 'ada', file: join(folder, 'ada.json') },
  ...{ event, expected: null, recordings: null },
};

const RANDOM = `import { forbidden } from 'login-hooks';\nexport default () => forbidden(String(Math.random()));\n`;
const SECRETLY = `import { forbidden, getSecret } from 'login-hooks';
  export default async () => forbidden(await getSecret('own/key'));`;
const FAILING_ONCE = `let count = 0;
  export default () => {
    count += 1;
    if (count === 1) throw new Error('not yet');
    return { type: 'ForbiddenResponse', message: String(count) };
  };`;
const lookingUp = (url: string) => `import * as v from 'valibot';
  import { endpoint, forbidden, lookUp, url } from 'login-hooks';
  const api = endpoint('${url}');
  const options = { allowHttp: true, retries: 0 };
  export default async () => forbidden(JSON.stringify(await lookUp(url\`\${api}/x\`, v.object({}), options)));`;
const asking = (url: string, message: string) => `import { forbidden } from 'login-hooks';
  export default async () => forbidden(\`${message} \${(await fetch('${url}')).status}\`);`;

/** Another system, where the first look-up fails. */
let server: LocalServer;
/** Most tests share it, each with handlers of its own. */
let engine: Engine;
let onChange = () => {};

/** @param sources of its handlers, by their names */
async function engineOf(sources: Readonly<Record<string, string>>, settings: Record<string, string> = {}) {
  for (const [name, source] of Object.entries(sources)) await save(name, source);
  const stage = new Stage('dev', { ...process.env, ...settings });
  const handlers = Object.keys(sources).map(fileOf);
  const opened = await Engine.open({ stage, handlers, isAlone: true, watched: [] });
  opened.watch({ onChange: () => onChange() });
  return opened;
}

const fileOf = (name: string) => join(folder, `${name}.ts`);

/** In one change, as most editors save. */
async function save(name: string, text: string): Promise<void> {
  await writeFile(`${fileOf(name)}.new`, text);
  await rename(`${fileOf(name)}.new`, fileOf(name));
}

beforeAll(async () => {
  server = await httpServer(({ url }, response) => {
    const isFirst = server.requests.filter(({ path }) => path === url).length === 1;
    sendJson(response, {}, url === '/x' && isFirst ? 503 : 200);
  });
  const sources = {
    ...{ random: RANDOM, other: RANDOM, secretly: SECRETLY, 'failing-once': FAILING_ONCE },
    ...{ 'looking-up': lookingUp(server.url), asking: asking(`${server.url}/a`, 'First') },
  };
  engine = await engineOf(sources, { SECRET_IDS: 'own/key' });
});
afterAll(() => Promise.all([engine.close(), server.close()]));

/** The answers of stored events. A sample is answered again only where something changed. */
function samplesOf(on: Engine, { isOffline = true } = {}) {
  const samples = new Samples(on, { isOffline });
  type Given = [handler: string, changes?: Partial<SampleEvent>];
  const invoke = (...[handler, changes]: Given) =>
    samples.invoke({ ...SAMPLE, ...changes }, moduleOf(fileOf(handler)));
  return {
    reason: async (...given: Given) => (await invoke(...given)).reason,
    message: async (...given: Given) => (await invoke(...given)).response?.message,
  };
}

/** Until what is changed is in force. */
async function inForceAfter(change: () => Promise<void>): Promise<void> {
  const changed = Promise.withResolvers<void>();
  onChange = changed.resolve;
  await change();
  await changed.promise;
}

test('a stored event is asked again where its handler or its content changed, and only then', async () => {
  const { message } = samplesOf(engine);
  const [first, ofOther] = [await message('random'), await message('other')];
  expect(await message('random')).toBe(first);
  await inForceAfter(() => save('random', `${RANDOM}\n// Changed.\nexport const changed = true;\n`));
  const second = await message('random');
  expect(await message('other')).toBe(ofOther);
  expect(second).not.toBe(first);
  expect(await message('random', { event: { ...event, expiresIn: 61 } })).not.toBe(second);
});

test.each([
  ['what failed', 'failing-once', 'handler_threw', true],
  ['a look-up that failed', 'looking-up', 'lookup_status', false],
])('%s is asked again: %s', async (_, handler, first, isOffline) => {
  const { reason } = samplesOf(engine, { isOffline });
  expect([await reason(handler), await reason(handler)]).toEqual([first, 'forbidden']);
});

test.each([
  ['with --offline', true, null],
  ['of recorded responses', false, []],
])('%s a secret has a made-up value', async (_, isOffline, recordings) => {
  expect(await samplesOf(engine, { isOffline }).reason('secretly', { recordings })).toBe('forbidden');
});

test('a change of the secrets’ file counts from the next event on; closing leaves no file, and each later event has a result', async () => {
  const secrets = join(folder, 'secrets.json');
  await writeFile(secrets, '{"own/key":"1"}');
  await using own = await engineOf({ secretly: SECRETLY }, { SECRETS_FILE: secrets });
  const { message, reason } = samplesOf(own);
  expect(await message('secretly')).toBe('1');
  await inForceAfter(() => writeFile(secrets, '{"own/key":"2"}'));
  expect(await message('secretly')).toBe('2');
  const { root } = own;
  await own.close();
  const later = { event: { ...event, expiresIn: 62 } };
  expect([await reason('secretly', later), await reason('secretly', later)]).toEqual(['crash', 'crash']);
  expect(existsSync(root)).toBe(false);
});

test('other systems are asked once, and again where a changed handler requests something else', async () => {
  const { message } = samplesOf(engine, { isOffline: false });
  const asked = () => server.requests.filter(({ path }) => path !== '/x').length;
  const askedAfter = async (path: string, text: string) => {
    await save('asking', asking(server.url + path, text));
    while ((await message('asking')) !== `${text} 200`) await pause(20);
    return asked();
  };
  expect([await message('asking'), asked()]).toEqual(['First 200', 1]);
  expect(await askedAfter('/a', 'Second')).toBe(1);
  expect(await askedAfter('/b', 'Third')).toBe(2);
});

const IAT_MS = event.idToken.iat * 1_000;
const ISSUED_MS = Date.parse(samlEvent().assertion.assertionIssued);
const base64 = Buffer.from(JSON.stringify(event)).toString('base64');
test.each<[string, unknown, number | null]>([
  ['an ID token', event, IAT_MS],
  ['an assertion', samlEvent(), ISSUED_MS],
  ['a request', overHttp(samlEvent()), ISSUED_MS],
  ['a request in base64', overHttp(base64, { isBase64Encoded: true }), IAT_MS],
  ['a request without JSON', overHttp('{'), null],
  ['something else', { idToken: {} }, null],
])('a stored event is run at the time of %s', (_, stored, ms) => {
  expect(frozenTimeOf(stored)).toBe(ms);
});

test('of two requests to one address, each with a body of its own, both responses are kept', () => {
  const recording = (body_sha256: string, text: string) => ({
    ...{ request: 'POST https://api.example/graphql', body_sha256, status: 200, headers: {}, text },
  });
  const [first, second] = [recording('a', '1'), recording('b', '2')];
  expect(joinRecordings([first], [recording('a', '3'), second])).toEqual([first, second]);
});
