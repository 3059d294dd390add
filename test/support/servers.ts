import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

type Handle = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;

export type LocalServer = Awaited<ReturnType<typeof listen>>;

/** A server on loopback that answers as `handle` says. */
export function httpServer(handle: Handle): Promise<LocalServer> {
  return listen((serve) => http.createServer(serve), 'http', handle);
}

/** The same over TLS, with a certificate for these names; clients must trust `ca`. */
export async function httpsServer(handle: Handle, ...names: readonly string[]) {
  const certificate = await selfSigned(...names);
  return {
    ...(await listen((serve) => https.createServer(certificate, serve), 'https', handle)),
    ca: certificate.cert,
  };
}

export async function selfSigned(...names: readonly string[]): Promise<{ key: string; cert: string }> {
  const [name, ...others] = names.length > 0 ? names : ['localhost'];
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    extensions: [
      { name: 'subjectAltName', altNames: [name, ...others].map((value) => ({ type: 2, value })) },
    ],
  } as never);
  return { key, cert };
}

async function listen(
  create: (serve: http.RequestListener) => http.Server | https.Server,
  scheme: string,
  handle: Handle,
) {
  /** What was asked, in order. */
  const requests: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  const server = create(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    handle(request, response, body);
  });
  let connections = 0;
  server.on('connection', () => connections++);
  const { port, close } = await started(server);
  return {
    url: `${scheme}://localhost:${port}`,
    requests,
    /** How many connections were tried, whatever became of them. */
    connections: () => connections,
    close,
  };
}

/** Has a server listen on loopback, on any port or on this one. */
export async function started(server: http.Server | https.Server, port = 0) {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function sendJson(response: http.ServerResponse, json: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}
