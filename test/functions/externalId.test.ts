/** A permanent identifier of the person, for receivers that know one. */
import { describe, expect, test } from '@jest/globals';
import { answerOf, type FunctionName, login, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

describe('of an assertion', () => {
  test('comes from the source that the setting names alone', async () => {
    const event = samlEvent();
    const { subjectNameID } = event.assertion.assertionSubject;
    await withFunction('samlLoggedIn', { env: { SAML_EXTERNAL_ID: 'persistent_name_id' } }, async (fn) => {
      Object.assign(subjectNameID, { nameIDFormat: 'Persistent', nameIDValue: 'p-1' });
      expect((await answerOf(fn, event)).answer).toMatchObject({ external_id: 'p-1' });
      Object.assign(subjectNameID, { nameIDFormat: 'Transient' });
      const { answer, record } = await answerOf(fn, event);
      const source = 'persistent_name_id';
      expect(record).toMatchObject({ reason: 'external_id_missing', status: 422, source });
      expect(answer).toMatchObject({
        type: 'ErrorResponse',
        message: expect.stringContaining('did not send a permanent identifier for you'),
      });
    });
  });

  test('is asked of nobody who is refused', async () => {
    const env = {
      SAML_EXTERNAL_ID: 'subject_id',
      SAML_HANDLER_MODULE: await customHandler('export default () => ({ type: "ForbiddenResponse" })'),
    };
    expect((await login('samlLoggedIn', samlEvent(), { env })).record?.reason).toBe('forbidden');
  });
});

test('of an ID token is its sub, and is sent where the setting says so alone', async () => {
  const { answer } = await login('openidLoggedIn', openIdEvent(), { env: { OPENID_EXTERNAL_ID: 'sub' } });
  expect(answer).toMatchObject({ external_id: openIdEvent().idToken.sub });
  expect((await login('openidLoggedIn', openIdEvent())).answer).not.toHaveProperty('external_id');
  const nobody = openIdEvent();
  nobody.idToken.sub = '';
  const { record } = await login('openidLoggedIn', nobody, { env: { OPENID_EXTERNAL_ID: 'sub' } });
  expect(record?.reason).toBe('external_id_missing');
});

test('is taken before a handler changes the event, and a handler’s own stays', async () => {
  const module = await customHandler(`
    export default ({ id_token }) => {
      const { own } = id_token.other_claims;
      id_token.sub = 'changed';
      return {
        type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b', ...own };
    };`);
  const env = { OPENID_EXTERNAL_ID: 'sub', OPENID_HANDLER_MODULE: module, RESPONSE_NAMES: 'camelCase' };
  await withFunction('openidLoggedIn', { env }, async (fn) => {
    const answered = async (own: object) => {
      const event = openIdEvent();
      Object.assign(event.idToken.otherClaims, { own });
      return answerOf(fn, event);
    };
    const { sub } = openIdEvent().idToken;
    expect((await answered({})).answer).toMatchObject({ externalId: sub });
    const own = { external_id: 'own', external_label: 'Ada\u0000' };
    expect((await answered(own)).answer).toMatchObject({ externalId: 'own', externalLabel: 'Ada' });
    expect((await answered({ external_label: null })).answer).toMatchObject({ externalLabel: null });
    expect((await answered({ external_id: '' })).record?.reason).toBe('answer_invalid');
    expect((await answered({ external_id: 7 })).record?.reason).toBe('answer_invalid');
  });
});

test.each<[FunctionName, Record<string, string>]>([
  ['openidLoggedIn', { OPENID_EXTERNAL_ID: 'email' }],
  ['samlLoggedIn', { SAML_EXTERNAL_ID: 'name_id' }],
])('another source is unusable configuration: %s %j', async (name, env) => {
  const event = name === 'openidLoggedIn' ? openIdEvent() : samlEvent();
  expect((await login(name, event, { env })).record?.reason).toBe('configuration_unusable');
});
