/** The stream of a page: at first all of it, and then each part that is another. */
import { setTimeout } from 'node:timers/promises';
import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import { PARTS, type Page, pageAt } from './page.tsx';
import type { SignIns } from './signIns.ts';
import type { StudioState } from './studio.ts';

/** Between two changes that are sent, in milliseconds. */
const BETWEEN_MS = 50;

/** A line of JSON for each change. Ends with the connection. */
export function streamPage(context: Context, state: StudioState, signIns: SignIns): Response {
  // Nobody reads a stream in answer to HEAD, nor says when it is over.
  if (context.req.raw.method === 'HEAD') return context.body(null);
  const at = context.req.query('at') ?? '';
  context.header('content-type', 'application/x-ndjson; charset=utf-8');
  return stream(context, async (out) => {
    const ended = Promise.withResolvers<void>();
    // A change may fail to be sent when the stream is over already.
    ended.promise.catch(() => {});
    out.onAbort(ended.resolve);
    let before: Partial<Page> = {};
    const send = latestOnly(async () => {
      const page = await pageAt(at, state, signIns);
      const parts = PARTS.filter((part) => page[part] !== before[part]).map((part) => [part, page[part]]);
      if (parts.length > 0)
        await out.writeln(JSON.stringify({ key: page.key, ...Object.fromEntries(parts) }));
      before = page;
    }, ended.reject);
    const endListening = state.logins.listen(send);
    send();
    await ended.promise.finally(endListening);
  });
}

/** While one change is sent, those that come become one: a load of logins has many a second. */
function latestOnly(send: () => Promise<void>, onFailure: (error: unknown) => void): () => void {
  let isWaiting = false;
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    for (; isWaiting; await setTimeout(BETWEEN_MS)) {
      isWaiting = false;
      await send();
    }
    isSending = false;
  };
  return () => {
    isWaiting = true;
    if (!isSending) sendAll().catch(onFailure);
  };
}
