import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { handleOpenIdUserLoggedIn } from '../../../lib/automation/openid/handler.ts';
import { getEmail, getFirstName, getLastName } from '../../../lib/automation/openid/helpers.ts';
import { OpenIdUserLoggedInEvent } from '../../../lib/automation/openid/model.ts';
import { openIdEvent } from '../../support/wire.ts';

const ADA = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };

function eventWith(claims: Record<string, unknown>) {
  const event = openIdEvent();
  event.idToken.otherClaims = claims;
  return v.parse(OpenIdUserLoggedInEvent, event);
}

test('authorizes whoever has an e-mail address and both names', () => {
  expect(handleOpenIdUserLoggedIn(eventWith(ADA))).toEqual({
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    image_url: null,
    affiliation: null,
    user_group_uuids: [],
  });
});

test.each([
  [{ ...ADA, email: undefined }, 'e-mail address'],
  [{ ...ADA, given_name: undefined }, 'first name'],
  [{ ...ADA, family_name: '' }, 'last name'],
  [{}, 'e-mail address, first name, last name'],
])('with the claims %p, says what is missing', (claims, missing) => {
  expect(handleOpenIdUserLoggedIn(eventWith(claims))).toEqual({
    type: 'ErrorResponse',
    message: `Your identity provider did not send: ${missing}.`,
  });
});

describe.each([
  ['getEmail', getEmail, 'email', 'ada@example.org'],
  ['getFirstName', getFirstName, 'given_name', 'Ada'],
  ['getLastName', getLastName, 'family_name', 'Lovelace'],
] as const)('%s', (_, helper, claim, value) => {
  test('finds its claim', () => {
    expect(helper(eventWith({ [claim]: value }))).toBe(value);
  });

  test.each([undefined, null, '', 1, true, {}, [[value]]])('finds nothing in %p', (other) => {
    expect(helper(eventWith(other === undefined ? {} : { [claim]: other }))).toBeNull();
  });
});

test.each(['ada', '@example.org', 'a@b@c', 'a b@example.org'])('getEmail finds no address in %p', (email) => {
  expect(getEmail(eventWith({ email }))).toBeNull();
});
