/** The studio on this machine's loopback: 127.0.0.1 and ::1, and nothing else. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { UnusableInput } from '../../cli/commandLine.ts';
import { portProblem } from '../../engine/listen.ts';
import { type AppOptions, studioApp } from './app.ts';

export interface Studio {
  /** With the token in its fragment, which no server is sent. */
  address: string;
  close(): Promise<void>;
}

const TOKEN_BYTES = 32;
const HOSTS = ['127.0.0.1', '::1'];
/** A machine without IPv6 has no `::1`. */
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** @throws {UnusableInput} where the port is not available */
export async function listenStudio(options: Omit<AppOptions, 'token'>): Promise<Studio> {
  const { port } = options;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { fetch } = studioApp({ ...options, token });
  const servers: Server[] = [];
  const close = async () => {
    await Promise.all(servers.map(end));
  };
  try {
    for (const host of HOSTS) {
      const server = createAdaptorServer({ fetch }) as Server;
      if (await listens(server, port, host)) servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { address: `http://localhost:${port}/#token=${token}`, close };
}

/** @throws {UnusableInput} */
async function listens(server: Server, port: number, host: string): Promise<boolean> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (host === '::1' && NO_IPV6.includes(code)) return false;
    throw new UnusableInput(portProblem(port, '--studio-port', error as NodeJS.ErrnoException));
  }
}

async function end(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
