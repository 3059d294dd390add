/** Stored events on the engine. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { moduleOf } from '../../tools/bundle/handlers.ts';
import { Engine } from '../../tools/local/engine.ts';
import type { SampleEvent } from '../../tools/local/events.ts';
import { frozenTimeOf } from '../../tools/local/httpEvent.ts';
import { joinRecordings } from '../../tools/local/recordings.ts';
import { Samples } from '../../tools/local/samples.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const HANDLER = `import { forbidden } from 'login-hooks';\nexport default () => forbidden(String(Math.random()));\n`;

const event = openIdEvent();
const SAMPLE: SampleEvent = {
  ...{ functionName: 'openidLoggedIn', name: 'ada', file: join(folder, 'ada.json') },
  ...{ event, expected: null, recordings: null },
};

test('a stored event is asked again where its handler or its content changed, and only then', async () => {
  const [file, other] = [join(folder, 'random.ts'), join(folder, 'other.ts')];
  await Promise.all([writeFile(file, HANDLER), writeFile(other, HANDLER)]);
  const engine = await Engine.open({ handlers: [file, other], isAlone: true, watched: [] });
  const samples = new Samples(engine, { isOffline: true });
  const message = async (handler: string, one = SAMPLE) =>
    (await samples.invoke(one, moduleOf(handler))).response?.message;
  let changed = Promise.withResolvers<void>();
  engine.watch({ onChange: () => changed.resolve() });
  try {
    const first = [await message(file), await message(other)];
    expect([await message(file), await message(other)]).toEqual(first);
    changed = Promise.withResolvers();
    await writeFile(file, `${HANDLER}\n// Changed.\nexport const changed = true;\n`);
    await changed.promise;
    expect(await message(other)).toBe(first[1]);
    expect(await message(file)).not.toBe(first[0]);
    const later = { ...event, expiresIn: 61 };
    expect(await message(other, { ...SAMPLE, event: later })).not.toBe(first[1]);
  } finally {
    await engine.close();
  }
});

test('closing leaves no file, and each later event has a result', async () => {
  const file = join(folder, 'closed.ts');
  await writeFile(file, HANDLER);
  const engine = await Engine.open({ handlers: [file], isAlone: true });
  await engine.close();
  const samples = new Samples(engine, { isOffline: true });
  const reasonOf = async () => (await samples.invoke(SAMPLE, moduleOf(file))).reason;
  expect([await reasonOf(), await reasonOf()]).toEqual(['crash', 'crash']);
  expect(existsSync(engine.root)).toBe(false);
});

test('what failed is asked again', async () => {
  const file = join(folder, 'failing.ts');
  const FAILING = `let count = 0;
    export default () => {
      count += 1;
      if (count === 1) throw new Error('not yet');
      return { type: 'ForbiddenResponse', message: String(count) };
    };`;
  await writeFile(file, FAILING);
  const engine = await Engine.open({ handlers: [file], isAlone: true });
  const samples = new Samples(engine, { isOffline: true });
  const reasonOf = async () => (await samples.invoke(SAMPLE, moduleOf(file))).reason;
  try {
    expect([await reasonOf(), await reasonOf()]).toEqual(['handler_threw', 'forbidden']);
  } finally {
    await engine.close();
  }
});

test('a look-up that failed is asked again', async () => {
  const server = await httpServer((_, response) =>
    sendJson(response, {}, server.requests.length > 1 ? 200 : 503),
  );
  const file = join(folder, 'looking.ts');
  await writeFile(
    file,
    `import * as v from 'valibot';
    import { endpoint, forbidden, lookUp, url } from 'login-hooks';
    const api = endpoint('${server.url}');
    const options = { allowHttp: true, retries: 0 };
    export default async () => forbidden(JSON.stringify(await lookUp(url\`\${api}/x\`, v.object({}), options)));`,
  );
  const engine = await Engine.open({ handlers: [file], isAlone: true });
  const samples = new Samples(engine, { isOffline: false });
  const reasonOf = async () => (await samples.invoke(SAMPLE, moduleOf(file))).reason;
  try {
    expect([await reasonOf(), await reasonOf()]).toEqual(['lookup_status', 'forbidden']);
  } finally {
    await engine.close();
    await server.close();
  }
});

test.each([
  ['with --offline', true, null],
  ['of recorded responses', false, []],
])('%s a secret has a made-up value', async (_, isOffline, recordings) => {
  const file = join(folder, 'secretly.ts');
  const HANDLER = `import { forbidden, getSecret } from 'login-hooks';
    export default async () => forbidden(typeof (await getSecret('own/key')));`;
  await writeFile(file, HANDLER);
  const stage = new Stage('dev', { ...process.env, SECRET_IDS: 'own/key' });
  const engine = await Engine.open({ stage, handlers: [file], isAlone: true });
  try {
    const samples = new Samples(engine, { isOffline });
    const { response } = await samples.invoke({ ...SAMPLE, recordings }, moduleOf(file));
    expect(response?.message).toBe('string');
  } finally {
    await engine.close();
  }
});

test('other systems are asked once, and again where a changed handler requests something else', async () => {
  const server = await httpServer((_, response) => sendJson(response, {}));
  const file = join(folder, 'asking.ts');
  const asking = (path: string, message: string) => `import { forbidden } from 'login-hooks';
    export default async () => {
      const { status } = await fetch('${server.url}${path}');
      return forbidden(\`${message} \${status}\`);
    };`;
  await writeFile(file, asking('/a', 'First'));
  const engine = await Engine.open({ handlers: [file], isAlone: true, watched: [] });
  const samples = new Samples(engine, { isOffline: false });
  const message = async () => (await samples.invoke(SAMPLE, moduleOf(file))).response?.message;
  const requestsAfter = async (path: string, text: string) => {
    await writeFile(`${file}.new`, asking(path, text));
    await rename(`${file}.new`, file);
    while ((await message()) !== `${text} 200`) await pause(20);
    return server.requests.length;
  };
  try {
    expect([await message(), server.requests.length]).toEqual(['First 200', 1]);
    engine.watch({ onChange: () => {} });
    expect(await requestsAfter('/a', 'Second')).toBe(1);
    expect(await requestsAfter('/a', 'Third')).toBe(1);
    expect(await requestsAfter('/b', 'Fourth')).toBe(2);
  } finally {
    await engine.close();
    await server.close();
  }
});

test('a change of the secrets’ file counts from the next event on', async () => {
  const [file, secrets] = [join(folder, 'secret.ts'), join(folder, 'secrets.json')];
  const HANDLER = `import { forbidden, getSecret } from 'login-hooks';
    export default async () => forbidden(await getSecret('own/key'));`;
  await Promise.all([writeFile(file, HANDLER), writeFile(secrets, '{"own/key":"1"}')]);
  const stage = new Stage('dev', { ...process.env, SECRETS_FILE: secrets });
  const engine = await Engine.open({ stage, handlers: [file], isAlone: true, watched: [] });
  const samples = new Samples(engine, { isOffline: true });
  const message = async () => (await samples.invoke(SAMPLE, moduleOf(file))).response?.message;
  const changed = Promise.withResolvers<void>();
  try {
    expect(await message()).toBe('1');
    engine.watch({ onChange: () => changed.resolve() });
    await writeFile(secrets, '{"own/key":"2"}');
    await changed.promise;
    expect(await message()).toBe('2');
  } finally {
    await engine.close();
  }
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
