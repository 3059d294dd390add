/** HTTP servers on this machine's loopback alone. */
import { once } from 'node:events';
import http from 'node:http';
import { UnusableInput } from './commandLine.ts';

const HOST = '127.0.0.1';
/** Of one server at the same time. */
export const MAX_CONNECTIONS = 256;
/** The names of this machine. A web page elsewhere whose name leads here sends its own: DNS rebinding. */
const LOCAL_NAMES = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

export interface Received {
  request: http.IncomingMessage;
  body: Buffer;
}

export interface Sent {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Listening {
  /** Lets no request in any more, and ends those that are open. */
  close(): Promise<void>;
}

export interface ListenOptions {
  port: number;
  /** The option that sets the port. */
  option: string;
  maxBytes: number;
  /** What is answered to a longer body. */
  tooLarge: Sent;
}

/** @throws {UnusableInput} where the port is not available, with the option that sets another one */
export async function listen(
  { port, option, maxBytes, tooLarge }: ListenOptions,
  serve: (received: Received) => Promise<Sent>,
): Promise<Listening> {
  async function answer(request: http.IncomingMessage): Promise<Sent> {
    if (!LOCAL_NAMES.test(request.headers.host ?? '')) return foreignHost(port);
    if (isFromPage(request)) return refused(403, 'web pages may not send requests here');
    const body = await bodyOf(request, maxBytes);
    return body === null ? tooLarge : serve({ request, body });
  }
  const server = http.createServer((request, response) => {
    // The sender may have gone away; then nobody reads what is sent.
    void answer(request)
      .catch(() => FAILED)
      .then((sent) => send(response, sent));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UnusableInput(portProblem(port, option, error as NodeJS.ErrnoException));
  }
  server.on('error', () => {});
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A function may answer with what no HTTP response can be. */
function send(response: http.ServerResponse, { status, headers, body }: Sent): void {
  try {
    response.writeHead(status, headers).end(body);
  } catch {
    send(response, FAILED);
  }
}

export function portProblem(port: number, option: string, { code }: NodeJS.ErrnoException): string {
  const problem = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return `port ${port} ${problem}: choose another with ${option}`;
}

function foreignHost(port: number): Sent {
  return refused(421, `expected a request to localhost:${port}: a tunnel has to send Host: localhost`);
}

/**
 * Only browsers send these headers. A page of any site can post to this machine: it cannot read the answer, but a handler
 * would run with what it posts.
 */
function isFromPage({ headers }: http.IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** As API Gateway writes its own errors. */
export function refused(status: number, message: string): Sent {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}

export const FAILED = refused(500, 'Internal Server Error');

/** Null for a body that is too long. */
async function bodyOf(request: http.IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks);
}
