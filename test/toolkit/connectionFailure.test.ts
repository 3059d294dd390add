import { expect, test } from '@jest/globals';
import { connectionFailure } from '../../lib/toolkit/connectionFailure.ts';

const failed = (code: string) => Object.assign(new Error('SECRET'), { code });

test.each([
  ['CERT_HAS_EXPIRED', 'tls', /expired: have/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /for another host: use/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', /^TLS failed: .*https/],
  ['EPROTO', 'tls', /^TLS failed: .*https/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', /not trusted/],
  ['ENOTFOUND', 'name', /not found: correct/],
  ['ECONNREFUSED', 'refused', /no connection: check/],
  ['ECONNRESET', 'lost', /connection failed/],
])('%s, the cause of an error or of its cause, is of the kind %s', (code, kind, told) => {
  const failure = connectionFailure(new Error('a', { cause: new Error('b', { cause: failed(code) }) }));
  expect(failure).toMatchObject({ code, kind });
  expect(`${failure?.what}: ${failure?.cure}`).toMatch(told);
  expect(connectionFailure(failed(code))).toEqual(failure);
});

test.each([
  ...['XENOTFOUND', 'XECONNREFUSED', 'XEPROTO', 'XUND_ERR_SOCKET', 'XTimeoutError', 'X_ERR_SSL_'],
  ...['EPROTOTYPE', 'TimeoutErrors'],
])('%s is of no connection', (code) => {
  expect(connectionFailure(failed(code))).toBeNull();
});
