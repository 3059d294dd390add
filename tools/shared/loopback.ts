/** A server on this machine's loopback: 127.0.0.1 and ::1, and nothing else. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { UnusableInput } from './commandLine.ts';

const HOSTS = ['127.0.0.1', '::1'];
/** A machine without IPv6 has no `::1`. */
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
const MAX_CONNECTIONS = 256;

/**
 * @returns what ends it
 * @throws {UnusableInput} where the port is not available, with the option that sets another one
 */
export async function listenOnLoopback(
  { fetch }: Pick<Parameters<typeof createAdaptorServer>[0], 'fetch'>,
  { port, option }: { port: number; option: string },
): Promise<() => Promise<void>> {
  const servers: Server[] = [];
  const close = async () => void (await Promise.all(servers.map(end)));
  try {
    for (const host of HOSTS) {
      const server = createAdaptorServer({ fetch }) as Server;
      if (await listens(server, port, host)) servers.push(server);
    }
  } catch (error) {
    await close();
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
    throw new UnusableInput(`port ${port} ${problem}: choose another with ${option}`);
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

async function end(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * Answers 421 where `Host` is not a name of this machine: a web page elsewhere whose name leads here sends its own (DNS
 * rebinding).
 *
 * @param options `isTunnelled`: the port may be another one, because a tunnel has its own
 */
export function requireHost(port: number, { isTunnelled = false } = {}): MiddlewareHandler {
  const names = new RegExp(`^(?:localhost|127\\.0\\.0\\.1)${isTunnelled ? '(?::\\d+)?' : `:${port}`}$`);
  const cure = isTunnelled ? ': a tunnel has to send Host: localhost' : '';
  const message = `expected a request to localhost:${port}${cure}`;
  return async (context, next) => {
    if (names.test(context.req.header('host') ?? '')) return next();
    return context.json({ message }, 421);
  };
}
