import { expect, test } from '@jest/globals';
import { unavailableIn } from '../../tools/local/unavailable.ts';

const ISSUER = 'https://sso.example.edu';
const KEYS =
  'expected a discovery document and a key set: check the network, the issuer, and its jwks_uri in OPENID_ISSUERS';

const FAILED = 'lookup_connection_failed';
const UNTRUSTED = { host: 'localhost:9', problems: ['the certificate is not trusted'] };
const NOT_FOUND = { cause: 'lookup_status', lookUpStatus: 404, host: 'sso.example.edu' };
test.each([
  [{ cause: FAILED, host: '127.0.0.1:9' }, `127.0.0.1:9: ${FAILED}: ${KEYS}`],
  [{ cause: FAILED, ...UNTRUSTED }, 'localhost:9: the certificate is not trusted'],
  [NOT_FOUND, `sso.example.edu: it responded with status 404: ${KEYS}`],
  [{ cause: 'deadline' }, `${ISSUER}: deadline: ${KEYS}`],
])('says why the keys of an issuer are not available: %j', (details, told) => {
  const login = { event: 'login', reason: 'keys_unavailable', issuer: ISSUER, ...details };
  expect(unavailableIn([login], undefined)).toBe(`keys_unavailable: ${told}`);
});

test('says what to check where a look-up gets no connection', () => {
  const login = { event: 'login', reason: FAILED, host: '127.0.0.1:9' };
  const cure = 'it cannot be reached: check the host, the port, the network and the proxy';
  expect(unavailableIn([login], undefined)).toBe(`${FAILED}: 127.0.0.1:9: ${cure}`);
});

test.each(['authorized', 'token_expired', 'handler_threw'])('is silent for %s', (reason) => {
  expect(unavailableIn([{ event: 'login', reason }], undefined)).toBeNull();
});
