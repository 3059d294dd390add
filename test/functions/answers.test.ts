/** What the operator gets to see of a login. */
import { expect, test } from '@jest/globals';
import { REQUEST_ID } from '../../tools/local/process/functionProcess.ts';
import { login } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

test('the records of a login say what was decided, by what, for whose person', async () => {
  const { records } = await login('samlLoggedIn', samlEvent());
  expect(records).toEqual([
    {
      level: 'INFO',
      event: 'cold_start',
      function: 'samlLoggedIn',
      handler: 'default',
      callerCheck: 'iam',
      samlAssertionCheck: 'off',
      requiredFields: ['email', 'first_name', 'last_name'],
    },
    {
      level: 'INFO',
      event: 'login',
      requestId: REQUEST_ID,
      function: 'samlLoggedIn',
      answer: 'AuthorizedUserResponse',
      reason: 'authorized',
      status: 200,
      durationMs: expect.any(Number),
      coldStart: true,
      handler: 'default',
      issuer: 'https://idp.example.org/saml',
      groupsGiven: 0,
      missingCount: 0,
    },
  ]);
});

test('the reference is added to what is ours, also where a custom handler passes it on', async () => {
  const env = { SAML_HANDLER_MODULE: 'handlers/staff-group' };
  for (const options of [{}, { env }]) {
    const { answer } = await login('samlLoggedIn', samlEvent([]), options);
    expect(answer.message).toMatch(new RegExp(` \\(Reference: ${REQUEST_ID}\\)$`));
  }
});

test('a thrown error is shown by class and frames, its message at debug level only', async () => {
  const module = await customHandler(`export default () => { throw new RangeError('SECRET') }`);
  const env = { OPENID_HANDLER_MODULE: module };
  const quiet = await login('openidLoggedIn', openIdEvent(), { env });
  expect(quiet.output).not.toContain('SECRET');
  expect(quiet.records.at(-1)).toMatchObject({
    level: 'ERROR',
    reason: 'handler_threw',
    error: { class: 'RangeError', frames: expect.arrayContaining([expect.stringContaining(module)]) },
  });
  const loud = await login('openidLoggedIn', openIdEvent(), {
    env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' },
  });
  expect(loud.records.at(-1)).toMatchObject({ event: 'login_error_message', message: 'SECRET' });
});
