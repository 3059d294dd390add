/** The socket that the runtime's client logs to where several invocations run in one process: each line is a record. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface LogSocket {
  /** What the client is told. */
  env: Record<string, string>;
  /** Stops reading, as a reader that is slow: what the process writes fills the socket. */
  pause(): void;
  resume(): void;
  /** When the process has ended: what it wrote last is read first. */
  close(): Promise<void>;
}

/** Gives on each line that any connection writes, whole: each thread of the process has a connection. */
export async function openLogSocket(onLine: (line: string) => void): Promise<LogSocket> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const path = join(folder, 'log');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => onLine(`${line}\n`));
    // A process that was killed leaves its connections reset.
    socket.on('error', () => {});
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    env: { _LAMBDA_TELEMETRY_LOG_FD_PROVIDER_SOCKET: path },
    pause: () => sockets.forEach((socket) => void socket.pause()),
    resume: () => sockets.forEach((socket) => void socket.resume()),
    async close() {
      server.close();
      await once(server, 'close');
      await rm(folder, { recursive: true });
    },
  };
}
