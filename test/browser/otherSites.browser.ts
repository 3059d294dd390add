/** Pages of other sites, in a browser that has the studio open beside them. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { REBOUND, useStudio } from './useStudio.ts';

const SCRIPT = new URL('otherSite/attacks.js', import.meta.url);
/** How many there are. */
const ATTACKS = 22;

afterEach(async () => {
  await page?.close();
  // The browser tells the pages of others what it kept from them.
  open.complaints.length = 0;
});

/** The person has it open, in the same profile. */
const open = useStudio();
let site: Server;
let page: Page;
beforeAll(async () => {
  site = await otherSite();
});
afterAll(() => void site?.close());

async function otherSite(): Promise<Server> {
  const script = await readFile(SCRIPT);
  const server = createServer(({ url }, response) => {
    const isScript = url === '/attacks.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><body>own<script src="/attacks.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function visit(host: string): Promise<void> {
  page = await open.context.newPage();
  await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
}
const attack = (targets: object) => page.evaluate<object>(`attackAll(${JSON.stringify(targets)})`);

test.each([
  ['another port of this machine', 'localhost'],
  ['another site', '127.0.0.1'],
  ['a name that was rebound', REBOUND],
])('the page of %s reads and changes nothing, whatever it tries', async (_, host) => {
  const { studio } = open;
  const { origin, token, ports } = studio;
  const before = await studio.logins();
  await visit(host);
  const read = await attack({
    ...{ studio: origin, token },
    http: `http://localhost:${ports.http}`,
    lambda: `http://localhost:${ports.lambda}`,
  });
  expect(Object.entries(read).filter(([, text]) => text !== null)).toEqual([]);
  expect(Object.keys(read)).toHaveLength(ATTACKS);
  expect(page.frames().filter((frame) => frame.url().startsWith(origin))).toEqual([]);
  expect(await studio.logins()).toEqual(before);
});

test('it reads what it may', async () => {
  await visit('localhost');
  expect(await attack({ studio: page.url().replace(/\/$/, '') })).toMatchObject({
    'a fetch of the shell': expect.stringContaining('<!doctype html>'),
    'a frame of the shell': 'own',
  });
});

/** Whether something listens there. */
function isOpen(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect({ host, port, timeout: 2_000 });
  socket.on('connect', () => resolve(true));
  for (const event of ['error', 'timeout']) socket.on(event, () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const OWN = ['127.0.0.1', '::1'];
const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
  all.map(({ address, scopeid }) => (scopeid ? `${address}%${name}` : address)),
);

test.each(['studio', 'http', 'lambda'] as const)(
  'the %s port listens on 127.0.0.1 and ::1, and on no other address of this machine',
  async (name) => {
    const all = [...addresses, '127.0.0.2'];
    const heard = await Promise.all(all.map((address) => isOpen(address, open.studio.ports[name])));
    expect(all.filter((_, index) => heard[index])).toEqual(OWN.filter((address) => all.includes(address)));
  },
);
