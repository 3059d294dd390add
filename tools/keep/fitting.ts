/** Makes recorded responses fit the stand-in: their requests are those that the handler sends for it. */
import { distance } from 'fastest-levenshtein';
import type { Answered } from '../local/answered.ts';
import type { Exchange } from '../local/process/local.ts';
import { originOf } from './askedUrls.ts';
import type { Ask } from './proof.ts';

export interface Fitted {
  exchanges: readonly Exchange[];
  after: Answered;
}

/** Each request that is not recorded becomes that of the exchange whose own is most alike, as long as there is one. */
export async function fitted(event: unknown, guessed: readonly Exchange[], ask: Ask): Promise<Fitted> {
  const corrected = new Set<Exchange>();
  for (let exchanges = guessed; ; ) {
    const after = await ask(event, exchanges);
    const [request] = after.asked.unanswered;
    if (request === undefined) return { exchanges, after };
    const alike = mostAlike(exchanges, request, corrected);
    if (alike === undefined) return { exchanges, after };
    const fit = { ...alike, request };
    corrected.add(fit);
    exchanges = exchanges.map((one) => (one === alike ? fit : one));
  }
}

/** @returns undefined where the request is recorded for another body, and where no exchange is of its system */
function mostAlike(
  exchanges: readonly Exchange[],
  request: string,
  corrected: ReadonlySet<Exchange>,
): Exchange | undefined {
  if (exchanges.some((one) => one.request === request)) return undefined;
  const place = (text: string) => `${text.split(' ')[0]} ${originOf(text)}`;
  const farness = (one: Exchange) => distance(one.request, request);
  return exchanges
    .filter((one) => !corrected.has(one) && place(one.request) === place(request))
    .sort((one, other) => farness(one) - farness(other))[0];
}

/**
 * Without those that the handler does not ask for: that it asks for the others shows that their requests, and the digests of
 * their bodies, are made of the stand-in.
 */
export function usedExchanges({ exchanges, after }: Fitted): readonly Exchange[] {
  return exchanges.filter((_, index) => after.asked.served.includes(index));
}
