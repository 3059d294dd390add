/** How a decision travels with its response, and to those who listen; and what a handler does to one response shows in no other. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { type Decision, decisionOf, withDecision } from '../../lib/profile/decision.ts';
import { authorizedUser, forbidden } from '../../lib/profile/response.ts';
import { handleOpenIdUserLoggedIn } from '../../lib/sdk.ts';
import { openIdEvent } from '../support/wire.ts';
import { G1 } from './decided.ts';

const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };

function decisionBy(reason: Decision['reason'], type: Decision['type']): Decision {
  const explain = () => ({ fields: {}, received: { names: [], others: 0 } });
  return { reason, type, words: null, missing: [], explain };
}

test('a refusal keeps it in a copy, whatever else is changed', () => {
  const decision = decisionBy('rule_refused', 'ForbiddenResponse');
  const response = withDecision(forbidden('No.'), decision);
  expect(decisionOf(response)).toBe(decision);
  expect(decisionOf({ ...response, message: 'Never.' })).toBe(decision);
  expect(JSON.stringify(response)).toBe('{"type":"ForbiddenResponse","message":"No."}');
});

test('an authorized response has it, and compares as if it had none', () => {
  const decision = decisionBy('authorized', 'AuthorizedUserResponse');
  const response = withDecision(authorizedUser(ADA), decision);
  expect(decisionOf(response)).toBe(decision);
  expect(response).toEqual(authorizedUser(ADA));
  expect(decisionOf({ ...response })).toBeUndefined();
});

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
