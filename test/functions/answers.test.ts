/** What the caller, the person and the operator get to see of a login. */
import { describe, expect, test } from '@jest/globals';
import { REQUEST_ID } from '../../tools/local/process/functionProcess.ts';
import { answerOf, login, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const ADA = { type: 'AuthorizedUserResponse', email: 'ada@example.org' };

describe('the names of the answer’s fields', () => {
  test('are those of the contract by default', async () => {
    const { answer } = await login('openidLoggedIn', openIdEvent());
    expect(answer).toEqual({
      ...ADA,
      first_name: 'Ada',
      last_name: 'Lovelace',
      image_url: null,
      affiliation: null,
      user_group_uuids: [],
    });
  });

  test.each([openIdEvent(), overHttp(openIdEvent())])(
    'are camelCase where the setting says so',
    async (event) => {
      const { answer } = await login('openidLoggedIn', event, { env: { RESPONSE_NAMES: 'camelCase' } });
      expect(answer).toEqual({
        ...ADA,
        firstName: 'Ada',
        lastName: 'Lovelace',
        imageUrl: null,
        affiliation: null,
        userGroupUuids: [],
      });
    },
  );
});

describe('the reference', () => {
  test('ends the runtime’s messages and those of the default handlers, and is in the log', async () => {
    for (const event of [samlEvent([]), {}]) {
      const { answer, records } = await login('samlLoggedIn', event);
      expect(answer.message).toMatch(new RegExp(` \\(Reference: ${REQUEST_ID}\\)$`));
      expect(records.at(-1)).toMatchObject({ requestId: REQUEST_ID });
    }
  });

  test.each(['ForbiddenResponse', 'ErrorResponse'])(
    'is not added to what a custom handler wrote: %s',
    async (type) => {
      const env = {
        SAML_HANDLER_MODULE: await customHandler(
          `export default () => ({ type: '${type}', message: 'As it is' })`,
        ),
      };
      const { answer } = await login('samlLoggedIn', samlEvent(), { env });
      expect(answer).toEqual({ type, message: 'As it is' });
    },
  );
});

test('the reference is added where a custom handler passes on what is ours', async () => {
  const neutral = await customHandler(`export default () => ({ type: 'ForbiddenResponse' })`);
  for (const module of [neutral, 'handlers/staff-group']) {
    const { answer } = await login('samlLoggedIn', samlEvent([]), { env: { SAML_HANDLER_MODULE: module } });
    expect(answer.message).toContain(`(Reference: ${REQUEST_ID})`);
  }
});

describe('the log line of a login', () => {
  test('says what was decided, by what, for whose person', async () => {
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

  test('names the fields that the handler gave and that did not leave', async () => {
    const module = await customHandler(`
      export default ({ id_token }) => ({
        type: 'AuthorizedUserResponse',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.org',
        ...id_token.other_claims.answer,
      });`);
    await withFunction('openidLoggedIn', { env: { OPENID_HANDLER_MODULE: module } }, async (fn) => {
      const dropped = async (answer: object) => {
        const event = openIdEvent();
        Object.assign(event.idToken.otherClaims, { answer });
        return (await answerOf(fn, event)).record?.droppedFields;
      };
      expect(await dropped({ image_url: 'https://x.example/a.png' })).toBeUndefined();
      expect(await dropped({ image_url: 'javascript:alert(1)' })).toEqual(['image_url']);
      expect(await dropped({ user_groups: [], 'ada@example.org': 1 })).toEqual(['user_groups', '1 more']);
    });
  });

  test('is one line whatever the issuer holds, and bounded', async () => {
    const event = openIdEvent();
    event.idToken.iss = `https://x\n{"event":"login","answer":"forged"}\u2028${'y'.repeat(100_000)}`;
    const { records, output } = await login('openidLoggedIn', event);
    expect(records).toHaveLength(2);
    expect(output.length).toBeLessThan(2_000);
  });

  test('shows a thrown error by class and frames, its message at debug level only', async () => {
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
    expect(loud.records.at(-1)).toMatchObject({
      level: 'DEBUG',
      event: 'login_error_message',
      message: 'SECRET',
    });
  });
});

describe('an unusable configuration', () => {
  test.each([
    ['OPENID_HANDLER_MODULE', ''],
    ['RESPONSE_NAMES', 'PascalCase'],
  ])('%s=%j responds to every login with an error, and is logged at cold start', async (name, value) => {
    await withFunction('openidLoggedIn', { env: { [name]: value } }, async (fn) => {
      expect(await fn.invoke(openIdEvent())).toMatchObject({ type: 'ErrorResponse' });
      expect(await fn.invoke(overHttp(openIdEvent(), { headers: {} }))).toMatchObject({ statusCode: 500 });
      expect(fn.records()[0]).toMatchObject({
        level: 'ERROR',
        event: 'cold_start',
        reason: 'configuration_unusable',
        problems: [expect.stringContaining(name)],
      });
    });
  });
});

test('an unusable setting of the other kind of login stops nobody', async () => {
  const env = { OPENID_HANDLER_MODULE: '', OPENID_TOKEN_CHECK: 'on' };
  expect((await login('samlLoggedIn', samlEvent(), { env })).record?.reason).toBe('authorized');
});

test('a login after a self-test is not a cold start', async () => {
  await withFunction('openidLoggedIn', {}, async (fn) => {
    await fn.invoke({ selfTest: true });
    expect((await answerOf(fn, openIdEvent())).record?.coldStart).toBe(false);
  });
});
