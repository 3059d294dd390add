import { httpServer } from '../support/servers.ts';

/** A server on this machine that answers what the bench's handler looks up, after so many milliseconds. */
export function slowServer(delayMs: number) {
  return httpServer((_, response) => {
    setTimeout(() => response.end('{"ok":"yes","SecretString":"value"}'), delayMs);
  });
}
