/** Requests to the server of the studio. */
import type { Problem } from '../../api.ts';

interface Ask {
  /** Sent as JSON, by POST; left out for GET. */
  body?: unknown;
  isPost?: boolean;
  signal?: AbortSignal;
}

/** @throws {Refused} */
export type Request = <T>(path: string, ask?: Ask) => Promise<T>;

/** The server refused, or did not answer; the message is for people. */
export class Refused extends Error {
  /** 0 where nothing answered. */
  readonly status: number;
  /** The words of the provider that a sign-in asked; null where it has none. */
  readonly theirs: string | null;

  constructor(status: number, message: string, theirs: string | null = null) {
    super(message);
    this.status = status;
    this.theirs = theirs;
  }
}

export const UNAUTHORIZED = 401;

/** @param onUnauthorized called when the server does not take the token */
export function requester(token: string, onUnauthorized: () => void): Request {
  return async <T>(path: string, { body, isPost = false, signal }: Ask = {}): Promise<T> => {
    const response = await fetch(path, {
      method: isPost || body !== undefined ? 'POST' : 'GET',
      headers: {
        ...authorization(token),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? null,
    }).catch(unreachable);
    if (response.status === UNAUTHORIZED) onUnauthorized();
    if (!response.ok) throw await refusalOf(response);
    return (await response.json().catch(() => null)) as T;
  };
}

export function authorization(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Refused(0, 'The studio does not respond. Is npm start still running?');
}

async function refusalOf(response: Response): Promise<Refused> {
  const problem = (await response.json().catch(() => null)) as Problem | null;
  const message = problem?.message ?? `The studio responded with status ${response.status}.`;
  return new Refused(response.status, message, problem?.theirs);
}
