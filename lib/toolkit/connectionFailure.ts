/** Why a connection failed, and what to do: by the codes of Node and OpenSSL, because messages may quote what was sent. */

export interface ConnectionFailure {
  /** `tls`: another try does not help. */
  kind: 'tls' | 'name' | 'refused' | 'lost';
  /** E.g. `ECONNREFUSED`. */
  code: string;
  what: string;
  cure: string;
}

const LOST = /^E(?:CONN|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT)|^UND_ERR_|^TimeoutError$/;
const TRUST = 'correct the host, or set NODE_EXTRA_CA_CERTS to the file of its authority';
const NETWORK = 'check the network and the proxy';

type Row = [codes: RegExp, kind: ConnectionFailure['kind'], what: string, cure: string];

const FAILURES: readonly Row[] = [
  [/CERT_HAS_EXPIRED/, 'tls', 'the certificate has expired', 'have it renewed'],
  [/ALTNAME_INVALID/, 'tls', 'the certificate is for another host', 'use the name in the certificate'],
  [/^ERR_SSL_|^EPROTO$/, 'tls', 'TLS failed', 'check that this port serves https, and which versions'],
  [/CERT|TLS|SELF_SIGNED|UNABLE_TO/, 'tls', 'the certificate is not trusted', TRUST],
  [/^E(?:NOTFOUND|AI_AGAIN)/, 'name', 'the name of the host is not found', `correct it, or ${NETWORK}`],
  [/^ECONNREFUSED/, 'refused', 'no connection', 'check the host, the port, the network and the proxy'],
  [LOST, 'lost', 'the connection failed', NETWORK],
];

/**
 * @param error of a request; `fetch` has that of the connection as its cause
 * @returns null for an error that is none of a connection
 */
export function connectionFailure(error: unknown): ConnectionFailure | null {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const row = FAILURES.find(([codes]) => codes.test(String(code)));
  if (!row) return Error.isError(cause) ? connectionFailure(cause) : null;
  const [, kind, what, cure] = row;
  return { code: String(code), kind, what, cure };
}

export function problemOf({ what, cure }: ConnectionFailure): string {
  return `${what}: ${cure}`;
}
