/** Why a connection failed, and what to do: by the codes of Node and OpenSSL, because messages may quote what was sent. */

export interface ConnectionFailure {
  /** `tls`: another try does not help. */
  kind: 'tls' | 'name' | 'refused' | 'lost';
  /** E.g. `ECONNREFUSED`. */
  code: string;
  what: string;
  cure: string;
}

const NETWORK = 'check the network and the proxy';

const FAILURES: readonly [RegExp, Omit<ConnectionFailure, 'code'>][] = [
  [/CERT_HAS_EXPIRED/, { kind: 'tls', what: 'the certificate has expired', cure: 'have it renewed' }],
  [
    /ALTNAME_INVALID/,
    { kind: 'tls', what: 'the certificate is for another host', cure: 'use the name in the certificate' },
  ],
  [
    /^ERR_SSL_|^EPROTO$/,
    { kind: 'tls', what: 'TLS failed', cure: 'check that this port serves https, and which versions' },
  ],
  [
    /CERT|TLS|SELF_SIGNED|UNABLE_TO/,
    {
      kind: 'tls',
      what: 'the certificate is not trusted',
      cure: 'correct the host, or set NODE_EXTRA_CA_CERTS to the file of its authority',
    },
  ],
  [
    /^E(?:NOTFOUND|AI_AGAIN)/,
    { kind: 'name', what: 'the name of the host is not found', cure: `correct it, or ${NETWORK}` },
  ],
  [
    /^ECONNREFUSED/,
    {
      kind: 'refused',
      what: 'no connection',
      cure: 'check the host, the port, the network and the proxy',
    },
  ],
  [
    /^E(?:CONN|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT)|^UND_ERR_|^TimeoutError$/,
    { kind: 'lost', what: 'the connection failed', cure: NETWORK },
  ],
];

/**
 * @param error of a request; `fetch` has that of the connection as its cause
 * @returns null for an error that is none of a connection
 */
export function connectionFailure(error: unknown): ConnectionFailure | null {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const failure = FAILURES.find(([pattern]) => pattern.test(String(code)))?.[1];
  if (failure) return { code: String(code), ...failure };
  return Error.isError(cause) ? connectionFailure(cause) : null;
}

export function problemOf({ what, cure }: ConnectionFailure): string {
  return `${what}: ${cure}`;
}
