/** A proxy between a function and systems whose addresses are fixed: it leads all of them to servers on this machine. */
import http from 'node:http';
import net from 'node:net';
import { started } from './servers.ts';

/** @param urls of servers of this machine, by the host that each stands in for; others are not reached */
export async function proxyTo(urls: Readonly<Record<string, string>>) {
  const proxy = http.createServer();
  proxy.on('connect', ({ url = '' }, client: net.Socket) => {
    const target = urls[url.replace(/:443$/, '')];
    if (target === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const server = net.connect(Number(new URL(target).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  });
  const { port, close } = await started(proxy);
  /** Has `fetch` of a Node process go through the proxy, but for this machine. */
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NO_PROXY: 'localhost,127.0.0.1',
  };
  return { env, close };
}
