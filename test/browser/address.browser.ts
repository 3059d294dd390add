/** Where the studio is, and where it is not. */
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Studio, startStudio } from '../support/studio.ts';
import { START_TIMEOUT_MS } from './useStudio.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
}, START_TIMEOUT_MS);
afterAll(() => studio?.close());

describe('the address', () => {
  test(
    'has a token that nobody guesses, another at each start',
    async () => {
      expect(studio.address).toBe(`http://localhost:${studio.ports.studio}/#token=${studio.token}`);
      expect(Buffer.from(studio.token, 'base64url').length).toBeGreaterThanOrEqual(16);
      const other = await startStudio();
      await other.close();
      expect(other.token).not.toBe(studio.token);
    },
    START_TIMEOUT_MS,
  );
});

/** Whether something listens there. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 2_000 });
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
    socket.on('connect', () => socket.destroy()).on('timeout', () => socket.destroy());
  });
}

const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
  all.map(({ address, internal, scopeid }) => ({
    address: scopeid ? `${address}%${name}` : address,
    isOwn: internal && ['127.0.0.1', '::1'].includes(address),
  })),
);

test('it listens on 127.0.0.1 and ::1, and on no other address of this machine', async () => {
  const others = [{ address: '127.0.0.2', isOwn: false }];
  const open = await Promise.all(
    [...addresses, ...others].map(async ({ address }) => [
      address,
      await isOpen(address, studio.ports.studio),
    ]),
  );
  expect(open).toEqual([...addresses, ...others].map(({ address, isOwn }) => [address, isOwn]));
});

test.each(['http', 'lambda'] as const)('the %s port listens on no address of a network', async (name) => {
  const foreign = addresses.filter(({ isOwn }) => !isOwn).map(({ address }) => address);
  const open = await Promise.all(foreign.map((address) => isOpen(address, studio.ports[name])));
  expect(open).toEqual(foreign.map(() => false));
});
