/** Why a login ends: the status and the words of each reason, and what an error carries. */
import { describe, expect, test } from '@jest/globals';
import {
  asLoginError,
  type Check,
  LoginError,
  LookUpFailed,
  REASONS,
  type ReasonCode,
  requireAll,
  SecretFailed,
} from '../lib/errors.ts';

const NOT_SET_UP = 'The login to this service is not set up correctly. Please contact the people who run it.';
const NOT_COMPLETED =
  'Your login failed. Please try again. If it fails again, contact the people who run this service.';
const NOT_CONFIRMED = 'Your sign-in could not be confirmed. Please sign in again.';
const NOT_CHECKED = 'Your sign-in could not be checked. Please try again later.';
const LOOK_UP_FAILED =
  'Your login failed because another system did not respond as expected. Please try again later.';
const NOT_SIGNED = 'The request is not signed by a service that may send logins here.';

/** What the HTTP caller and the person get, by the beginning of the code. */
const SAID: readonly (readonly [code: string, status: number, words: string])[] = [
  ['authorized', 200, NOT_COMPLETED],
  ['forbidden', 200, NOT_COMPLETED],
  ['error', 200, NOT_COMPLETED],
  ['profile_incomplete', 200, NOT_COMPLETED],
  ['email_unverified', 200, NOT_COMPLETED],
  ['groups_unknown', 200, 'Your identity provider did not say which groups you are in.'],
  [
    'groups_ambiguous',
    200,
    'Your identity provider sent your groups in a form that cannot be read. Please contact the people who run this service.',
  ],
  ['rule_refused', 200, NOT_COMPLETED],
  ['issuer_not_listed', 200, 'You cannot log in here with this identity provider.'],
  ['configuration_unusable', 500, NOT_SET_UP],
  ['handler_not_loaded', 500, NOT_SET_UP],
  ['body_too_large', 413, "The request's body is too large: expected at most 2000 bytes."],
  ['signature_', 401, NOT_SIGNED],
  ['content_type_not_json', 415, "The request's content type is not JSON: expected application/json."],
  ['body_missing', 400, 'The request has no body: expected a login event as JSON.'],
  ['body_not_json', 400, "The request's body is not JSON: expected a login event as JSON."],
  ['event_invalid', 422, 'The login event is not valid. a: expected a string; b: expected an integer.'],
  ['token_', 422, NOT_CONFIRMED],
  ['keys_unavailable', 500, NOT_CHECKED],
  ['assertion_', 422, NOT_CONFIRMED],
  ['external_id_missing', 422, 'Your identity provider did not send a permanent identifier for you.'],
  ['handler_threw', 500, NOT_COMPLETED],
  ['handler_timed_out', 504, 'Your login took too long. Please try again.'],
  ['answer_invalid', 500, NOT_COMPLETED],
  ['lookup_', 500, LOOK_UP_FAILED],
  ['secret_', 500, LOOK_UP_FAILED],
  ['internal_error', 500, NOT_COMPLETED],
];
const DETAILS = { maxBytes: 2_000, problems: ['a: expected a string', 'b: expected an integer'] };

test.each(Object.keys(REASONS) as ReasonCode[])('%s', (code) => {
  const said = SAID.find(([start]) => code === start || (start.endsWith('_') && code.startsWith(start)));
  const { statusCode, message, details } = new LoginError(code, DETAILS);
  expect([statusCode, message]).toEqual(said?.slice(1));
  expect(details).toBe(DETAILS);
});

test('an error has no details where none are given', () => {
  expect(new LoginError('body_missing').details).toEqual({});
});

describe('an error carries what it is made of', () => {
  const cause = new Error('x');
  const made = { code: 'lookup_status', details: { a: { b: ['c'] } }, cause };

  test.each<[string, (error: LoginError) => void]>([
    ['nothing', () => {}],
    ['its fields', (error) => Object.assign(error, { code: 'authorized', details: { a: 2 }, cause: 'y' })],
    ['its details', ({ details }) => Object.assign(details, { a: 2, requestId: 'forged' })],
    ['what is deep in its details', ({ details }) => (details.a as { b: string[] }).b.push('forged')],
  ])('where a handler changes %s', (_, change) => {
    const error = new LoginError('lookup_status', { a: { b: ['c'] } }, { cause });
    change(error);
    expect(LoginError.made(error)).toEqual(made);
    expect(asLoginError(error)).toMatchObject(made);
    expect(asLoginError(error)).not.toBe(error);
  });

  test.each<[string, object]>([
    [
      'that throw when read',
      {
        get host() {
          throw new Error('x');
        },
      },
    ],
    ['that are no JSON', { host: 1n }],
    ['of many characters', { host: 'x'.repeat(20_000) }],
  ])('but no details %s', (_, details) => {
    const error = new LoginError('lookup_status', { details });
    expect(LoginError.made(error)).toEqual({ code: 'lookup_status', details: {} });
  });

  test('with details up to a length', () => {
    const details = { host: 'x'.repeat(20_000 - '{"host":""}'.length) };
    expect(LoginError.made(new LoginError('lookup_status', details))?.details).toEqual(details);
  });
});

describe('what was thrown', () => {
  const error = new LoginError('body_missing');

  test.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['its code', 'body_missing'],
    ['an object', {}],
    ['an error of another kind', new Error('x')],
    ['a function', () => error],
    ['an object that inherits from it', Object.create(error)],
    ['a proxy of it', new Proxy(error, {})],
  ])('is not an error of ours: %s', (_, thrown) => {
    expect(LoginError.made(thrown)).toBeNull();
    const made = asLoginError(thrown);
    expect(made).toMatchObject({ code: 'internal_error', details: {} });
    expect(made.cause).toBe(thrown);
  });
});

type LookUp = ConstructorParameters<typeof LookUpFailed>;

test.each<[LookUp, object, number | null]>([
  [['lookup_timed_out', 'people.example'], { host: 'people.example' }, null],
  [['lookup_status', 'people.example', 503], { host: 'people.example', lookUpStatus: 503 }, 503],
  [
    ['lookup_unexpected', 'people.example', 200, ['expected a valid string']],
    { host: 'people.example', lookUpStatus: 200, problems: ['expected a valid string'] },
    200,
  ],
])('a look-up that failed: %j', (made, details, status) => {
  const error = new LookUpFailed(...made);
  expect(error).toMatchObject({ code: made[0], host: 'people.example', status });
  expect(error.details).toEqual(details);
});

type Secret = ConstructorParameters<typeof SecretFailed>;

test.each<[Secret, object]>([
  [['secret_not_found', 'db'], { secretId: 'db' }],
  [['secret_unusable', 'db', ['expected text']], { secretId: 'db', problems: ['expected text'] }],
  [
    ['secret_throttled', 'db', undefined, 'ThrottlingException'],
    { secretId: 'db', cause: 'ThrottlingException' },
  ],
])('a secret that is not available: %j', (made, details) => {
  const error = new SecretFailed(...made);
  expect(error).toMatchObject({ code: made[0], secretId: 'db' });
  expect(error.details).toEqual(details);
});

describe('requirements', () => {
  const CHECKS: Check<number, ReasonCode>[] = [
    { code: 'token_expired', holds: (age) => age < 10, details: (age) => ({ age }) },
    { code: 'token_malformed', holds: (age) => age >= 0 },
  ];

  test.each<[number, object | null]>([
    [5, null],
    [20, { code: 'token_expired', details: { age: 20 } }],
    [-1, { code: 'token_malformed', details: {} }],
  ])('of %i', (age, refusal) => {
    const check = () => requireAll(CHECKS, age);
    if (refusal) expect(check).toThrow(expect.objectContaining(refusal));
    else expect(check).not.toThrow();
  });

  test('the first that does not hold is the reason', () => {
    const never = CHECKS.map((check) => ({ ...check, holds: () => false }));
    expect(() => requireAll(never, 5)).toThrow(expect.objectContaining({ code: 'token_expired' }));
  });
});
