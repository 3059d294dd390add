/** From what arrives to the model that handlers get. */
import { expect, test } from '@jest/globals';
import { readEvent } from '../../lib/login/event.ts';
import { httpEnvelope } from '../../lib/login/http.ts';
import type { Guard } from '../../lib/login/login.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { LoginError } from '../../lib/reasons.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const { settings } = readConfiguration('OpenID', { OPENID_EXTERNAL_ID: 'sub' });
const openId = (...guards: Guard[]) => readEvent(startedFunction({ kind: OPENID, settings }), guards);

test('the handler gets the model; the login has what it needs of the event, whatever the handler changes', async () => {
  const handler = (event: unknown) => {
    const changed = { iss: 'changed', sub: 'changed', other_claims: { locale: 'de' } };
    Object.assign((event as OpenIdUserLoggedInEvent).id_token, changed);
  };
  const sent = openIdEvent();
  sent.idToken.otherClaims.locale = 'cs';
  const { events, login } = await loginThrough([openId()], sent, { handler });
  expect(events).toMatchObject([{ access_token: 'access-token-1', id_token: { aud: ['client-1'] } }]);
  expect(login.facts).toEqual({
    issuer: 'https://idp.example.org',
    externalId: { source: 'sub', value: 'subject-1' },
    preferredLanguage: 'cs',
    transientId: null,
  });
});

test('of an assertion too, without an identifier where the setting is off', async () => {
  const { login } = await loginThrough([readEvent(startedFunction({ kind: SAML }), [])], samlEvent());
  const { nameIDValue } = samlEvent().assertion.assertionSubject.subjectNameID;
  expect(login.facts).toEqual({
    issuer: 'https://idp.example.org/saml',
    externalId: null,
    preferredLanguage: null,
    transientId: nameIDValue,
  });
});

test.each<[string, unknown, string[]]>([
  ['a field of another type', { ...openIdEvent(), expiresIn: 'soon' }, ['expiresIn: expected an integer']],
  [
    'two fields that are missing',
    { accessToken: 'access-token-1', idToken: openIdEvent().idToken, expiresIn: 3_600 },
    ['tokenType: expected a string (missing)', 'idTokenJwt: expected a string (missing)'],
  ],
  ['text', 'an event', ['expected an object']],
  ['nothing', null, ['expected an object']],
])('%s calls no handler, and says what was expected', async (_, event, problems) => {
  const { events, error, login } = await loginThrough([openId()], event);
  expect(events).toEqual([]);
  expect(error).toMatchObject({ code: 'event_invalid', details: { problems } });
  expect(login.facts).toBeNull();
});

test('a request passes each guard in turn before its body is read; a direct event passes none', async () => {
  const asked: unknown[] = [];
  const first: Guard = async ({ body }) => void asked.push(['first', body]);
  const second: Guard = () => {
    asked.push('second');
    throw new LoginError('signature_wrong');
  };
  const third: Guard = () => void asked.push('third');
  const guarded = [httpEnvelope, openId(first, second, third)];
  const { error, events } = await loginThrough(guarded, overHttp('no JSON'));
  expect(error?.code).toBe('signature_wrong');
  expect(events).toEqual([]);
  expect(asked).toEqual([['first', 'no JSON'], 'second']);
  expect((await loginThrough(guarded, openIdEvent())).events).toHaveLength(1);
  expect(asked).toHaveLength(2);
});

test('a request that passes is the event in its body', async () => {
  const { events } = await loginThrough([httpEnvelope, openId(() => {})], overHttp(openIdEvent()));
  expect(events).toMatchObject([{ access_token: 'access-token-1' }]);
});
