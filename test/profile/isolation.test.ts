/** What a handler does to one response shows in no other. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import {
  authorizedUser,
  handleOpenIdUserLoggedIn,
  handleSamlUserLoggedIn,
  mapOpenIdLogin,
  mapSamlLogin,
} from '../../lib/sdk.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

const openIdLogin = () => v.parse(OpenIdUserLoggedInEvent, openIdEvent());
const samlLogin = () => v.parse(SamlUserLoggedInEvent, samlEvent());
const openIdMapping = mapOpenIdLogin({});
const samlMapping = mapSamlLogin({});
const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

test.each([
  ['the default handler of OpenID', () => handleOpenIdUserLoggedIn(openIdLogin())],
  ['the default handler of SAML', () => handleSamlUserLoggedIn(samlLogin())],
  ['a mapping of OpenID', () => openIdMapping(openIdLogin())],
  ['a mapping of SAML', () => samlMapping(samlLogin())],
])('a group that is added to the response of %s is no group of the next person', (_, respond) => {
  const first = respond();
  if (first.type !== 'AuthorizedUserResponse') throw new Error(first.message);
  first.user_group_uuids.push(GROUP);
  expect(respond()).toMatchObject({ user_group_uuids: [] });
});

test('a list that a handler gives to authorizedUser stays its own', () => {
  const groups = [GROUP];
  const profile = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
  authorizedUser({ ...profile, user_group_uuids: groups }).user_group_uuids.push(GROUP);
  expect(groups).toEqual([GROUP]);
});
