/** From what arrives to the model that handlers get. */
import { expect, test } from '@jest/globals';
import { readEvent } from '../../lib/login/event.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

const { settings } = readConfiguration('OpenID', { OPENID_EXTERNAL_ID: 'sub' });
const openId = readEvent(startedFunction({ kind: OPENID, settings }), []);

test('the handler gets the model; the login has what it needs of the event, whatever the handler changes', async () => {
  const handler = (event: unknown) => {
    const changed = { iss: 'changed', sub: 'changed', other_claims: { locale: 'de' } };
    Object.assign((event as OpenIdUserLoggedInEvent).id_token, changed);
  };
  const sent = openIdEvent();
  sent.idToken.otherClaims.locale = 'cs';
  const { events, login } = await loginThrough([openId], sent, { handler });
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

test('a field of another type calls no handler, and says what was expected', async () => {
  const { events, error, login } = await loginThrough([openId], { ...openIdEvent(), expiresIn: 'soon' });
  expect(events).toEqual([]);
  const problems = ['expiresIn: expected an integer'];
  expect(error).toMatchObject({ code: 'event_invalid', details: { problems } });
  expect(login.facts).toBeNull();
});
