/** A handler may wrap a mapping as it likes: reason, explanation and reference are those of the answer that leaves. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readEvent } from '../../lib/login/event.ts';
import { respond } from '../../lib/login/respond.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { handleOpenIdUserLoggedIn, mapOpenIdLogin, type OpenIdUserLoggedInEvent } from '../../lib/sdk.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { openIdEvent } from '../support/wire.ts';

const mapped = mapOpenIdLogin({
  affiliation: ['org'],
  groups: { from: ['groups'] },
  rules: [{ any_group: ['staff'] }, { no_group: ['suspended'] }],
});
const other = mapOpenIdLogin({ rules: [{ any_group: ['nobody'], message: 'Ask Ada.' }] });
const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const message = 'Please call the help desk.';

const { settings } = readConfiguration('OpenID', {});

function eventOf(groups: string[]) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { groups });
  return event;
}

async function leaving(handler: (event: OpenIdUserLoggedInEvent) => unknown, groups: string[]) {
  const path = [respond(settings), readEvent(startedFunction({ kind: OPENID }), [])];
  const { response, login } = await loginThrough(path, eventOf(groups), { handler: handler as never });
  const { type, reason, decision } = login.outcome ?? {};
  const { message } = response as { message?: string };
  return {
    ...{ type, reason, rule: decision?.explain().rule },
    decided: decision?.type === type ? undefined : decision?.reason,
    hasReference: String(message).endsWith('(Reference: request-1)'),
  };
}

const REFUSED = {
  ...{ type: 'ForbiddenResponse', reason: 'rule_refused', rule: 'rules[1].no_group', decided: undefined },
  hasReference: true,
};
const OWN_WORDS = { ...REFUSED, hasReference: false };
const OWN = { ...OWN_WORDS, reason: 'forbidden', rule: undefined };
const AUTHORIZED = { ...OWN, type: 'AuthorizedUserResponse', reason: 'authorized' };
const ERROR = { ...OWN_WORDS, type: 'ErrorResponse', reason: 'error', decided: 'rule_refused' };

test.each<[string, (event: OpenIdUserLoggedInEvent) => unknown, object]>([
  ['hands it on', mapped, REFUSED],
  ['passes a copy of the event', (event) => mapped({ ...event }), REFUSED],
  ['passes a clone of the event', (event) => mapped(structuredClone(event)), REFUSED],
  ['passes a frozen event', (event) => mapped(Object.freeze(event)), REFUSED],
  ['copies the answer', (event) => ({ ...mapped(event) }), REFUSED],
  ['freezes the answer', (event) => Object.freeze(mapped(event)), REFUSED],
  ['waits for it', async (event) => await mapped(event), REFUSED],
  ['asks another mapping before', (event) => [other(event), mapped(event)][1], REFUSED],
  [
    'asks others after',
    (event) => [mapped(event), other(event), handleOpenIdUserLoggedIn(event)][0],
    REFUSED,
  ],
  ['asks the default after', (event) => [mapped(event), handleOpenIdUserLoggedIn(event)][1], AUTHORIZED],
  ['changes the message', (event) => Object.assign(mapped(event), { message }), OWN_WORDS],
  ['changes the message of a copy', (event) => ({ ...mapped(event), message }), OWN_WORDS],
  ['hands on an operator’s message', other, { ...OWN_WORDS, rule: 'rules[0].any_group' }],
  [
    'authorizes who was refused',
    (event) => ({ ...mapped(event), type: 'AuthorizedUserResponse', ...ADA }),
    { ...AUTHORIZED, rule: 'rules[1].no_group', decided: 'rule_refused' },
  ],
  [
    'makes an error of it',
    (event) => Object.assign(mapped(event), { type: 'ErrorResponse', message }),
    ERROR,
  ],
  ['answers by itself', () => ({ type: 'ForbiddenResponse', message }), OWN],
  ['answers after a mapping', (event) => [mapped(event), { type: 'ForbiddenResponse', message }][1], OWN],
])('of a refusal, a handler that %s', async (_, handler, expected) => {
  expect(await leaving(handler, ['staff', 'suspended'])).toEqual(expected);
});

test.each<[string, (event: OpenIdUserLoggedInEvent) => unknown, object]>([
  ['hands it on', mapped, AUTHORIZED],
  ['copies the answer', (event) => ({ ...mapped(event) }), AUTHORIZED],
  ['freezes the answer', (event) => Object.freeze(mapped(event)), AUTHORIZED],
  [
    'asks others after',
    (event) => [mapped(event), other(event), handleOpenIdUserLoggedIn(event)][0],
    AUTHORIZED,
  ],
  [
    'makes an error of it',
    (event) => Object.assign(mapped(event), { type: 'ErrorResponse', message }),
    { ...ERROR, rule: undefined, decided: 'authorized' },
  ],
])('of an authorization, a handler that %s', async (_, handler, expected) => {
  expect(await leaving(handler, ['staff'])).toEqual(expected);
});

test('an authorized answer compares as a whole with what it holds', () => {
  const event = v.parse(OPENID.model, eventOf(['staff']));
  const nothing = { image_url: null, affiliation: null, user_group_uuids: [] };
  expect(mapped(event)).toEqual({ type: 'AuthorizedUserResponse', ...ADA, ...nothing });
});
