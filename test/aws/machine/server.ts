/** A server of its own on this machine, started and waited for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PROJECT } from '../../../tools/shared/project.ts';
import { freePort } from '../../support/freePort.ts';

const HOST = '127.0.0.1';
const POLL_MS = 100;
/** The first start of Keycloak makes its configuration, which takes minutes on a busy machine. */
const TIMEOUT_MS = 600_000;

export interface Server {
  url: string;
  stop(): Promise<void>;
}

/**
 * @param name of its log below `.build`: what it wrote when it ran last
 * @param path responds when the server is up
 * @throws {Error} where it does not start
 */
export async function startServer(
  name: string,
  path: string,
  command: (host: string, port: string) => readonly string[],
  env = process.env,
): Promise<Server> {
  const port = String(await freePort());
  const url = `http://${HOST}:${port}`;
  const log = join(PROJECT, '.build', `${name}.log`);
  const output = openSync(log, 'w');
  const [program = '', ...args] = command(HOST, port);
  const server = spawn(program, args, { stdio: ['ignore', output, output], env });
  const isRunning = () => server.exitCode === null && server.signalCode === null;
  const stop = async () => {
    if (!isRunning()) return;
    const closed = once(server, 'close');
    server.kill();
    await closed;
  };
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline && isRunning()) {
    const response = await fetch(`${url}${path}`).catch(() => null);
    if (response?.ok) return { url, stop };
    await setTimeout(POLL_MS);
  }
  await stop();
  throw new Error(`${name} did not start, see ${log}`);
}
