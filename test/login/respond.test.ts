/** What leaves of a handler's response, and of an error. */
import { describe, expect, test } from '@jest/globals';
import type { ExternalId, Middleware } from '../../lib/login/login.ts';
import { respond } from '../../lib/login/respond.ts';
import { withDecision } from '../../lib/profile/decision.ts';
import { authorizedUser, error, forbidden } from '../../lib/profile/response.ts';
import { LoginError } from '../../lib/reasons.ts';
import { REQUIRABLE_FIELDS } from '../../lib/settings.ts';
import { loginThrough } from '../support/oneLogin.ts';

const REFERENCE = ' (Reference: request-1)';
const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const ADA = { type: 'AuthorizedUserResponse', ...PROFILE };
const WHOLE = { ...ADA, image_url: null, affiliation: null, user_group_uuids: [] };
const trace = () => ({ fields: {}, received: { names: [], others: 0 } });

const identifies = (externalId: ExternalId): Middleware => ({
  before({ context }) {
    context.login.externalId = externalId;
    return undefined;
  },
});

function answered(
  handler: () => unknown,
  {
    names = 'snake_case',
    before = [] as Middleware[],
  }: { names?: 'snake_case' | 'camelCase'; before?: Middleware[] } = {},
) {
  const settings = { responseNames: names, requiredFields: REQUIRABLE_FIELDS };
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
    expect(login.response).toEqual(WHOLE);
    expect(login.outcome).toEqual({
      type: 'AuthorizedUserResponse',
      reason: 'authorized',
      statusCode: 200,
      details: {},
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

  test('has what its own mapping grants, or else the last one of the login', async () => {
    const [own, last] = [() => ({ rules: ['own'], rows: {} }), () => ({ rules: ['last'], rows: {} })];
    const decided = () =>
      withDecision({
        response: authorizedUser(PROFILE),
        ...{ reason: 'authorized', missing: [], grants: own, trace },
      });
    const before: Middleware[] = [
      {
        before({ context }) {
          context.login.invocation.grants = last;
          return undefined;
        },
      },
    ];
    expect((await answered(decided, { before })).login.grants).toBe(own);
    expect((await answered(() => ADA, { before })).login.grants).toBe(last);
    expect((await answered(() => ADA)).login.grants).toBeNull();
  });

  test('names what does not leave in its record', async () => {
    const { login } = await answered(() => ({ ...ADA, role: 'staff' }));
    expect(login.outcome?.details).toEqual({ droppedFields: ['role'] });
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
      response: null,
      missing: ['external_id'],
      outcome: { reason: 'external_id_missing', statusCode: 422, details: { source: 'sub' } },
    });
  });
});

describe('the words of a refusal', () => {
  const decided = (message: string, isOperatorsMessage?: boolean) =>
    withDecision({
      response: forbidden(message),
      reason: 'rule_refused',
      missing: ['affiliation'],
      ...(isOperatorsMessage !== undefined && { isOperatorsMessage }),
      trace,
    });

  test.each<[string, () => object, string]>([
    ['a default refusal', () => ({ type: 'ForbiddenResponse' }), `${forbidden().message}${REFERENCE}`],
    ['a default error', () => error(), `${error().message}${REFERENCE}`],
    ['a handler’s own', () => forbidden('Ask Ada.'), 'Ask Ada.'],
    ['a handler’s own error', () => error('Ask Ada.'), 'Ask Ada.'],
    ['a mapping’s', () => decided('Not in a group.'), `Not in a group.${REFERENCE}`],
    ['an operator’s, in a mapping', () => decided('Ask Ada.', true), 'Ask Ada.'],
    ['a mapping’s, changed', () => ({ ...decided('Not in a group.'), message: 'Ask Ada.' }), 'Ask Ada.'],
    ['an operator’s default words', () => decided(forbidden().message, true), forbidden().message],
    [
      'an operator’s, changed to the default ones',
      () => ({ ...decided('Ask Ada.', true), message: forbidden().message }),
      `${forbidden().message}${REFERENCE}`,
    ],
  ])('%s: the reference is added to what is ours', async (_, handler, message) => {
    const { response, login } = await answered(handler, { names: 'camelCase' });
    expect(response).toMatchObject({ message });
    expect(Object.keys(response as object)).toEqual(['type', 'message']);
    expect(login.response).toEqual({ ...(response as object), message: message.replace(REFERENCE, '') });
  });

  test('a decision’s reason, trace and missing fields are the login’s', async () => {
    const { login } = await answered(() => decided('Not in a group.'));
    expect(login).toMatchObject({
      missing: ['affiliation'],
      outcome: { type: 'ForbiddenResponse', reason: 'rule_refused', statusCode: 200, details: {}, trace },
    });
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
