/** What may stand in the place of a secret's name. */
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../lib/readSettings.ts';
import { isSecretId } from '../lib/settings.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';
const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test.each([
  'signing',
  'login-hooks/signing',
  'Login_Hooks/prod/signing.key@2+x=',
  'loginhooks/production/signing/secret',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'own/whsec_name',
  KEY.slice(1),
  `signing-${KEY}`,
  `${KEY}-signing`,
  `${ARN}login-hooks/signing-AbCdEf`,
  `${ARN}${KEY}-AbCdEf`,
  'arn:aws-us-gov:secretsmanager:us-gov-west-1:123456789012:secret:a',
  'x-'.repeat(256),
])('%j names a secret', (text) => {
  expect(isSecretId(text)).toBe(true);
});

test.each([
  '',
  '*',
  'a*',
  ' a',
  `\${AWS::AccountId}`,
  `${ARN}*`,
  `${ARN}a*`,
  `x${ARN}a`,
  'arn:aws:s3:::bucket',
  'x-'.repeat(257),
  `whsec_${KEY}`,
  'whsec_short',
  'whsk_x',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
  KEY,
  `${KEY}==`,
  `ab/${KEY.slice(3)}`,
  `A${'a'.repeat(31)}`,
  'd2f1a9c4'.repeat(6),
  '{"key":"x"}',
  '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
])('%j names no secret', (text) => {
  expect(isSecretId(text)).toBe(false);
});

test.each([
  ['SIGNING_SECRET_ID', `whsec_${KEY}`],
  ['SIGNING_SECRET_ID', KEY],
  ['SECRET_IDS', KEY],
  ['SECRET_IDS', `login-hooks/a, whsec_${KEY}`],
  ['SECRET_IDS', ','],
  ['SECRET_IDS', 'a,*'],
])('%s=%s is unusable, and is shown nowhere', (name, value) => {
  const { problems, settings } = readConfiguration('OpenID', { [name]: value });
  expect(problems).toEqual([
    expect.stringMatching(new RegExp(`^${name}: expected .* not the secret itself`)),
  ]);
  expect(JSON.stringify([problems, settings])).not.toContain(KEY);
});
