/** What leaves of a handler's response, and of an error. */
import { describe, expect, test } from '@jest/globals';
import type { ExternalId, LoginContext, Middleware } from '../../lib/login/login.ts';
import { respond } from '../../lib/login/respond.ts';
import { WORDS as ENGLISH, type Words } from '../../lib/messages/en.ts';
import { filled, type Language } from '../../lib/messages/languages.ts';
import { withDecision } from '../../lib/profile/decision.ts';
import type { ProfileField } from '../../lib/profile/fields/fields.ts';
import { error, forbidden } from '../../lib/profile/response.ts';
import { LoginError } from '../../lib/reasons.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import { OWN_WORDS } from '../../tools/shared/ownWords.ts';
import { loginThrough } from '../support/oneLogin.ts';

const REFERENCE = ' (Reference: request-1)';
const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const ADA = { type: 'AuthorizedUserResponse', ...PROFILE };
const WHOLE = { ...ADA, image_url: null, affiliation: null, user_group_uuids: [] };
const trace = () => ({ fields: {}, received: { names: [], others: 0 } });

const identifies = (externalId: ExternalId | null): Middleware => ({
  before({ context }) {
    context.login.externalId = externalId;
    return undefined;
  },
});

const prefers = (preferredLanguage: string | null): Middleware => ({
  before({ context }) {
    context.login.preferredLanguage = preferredLanguage;
    return undefined;
  },
});

function answered(
  handler: (event: unknown, context: LoginContext) => unknown,
  {
    names = 'snake_case',
    language = 'en',
    before = [] as Middleware[],
  }: { names?: 'snake_case' | 'camelCase'; language?: Language; before?: readonly Middleware[] } = {},
) {
  const settings = { responseNames: names, requiredFields: REQUIRABLE_FIELDS, messageLanguage: language };
  return loginThrough([respond(settings), ...before], {}, { handler });
}

describe('a profile', () => {
  const full = {
    ...WHOLE,
    image_url: 'https://people.example/a.png',
    affiliation: 'Uni',
    external_id: 'a-1',
    external_label: 'ada',
  };

  test('leaves with the names of the contract', async () => {
    const { response, login } = await answered(() => ADA);
    expect(response).toEqual(WHOLE);
    expect(login.outcome).toEqual({
      type: 'AuthorizedUserResponse',
      reason: 'authorized',
      statusCode: 200,
      details: { groupsGiven: 0 },
      trace: null,
    });
  });

  test.each<[object, object]>([
    [ADA, { imageUrl: null, affiliation: null, userGroupUuids: [] }],
    [
      full,
      {
        imageUrl: full.image_url,
        affiliation: 'Uni',
        userGroupUuids: [],
        externalId: 'a-1',
        externalLabel: 'ada',
      },
    ],
    [
      { ...ADA, external_label: null },
      { imageUrl: null, affiliation: null, userGroupUuids: [], externalLabel: null },
    ],
  ])('leaves with the other names where the setting says so: %j', async (given, others) => {
    const { response } = await answered(() => given, { names: 'camelCase' });
    expect(response).toEqual({
      type: 'AuthorizedUserResponse',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.org',
      ...others,
    });
  });

  test('names what does not leave in its record, and how many groups do', async () => {
    const user_group_uuids = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30'];
    const { login } = await answered(() => ({ ...ADA, user_group_uuids, role: 'staff' }));
    expect(login.outcome?.details).toEqual({ groupsGiven: 1, droppedFields: ['role'] });
  });

  test('has the identifier that a setting names', async () => {
    const { response } = await answered(() => ADA, { before: [identifies({ source: 'sub', value: 'a-1' })] });
    expect(response).toEqual({ ...WHOLE, external_id: 'a-1' });
  });

  test('does not leave without that identifier', async () => {
    const { response, login } = await answered(() => ADA, {
      before: [identifies({ source: 'sub', value: null })],
    });
    expect(response).toEqual({
      type: 'ErrorResponse',
      message: `Your identity provider did not send a permanent identifier for you.${REFERENCE}`,
    });
    expect(login).toMatchObject({
      missing: ['external_id'],
      outcome: { reason: 'external_id_missing', statusCode: 422, details: { source: 'sub' } },
    });
  });
});

describe('the words of a refusal', () => {
  const decided = (message: string, preferredLanguage: string | null = null) =>
    withDecision({ ...refusal(message), words: { sentence: (words) => words.no_group, preferredLanguage } });
  const operators = (message: string) => withDecision(refusal(message));
  const refusal = (message: string) =>
    ({ response: forbidden(message), reason: 'rule_refused', missing: ['affiliation'], trace }) as const;

  test.each<[string, () => object, string]>([
    ['a default refusal', () => ({ type: 'ForbiddenResponse' }), `${forbidden().message}${REFERENCE}`],
    ['a default error', () => error(), `${error().message}${REFERENCE}`],
    ['a handler’s own', () => forbidden('Ask Ada.'), 'Ask Ada.'],
    ['a handler’s own error', () => error('Ask Ada.'), 'Ask Ada.'],
    ['a mapping’s', () => decided(ENGLISH.no_group), `${ENGLISH.no_group}${REFERENCE}`],
    ['an operator’s, in a mapping', () => operators('Ask Ada.'), 'Ask Ada.'],
    ['a mapping’s, changed', () => ({ ...decided(ENGLISH.no_group), message: 'Ask Ada.' }), 'Ask Ada.'],
    ['an operator’s default words', () => operators(forbidden().message), forbidden().message],
    [
      'an operator’s, changed to the default ones',
      () => ({ ...operators('Ask Ada.'), message: forbidden().message }),
      `${forbidden().message}${REFERENCE}`,
    ],
  ])('%s: the reference is added to what is ours', async (_, handler, message) => {
    const { response } = await answered(handler, { names: 'camelCase' });
    expect(response).toMatchObject({ message });
    expect(Object.keys(response as object)).toEqual(['type', 'message']);
  });

  const throwing = () => {
    throw new LoginError('handler_timed_out');
  };

  test.each<[string, () => object, string | null, Language, keyof Words, Language]>([
    ['a mapping’s', () => decided(ENGLISH.no_group, 'cs_CZ'), null, 'en', 'no_group', 'cs'],
    ['a mapping’s, copied', () => ({ ...decided(ENGLISH.no_group, 'fr') }), 'de', 'en', 'no_group', 'fr'],
    [
      'a mapping’s, in no language of ours',
      () => decided(ENGLISH.no_group, 'it'),
      null,
      'de',
      'no_group',
      'de',
    ],
    ['a default refusal', () => ({ type: 'ForbiddenResponse' }), 'es-MX', 'en', 'forbidden', 'es'],
    ['a default error', () => error(), null, 'fr', 'not_completed', 'fr'],
    ['a default error to an English reader', () => error(), 'en-GB', 'fr', 'not_completed', 'en'],
    ['an error of ours', throwing, 'de', 'en', 'timed_out', 'de'],
  ])('%s: for who prefers a language', async (_, handler, preferred, language, key, expected) => {
    const { response } = await answered(handler, { language, before: [prefers(preferred)] });
    const { [key]: text, reference } = OWN_WORDS[expected];
    expect(response).toMatchObject({ message: `${text} ${filled(reference, { requestId: 'request-1' })}` });
  });

  test('an operator’s are never translated', async () => {
    const { response } = await answered(() => operators('Ask Ada.'), {
      language: 'de',
      before: [prefers('cs')],
    });
    expect(response).toMatchObject({ message: 'Ask Ada.' });
  });

  test('a decision’s reason, trace and missing fields are the login’s', async () => {
    const { login } = await answered(() => decided('Not in a group.'));
    expect(login).toMatchObject({
      missing: ['affiliation'],
      outcome: { type: 'ForbiddenResponse', reason: 'rule_refused', statusCode: 200, details: {}, trace },
    });
  });
});

describe('the fields that are missing', () => {
  type Fields = readonly ProfileField[] | null;
  const FOUND = { source: 'sub', value: 'a-1' };
  const ABSENT = { source: 'sub', value: null };

  test.each<[decided: Fields | undefined, looked: Fields, externalId: ExternalId | null, expected: Fields]>([
    [undefined, null, null, null],
    [undefined, ['email'], null, ['email']],
    [['affiliation'], ['email'], null, ['affiliation']],
    [null, ['email'], null, null],
    [undefined, null, FOUND, []],
    [undefined, ['email'], FOUND, ['email']],
    [undefined, null, ABSENT, ['external_id']],
    [['email', 'user_group_uuids'], null, ABSENT, ['email', 'external_id', 'user_group_uuids']],
    [['user_group_uuids'], null, ABSENT, ['external_id', 'user_group_uuids']],
  ])('of a decision: %j, of the last mapping: %j, the identifier %j: %j', async (...row) => {
    const [missing, looked, externalId, expected] = row;
    const response = { type: 'ForbiddenResponse', message: 'Ask Ada.' } as const;
    const handler = (_: unknown, { login }: LoginContext) => {
      login.invocation.missing = looked;
      return missing === undefined
        ? response
        : withDecision({ response, reason: 'rule_refused', missing, trace });
    };
    const { login } = await answered(handler, { before: [identifies(externalId)] });
    expect(login.missing).toEqual(expected);
  });
});

describe('an error', () => {
  test('of ours leaves with its words, status and details', async () => {
    const cause = new Error('SECRET');
    const {
      response,
      login,
      error: thrown,
    } = await answered(() => {
      throw new LoginError('handler_timed_out', { a: 1 }, { cause });
    });
    expect(thrown).toBeNull();
    expect(response).toEqual({
      type: 'ErrorResponse',
      message: `Your login took too long. Please try again.${REFERENCE}`,
    });
    expect(login.outcome).toEqual({
      type: 'ErrorResponse',
      reason: 'handler_timed_out',
      statusCode: 504,
      details: { a: 1 },
      trace: null,
      cause,
    });
  });

  test('of a response that is none', async () => {
    const { response, login } = await answered(() => ({ ...ADA, email: 'SECRET' }));
    expect(response).toEqual({
      type: 'ErrorResponse',
      message: `${error().message}${REFERENCE}`,
    });
    expect(login.outcome).toMatchObject({
      reason: 'answer_invalid',
      details: { problems: ['email: expected an e-mail address'] },
    });
  });

  test('that nobody foresaw says nothing of itself', async () => {
    const thrown = new Error('SECRET');
    const { response, login } = await answered(() => {
      throw thrown;
    });
    expect(response).toEqual({
      type: 'ErrorResponse',
      message: `${error().message}${REFERENCE}`,
    });
    expect(login.outcome).toMatchObject({ reason: 'internal_error', statusCode: 500, cause: thrown });
  });
});
