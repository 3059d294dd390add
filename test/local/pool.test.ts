/** Handlers in processes: what becomes of an event, whatever the code does. Nothing that it does ends this process, or hangs it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIST } from '../../tools/bundle/build.ts';
import { Pool, type PooledFunction } from '../../tools/local/pool.ts';
import type { FunctionEvent, Outcome } from '../../tools/local/process/functionProcess.ts';
import type { Recording, Requests } from '../../tools/local/recordings.ts';
import { customHandler } from '../support/customHandler.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const pool = new Pool(60_000);
/** For handlers that do not respond. */
const HASTY_MS = 300;
const hasty = new Pool(HASTY_MS);
const own = new Pool();
afterAll(() => Promise.all([pool.close(), hasty.close(), own.close()]));

const IMPORTS = `import { spawn } from 'node:child_process';
  import { closeSync, existsSync, writeSync } from 'node:fs';
  const write = (bytes) => writeSync(4, bytes) && forever();
  const send = (message) => write(JSON.stringify(message) + '\\n');
  const flood = () => { for (;;) try { writeSync(1, 'x'.repeat(10_000)); } catch {} };
  const forever = () => new Promise(() => {});`;

/** @param body of a handler that gets `sub`, and returns a message */
async function functionOf(body: string, { before = '' } = {}): Promise<PooledFunction> {
  const source = `${IMPORTS}
    ${before};
    const respond = async (sub) => { ${body} };
    export default async ({ id_token: { sub } }) => ({ type: 'ErrorResponse', message: String(await respond(sub)) });`;
  const env = { OPENID_HANDLER_MODULE: await customHandler(source), AWS_LAMBDA_LOG_LEVEL: 'DEBUG' };
  return { name: 'openidLoggedIn', root: DIST, version: '', env };
}

const PID = 'return process.pid';
let count = 0;

function invoke(
  fn: PooledFunction,
  { sub = 'ada', by = pool, ...given }: Partial<FunctionEvent> & { sub?: string; by?: Pool } = {},
): Promise<Outcome> {
  count += 1;
  const event = openIdEvent();
  event.idToken.sub = sub;
  return by.invoke(fn, { event, requestId: `request-${count}`, frozenTime: null, requests: [], ...given });
}

/** What a handler told in its message; why it failed. */
function toldIn({ result, failure }: Outcome): string {
  const { message = failure?.message ?? '' } = (result ?? {}) as { message?: string };
  return message.replace(/ \(Reference.*/, '');
}

/** Each is a child of this process, which learns of its end at once. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('processes', () => {
  test('a function with its code and environment has one, for one event after another', async () => {
    const fn = await functionOf(PID);
    const first = toldIn(await invoke(fn));
    expect(toldIn(await invoke(fn))).toBe(first);
    expect(toldIn(await invoke({ ...fn, env: { ...fn.env, RESPONSE_NAMES: 'camelCase' } }))).not.toBe(first);
    expect(toldIn(await invoke({ ...fn, version: '2' }))).not.toBe(first);
  });

  test('few rest, those that were used last, and none is left at the end', async () => {
    const fn = await functionOf(PID);
    const versions = Array.from({ length: 8 }, (_, version) => ({ ...fn, version: String(version) }));
    const results = await Promise.all(versions.map((one) => invoke(one, { by: own })));
    const pids = results.map((result) => Number(toldIn(result)));
    expect(new Set(pids).size).toBe(versions.length);
    for (let waits = 0; waits < 250 && pids.filter(isRunning).length > 4; waits++) await pause(20);
    expect(pids.filter(isRunning)).toEqual(pids.slice(4));
    await own.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('one that still responds is not ended for others that rest', async () => {
    const goOn = join(folder, 'go-on');
    const fn = await functionOf(
      `while (sub === 'slow' && !existsSync('${goOn}')) await new Promise((end) => setTimeout(end, 20))`,
    );
    const slow = invoke(fn, { sub: 'slow' });
    for (const version of ['1', '2', '3', '4', '5']) await invoke({ ...fn, version });
    await writeFile(goOn, '');
    expect((await slow).failure).toBeNull();
  });

  test('closing fails what waits', async () => {
    const closed = new Pool();
    const fn = await functionOf('return new Promise(() => {})');
    const waiting = Array.from({ length: 3 }, () => invoke(fn, { by: closed }));
    await closed.close();
    expect((await Promise.all(waiting)).map(({ failure }) => failure?.kind)).toEqual(Array(3).fill('crash'));
  });
});

test('each result has the records of its event, those of the start, and what was printed, which is no decision', async () => {
  const fn = await functionOf(
    `console.log('asked by ' + sub); console.log('{"level":"INFO","event":"late","requestId":"request-0"}');
     console.log('{"level":"INFO","event":"decision","type":"AuthorizedUserResponse"}')`,
    { before: `console.log('loading')` },
  );
  const [first, second] = await Promise.all([invoke(fn, { sub: 'ada' }), invoke(fn, { sub: 'grace' })]);
  for (const { records } of [first, second])
    expect(records.map(({ event }) => event)).toEqual(['cold_start', 'login']);
  expect(first.records[1]?.requestId).not.toBe(second.records[1]?.requestId);
  expect(first.output).toMatch(/^loading\n.*asked by ada\n/s);
  expect(second.output).toMatch(/^asked by grace\n/);
});

describe('what goes wrong is a result', () => {
  const NOT_ITS_RESPONSE = /something other than its response/;
  const TOO_LATE = /did not respond within 300 ms/;
  const outliving = `spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref(); process.exit(5)`;
  const endless = `for (;;) try { writeSync(4, 'x'.repeat(10_000)); } catch {}`;
  test.each([
    ['ends', 'process.exit(3)', 'crash', /ended \(exit code 3\)/],
    ['never yields', 'for (;;);', 'time-out', TOO_LATE],
    ['floods its output', 'flood()', 'crash', /wrote more than \d+ characters/],
    ['closes its channel', 'closeSync(4); await forever()', 'time-out', TOO_LATE],
    ['sends what is no JSON', `await write('authorized\\n')`, 'crash', NOT_ITS_RESPONSE],
    ['sends without end', endless, 'crash', NOT_ITS_RESPONSE],
    ['sends other requests', `await send({ requestId: 'own', requests: 1 })`, 'crash', NOT_ITS_RESPONSE],
    ['responds to another event', `await send({ requestId: 'x' })`, 'crash', NOT_ITS_RESPONSE],
    ['starts what outlives it', outliving, 'crash', /ended \(exit code 5\)/],
  ])('where a handler %s', async (_, body, kind, message) => {
    const by = kind === 'time-out' ? hasty : pool;
    const { failure, result } = await invoke(await functionOf(body), { by, requestId: 'own' });
    expect([failure?.kind, result]).toEqual([kind, undefined]);
    expect(failure?.message).toMatch(message);
  });

  test('where it ends while it loads, and a later event has another process', async () => {
    const first = join(folder, 'first');
    const before = `import { writeFileSync } from 'node:fs';
      if (!existsSync('${first}')) { writeFileSync('${first}', ''); process.exit(4); }`;
    const fn = await functionOf(PID, { before });
    // Those that wait have no other one: it would fail alike.
    for (const { failure } of await Promise.all([invoke(fn), invoke(fn)]))
      expect(failure?.message).toMatch(/ended \(exit code 4\)/);
    expect((await invoke(fn)).failure).toBeNull();
  });

  test.each([
    ['ends after it responded', 'setImmediate(() => process.exit(1))'],
    ['floods its output after it responded', 'setImmediate(flood)'],
  ])('and the next event has a process, where one %s', async (_, body) => {
    const fn = await functionOf(`if (sub === 'bad') ${body};`);
    await invoke(fn, { sub: 'bad' });
    await invoke(fn);
    expect((await invoke(fn)).failure).toBeNull();
  });

  test('and what waits has another process, where one ends', async () => {
    const fn = await functionOf(`if (sub === 'bad') process.exit(1);`);
    const results = await Promise.all([invoke(fn, { sub: 'bad' }), invoke(fn)]);
    expect(results.map(({ failure }) => failure?.kind)).toEqual(['crash', undefined]);
  });

  test('an event that is nested too deeply is not sent', async () => {
    const event = JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`);
    expect(toldIn(await invoke(await functionOf(PID), { event }))).toContain('call stack');
  });
});

test('the clock of a process stands at the time of each event, and goes on', async () => {
  const fn = await functionOf(`const begun = Date.now();
    while (Date.now() === begun);
    const told = [begun, new Date().getFullYear(), Date().slice(11, 15), new Date(0).getTime()];
    told.push(new Date() instanceof Date, new Date().constructor === Date, Date.UTC(1970, 0), Date.length);
    return JSON.stringify(told)`);
  for (const time of [Date.UTC(2024, 4, 6), Date.UTC(2019, 1, 3), null]) {
    const [begun, ...others] = JSON.parse(toldIn(await invoke(fn, { frozenTime: time })));
    const expected = time ?? Date.now();
    const year = new Date(expected).getFullYear();
    expect(Math.abs(begun - expected)).toBeLessThan(60_000);
    expect(others).toEqual([year, String(year), 0, true, true, 0, 7]);
  }
});

describe('requests to other systems', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await httpServer(({ url }, response) => {
      const tokens = { access_token: 'secret', refresh_token: 'secret', id_token: 'secret' };
      const send = () => sendJson(response, { name: 'Ada', ...tokens });
      if (url === '/slow') setTimeout(send, HASTY_MS + 200);
      else if (url === '/long') sendJson(response, 'long'.repeat(100_000));
      else send();
    });
  });
  afterAll(() => server.close());

  /** Unless `sub` is `quiet`. */
  const requesting = (path = '/people?id=7&api_key=secret') =>
    functionOf(
      `if (sub === 'quiet') ${PID};
      const headers = { authorization: 'Bearer ' + sub };
      const response = await fetch('${server.url}${path}', { headers }).catch(() => null);
      return process.pid + ' ' + (response && await response.text());`,
    );

  test('are recorded without anything secret, and the recording serves the same event', async () => {
    const fn = await requesting();
    const { requests } = await invoke(fn, { requests: 'live', sub: 'secret' });
    const recording = {
      request: `GET ${server.url}/people?id=7&api_key=masked`,
      status: 200,
      headers: { 'content-type': 'application/json' },
      json: { name: 'Ada', access_token: 'masked', refresh_token: 'masked', id_token: 'masked' },
    };
    expect(requests).toEqual({ recordings: [recording], missing: [], used: [], secrets: [] });
    const { length } = server.requests;
    const again = await invoke(fn, { requests: requests.recordings });
    expect(toldIn(again)).toMatch(/^\d+ \{"name":"Ada",("\w+_token":"masked",?){3}\}$/);
    expect(again.requests).toEqual({ recordings: [], missing: [], used: [0], secrets: [] });
    expect(server.requests).toHaveLength(length);
  });

  test('with a response that a pipe has in parts are recorded, and the recording serves', async () => {
    const fn = await functionOf(`return (await (await fetch('${server.url}/long')).json()).length`);
    const { requests } = await invoke(fn, { requests: 'live' });
    expect(toldIn(await invoke(fn, { requests: requests.recordings }))).toBe('400000');
  });

  test('are not sent without a recording, and told', async () => {
    const { length } = server.requests;
    const result = await invoke(await requesting());
    expect(toldIn(result)).toMatch(/^\d+ null/);
    expect(result.requests.missing).toEqual([`GET ${server.url}/people?id=7&api_key=masked`]);
    expect(server.requests).toHaveLength(length);
  });

  test.each<[string, (recording: Recording) => Requests]>([
    ['another system', () => 'live'],
    ['a recording', (recording) => [recording]],
    ['nobody', () => []],
  ])('a process whose request was served by %s does not have the next event', async (_, requestsBy) => {
    const fn = await requesting('/people');
    const request = `GET ${server.url}/people`;
    const requests = requestsBy({ request, status: 200, headers: {}, text: 'x' });
    const pidOf = async (sub: string) => toldIn(await invoke(fn, { sub, requests })).split(' ')[0];
    expect(await pidOf('quiet')).toBe(await pidOf('ada'));
    expect(await pidOf('ada')).not.toBe(await pidOf('quiet'));
  });

  test('while it waits for them, an event has the time that it has on AWS', async () => {
    const { failure } = await invoke(await requesting('/slow'), { by: hasty, requests: 'live' });
    expect(failure).toBeNull();
  });
});
