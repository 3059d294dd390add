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
const RANDOM = `import { forbidden } from 'login-hooks';\nexport default () => forbidden(String(Math.random()));\n`;

const event = openIdEvent();
const SAMPLE: SampleEvent = {
  ...{ functionName: 'openidLoggedIn', name: 'ada', file: join(folder, 'ada.json') },
  ...{ event, expected: null, recordings: null },
};

let count = 0;
interface Options {
  isOffline?: boolean;
  /** Beside those of this process. */
  settings?: Record<string, string>;
}

/** A handler of this source, and another one, on an engine, which is closed at the end of the test. */
async function samplesOf(source: string, { isOffline = true, settings = {} }: Options = {}) {
  count += 1;
  const [file, other] = [join(folder, `handler-${count}.ts`), join(folder, `other-${count}.ts`)];
  await Promise.all([writeFile(file, source), writeFile(other, RANDOM)]);
  const stage = new Stage('dev', { ...process.env, ...settings });
  const engine = await Engine.open({ stage, handlers: [file, other], isAlone: true, watched: [] });
  const samples = new Samples(engine, { isOffline });
  const invoke = (changes: Partial<SampleEvent> = {}, handler = file) =>
    samples.invoke({ ...SAMPLE, ...changes }, moduleOf(handler));
  return {
    engine,
    reason: async (changes?: Partial<SampleEvent>) => (await invoke(changes)).reason,
    message: async (changes?: Partial<SampleEvent>) => (await invoke(changes)).response?.message,
    messageOfOther: async () => (await invoke({}, other)).response?.message,
    /** In one change, as most editors save. */
    async change(text: string) {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

test('a stored event is asked again where its handler or its content changed, and only then', async () => {
  await using samples = await samplesOf(RANDOM);
  const [first, ofOther] = [await samples.message(), await samples.messageOfOther()];
  expect(await samples.message()).toBe(first);
  const changed = Promise.withResolvers<void>();
  samples.engine.watch({ onChange: () => changed.resolve() });
  await samples.change(`${RANDOM}\n// Changed.\nexport const changed = true;\n`);
  await changed.promise;
  const second = await samples.message();
  expect(await samples.messageOfOther()).toBe(ofOther);
  expect(second).not.toBe(first);
  expect(await samples.message({ event: { ...event, expiresIn: 61 } })).not.toBe(second);
});

test('closing leaves no file, and each later event has a result', async () => {
  const { engine, reason } = await samplesOf(RANDOM);
  await engine.close();
  expect([await reason(), await reason()]).toEqual(['crash', 'crash']);
  expect(existsSync(engine.root)).toBe(false);
});

test('what failed is asked again', async () => {
  await using samples = await samplesOf(`let count = 0;
    export default () => {
      count += 1;
      if (count === 1) throw new Error('not yet');
      return { type: 'ForbiddenResponse', message: String(count) };
    };`);
  expect([await samples.reason(), await samples.reason()]).toEqual(['handler_threw', 'forbidden']);
});

test('a look-up that failed is asked again', async () => {
  const server = await httpServer((_, response) =>
    sendJson(response, {}, server.requests.length > 1 ? 200 : 503),
  );
  const source = `import * as v from 'valibot';
    import { endpoint, forbidden, lookUp, url } from 'login-hooks';
    const api = endpoint('${server.url}');
    const options = { allowHttp: true, retries: 0 };
    export default async () => forbidden(JSON.stringify(await lookUp(url\`\${api}/x\`, v.object({}), options)));`;
  await using samples = await samplesOf(source, { isOffline: false });
  expect([await samples.reason(), await samples.reason()]).toEqual(['lookup_status', 'forbidden']);
  await server.close();
});

const SECRETLY = `import { forbidden, getSecret } from 'login-hooks';
  export default async () => forbidden(await getSecret('own/key'));`;

test.each([
  ['with --offline', true, null],
  ['of recorded responses', false, []],
])('%s a secret has a made-up value', async (_, isOffline, recordings) => {
  await using samples = await samplesOf(SECRETLY, { isOffline, settings: { SECRET_IDS: 'own/key' } });
  expect(await samples.reason({ recordings })).toBe('forbidden');
});

test('a change of the secrets’ file counts from the next event on', async () => {
  const secrets = join(folder, 'secrets.json');
  await writeFile(secrets, '{"own/key":"1"}');
  await using samples = await samplesOf(SECRETLY, { settings: { SECRETS_FILE: secrets } });
  expect(await samples.message()).toBe('1');
  const changed = Promise.withResolvers<void>();
  samples.engine.watch({ onChange: () => changed.resolve() });
  await writeFile(secrets, '{"own/key":"2"}');
  await changed.promise;
  expect(await samples.message()).toBe('2');
});

test('other systems are asked once, and again where a changed handler requests something else', async () => {
  const server = await httpServer((_, response) => sendJson(response, {}));
  const asking = (path: string, message: string) => `import { forbidden } from 'login-hooks';
    export default async () => {
      const { status } = await fetch('${server.url}${path}');
      return forbidden(\`${message} \${status}\`);
    };`;
  await using samples = await samplesOf(asking('/a', 'First'), { isOffline: false });
  const requestsAfter = async (path: string, text: string) => {
    await samples.change(asking(path, text));
    while ((await samples.message()) !== `${text} 200`) await pause(20);
    return server.requests.length;
  };
  expect([await samples.message(), server.requests.length]).toEqual(['First 200', 1]);
  samples.engine.watch({ onChange: () => {} });
  expect(await requestsAfter('/a', 'Second')).toBe(1);
  expect(await requestsAfter('/b', 'Third')).toBe(2);
  await server.close();
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
