/** moto plays AWS on this machine. */
import { fileURLToPath } from 'node:url';
import { folderOf, fromPyPi, pythonIn } from './installation.ts';
import { type Server, startServer } from './server.ts';

const VERSION = '5.2.5';
/** With what it checks templates by, whose version moto itself leaves open. */
export const MOTO = fromPyPi(`moto-${VERSION}`, [`moto[server]==${VERSION}`, 'cfn-lint==1.58.0']);
const SERVER = fileURLToPath(new URL('motoServer.py', import.meta.url));

/** A server of its own, empty. */
export function startMoto(): Promise<Server> {
  const python = pythonIn(folderOf(MOTO.name));
  return startServer('moto', '/moto-api/', (host, port) => [python, '-B', SERVER, '-H', host, '-p', port]);
}
