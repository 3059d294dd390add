/** What a handler may return, what leaves of it, and of an error; and how a handler may wrap a mapping. */
import { describe, expect, test } from '@jest/globals';
import { readEvent } from '../../lib/login/event.ts';
import type { Facts, Middleware } from '../../lib/login/login.ts';
import { respond } from '../../lib/login/respond.ts';
import { WORDS as ENGLISH, type Words } from '../../lib/messages/en.ts';
import { format, type Language } from '../../lib/messages/languages.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { type Decision, withDecision } from '../../lib/profile/decision.ts';
import { error, forbidden } from '../../lib/profile/response.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { LoginError } from '../../lib/reasons.ts';
import { handleOpenIdUserLoggedIn, mapOpenIdLogin, type OpenIdUserLoggedInEvent } from '../../lib/sdk.ts';
import { REQUIRABLE_FIELDS, type Settings } from '../../lib/settings.ts';
import { OWN_WORDS } from '../../tools/explain/ownWords.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';
import { openIdEvent } from '../support/wire.ts';

const REFERENCE = ' (Reference: request-1)';
const STAFF = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const NAMES = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const ADA = { type: 'AuthorizedUserResponse', ...NAMES } as const;
const IMAGE = { image_url: 'https://people.example/a' };
const WHOLE = { ...ADA, image_url: null, affiliation: null, user_group_uuids: [] };

const SETTINGS = { responseNames: 'snake_case', requiredFields: [], messageLanguage: 'cs' } as const;

interface Given extends Partial<Settings> {
  facts?: Partial<Facts>;
}

/** What leaves of what a handler returns. */
function answered(handler: () => unknown, { facts, ...given }: Given = {}) {
  const own = { ...SETTINGS, requiredFields: REQUIRABLE_FIELDS, messageLanguage: 'en' } as const;
  const issuer = 'https://idp.example';
  const all = { issuer, preferredLanguage: null, externalId: null, transientId: null, ...facts };
  const read: Middleware = {
    before({ context }) {
      context.login.facts = all;
    },
  };
  return loginThrough([respond({ ...own, ...given }), read], {}, { handler });
}

/** The same, as a record has it. */
async function outcomeOf(returned: unknown, given: Given = {}) {
  const { login, response } = await answered(() => returned, given);
  return { response, ...login.outcome };
}

const refusal = (message: string, words: Decision['words'] = null) =>
  withDecision(forbidden(message), {
    ...{ type: 'ForbiddenResponse', reason: 'rule_refused', missing: null, words },
    explain: () => ({ fields: {}, received: { names: [], others: 0 } }),
  });
const ours = (message: string) => refusal(message, { message, sentence: (words) => words.no_group });

describe('a profile', () => {
  const IDENTIFIER = { external_id: 'a-1', external_label: null };

  test.each<[what: string, given: object, leaves: object]>([
    ['the least', {}, {}],
    ['groups, in lower case', { user_group_uuids: [STAFF.toUpperCase()] }, { user_group_uuids: [STAFF] }],
    ['an identifier', IDENTIFIER, IDENTIFIER],
  ])('leaves with the names of the contract: %s', async (_, given, leaves) => {
    expect(await outcomeOf({ ...ADA, ...given })).toMatchObject({
      reason: 'authorized',
      response: { ...WHOLE, ...leaves },
    });
  });

  test('leaves with other names where the setting says so', async () => {
    const { response } = await outcomeOf({ ...WHOLE, ...IDENTIFIER }, { responseNames: 'camelCase' });
    expect(response).toEqual({
      ...{ type: 'AuthorizedUserResponse', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' },
      ...{ imageUrl: null, affiliation: null, userGroupUuids: [], externalId: 'a-1', externalLabel: null },
    });
  });

  test('of a handler’s own has no explanation, and names nothing as missing', async () => {
    expect(await outcomeOf({ ...ADA, user_group_uuids: [STAFF] })).toEqual({
      response: { ...WHOLE, user_group_uuids: [STAFF] },
      ...{ type: ADA.type, reason: 'authorized', statusCode: 200, details: { groupsGiven: 1 } },
      decision: null,
    });
  });
});

const ONE_OF_THREE = 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse';
const { first_name: _, ...nameless } = ADA;

test.each<[unknown, string]>([
  [null, `${ONE_OF_THREE}; found null`],
  [undefined, `${ONE_OF_THREE}; found undefined`],
  [{ ...ADA, type: undefined }, `type: ${ONE_OF_THREE}`],
  [{ ...ADA, email: 'SECRET' }, 'email: expected an e-mail address'],
  [{ ...ADA, user_group_uuids: [undefined] }, 'user_group_uuids[0]: expected a UUID'],
  [nameless, 'first_name: expected a string (missing)'],
])('refused: %p', async (given, problem) => {
  expect(await outcomeOf(given)).toMatchObject({
    ...{ reason: 'answer_invalid', statusCode: 500, details: { problems: [problem] } },
    response: { type: 'ErrorResponse', message: `${error().message}${REFERENCE}` },
  });
});

test('a profile leaves without what the setting does not require', async () => {
  const { response } = await outcomeOf(nameless, { requiredFields: ['email'] });
  expect(response).toEqual({ ...WHOLE, first_name: null });
});

test.each<[string, object, string[] | undefined]>([
  ['fields of another system', { ...ADA, role: 'staff', department: 'IT' }, ['department', 'role']],
  ['a field that may be somebody’s data', { ...ADA, 'ada@example.org': 1, role: 1 }, ['role', '1 more']],
  ['an image that cannot be shown', { ...ADA, image_url: 'javascript:alert(1)' }, ['image_url']],
  ['an image that can be shown', { ...ADA, ...IMAGE }, undefined],
  ['an image beside a refusal', { type: 'ForbiddenResponse', image_url: 'x' }, ['image_url']],
])('of %s, these do not leave', async (_, given, droppedFields) => {
  expect((await outcomeOf(given)).details?.droppedFields).toEqual(droppedFields);
});

test('a decision of a default handler or a mapping is the reason', async () => {
  const decision = { type: 'ForbiddenResponse', reason: 'rule_refused' };
  expect(await outcomeOf(refusal('No.'))).toMatchObject({ ...decision, decision, details: {} });
});

describe('the identifier that a setting names', () => {
  const own = (external_id: string) => ({ ...ADA, external_id });
  const sub = { source: 'sub', value: 'subject-1' };
  const absent = { source: 'subject_id', value: null };
  const persistent = { source: 'persistent_name_id', value: null };
  const problems = [expect.stringMatching(/^The NameID is transient.*persistent NameID/)];
  const ofNameId = { source: 'persistent_name_id', problems };
  const ofHandler = { source: 'handler', problems };

  test.each<[string, object, Partial<Facts>, string | undefined]>([
    ['is added', ADA, { externalId: sub }, 'subject-1'],
    ['leaves the handler’s own', own('own'), { externalId: sub, transientId: '_t' }, 'own'],
    ['may end like the transient NameID', own('a_t'), { transientId: '_t' }, 'a_t'],
    ['may end like nothing', own('https://a|null'), {}, 'https://a|null'],
    ['is not asked of a refusal', { type: 'ForbiddenResponse' }, { externalId: absent }, undefined],
  ])('%s', async (_, given, facts, external_id) => {
    const { response, reason } = await outcomeOf(given, { facts });
    expect((response as { external_id?: string }).external_id).toBe(external_id);
    expect(response).not.toHaveProperty('external_label');
    expect(reason).not.toBe('external_id_missing');
  });

  test.each<[string, object, Partial<Facts>, object]>([
    ['it is not there', ADA, { externalId: absent, transientId: '_t' }, { source: 'subject_id' }],
    ['the NameID is of another format', ADA, { externalId: persistent }, { source: 'persistent_name_id' }],
    ['the NameID is transient', ADA, { externalId: persistent, transientId: '_t' }, ofNameId],
    ['the handler’s own is transient', own(' _t '), { transientId: '_t' }, ofHandler],
    ['it is transient behind an issuer', own('https://a|_t'), { transientId: '_t' }, ofHandler],
  ])('lets no profile leave where %s', async (_, given, facts, details) => {
    const { details: told, response, ...outcome } = await outcomeOf(given, { facts });
    const message = `${ENGLISH.external_id_missing}${REFERENCE}`;
    expect(response).toEqual({ type: 'ErrorResponse', message });
    expect(outcome).toMatchObject({ reason: 'external_id_missing', statusCode: 422 });
    expect(told).toEqual(details);
  });

  test('is not asked of a login whose event nobody read', async () => {
    const { response } = await loginThrough([respond(SETTINGS)], {}, { handler: () => ADA });
    expect(response).toEqual(WHOLE);
  });
});

describe('the words of a refusal', () => {
  const DEFAULT = forbidden().message;

  test.each<[string, object, string]>([
    ['a default refusal', { type: 'ForbiddenResponse' }, `${DEFAULT}${REFERENCE}`],
    ['a handler’s own', forbidden('Ask Ada.'), 'Ask Ada.'],
    ['a mapping’s', ours(ENGLISH.no_group), `${ENGLISH.no_group}${REFERENCE}`],
    ['an operator’s, with two', refusal('{reference}, {reference}'), 'request-1, request-1'],
  ])('%s: the reference is added to what is ours', async (_, given, message) => {
    const { response } = await outcomeOf(given, { responseNames: 'camelCase' });
    expect(response).toEqual({ type: (given as { type: string }).type, message });
  });

  const throwing = () => {
    throw new LoginError('handler_timed_out');
  };

  test.each<[string, () => object, string | null, Language, keyof Words, Language]>([
    ['a mapping’s', () => ours(ENGLISH.no_group), 'cs_CZ', 'en', 'no_group', 'cs'],
    ['a default error to an English reader', () => error(), 'en-GB', 'fr', 'not_completed', 'en'],
    ['an error of ours', throwing, 'de', 'en', 'timed_out', 'de'],
  ])('%s: for who prefers a language', async (...row) => {
    const [, handler, preferredLanguage, messageLanguage, key, expected] = row;
    const { response, login } = await answered(handler, { messageLanguage, facts: { preferredLanguage } });
    const { [key]: text, reference } = OWN_WORDS[expected];
    expect(response).toMatchObject({ message: `${text} ${format(reference, { requestId: 'request-1' })}` });
    expect(login.outcome?.language).toBe(expected);
  });
});

describe('an error', () => {
  test('that nobody foresaw says nothing of itself', async () => {
    const thrown = new Error('SECRET');
    const { response, login } = await answered(() => {
      throw thrown;
    });
    expect(response).toEqual({ type: 'ErrorResponse', message: `${error().message}${REFERENCE}` });
    expect(login.outcome).toMatchObject({ reason: 'internal_error', statusCode: 500, cause: thrown });
  });

  test('before the event is read is told in the language of the setting', async () => {
    const before = () => {
      throw new LoginError('body_missing');
    };
    const { response } = await loginThrough([respond(SETTINGS), { before }], {});
    expect((response as { message: string }).message).toContain(OWN_WORDS.cs.body_missing);
  });
});

describe('reason, explanation and reference are those of the answer that leaves', () => {
  const mapped = mapOpenIdLogin({
    affiliation: ['org'],
    groups: { from: ['groups'] },
    rules: [{ any_group: ['staff'] }, { no_group: ['suspended'] }],
  });
  const other = mapOpenIdLogin({ rules: [{ any_group: ['nobody'], message: 'Ask Ada.' }] });
  const { settings } = readConfiguration('OpenID', {});

  async function leaving(handler: (event: OpenIdUserLoggedInEvent) => unknown, groups: string[]) {
    const event = openIdEvent();
    Object.assign(event.idToken.otherClaims, { groups });
    const path = [respond(settings), readEvent(startedFunction({ kind: OPENID }), [])];
    const { response, login } = await loginThrough(path, event, { handler: handler as never });
    const { type, reason, decision } = login.outcome ?? {};
    const { message } = response as { message?: string };
    return {
      ...{ type, reason, rule: decision?.explain().rule },
      decided: decision?.type === type ? undefined : decision?.reason,
      hasReference: String(message).endsWith(REFERENCE),
    };
  }

  const REFUSED = {
    ...{ type: 'ForbiddenResponse', reason: 'rule_refused', rule: 'rules[1].no_group', decided: undefined },
    hasReference: true,
  };
  const AUTHORIZED = {
    ...REFUSED,
    type: ADA.type,
    reason: 'authorized',
    rule: undefined,
    hasReference: false,
  };

  test.each<[string, (event: OpenIdUserLoggedInEvent) => unknown, object]>([
    ['hands it on', mapped, REFUSED],
    ['copies the answer', (event) => ({ ...mapped(event) }), REFUSED],
    [
      'asks others after',
      (event) => [mapped(event), other(event), handleOpenIdUserLoggedIn(event)][0],
      REFUSED,
    ],
    [
      'changes the message',
      (event) => Object.assign(mapped(event), { message: 'Please call the help desk.' }),
      { ...REFUSED, hasReference: false },
    ],

    [
      'authorizes who was refused',
      (event) => ({ ...mapped(event), ...ADA }),
      { ...AUTHORIZED, rule: 'rules[1].no_group', decided: 'rule_refused' },
    ],
  ])('of a refusal, a handler that %s', async (_, handler, expected) => {
    expect(await leaving(handler, ['staff', 'suspended'])).toEqual(expected);
  });

  test('of an authorization, a handler that hands it on', async () => {
    expect(await leaving(mapped, ['staff'])).toEqual(AUTHORIZED);
  });
});
