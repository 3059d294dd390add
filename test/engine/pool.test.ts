import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DIST } from '../../tools/bundle/build.ts';
import { Pool } from '../../tools/local/pool.ts';
import type { Answer, Ask, PooledFunction } from '../../tools/local/pooled.ts';
import { customHandler } from '../support/customHandler.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { openIdEvent } from '../support/wire.ts';

const pool = new Pool({ busyMs: 60_000 });
/** For handlers that do not answer. */
const HASTY_MS = 1_000;
const hasty = new Pool({ busyMs: HASTY_MS });
afterAll(() => Promise.all([pool.close(), hasty.close()]));

async function functionWith(source: string, changes: Partial<PooledFunction> = {}): Promise<PooledFunction> {
  const env = { OPENID_HANDLER_MODULE: await customHandler(source), AWS_LAMBDA_LOG_LEVEL: 'DEBUG' };
  return { name: 'openidLoggedIn', root: DIST, version: '', env, isLive: false, ...changes };
}

let requests = 0;

function ask(
  fn: PooledFunction,
  { event = openIdEvent() as unknown, moment = null as number | null, by = pool } = {},
) {
  requests += 1;
  return by.answer(fn, { event, requestId: `request-${requests}`, moment, outside: [] });
}

/** What a handler told in its message. */
function toldIn({ result }: Answer): string {
  return (result as { message: string }).message.replace(/ \(Reference.*/, '');
}

const TELLS_PID = `export default () => ({ type: 'ErrorResponse', message: String(process.pid) })`;

test('a function with its environment has one process, which answers one event after another', async () => {
  const fn = await functionWith(TELLS_PID);
  const [first, second] = [await ask(fn), await ask(fn)];
  expect(toldIn(second)).toBe(toldIn(first));
  const other = await ask({ ...fn, env: { ...fn.env, RESPONSE_NAMES: 'camelCase' } });
  expect(toldIn(other)).not.toBe(toldIn(first));
});

test('other code has another process, and the one before ends', async () => {
  const fn = await functionWith(TELLS_PID);
  const before = Number(toldIn(await ask(fn)));
  await pool.retire(({ version }) => version !== fn.version);
  expect(isRunning(before)).toBe(false);
  expect(toldIn(await ask({ ...fn, version: '2' }))).not.toBe(String(before));
});

test('a process that is kept warm is ready before its first event', async () => {
  const fn = await functionWith(`const loaded = Date.now();
    export default () => ({ type: 'ErrorResponse', message: String(loaded) })`);
  await pool.keepWarm(fn);
  const begun = Date.now();
  expect(Number(toldIn(await ask(fn)))).toBeLessThanOrEqual(begun);
});

test('where events wait, two processes answer, and no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const fn = await functionWith(`import { readdirSync, writeFileSync } from 'node:fs';
    export default async () => {
      writeFileSync('${folder}/' + process.pid, '');
      while (readdirSync('${folder}').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      return { type: 'ErrorResponse', message: String(process.pid) };
    }`);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(fn)));
  expect(new Set(answers.map(toldIn)).size).toBe(2);
  await rm(folder, { recursive: true });
});

test('each answer has the records of its event, those of the start, and what was printed', async () => {
  const fn = await functionWith(`console.log('loading');
    export default ({ id_token: { sub } }) => { console.log('asked by ' + sub); return { type: 'ForbiddenResponse' }; }`);
  const event = openIdEvent();
  const [first, second] = await Promise.all([
    ask(fn, { event }),
    ask(fn, { event: { ...event, idToken: { ...event.idToken, sub: 'subject-2' } } }),
  ]);
  expect(first.records.map((record) => record.event)).toEqual(['cold_start', 'login']);
  expect(second.records.map((record) => record.event)).toEqual(['cold_start', 'login']);
  expect(first.records[1]?.requestId).not.toBe(second.records[1]?.requestId);
  expect(first.output).toMatch(/^loading\n.*asked by subject-1\n/s);
  expect(second.output).toMatch(/^asked by subject-2\n/);
});

describe('what goes wrong in a process is an answer', () => {
  test.each([
    ['ends', 'export default () => process.exit(3)', 'crash', /ended \(exit code 3\)/],
    ['ends while it loads', 'process.exit(4)', 'crash', /ended \(exit code 4\)/],
    ['never yields', 'export default () => { for (;;); }', 'time-out', /did not respond within 1000 ms/],
    [
      'waits without end',
      'export default () => new Promise(() => {})',
      'time-out',
      /did not respond within 1000 ms/,
    ],
  ])('where it %s', async (_, source, kind, message) => {
    const by = kind === 'time-out' ? hasty : pool;
    const { failure, result } = await ask(await functionWith(source), { by });
    expect([failure?.kind, result]).toEqual([kind, undefined]);
    expect(failure?.message).toMatch(message);
  });

  test('and another process answers the next event', async () => {
    const fn = await functionWith(`export default ({ id_token: { sub } }) =>
      sub === 'bad' ? process.exit(1) : { type: 'ErrorResponse', message: 'well' }`);
    const bad = { ...openIdEvent(), idToken: { ...openIdEvent().idToken, sub: 'bad' } };
    const answers = await Promise.all([ask(fn), ask(fn, { event: bad }), ask(fn)]);
    expect(answers.map(({ failure }) => failure?.kind)).toEqual([undefined, 'crash', undefined]);
  });
});

test('the clock of a process stands at the moment of each event, and goes on', async () => {
  const fn = await functionWith(`export default () => {
    const begun = Date.now();
    while (Date.now() === begun);
    const told = [begun, new Date().getFullYear(), Date().slice(11, 15), new Date(0).getTime()];
    told.push(new Date() instanceof Date, new Date().constructor === Date, Date.UTC(1970, 0), Date.length);
    return { type: 'ErrorResponse', message: JSON.stringify(told) };
  }`);
  for (const moment of [Date.UTC(2024, 4, 6), Date.UTC(2019, 1, 3)]) {
    const year = new Date(moment).getFullYear();
    const [begun, ...others] = JSON.parse(toldIn(await ask(fn, { moment })));
    expect(begun - moment).toBeGreaterThanOrEqual(0);
    expect(begun - moment).toBeLessThan(60_000);
    expect(others).toEqual([year, String(year), 0, true, true, 0, 7]);
  }
  const [now] = JSON.parse(toldIn(await ask(fn)));
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
});

describe('other systems', () => {
  const asks = (url: string) => `export default async ({ id_token: { sub } }) => {
    if (sub === 'quiet') return { type: 'ErrorResponse', message: String(process.pid) };
    const response = await fetch('${url}/people?id=7&api_key=secret', { headers: { authorization: 'Bearer secret' } })
      .catch(() => null);
    return { type: 'ErrorResponse', message: process.pid + ' ' + (response && await response.text()) };
  }`;
  const quiet = { ...openIdEvent(), idToken: { ...openIdEvent().idToken, sub: 'quiet' } };

  async function withServer(use: (url: string, count: () => number) => Promise<void>): Promise<void> {
    const server = await httpServer((_, response) =>
      sendJson(response, { name: 'Ada', access_token: 'secret' }),
    );
    try {
      await use(server.url, () => server.requests.length);
    } finally {
      await server.close();
    }
  }

  test('what they answer is told without anything secret, and answers the same event without them', () =>
    withServer(async (url, count) => {
      const fn = await functionWith(asks(url));
      const event = openIdEvent();
      const { asked } = await pool.answer(fn, { event, requestId: 'r', moment: null, outside: 'ask' });
      const recorded = {
        request: `GET ${url}/people?id=7&api_key=masked`,
        status: 200,
        headers: { 'content-type': 'application/json' },
        json: { name: 'Ada', access_token: 'masked' },
      };
      expect(asked).toEqual({ exchanges: [recorded], unanswered: [], served: [] });
      expect(JSON.stringify(asked)).not.toContain('secret');
      const again = await pool.answer(fn, { event, requestId: 'r', moment: null, outside: asked.exchanges });
      expect(toldIn(again)).toMatch(/^\d+ \{"name":"Ada","access_token":"masked"\}$/);
      expect(again.asked).toEqual({ exchanges: [], unanswered: [], served: [0] });
      expect(count()).toBe(1);
    }));

  test('what they answer to a live event is told too, with what the process may have cached of them before', () =>
    withServer(async (url) => {
      const fn = await functionWith(`let discovered;
        export default async ({ id_token: { sub } }) => {
          discovered ??= await (await fetch('${url}/discovery')).text();
          const headers = { authorization: 'Bearer ' + sub };
          await (await fetch('${url}/userinfo', { headers })).text();
          return { type: 'ForbiddenResponse' };
        }`);
      const live = { event: openIdEvent(), requestId: 'r', moment: null, outside: 'live' } as const;
      const requests = async (ask: Ask) =>
        (await pool.answer({ ...fn, isLive: true }, ask)).asked.exchanges.map(({ request }) => request);
      expect(await requests(live)).toEqual([`GET ${url}/discovery`, `GET ${url}/userinfo`]);
      expect(await requests(live)).toEqual([`GET ${url}/userinfo`, `GET ${url}/discovery`]);
    }));

  test('a response to one person is never told with the event of another', () =>
    withServer(async (url) => {
      const fn = await functionWith(`export default async ({ id_token: { sub } }) => {
        if (sub !== 'quiet') await (await fetch('${url}/me', { headers: { authorization: 'Bearer ' + sub } })).text();
        return { type: 'ForbiddenResponse' };
      }`);
      const asked = async (event: unknown) => {
        const ask = { event, requestId: 'r', moment: null, outside: 'live' } as const;
        return (await pool.answer({ ...fn, isLive: true }, ask)).asked.exchanges.length;
      };
      expect([await asked(openIdEvent()), await asked(quiet)]).toEqual([1, 0]);
    }));

  test('a request that has no recorded answer is not sent, and told', () =>
    withServer(async (url, count) => {
      const { result, asked } = await ask(await functionWith(asks(url)));
      expect((result as { message: string }).message).toMatch(/^\d+ null/);
      expect(asked.unanswered).toEqual([`GET ${url}/people?id=7&api_key=masked`]);
      expect(count()).toBe(0);
    }));

  test('a process that has asked answers no other event, unless it is live', () =>
    withServer(async (url) => {
      const fn = await functionWith(asks(url));
      const pidOf = async (isLive: boolean, event: unknown) => {
        const outside = isLive ? 'live' : 'ask';
        const answer = await pool.answer({ ...fn, isLive }, { event, requestId: 'r', moment: null, outside });
        return toldIn(answer).split(' ')[0];
      };
      expect(await pidOf(false, quiet)).toBe(await pidOf(false, openIdEvent()));
      expect(await pidOf(false, openIdEvent())).not.toBe(await pidOf(false, quiet));
      expect(await pidOf(true, openIdEvent())).toBe(await pidOf(true, openIdEvent()));
    }));

  test('a process that was answered from a record answers no other event, which may have another record', async () => {
    const fn = await functionWith(`let cached;
      export default async () => {
        cached ??= await (await fetch('https://directory.example')).text();
        return { type: 'ErrorResponse', message: cached };
      }`);
    const recorded = (text: string) => [
      { request: 'GET https://directory.example/', status: 200, headers: {}, text },
    ];
    for (const text of ['first', 'second']) {
      const answer = await pool.answer(fn, {
        event: openIdEvent(),
        requestId: 'r',
        moment: null,
        outside: recorded(text),
      });
      expect(toldIn(answer)).toBe(text);
    }
  });

  test('while it waits for them, an event has the time that it has on AWS', async () => {
    const server = await httpServer((_, response) =>
      setTimeout(() => sendJson(response, {}), HASTY_MS + 200),
    );
    const fn = await functionWith(asks(server.url));
    const event = openIdEvent();
    const { failure } = await hasty.answer(fn, { event, requestId: 'r', moment: null, outside: 'ask' });
    expect(failure).toBeNull();
    await server.close();
  });
});

test('few processes rest, and none after the end', async () => {
  const maxResting = 3;
  const own = new Pool({ maxResting });
  const fn = await functionWith(TELLS_PID);
  const versions = Array.from({ length: 10 }, (_, version) => String(version));
  const answers = await Promise.all(
    versions.map((version) =>
      own.answer({ ...fn, version }, { event: openIdEvent(), requestId: version, moment: null, outside: [] }),
    ),
  );
  const pids = answers.map((answer) => Number(toldIn(answer)));
  expect(new Set(pids).size).toBe(versions.length);
  while (pids.filter(isRunning).length > maxResting) await pause(20);
  expect(pids.filter(isRunning)).toHaveLength(maxResting);
  await own.close();
  expect(pids.filter(isRunning)).toEqual([]);
});

test('a process that ended while it rested is replaced', async () => {
  const fn = await functionWith(`export default ({ id_token: { sub } }) => {
    if (sub === 'last') setImmediate(() => process.exit(1));
    return { type: 'ErrorResponse', message: String(process.pid) };
  }`);
  const last = { ...openIdEvent(), idToken: { ...openIdEvent().idToken, sub: 'last' } };
  const pid = Number(toldIn(await ask(fn, { event: last })));
  while (isKnown(pid)) await pause(20);
  // What it wrote ends with it.
  for (let turns = 0; turns < 10; turns++) await turn();
  expect((await ask(fn)).failure).toBeNull();
});

test('closing answers what waits', async () => {
  const own = new Pool();
  const fn = await functionWith('export default () => new Promise(() => {})');
  const asked = Array.from({ length: 3 }, (_, id) =>
    own.answer(fn, { event: openIdEvent(), requestId: String(id), moment: null, outside: [] }),
  );
  await own.close();
  const answers = await Promise.all(asked);
  expect(answers.map(({ failure }) => failure?.kind)).toEqual(['crash', 'crash', 'crash']);
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** Whether this process still waits for that one, its child. */
function isKnown(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
