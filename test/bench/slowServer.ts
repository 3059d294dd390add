import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that answers what the bench's handler looks up, after so many milliseconds. */
export async function slowServer(delayMs: number): Promise<{ url: string; close(): void }> {
  const server = http.createServer((_, response) => {
    setTimeout(() => response.end('{"ok":"yes","SecretString":"value"}'), delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
