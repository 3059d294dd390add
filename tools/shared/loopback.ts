/** A server on this machine's loopback: 127.0.0.1 and ::1, and nothing else. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { UnusableInput } from './commandLine.ts';
import { MAX_CONNECTIONS, portProblem } from './listen.ts';

const HOSTS = ['127.0.0.1', '::1'];
/** A machine without IPv6 has no `::1`. */
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
export interface LoopbackOptions {
  port: number;
  /** The option that sets the port. */
  option: string;
  /** For the responses that are under way at the end, in milliseconds. */
  graceMs: number;
}

/**
 * @returns what ends it, after the responses that are under way
 * @throws {UnusableInput} where the port is not available
 */
export async function listenOnLoopback(
  { fetch }: Pick<Hono, 'fetch'>,
  { port, option, graceMs }: LoopbackOptions,
): Promise<() => Promise<void>> {
  const servers: Server[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => end(server, graceMs))));
  try {
    for (const host of HOSTS) {
      const server = createAdaptorServer({ fetch }) as Server;
      if (await listens(server, port, host)) servers.push(server);
    }
  } catch (error) {
    await close();
    throw new UnusableInput(portProblem(port, option, error as NodeJS.ErrnoException));
  }
  return close;
}

async function listens(server: Server, port: number, host: string): Promise<boolean> {
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  try {
    await once(server, 'listening');
    server.on('error', () => {});
    return true;
  } catch (error) {
    if (host === '::1' && NO_IPV6.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function end(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const late = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(late);
}
