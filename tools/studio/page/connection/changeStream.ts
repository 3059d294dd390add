/** The stream of changes. It is read by `fetch`, because `EventSource` sends no token. */
import type { Changed } from '../../api.ts';
import { authorization, UNAUTHORIZED } from './request.ts';
import { splitEvents } from './serverEvents.ts';

export interface StreamHandlers {
  onChanged: (changed: Changed) => void;
  onGone: () => void;
  onUnauthorized: () => void;
}

const RETRY_MS = 1_000;
const EVENT_NAME = 'logins';

/** Follows the changes, over again whenever the connection ends. @returns what ends it */
export function followChanges(token: string, handlers: StreamHandlers): () => void {
  const ending = new AbortController();
  void follow(token, handlers, ending.signal);
  return () => ending.abort();
}

async function follow(token: string, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = await readOnce(token, handlers, signal).catch(() => 0);
    if (signal.aborted) return;
    if (status === UNAUTHORIZED) return handlers.onUnauthorized();
    handlers.onGone();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @returns the status of the response, after its end */
async function readOnce(token: string, { onChanged }: StreamHandlers, signal: AbortSignal): Promise<number> {
  const response = await fetch('/api/changes', { headers: authorization(token), signal });
  if (!response.ok || !response.body) return response.status;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { events, rest } = splitEvents(text + part.value);
    text = rest;
    for (const { name, data } of events) if (name === EVENT_NAME) onChanged(JSON.parse(data) as Changed);
  }
  return response.status;
}
