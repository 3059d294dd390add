/** What a function process on this machine is told and tells beside its events. Lambda has nothing of it. */
import * as v from 'valibot';
import { object } from '../../../lib/schema.ts';

/** How one event is answered. */
export interface Local {
  /** Where the process's clock stands when the event begins, in milliseconds since 1970. Default: the real time. */
  moment?: number | null;
  /**
   * Requests to other systems: `live` sends them as on Lambda, `ask` sends them and tells which got no response, and a list
   * answers them by the exchanges in it, and sends none.
   */
  outside?: Outside;
}

export type Outside = 'live' | 'ask' | readonly Exchange[];

const text = v.string('expected a text');

/** A request to another system, and its response. It holds no header of the request. */
const Exchange = object({
  /** Method and URL; secret parameters of the query are masked. */
  request: text,
  /** SHA-256 of the body, in base64; left out where there is none. */
  body_sha256: v.exactOptional(text),
  status: v.number('expected an HTTP status'),
  /** The few that readers of responses look at. */
  headers: v.record(text, text, 'expected headers'),
  /** The response's body where it is JSON: tokens in it are masked. */
  json: v.exactOptional(v.unknown()),
  /** The response's body where it is not. */
  text: v.exactOptional(text),
});
export type Exchange = v.InferOutput<typeof Exchange>;

export const Exchanges = v.array(Exchange, 'expected a list of requests and their responses');

/** What an event made the process ask other systems for. Where requests are live, `exchanges` has what it may have cached before, too. */
export const Asked = v.object({
  /** Of requests that were sent, in the order of their responses. */
  exchanges: Exchanges,
  /** Method and URL of each request that has no recorded response, or that got none. */
  unanswered: v.array(v.string()),
  /** Positions of the recorded exchanges that answered requests, each once. */
  served: v.array(v.number()),
});
export type Asked = v.InferOutput<typeof Asked>;

export function nothingAsked(): Asked {
  return { exchanges: [], unanswered: [], served: [] };
}
