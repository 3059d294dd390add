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

test('anything else that is thrown is an internal error', () => {
  const error = asLoginError(null);
  expect(error).toMatchObject({ code: 'internal_error', details: {} });
  expect(error.cause).toBe(null);
});
