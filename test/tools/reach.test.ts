/** What other accounts of this machine, and pages of other sites, can do to `npm start`. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Studio, startStudio } from '../support/studio.ts';
import { openIdEvent } from '../support/wire.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio({}, { samples: ['openidLoggedIn/entra'] });
  await studio.ready();
});
afterAll(() => studio?.close());

const onLinux = process.platform === 'linux' ? test : test.skip;

/** A process may end, and a file may be closed, while they are read. */
function unlessGone<TRead>(read: () => TRead, otherwise: TRead): TRead {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** A process with all that it started: it is the first. */
function treeOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  for (const one of tree) tree.push(...all.flatMap(([child = 0, parent]) => (parent === one ? [child] : [])));
  return tree;
}

const LISTENS = '0A';
const V6_LOOPBACK = '00000000000000000000000001000000';

/** Where processes listen, sorted, e.g. `127.0.0.1:3000`, as `/proc/net/tcp` has it: bytes in the machine's order, here little-endian. */
function listeningIn(pids: readonly number[]): string[] {
  const links = pids.flatMap((pid) => {
    const fds = unlessGone(() => readdirSync(`/proc/${pid}/fd`), []);
    return fds.map((fd) => unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''));
  });
  const addresses = ['tcp', 'tcp6'].flatMap((table) => {
    const [, ...lines] = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n');
    return lines.flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state !== LISTENS || !links.includes(`socket:[${inode}]`)) return [];
      const [host = '', port = ''] = local.split(':');
      const v4 = host.length === 8 ? Buffer.from(host, 'hex').reverse().join('.') : host;
      return `${host === V6_LOOPBACK ? '[::1]' : v4}:${Number.parseInt(port, 16)}`;
    });
  });
  return addresses.sort();
}

onLinux('it and what it starts listen on three ports of the loopback, and on no other', async () => {
  expect(await studio.login('/openid', openIdEvent())).toBe(200);
  const tree = treeOf(studio.command.child.pid ?? 0);
  expect(tree.length).toBeGreaterThan(2);
  const { http, lambda, studio: own } = studio.ports;
  const expected = [`127.0.0.1:${http}`, `127.0.0.1:${lambda}`, `127.0.0.1:${own}`];
  const found = listeningIn(tree);
  expect(found.filter((address) => !address.startsWith('[::1]:'))).toEqual(expected.sort());
});

/** Where each port takes something without a token. */
const PLACES = {
  http: '/openid',
  lambda: '/2015-03-31/functions/openidLoggedIn/invocations',
  studio: '/callback/saml',
} as const;
type Port = keyof typeof PLACES;
const PORTS = ['http', 'lambda', 'studio'] as const satisfies Port[];

/** Sends bytes, and goes away at once or after some milliseconds. @returns what came back until the other side closed */
async function sendRaw(port: Port, bytes: string, leaves: boolean, ms?: number): Promise<string> {
  const socket = connect(studio.ports[port], '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(bytes.replaceAll('PORT', String(studio.ports[port])), 'latin1', () => {
    if (leaves) socket.resetAndDestroy();
  });
  await Promise.race([closed, ...(ms === undefined ? [] : [setTimeout(ms, undefined, { ref: false })])]);
  socket.destroy();
  return received;
}

const POST = (path: string, headers: readonly string[] = [], body = '') =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost:PORT', 'Connection: close', ...headers, '', body].join('\r\n');
const KEPT = (path: string) => POST(path, [ofLength(2)], '{}').replace('close', 'keep-alive');
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const ofLength = (length: number) => `Content-Length: ${length}`;

const ATTACKS: [string, (path: string) => string, leaves?: boolean][] = [
  ['no HTTP', () => 'not json\r\n\r\n'],
  ['a body that is cut off', (path) => POST(path, [ofLength(1_000)], '{"'), true],
  ['a chunk that is cut off', (path) => POST(path, ['Transfer-Encoding: chunked'], 'ff\r\n{'), true],
  ['headers of a megabyte', (path) => POST(path, [`X-Long: ${'x'.repeat(1_000_000)}`])],
  ['malformed percent-encoding', (path) => POST(`${path}/%E0%A4%A`, [ofLength(0)])],
  ['a target that is no path', () => POST('//[', [ofLength(0)])],
  ['a target with another host', () => POST('http://[/openid', [ofLength(0)])],
  ['the target of all', () => POST('*', [ofLength(0)])],
  ['a tunnel', () => 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n'],
  ['another protocol', (path) => POST(path, ['Upgrade: websocket', 'Connection: Upgrade', ofLength(0)])],
  ['garbage', (path) => POST(path, [ofLength(8)], 'not json')],
  ['nothing', (path) => POST(path, [ofLength(0)])],
  ['the largest form', (path) => POST(path, [FORM, ofLength(1_500_000)], 'a&'.repeat(750_000))],
  ['a form that is too large', (path) => POST(path, [FORM, ofLength(4_000_000)], 'a&'.repeat(2_000_000))],
  ['an empty name', (path) => POST(path, [ofLength(0)]).replace('Host: localhost:PORT', 'Host: ')],
  ['many requests at once', (path) => KEPT(path).repeat(300), true],
];

describe.each(PORTS)('the port %s serves on after', (port) => {
  test.each(ATTACKS)('%s', async (_, bytes, leaves = false) => {
    await sendRaw(port, bytes(PLACES[port]), leaves, 500);
    const { status } = await fetch(`http://127.0.0.1:${studio.ports[port]}/`);
    expect(status).toBe(port === 'studio' ? 200 : 404);
    expect(studio.command.child.exitCode).toBeNull();
  });

  test.each([
    ['a name that was rebound', 'Host: evil.example:PORT', [], 421],
    ['a page of another site', 'Host: localhost:PORT', ['Origin: https://evil.example'], 403],
    ['a page that says no origin', 'Host: localhost:PORT', ['Sec-Fetch-Site: cross-site'], 403],
  ])('garbage of %s', async (_, host, headers, status) => {
    const sent = POST(PLACES[port], ['Content-Type: text/plain', ...headers, ofLength(8)], 'not json');
    const answer = await sendRaw(port, sent.replace('Host: localhost:PORT', host), false);
    // A provider's page posts to the callback, which takes what its state lets in.
    const expected = port === 'studio' && status === 403 ? 303 : status;
    expect(answer.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${expected} `));
  });
});

test('anybody may ask for our metadata, which has no private key', async () => {
  const response = await fetch(`${studio.origin}/saml/metadata`);
  const metadata = await response.text();
  expect(response.status).toBe(200);
  expect(metadata).toContain('EntityDescriptor');
  expect(metadata).not.toContain('PRIVATE');
});

test('of all of this it says nothing, and answers logins as before', async () => {
  expect(studio.command.stderr()).toBe('');
  expect(await studio.login('/openid', openIdEvent())).toBe(200);
});
