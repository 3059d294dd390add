/** The studio on this machine's loopback. */
import { randomBytes } from 'node:crypto';
import { listenOnLoopback } from '../shared/loopback.ts';
import { type AppOptions, studioApp } from './app.ts';

export interface Studio {
  /** With the token in its fragment, which no server is sent. */
  address: string;
  close(): Promise<void>;
}

const TOKEN_BYTES = 32;

/** @throws {UnusableInput} where the port is not available */
export async function listenStudio(options: Omit<AppOptions, 'token'>): Promise<Studio> {
  const { port } = options;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const app = studioApp({ ...options, token });
  const close = await listenOnLoopback(app, { port, option: '--studio-port' });
  return { address: `http://localhost:${port}/#token=${token}`, close };
}
