/** Makes recorded responses fit the stand-in: their requests are those that the handler sends for it. */
import { distance } from 'fastest-levenshtein';
import type { Answered } from '../engine/answered.ts';
import type { Exchange } from '../lambda/local.ts';
import { originOf } from './askedUrls.ts';
import type { Ask } from './proof.ts';

export interface Fitted {
  exchanges: readonly Exchange[];
  after: Answered;
}

/** Each request that is not recorded becomes that of the exchange whose own is most alike, as long as there is one. */
export async function fitted(event: unknown, guessed: readonly Exchange[], ask: Ask): Promise<Fitted> {
  const exchanges = [...guessed];
  const corrected = new Set<Exchange>();
  let after = await ask(event, exchanges);
  for (let left = exchanges.length; left > 0; left--) {
    const [request] = after.asked.unanswered;
    const index = request === undefined ? -1 : mostAlike(exchanges, request, corrected);
    const exchange = exchanges[index];
    if (request === undefined || exchange === undefined) break;
    exchanges[index] = { ...exchange, request };
    corrected.add(exchanges[index]);
    after = await ask(event, exchanges);
  }
  return { exchanges, after };
}

/** @returns -1 where the request is recorded for another body, and where no exchange is of its system */
function mostAlike(
  exchanges: readonly Exchange[],
  request: string,
  corrected: ReadonlySet<Exchange>,
): number {
  if (exchanges.some((one) => one.request === request)) return -1;
  const place = (text: string) => `${text.split(' ')[0]} ${originOf(text)}`;
  const [best] = exchanges
    .map((exchange, index) => ({ exchange, index }))
    .filter(({ exchange }) => !corrected.has(exchange) && place(exchange.request) === place(request))
    .sort(
      (one, other) => distance(one.exchange.request, request) - distance(other.exchange.request, request),
    );
  return best?.index ?? -1;
}

/**
 * Without those that the handler does not ask for: that it asks for the others shows that their requests, and the digests of
 * their bodies, are made of the stand-in.
 */
export function usedExchanges({ exchanges, after }: Fitted): readonly Exchange[] {
  return exchanges.filter((_, index) => after.asked.served.includes(index));
}
