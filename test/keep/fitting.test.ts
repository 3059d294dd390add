/** Recorded responses become those that the handler asks for the stand-in. */
import { expect, test } from '@jest/globals';
import { fitted, usedExchanges } from '../../tools/keep/fitting.ts';
import type { Ask } from '../../tools/keep/proof.ts';
import type { Exchange } from '../../tools/local/process/local.ts';

const exchange = (request: string) =>
  ({ request, status: 200, headers: {}, json: { of: request } }) as Exchange;

/** A handler that asks these requests, in order, until one is not recorded. */
function asking(...requests: string[]): { ask: Ask; count: () => number } {
  let count = 0;
  const ask = (async (_event, exchanges) => {
    count += 1;
    const indexes = requests.map((request) => exchanges.findIndex((one) => one.request === request));
    const unanswered = requests.filter((_, index) => (indexes[index] ?? -1) < 0).slice(0, 1);
    return { asked: { unanswered, served: indexes.filter((index) => index >= 0) } };
  }) as Ask;
  return { ask, count: () => count };
}
const requestsOf = (exchanges: readonly Exchange[]) => exchanges.map(({ request }) => request);

test.each<[string, string[], string[], string[], number]>([
  ['what is recorded', ['GET https://x/a'], ['GET https://x/a'], ['GET https://x/a'], 1],
  ['another path', ['GET https://x/a'], ['GET https://x/b'], ['GET https://x/b'], 2],
  [
    'the most alike of several',
    ['GET https://x/people/ada', 'GET https://x/orders/ada'],
    ['GET https://x/orders/bob'],
    ['GET https://x/people/ada', 'GET https://x/orders/bob'],
    2,
  ],
  [
    'each once',
    ['GET https://x/a', 'GET https://x/b'],
    ['GET https://x/c', 'GET https://x/d'],
    ['GET https://x/c', 'GET https://x/d'],
    3,
  ],
  ['nothing of another system', ['GET https://x/a'], ['GET https://y/a'], ['GET https://x/a'], 1],
  ['nothing of another method', ['PUT https://x/a'], ['POST https://x/a'], ['PUT https://x/a'], 1],
  [
    'no more than there is',
    ['GET https://x/a'],
    ['GET https://x/b', 'GET https://x/c'],
    ['GET https://x/b'],
    2,
  ],
  ['nothing where nothing is recorded', [], ['GET https://x/b'], [], 1],
])('asked for %s', async (_, recorded, asked, expected, asks) => {
  const { ask, count } = asking(...asked);
  const fit = await fitted({}, recorded.map(exchange), ask);
  expect(requestsOf(fit.exchanges)).toEqual(expected);
  expect(count()).toBe(asks);
  expect(fit.exchanges.map(({ json }) => json)).toEqual(recorded.map((request) => ({ of: request })));
});

test('a request that is recorded for another body is not fitted', async () => {
  const ask = (async () => ({ asked: { unanswered: ['POST https://x/a'], served: [] } })) as never as Ask;
  const fit = await fitted({}, [exchange('POST https://x/a'), exchange('POST https://x/b')], ask);
  expect(requestsOf(fit.exchanges)).toEqual(['POST https://x/a', 'POST https://x/b']);
});

test('those that the handler does not ask for are left out', () => {
  const exchanges = ['GET https://x/a', 'GET https://x/b', 'GET https://x/c'].map(exchange);
  const used = usedExchanges({ exchanges, after: { asked: { served: [2, 0], unanswered: [] } } as never });
  expect(requestsOf(used)).toEqual(['GET https://x/a', 'GET https://x/c']);
});
