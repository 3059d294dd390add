/** What the default handlers decide: an identifier that a setting names, and what an assertion says of its address. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { handleOpenIdUserLoggedIn, handleSamlUserLoggedIn } from '../../lib/sdk.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

// Read once for each kind of login.
process.env.OPENID_EXTERNAL_ID = 'sub';

test('an identifier has no issuer in front', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  expect(handleOpenIdUserLoggedIn(event)).toMatchObject({ external_id: event.id_token.sub });
});

test('an address that an assertion calls verified stays unproven', () => {
  const wire = samlEvent();
  wire.assertion.assertionAttributeStatement.push(attribute('emailVerified', 'true'));
  const response = handleSamlUserLoggedIn(v.parse(SamlUserLoggedInEvent, wire));
  expect(decisionOf(response)?.explain().fields.email).toMatchObject({ note: 'unproven' });
});
