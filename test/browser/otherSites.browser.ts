/** Pages of other sites, in a browser that has the studio open beside them. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Studio, startStudio } from '../support/studio.ts';
import { launchBrowser } from './chromium/chromium.ts';
import { START_TIMEOUT_MS } from './useStudio.ts';

const SCRIPT = new URL('otherSite/attacks.js', import.meta.url);
/** How many there are. */
const ATTACKS = 26;
/** Leads to this machine, as the name of a site does after DNS rebinding. */
const REBOUND = 'rebound.example';

let studio: Studio;
let browser: Browser;
let context: BrowserContext;
let site: Server;
let page: Page;

beforeAll(async () => {
  studio = await startStudio();
  await studio.ready();
  site = await otherSite();
  browser = await launchBrowser([`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]);
  context = await browser.newContext();
  // The person has it open, in the same profile.
  await (await context.newPage()).goto(studio.address);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await browser?.close();
  site?.close();
  await studio?.close();
});

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
  page = await context.newPage();
  await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
}

const ids = async () => (await studio.logins()).map(({ id }) => id);

describe.each([
  ['another port of this machine', 'localhost'],
  ['another site', '127.0.0.1'],
  ['a name that was rebound', REBOUND],
])('the page of %s', (_, host) => {
  beforeAll(() => visit(host));
  afterAll(() => page.close());

  test('reads and changes nothing, whatever it tries', async () => {
    const before = await ids();
    const targets = {
      studio: studio.origin,
      token: studio.token,
      http: `http://localhost:${studio.ports.http}`,
      lambda: `http://localhost:${studio.ports.lambda}`,
    };
    const read = await page.evaluate<object>(`attackAll(${JSON.stringify(targets)})`);
    expect(Object.entries(read).filter(([, text]) => text !== null)).toEqual([]);
    expect(Object.keys(read)).toHaveLength(ATTACKS);
    expect(page.frames().filter((frame) => frame.url().startsWith(studio.origin))).toEqual([]);
    expect(await ids()).toEqual(before);
  });

  test('reads what it may', async () => {
    const own = JSON.stringify({ studio: page.url().replace(/\/$/, '') });
    const read = await page.evaluate(`attackAll(${own})`);
    expect(read).toMatchObject({
      'a fetch of the shell': expect.stringContaining('<!doctype html>'),
      'a frame of the shell': 'own',
    });
  });
});

test('a name that was rebound to the port of the studio is refused before anything is read', async () => {
  page = await context.newPage();
  const response = await page.goto(`http://${REBOUND}:${studio.ports.studio}/#token=${studio.token}`);
  expect(response?.status()).toBe(421);
  const headers = JSON.stringify({ authorization: `Bearer ${studio.token}` });
  const status = `fetch('/api/page', { headers: ${headers} }).then((response) => response.status)`;
  expect(await page.evaluate(status)).toBe(421);
  await page.close();
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

test('it listens on 127.0.0.1 and ::1, and on no other address of this machine', async () => {
  const all = [...addresses, '127.0.0.2'];
  const open = await Promise.all(all.map((address) => isOpen(address, studio.ports.studio)));
  expect(all.filter((_, index) => open[index])).toEqual(OWN.filter((address) => all.includes(address)));
});

test.each(['http', 'lambda'] as const)('the %s port listens on no address of a network', async (name) => {
  const foreign = addresses.filter((address) => !OWN.includes(address));
  const open = await Promise.all(foreign.map((address) => isOpen(address, studio.ports[name])));
  expect(open).toEqual(foreign.map(() => false));
});
