/** What becomes of signatures and of the secret with time: told by clocks that the test turns. */
import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/invocation.ts';
import { failure, playSecretsManager, version } from '../support/secretsManager.ts';
import { newSecret, type Signing, signed } from '../support/signedRequest.ts';

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);
const { requireSignature } = await import('../../lib/webhook/signature.ts');

const NOW = Date.parse('2026-11-21T10:00:00.999Z');
const FIVE_MINUTES = 5 * 60;
const DAY_MS = 24 * 60 * 60_000;
const OLD = newSecret();
const NEW = newSecret();

const date = jest.spyOn(Date, 'now');
const uptime = jest.spyOn(process, 'uptime');
let started = process.uptime();
/** Turns both clocks to so many seconds after the test's start. */
function at(seconds: number) {
  uptime.mockReturnValue(started + seconds);
  date.mockReturnValue(NOW + seconds * 1_000);
}

let secretId = 'login-hooks/signing';
beforeEach(() => {
  // Each test has a secret of its own, long after the one before.
  secretId += '-';
  started += 10_000;
  at(0);
  manager.AWSCURRENT = version(OLD, 30);
  manager.AWSPREVIOUS = failure('ResourceNotFoundException');
  manager.requests.length = 0;
});

const BODY = '{}';
/** What becomes of a request in a login of its own: nothing, or the code of its refusal. */
function send(signing: Signing): Promise<string | null> {
  const headers = new Map(Object.entries(signed(BODY, signing)));
  const request = { headers, body: BODY, isBase64Encoded: false, reply: 'apiGateway' } as const;
  const login = new Invocation({ awsRequestId: 'request-1' }, null);
  return runInInvocation(login, () =>
    requireSignature(request, { signingSecretId: secretId, secretsFile: null }),
  ).then(
    () => null,
    ({ code }) => code,
  );
}
const sendBy = (secret: string) => send({ secret });

test.each([
  [FIVE_MINUTES, null],
  [FIVE_MINUTES + 1, 'signature_expired'],
  [-FIVE_MINUTES, null],
  [-FIVE_MINUTES - 1, 'signature_expired'],
])('signed %i seconds ago: %p', async (ageSeconds, code) => {
  expect(await send({ secret: OLD, ageSeconds })).toBe(code);
});

test('wrong signatures make one refresh in 30 seconds', async () => {
  expect(await sendBy(OLD)).toBeNull();
  for (const [seconds, requests] of [
    [0, 2],
    [15, 2],
    [29.9, 2],
    [31, 3],
    [59.9, 3],
    [61.1, 4],
  ] as const) {
    at(seconds);
    for (let count = 0; count < 5; count++) expect(await sendBy(NEW)).toBe('signature_wrong');
    expect(manager.requests).toHaveLength(requests);
  }
});

test('a secret is asked for once in five minutes', async () => {
  for (const [seconds, requests] of [
    [0, 1],
    [299, 1],
    [301, 2],
  ] as const) {
    at(seconds);
    expect(await sendBy(OLD)).toBeNull();
    expect(manager.requests).toHaveLength(requests);
  }
});

test('the secret before is good for 24 hours, also where it is kept for longer', async () => {
  manager.AWSCURRENT = { SecretString: NEW, CreatedDate: Math.floor((NOW - DAY_MS) / 1_000) + 60 };
  manager.AWSPREVIOUS = version(OLD, 30);
  expect(await sendBy(OLD)).toBeNull();
  at(58);
  expect(await sendBy(OLD)).toBeNull();
  at(61);
  expect(await sendBy(OLD)).toBe('signature_wrong');
  expect(await sendBy(NEW)).toBeNull();
});
