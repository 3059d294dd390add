/** The browser itself, as the other tests have it. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { launchBrowser } from './chromium/launch.ts';

test('a browser shows a page, and leaves no file when it is closed', async () => {
  const before = await readdir(tmpdir());
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.setContent('<h1 style="font: 20px sans-serif">Ada</h1>');
  const { width = 0 } = (await page.locator('h1').boundingBox()) ?? {};
  expect(width).toBeGreaterThan(0);
  expect(await page.getByRole('heading').textContent()).toBe('Ada');
  await browser.close();
  expect(await readdir(tmpdir())).toEqual(before);
});

test('sites are kept from each other, as in the browsers of people', async () => {
  const sites = await Promise.all([site(), site()]);
  const browser = await launchBrowser();
  try {
    const [own, other] = sites.map(urlOf);
    const page = await browser.newPage();
    await page.goto(`${own}`);
    const read = (url = '') => page.evaluate((from) => fetch(from).then((response) => response.text()), url);
    expect(await read(own)).toBe('Ada');
    await expect(read(other)).rejects.toThrow('Failed to fetch');
  } finally {
    await browser.close();
    for (const server of sites) server.close();
  }
});

async function site(): Promise<Server> {
  const server = createServer((_, response) => response.end('Ada')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
