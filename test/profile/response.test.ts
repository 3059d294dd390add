/** What of an answer leaves: one address a person, names and images that a page can show; and how its decision travels with it. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { WORDS } from '../../lib/messages/en.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import {
  authorizedUser,
  defaultWords,
  error,
  forbidden,
  responseSchema,
} from '../../lib/profile/response.ts';
import { handleOpenIdUserLoggedIn } from '../../lib/sdk.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import { openIdEvent } from '../support/wire.ts';
import { G1, openId } from './decided.ts';

const UserLoginResponse = responseSchema(REQUIRABLE_FIELDS);

const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const ADA = { type: 'AuthorizedUserResponse', ...PROFILE };

/** What becomes of these fields; undefined where they are refused. */
const left = (fields: Record<string, unknown>) => {
  const { success, output } = v.safeParse(UserLoginResponse, { ...ADA, ...fields });
  return success ? output : undefined;
};

const problemsOf = (response: unknown) =>
  v.safeParse(UserLoginResponse, response).issues?.map(({ message }) => message);

test.each([
  'a@b',
  'jürgen@uni.example',
  "o'brien+x@uni.example",
  'กำ@uni.example',
  'ada@a﴾b.example',
  '@x.example'.padStart(320, 'x'),
])('the e-mail address %s leaves as it is', (email) => {
  expect(left({ email })).toMatchObject({ email });
});

test.each([
  ...[null, '', 'ada', '@example.org', 'ada@', 'a@b@c', 'a b@c', 'a@b\n', 'ada\u0000@uni.example', 1, []],
  '@x.example'.padStart(321, 'x'),
])('%j is no e-mail address', (email) => {
  expect(problemsOf({ ...ADA, email })).toEqual(['expected an e-mail address']);
});

test.each([
  ['fullwidth letters', 'ada@ｅxample.org'],
  ['an ideographic full stop', 'ada@example。org'],
  ['a letter in the place of ASCII', 'ſam@uni.example'],
])('an e-mail address with %s is refused', (_, email) => {
  expect(problemsOf({ ...ADA, email })).toEqual([
    'expected an e-mail address without compatibility characters',
  ]);
});

test.each(REQUIRABLE_FIELDS)('nobody without %s leaves', (field) => {
  expect(left({ [field]: undefined })).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['first_name', 1, 'expected a string'],
  ['last_name', null, 'expected a string'],
  ['image_url', 1, 'expected a string or null'],
  ['affiliation', 1, 'expected a string or null'],
  ['user_group_uuids', 'x', 'expected an array'],
  ['user_group_uuids', ['x'], 'expected a UUID'],
])('%s is not %j', (field, value, expected) => {
  expect(problemsOf({ ...ADA, [field]: value })).toEqual([expected]);
});

test.each([
  ['with marks of its script', 'علي\u200f 👩‍🔬', 'علي\u200f 👩‍🔬'],
  ['without control characters', 'A\u0000d\u001ba\r\n\u0085', 'Ada'],
])('a name or an affiliation leaves %s', (_, given, text) => {
  const all = (value: string) => ({ first_name: value, last_name: value, affiliation: value });
  expect(left(all(given))).toMatchObject(all(text));
});

const LONG_URL = 'https://example.org/'.padEnd(100_000, 'x');

test.each([
  ['an address', 'https://example.org/ada.png?size=96#x', true],
  ['an address without TLS', 'http://example.org', true],
  ['a script', 'javascript:alert(1)', false],
  ['a script with a tab', 'java\tscript:alert(1)', false],
  ['a page', 'data:text/html,x', false],
  ['100,000 characters', LONG_URL, true],
  ['100,001 characters', `${LONG_URL}x`, false],
])('an image that is %s', (_, image_url, leaves) => {
  expect(left({ image_url })).toMatchObject({ image_url: leaves ? image_url : null });
});

describe('a response as a handler writes it', () => {
  test('has no image, affiliation and groups where none are given', () => {
    const others = { image_url: null, affiliation: null, user_group_uuids: [] };
    expect(authorizedUser(PROFILE)).toEqual({ ...ADA, ...others });
  });

  test.each([
    [forbidden, 'ForbiddenResponse', 'forbidden'],
    [error, 'ErrorResponse', 'not_completed'],
  ] as const)('has a neutral sentence where no message is given: %#', (make, type, words) => {
    expect(make()).toEqual({ type, message: WORDS[words] });
    expect(v.parse(UserLoginResponse, { type })).toEqual(make());
    expect(defaultWords(make().message)).toBe(words);
    for (const own of ['No.', '']) expect(defaultWords(make(own).message)).toBeNull();
  });

  test('of a mapping gives each group once, in lower case', () => {
    const table = [G1.toUpperCase(), G1].map((uuid) => ({ group: 'staff', uuid }));
    const { response } = openId({ groups: { from: ['groups'], table } }, { groups: ['staff'] });
    expect(response).toMatchObject({ user_group_uuids: [G1] });
  });

  const ONE_OF_THREE = 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse';

  test.each<[unknown, string]>([
    [{ type: 'Nobody' }, ONE_OF_THREE],
    [Object.assign([], ADA), ONE_OF_THREE],
    [{ type: 'ErrorResponse', message: 7 }, 'expected a string'],
    [{ ...ADA, external_id: ' \n' }, 'expected a string that is not empty'],
    [{ type: 'ErrorResponse', message: 'x'.repeat(10_001) }, 'expected at most 10000 characters'],
  ])('is refused with words that say what was expected: %#', (response, message) => {
    expect(problemsOf(response)).toEqual([message]);
  });
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
