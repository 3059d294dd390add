/** How a decision travels with its response, and to those who listen; and what a handler does to one response shows in no other. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { handleOpenIdUserLoggedIn } from '../../lib/sdk.ts';
import { openIdEvent } from '../support/wire.ts';
import { G1 } from './decided.ts';

const openIdLogin = () => v.parse(OpenIdUserLoggedInEvent, openIdEvent());

test('who listens gets each decision, with its event, and when it begins', () => {
  const heard: unknown[] = [];
  const hear = (message: unknown) => void heard.push(message);
  const event = openIdLogin();
  subscribe('login-hooks:decision', hear);
  const response = handleOpenIdUserLoggedIn(event);
  unsubscribe('login-hooks:decision', hear);
  handleOpenIdUserLoggedIn(event);
  const decision = decisionOf(response);
  expect(heard).toEqual([
    { event, decision: null },
    { event, decision, mapping: null },
  ]);
});

test('the names that arrived are those before the handler changes its event', () => {
  const event = openIdLogin();
  const decision = decisionOf(handleOpenIdUserLoggedIn(event));
  event.id_token.other_claims.late = 'x';
  expect(decision?.explain().received.names).not.toContain('late');
});

test('a group that is added to one response is no group of the next person', () => {
  const first = handleOpenIdUserLoggedIn(openIdLogin());
  if (first.type !== 'AuthorizedUserResponse') throw new Error(first.message);
  first.user_group_uuids.push(G1);
  expect(handleOpenIdUserLoggedIn(openIdLogin())).toMatchObject({ user_group_uuids: [] });
});
