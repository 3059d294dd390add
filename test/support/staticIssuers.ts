/** Issuers that are two documents each, as the test says, for what no real provider would publish. */
import type { JWK } from 'jose';
import { eventOf, type OpenIdEvent } from './openIdLogin.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from './servers.ts';
import { type SigningKey, sign } from './signingKeys.ts';

export interface StaticIssuer {
  issuer: string;
  /** The certificate to trust; an empty text over plain HTTP. */
  ca: string;
  /** What is published; whatever JSON it is. */
  metadata: unknown;
  keySet: unknown;
  publish(...keys: JWK[]): void;
  /** What was asked for, in order. */
  requests: ('metadata' | 'keySet')[];
  /** The event of a login whose ID token is signed by this key. */
  event(key: SigningKey, header?: object): Promise<OpenIdEvent>;
}

/** Many on one server, so that one function process may list all of them: each is a cold start of its own. */
export async function staticIssuers(
  count: number,
  { isSecure = true } = {},
): Promise<{ issuers: StaticIssuer[]; close: LocalServer['close'] }> {
  const serve = isSecure ? httpsServer : httpServer;
  const server = await serve(({ url = '' }, response) => {
    const [, index = '', path] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
    const issuer = issuers[Number(index)];
    const document = path === '/jwks' ? 'keySet' : 'metadata';
    issuer?.requests.push(document);
    sendJson(response, issuer?.[document]);
  });
  const ca = 'ca' in server ? String(server.ca) : '';
  const issuers = Array.from({ length: count }, (_, index) => issuerAt(`${server.url}/${index}`, ca));
  return { issuers, close: server.close };
}

function issuerAt(iss: string, ca: string): StaticIssuer {
  const issuer: StaticIssuer = {
    issuer: iss,
    ca,
    metadata: { issuer: iss, jwks_uri: `${iss}/jwks` },
    keySet: { keys: [] },
    requests: [],
    publish(...keys) {
      issuer.keySet = { keys };
    },
    async event(key, header) {
      const now = Math.floor(Date.now() / 1_000);
      const id_token = await sign(
        { iss, sub: 'ada', aud: 'client-RS256', iat: now, exp: now + 60 },
        key,
        header,
      );
      return eventOf({ access_token: 'access-token-1', token_type: 'Bearer', id_token, expires_in: 60 });
    },
  };
  return issuer;
}
