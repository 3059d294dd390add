/** Why a login ends: the status and the words of each reason. */
import { describe, expect, test } from '@jest/globals';
import { asLoginError, LoginError, REASONS, type ReasonCode } from '../lib/reasons.ts';

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
