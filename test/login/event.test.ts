/** From the wire form of an event to the model that handlers get. */
import { expect, test } from '@jest/globals';
import { parseEvent } from '../../lib/login/event.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { readConfiguration } from '../../lib/settings.ts';
import { loginThrough } from '../support/oneLogin.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

const parse = parseEvent(OPENID, readConfiguration('OpenID', { OPENID_EXTERNAL_ID: 'sub' }).settings);

test('the handler gets the model; the login has issuer, identifier and language, whatever the handler changes', async () => {
  const handler = (event: unknown) => {
    const changed = { iss: 'changed', sub: 'changed', other_claims: { locale: 'de' } };
    Object.assign((event as OpenIdUserLoggedInEvent).id_token, changed);
  };
  const sent = openIdEvent();
  sent.idToken.otherClaims.locale = 'cs';
  const { events, login } = await loginThrough([parse], sent, { handler });
  expect(events).toMatchObject([{ access_token: 'access-token-1', id_token: { aud: ['client-1'] } }]);
  expect(login).toMatchObject({
    issuer: 'https://idp.example.org',
    externalId: { source: 'sub', value: 'subject-1' },
    preferredLanguage: 'cs',
    transientId: null,
  });
});

test('the login of an assertion has its issuer, and no identifier where the setting is off', async () => {
  const parseSaml = parseEvent(SAML, readConfiguration('SAML', {}).settings);
  const { login } = await loginThrough([parseSaml], samlEvent());
  const { nameIDValue } = samlEvent().assertion.assertionSubject.subjectNameID;
  expect(login).toMatchObject({
    issuer: 'https://idp.example.org/saml',
    externalId: null,
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
  const { events, error, login } = await loginThrough([parse], event);
  expect(events).toEqual([]);
  expect(error).toMatchObject({ code: 'event_invalid', details: { problems } });
  expect(login).toMatchObject({ issuer: null, externalId: null });
});
