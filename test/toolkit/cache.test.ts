import { getEventListeners } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import { currentInvocation, type Invocation, runInInvocation } from '../../lib/invocation.ts';
import { Cache, type FetchOptions } from '../../lib/toolkit/cache.ts';
import { invocation } from '../support/logins.ts';

const STALE: FetchOptions = { maxAgeMs: 0 };
const REFRESH: FetchOptions = { maxAgeMs: Infinity, refresh: true };

const spyOnClock = () => jest.spyOn(process, 'uptime');

/** A cache whose requests end when the test says. */
function controlled({ requestMs = 1_000 } = {}) {
  const cache = new Cache<string>({ max: 10, requestMs });
  const requests: PromiseWithResolvers<string>[] = [];
  const request = () => {
    const pending = Promise.withResolvers<string>();
    requests.push(pending);
    return pending.promise;
  };
  const fetch = (login: Invocation, { key = 'key', options = STALE } = {}) =>
    runInInvocation(login, () => cache.fetch(key, request, options));
  /** By another login. */
  async function fill(value: string, key = 'key') {
    const filled = fetch(invocation(), { key });
    requests.at(-1)?.resolve(value);
    await filled;
  }
  return { cache, requests, fetch, fill };
}

/** Until what has settled is known. */
const turn = () => new Promise(setImmediate);

describe('a pending request', () => {
  test('is joined by the same login, where it needs the same key', async () => {
    const { requests, fetch } = controlled();
    const login = invocation();
    const both = [fetch(login), fetch(login)];
    void fetch(login, { key: 'another key' });
    expect(requests).toHaveLength(2);
    requests[0]?.resolve('value');
    expect(await Promise.all(both)).toEqual(['value', 'value']);
  });

  test('is joined by no other login, and by nothing outside of one', () => {
    const { cache, requests, fetch } = controlled();
    void fetch(invocation());
    void fetch(invocation());
    expect(requests).toHaveLength(2);
    let outside = 0;
    const count = async () => String(++outside);
    void cache.fetch('key', count, STALE);
    void cache.fetch('key', count, STALE);
    expect(outside).toBe(2);
  });

  test('that nobody waits for any more is still cached when it succeeds', async () => {
    const { cache, requests, fetch } = controlled();
    const impatient = invocation();
    const only = fetch(impatient);
    impatient.abort(new Error('too late'));
    await expect(only).rejects.toThrow('too late');
    requests[0]?.resolve('value');
    await turn();
    expect(cache.cached('key', Infinity)).toBe('value');
  });

  test('is joined for no longer than it takes at most', () => {
    const { requests, fetch } = controlled({ requestMs: 10_000 });
    const clock = spyOnClock().mockReturnValue(100);
    const login = invocation({ ms: 20_000 });
    void fetch(login);
    clock.mockReturnValue(110.1);
    void fetch(login);
    expect(requests).toHaveLength(2);
    clock.mockRestore();
  });

  test('leaves nothing on a login that waited for it', async () => {
    const { requests, fetch } = controlled();
    const login = invocation();
    const waiting = fetch(login);
    expect(getEventListeners(login.signal, 'abort')).toHaveLength(1);
    requests[0]?.resolve('value');
    await waiting;
    await turn();
    expect(getEventListeners(login.signal, 'abort')).toEqual([]);
  });

  test('belongs to no login: its own look-ups end with no login’s deadline', async () => {
    const cache = new Cache<string>({ max: 1, requestMs: 1_000 });
    const request = async () => (currentInvocation() === undefined ? 'of no login' : 'of a login');
    expect(await runInInvocation(invocation(), () => cache.fetch('key', request, STALE))).toBe('of no login');
  });

  test('still serves those who wait for it when its key is deleted, and is not cached', async () => {
    const { cache, requests, fetch } = controlled();
    const waiting = fetch(invocation());
    cache.delete('key');
    requests[0]?.resolve('value');
    expect(await waiting).toBe('value');
    expect(cache.cached('key', Infinity)).toBeUndefined();
  });
});

type Act = (left?: PromiseWithResolvers<string>) => void;
const nothing = () => {};
const fail: Act = (left) => left?.reject(new Error('failed'));

test.each<[string, before: Act, after: Act]>([
  ['hangs', nothing, nothing],
  ['succeeds after it', nothing, (left) => left?.resolve('old')],
  ['fails before it', fail, nothing],
])(
  'a request that was left behind leaves what is cached until the next one brings a value, where it %s',
  async (_, before, after) => {
    const { cache, requests, fetch, fill } = controlled();
    await fill('cached');
    fetch(invocation()).catch(nothing);
    const next = fetch(invocation());
    before(requests[1]);
    await turn();
    expect(cache.cached('key', Infinity)).toBe('cached');
    requests[2]?.resolve('new');
    expect(await next).toBe('new');
    after(requests[1]);
    await turn();
    expect(cache.cached('key', Infinity)).toBe('new');
  },
);

test('a refresh ahead of time happens once in 30 seconds a key; in between, the cached value serves', async () => {
  const started = process.uptime();
  const clock = spyOnClock();
  const cache = new Cache<string>({ max: 10, requestMs: 1_000 });
  const counts: Record<string, number> = {};
  const fetchAt = (seconds: number, key: string) => {
    clock.mockReturnValue(started + seconds);
    const request = async () => {
      counts[key] = (counts[key] ?? 0) + 1;
      return `${key} ${counts[key]}`;
    };
    return runInInvocation(invocation(), () => cache.fetch(key, request, REFRESH));
  };
  expect(await fetchAt(0, 'a')).toBe('a 1');
  expect(await fetchAt(1, 'a')).toBe('a 2');
  expect(await fetchAt(1, 'b')).toBe('b 1');
  expect(await fetchAt(2, 'b')).toBe('b 2');
  expect(await fetchAt(30, 'a')).toBe('a 2');
  expect(await fetchAt(32, 'a')).toBe('a 3');
  clock.mockRestore();
});

test('a value serves up to the age that the caller accepts', async () => {
  const { requests, fetch, fill } = controlled();
  const login = invocation();
  await fill('value');
  expect(await fetch(login, { options: { maxAgeMs: 60_000 } })).toBe('value');
  expect(requests).toHaveLength(1);
  void fetch(login, { options: { maxAgeMs: 0 } });
  expect(requests).toHaveLength(2);
});

const size = { max: 8, of: (value: string) => value.length };

test.each<[string[], string[]]>([
  [['aaaa', 'bbbb', 'cccc'], ['aaaa']],
  [[''], []],
])('values are cached up to a size together: of %j all stay but %j', async (values, evicted) => {
  const cache = new Cache<string>({ max: 10, requestMs: 1_000, size });
  for (const value of values) expect(await cache.fetch(value, async () => value, STALE)).toBe(value);
  expect(values.filter((key) => cache.cached(key, Infinity) !== key)).toEqual(evicted);
});

test('a login whose time is up gets nothing, not even what is there', async () => {
  const { fetch } = controlled();
  const late = invocation();
  late.abort(new Error('too late'));
  await expect(fetch(late)).rejects.toThrow('too late');
});
