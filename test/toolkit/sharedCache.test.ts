import { describe, expect, test } from '@jest/globals';
import { currentInvocation, Invocation, runInInvocation } from '../../lib/deadline.ts';
import { SharedCache } from '../../lib/toolkit/sharedCache.ts';

const invocation = () => new Invocation({ awsRequestId: 'x', getRemainingTimeInMillis: () => 5_000 }, null);

/** A cache whose requests end when the test says. */
function controlled({ flightMs = 1_000, max = 10 } = {}) {
  const cache = new SharedCache<string>({ max, flightMs });
  const requests: PromiseWithResolvers<string>[] = [];
  const fetch = (login: Invocation, key = 'key') =>
    runInInvocation(login, () =>
      cache.fetch(key, () => {
        const request = Promise.withResolvers<string>();
        requests.push(request);
        return request.promise;
      }),
    );
  return { cache, requests, fetch };
}

describe('a request that is in flight', () => {
  test('is joined by other logins, and by those of its key alone', async () => {
    const { requests, fetch } = controlled();
    const both = [fetch(invocation()), fetch(invocation())];
    void fetch(invocation(), 'another key');
    expect(requests).toHaveLength(2);
    requests[0]?.resolve('value');
    expect(await Promise.all(both)).toEqual(['value', 'value']);
  });

  test('goes on for the others when the deadline of one has passed', async () => {
    const { requests, fetch } = controlled();
    const impatient = invocation();
    const [first, second] = [fetch(impatient), fetch(invocation())];
    const reason = new Error('too late');
    impatient.abort(reason);
    await expect(first).rejects.toBe(reason);
    void fetch(invocation());
    expect(requests).toHaveLength(1);
    requests[0]?.resolve('value');
    expect(await second).toBe('value');
  });

  test('is not joined when every login that waited for it is over', async () => {
    const { requests, fetch } = controlled();
    const frozen = invocation();
    void fetch(frozen);
    frozen.isOver = true;
    const next = fetch(invocation());
    expect(requests).toHaveLength(2);
    requests[1]?.resolve('new');
    expect(await next).toBe('new');
  });

  test('is not joined for another request’s sake, which may have been left behind', async () => {
    const [outer, inner] = [1, 2].map(() => new SharedCache<string>({ max: 1, flightMs: 1_000 }));
    const requests: PromiseWithResolvers<string>[] = [];
    const ask = () => {
      const request = Promise.withResolvers<string>();
      requests.push(request);
      return request.promise;
    };
    const fetch = (login: Invocation) =>
      runInInvocation(login, () => outer?.fetch('key', async () => inner?.fetch('key', ask) ?? ''));
    const frozen = invocation();
    void fetch(frozen);
    frozen.isOver = true;
    const next = fetch(invocation());
    expect(requests).toHaveLength(2);
    requests[1]?.resolve('new');
    expect(await next).toBe('new');
  });

  test('is not joined when it is older than a request can be', async () => {
    const { requests, fetch } = controlled({ flightMs: 10 });
    void fetch(invocation());
    await new Promise((resolve) => setTimeout(resolve, 30));
    void fetch(invocation());
    expect(requests).toHaveLength(2);
  });
});

test('a request that was left behind does not overwrite what a later one brought', async () => {
  const { cache, requests, fetch } = controlled();
  const left = invocation();
  void fetch(left);
  left.isOver = true;
  const next = fetch(invocation());
  requests[1]?.resolve('new');
  await next;
  requests[0]?.resolve('old');
  await Promise.resolve();
  expect(cache.kept('key')?.value).toBe('new');
});

test('a request belongs to no login: its own look-ups end with no login’s deadline', async () => {
  const cache = new SharedCache<string>({ max: 1, flightMs: 1_000 });
  const fetch = async () => (currentInvocation() === undefined ? 'nobody’s' : 'somebody’s');
  expect(await runInInvocation(invocation(), () => cache.fetch('key', fetch))).toBe('nobody’s');
});

test('values are kept up to a size together', async () => {
  const cache = new SharedCache<string>({
    max: 10,
    flightMs: 1_000,
    size: { max: 8, of: (value) => value.length },
  });
  for (const key of ['aaaa', 'bbbb', 'cccc']) await cache.fetch(key, async () => key);
  expect(['aaaa', 'bbbb', 'cccc'].map((key) => cache.kept(key)?.value)).toEqual([undefined, 'bbbb', 'cccc']);
});

test('a failure is everybody’s who waited, and is not kept', async () => {
  const { cache, requests, fetch } = controlled();
  const both = [fetch(invocation()), fetch(invocation())];
  requests[0]?.reject(new Error('failed'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(cache.kept('key')).toBeUndefined();
  void fetch(invocation());
  expect(requests).toHaveLength(2);
});

test('no more values are kept than there is room for', async () => {
  const { cache, requests, fetch } = controlled({ max: 2 });
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    const value = fetch(invocation(), key);
    requests[index]?.resolve(key);
    await value;
  }
  expect(['a', 'b', 'c'].map((key) => cache.kept(key)?.value)).toEqual([undefined, 'b', 'c']);
});

test('a login whose time is up gets nothing, not even what is there', async () => {
  const { fetch } = controlled();
  const late = invocation();
  late.abort(new Error('too late'));
  await expect(fetch(late)).rejects.toThrow('too late');
});
