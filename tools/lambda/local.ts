/** What a function process on this machine is told and tells beside its events. Lambda has nothing of it. */

/** How one event is answered. */
export interface Local {
  /** Where the process's clock stands when the event begins, in milliseconds since 1970. Default: the real time. */
  moment?: number | null;
  /**
   * Requests to other systems: `live` sends them, `ask` sends them and tells what was asked, and a list answers them by
   * the exchanges in it, and sends none.
   */
  outside?: Outside;
}

export type Outside = 'live' | 'ask' | readonly Exchange[];

/** A request to another system, and its response. It holds no header of the request. */
export interface Exchange {
  /** Method and URL; secret parameters of the query are masked. */
  request: string;
  /** SHA-256 of the body, in base64; left out where there is none. */
  body_sha256?: string;
  status: number;
  /** The few that readers of responses look at. */
  headers: Record<string, string>;
  /** The response's body where it is JSON: tokens in it are masked. */
  json?: unknown;
  /** The response's body where it is not. */
  text?: string;
}

/** What an event made the process ask other systems for. Always nothing where requests are live. */
export interface Asked {
  /** Of requests that were sent, in the order of their responses. */
  exchanges: Exchange[];
  /** Method and URL of each request that has no recorded response, or that got none. */
  unanswered: string[];
  /** Positions of the recorded exchanges that answered requests, each once. */
  served: number[];
}

export function nothingAsked(): Asked {
  return { exchanges: [], unanswered: [], served: [] };
}

/** The headers by which the stand-in client learns of it. */
export function localHeaders({ moment = null, outside = 'live' }: Local): Record<string, string> {
  return {
    ...(moment !== null && { 'local-moment-ms': String(moment) }),
    'local-outside': typeof outside === 'string' ? outside : 'recorded',
  };
}
