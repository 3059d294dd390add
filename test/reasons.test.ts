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
} from '../lib/reasons.ts';

describe('the person', () => {
  const words = (code: ReasonCode) => new LoginError(code).message;

  test('reads what to do where that depends on the person, or on the provider', () => {
    expect(words('groups_unknown')).toBe('Your identity provider did not say which groups you are in.');
    expect(words('handler_timed_out')).toBe('Your login took too long. Please try again.');
  });

  test('does not read which check refused the sign-in', () => {
    const checks = Object.keys(REASONS).filter((code) => /^(?:token|assertion)_/.test(code)) as ReasonCode[];
    const same = 'Your sign-in could not be confirmed. Please sign in again.';
    expect(new Set(checks.map(words))).toEqual(new Set([same]));
  });

  test('does not read which system failed, or how', () => {
    const outside = Object.keys(REASONS).filter((code) => /^(?:lookup|secret)_/.test(code)) as ReasonCode[];
    const same =
      'Your login failed because another system did not respond as expected. Please try again later.';
    expect(new Set(outside.map(words))).toEqual(new Set([same]));
  });

  test('reads that the login failed where the handler has no words of its own', () => {
    expect(words('internal_error')).toBe(
      'Your login failed. Please try again. If it fails again, contact the people who run this service.',
    );
    expect(words('forbidden')).toBe(words('internal_error'));
  });
});

describe('the developers of the service', () => {
  test('read the limit that a body exceeds', () => {
    expect(new LoginError('body_too_large', { maxBytes: 2_000 })).toMatchObject({
      statusCode: 413,
      message: "The request's body is too large: expected at most 2000 bytes.",
    });
  });

  test('read each problem of an event', () => {
    const problems = ['a: expected a string', 'b: expected an integer'];
    expect(new LoginError('event_invalid', { problems })).toMatchObject({
      statusCode: 422,
      message: 'The login event is not valid. a: expected a string; b: expected an integer.',
    });
  });
});

test('an error has no details where none are given', () => {
  expect(new LoginError('body_missing').details).toEqual({});
});

test.each<[string, unknown]>([
  ['null', null],
  ['its code', 'body_missing'],
  ['an error of another kind', new Error('x')],
])('what was thrown is a mistake in this bundle where it is no error of ours: %s', (_, thrown) => {
  const error = asLoginError(thrown);
  expect(error).toMatchObject({ code: 'internal_error', details: {} });
  expect(error.cause).toBe(thrown);
});

test('an error of ours is its own reason', () => {
  const error = new LoginError('body_missing');
  expect(asLoginError(error)).toBe(error);
});

test('a look-up that failed tells the host, and what is known of the response', () => {
  expect(new LookUpFailed('lookup_timed_out', 'people.example')).toMatchObject({
    ...{ code: 'lookup_timed_out', host: 'people.example', status: null },
    details: { host: 'people.example' },
  });
  const error = new LookUpFailed('lookup_unexpected', 'people.example', 200, ['expected a valid string']);
  expect(error).toMatchObject({ code: 'lookup_unexpected', host: 'people.example', status: 200 });
  expect(error.details).toEqual({
    ...{ host: 'people.example', lookUpStatus: 200 },
    problems: ['expected a valid string'],
  });
});

test('a secret that is not available tells its id, and what is known of the failure', () => {
  const known = (...more: [string[]?, string?]) => new SecretFailed('secret_unusable', 'db', ...more);
  expect(known()).toMatchObject({ code: 'secret_unusable', secretId: 'db' });
  expect(known().details).toEqual({ secretId: 'db' });
  expect(known(['expected text']).details).toEqual({ secretId: 'db', problems: ['expected text'] });
  expect(known(undefined, 'Throttling').details).toEqual({ secretId: 'db', cause: 'Throttling' });
});

describe('requirements', () => {
  const CHECKS: Check<number, ReasonCode>[] = [
    { code: 'token_expired', holds: (age) => age < 10, details: (age) => ({ age }) },
    { code: 'token_malformed', holds: (age) => age >= 0 },
  ];

  test('that all hold refuse nothing', () => {
    expect(() => requireAll(CHECKS, 5)).not.toThrow();
  });

  test.each([
    ['that tells details', 20, { code: 'token_expired', details: { age: 20 } }],
    ['that tells nothing', -1, { code: 'token_malformed', details: {} }],
  ])('of which one %s does not hold', (_, age, refusal) => {
    expect(() => requireAll(CHECKS, age)).toThrow(expect.objectContaining(refusal));
  });

  test('the first that does not hold is the reason', () => {
    const never = CHECKS.map((check) => ({ ...check, holds: () => false }));
    expect(() => requireAll(never, 5)).toThrow(expect.objectContaining({ code: 'token_expired' }));
  });
});
