import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any: none of these is taken by chance. */
const LOWEST = 10_000;
/** Of each process, so that no other one takes a port between being found and being used. */
const PORTS = 16;
const PROCESSES = 1_250;

const first = LOWEST + (process.pid % PROCESSES) * PORTS;
let found = 0;

/** A port of this machine's loopback that nobody listens on, another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = first + (found++ % PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`the ports from ${first} to ${first + PORTS - 1} are taken`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
