/** Issuers that are two documents each, as the test says, for what no real provider would publish. */
import type { JWK } from 'jose';
import { httpServer, sendJson } from './servers.ts';

export interface StaticIssuer {
  issuer: string;
  publish(...keys: JWK[]): void;
  /** What was asked for, in order. */
  requests: ('metadata' | 'keySet')[];
}

/** Many on one server: each is a cold start of its own. */
export async function staticIssuers(count: number) {
  const keys: JWK[][] = [];
  const server = await httpServer(({ url = '' }, response) => {
    const [, index = '', path] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
    const { issuer, requests } = issuers[Number(index)] as StaticIssuer;
    const isKeySet = path === '/jwks';
    requests.push(isKeySet ? 'keySet' : 'metadata');
    sendJson(response, isKeySet ? { keys: keys[Number(index)] } : { issuer, jwks_uri: `${issuer}/jwks` });
  });
  const issuers = Array.from({ length: count }, (_, index): StaticIssuer => {
    const publish = (...published: JWK[]) => {
      keys[index] = published;
    };
    return { issuer: `${server.url}/${index}`, publish, requests: [] };
  });
  return { issuers, close: server.close };
}
