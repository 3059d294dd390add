import { expect, test } from '@jest/globals';
import { awsFailure } from '../../tools/shared/awsAccess.ts';

test.each([
  [{ name: 'CredentialsProviderError' }, /^no AWS credentials: log in/],
  [{ name: 'ExpiredTokenException' }, /^the AWS credentials have expired: log in/],
  [{ name: 'UnrecognizedClientException' }, /^AWS does not know these credentials: log in/],
  [{ name: 'InvalidSignatureException' }, /clock of this machine/],
  [
    { code: 'ENOTFOUND', hostname: 'lambda.eu.amazonaws.com' },
    /^AWS cannot be reached at lambda\.eu\.amazonaws\.com \(.*\): check the region, the network/,
  ],
  [{ name: 'TimeoutError' }, /^AWS cannot be reached \(.*\): check/],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /set NODE_EXTRA_CA_CERTS to /],
])('what to do about %j', (error, sentence) => {
  expect(awsFailure(error)).toMatch(sentence);
});

test('credentials that a profile does not have are told with its name', () => {
  process.env.AWS_PROFILE = 'campsu';
  try {
    expect(awsFailure({ name: 'CredentialsProviderError' })).toMatch(
      /^no AWS credentials in the profile campsu: /,
    );
  } finally {
    delete process.env.AWS_PROFILE;
  }
});

test('what is of the request itself is left to the command', () => {
  expect(awsFailure({ name: 'ResourceNotFoundException' })).toBe(null);
});
