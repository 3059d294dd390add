/** Servers that the tests of a file or of a `describe` share: they start before these, and end after them. */
import { afterAll, beforeAll } from '@jest/globals';
import { httpServer, httpsServer, type LocalServer } from './servers.ts';
import { trust } from './trust.ts';

type Handle = Parameters<typeof httpServer>[0];

/** Its address is known once the tests run. */
export function sharedServer(handle: Handle): LocalServer {
  return shared(() => httpServer(handle));
}

/** The same over TLS. This process trusts it. */
export function trustedServer(handle: Handle): LocalServer {
  return shared(async () => {
    const server = await httpsServer(handle);
    const distrust = trust(server.ca);
    const close = () => {
      distrust();
      return server.close();
    };
    return { ...server, close };
  });
}

function shared(start: () => Promise<LocalServer>): LocalServer {
  const server = {} as LocalServer;
  beforeAll(async () => {
    Object.assign(server, await start());
  });
  afterAll(() => server.close());
  return server;
}
