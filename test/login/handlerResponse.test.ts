/** What a handler may return, and what leaves of it. */
import { describe, expect, test } from '@jest/globals';
import { readResponse as read, withExternalId } from '../../lib/login/handlerResponse.ts';
import { withDecision } from '../../lib/profile/decision.ts';
import {
  authorizedUser,
  error,
  forbidden,
  responseSchema,
  type UserLoginResponse,
} from '../../lib/profile/response.ts';
import { asLoginError, type ReasonCode } from '../../lib/reasons.ts';
import { REQUIRABLE_FIELDS, type RequiredField } from '../../lib/settings.ts';

const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const ADA = { type: 'AuthorizedUserResponse', ...PROFILE };
const WHOLE = { ...ADA, image_url: null, affiliation: null, user_group_uuids: [] };
const STAFF = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ONE_OF_THREE = 'expected an AuthorizedUserResponse, a ForbiddenResponse or an ErrorResponse';

const readResponse = (given: unknown, required: readonly RequiredField[] = REQUIRABLE_FIELDS) =>
  read(given, responseSchema(required));

function refusalOf(...given: Parameters<typeof readResponse>): { code: string; details: object } | null {
  try {
    readResponse(...given);
    return null;
  } catch (thrown) {
    const { code, details } = asLoginError(thrown);
    return { code, details };
  }
}

const invalid = (...problems: string[]) => ({ code: 'answer_invalid', details: { problems } });

test.each<[string, unknown, ReasonCode, object]>([
  ['a profile', ADA, 'authorized', WHOLE],
  [
    'a profile with groups',
    { ...ADA, user_group_uuids: [STAFF] },
    'authorized',
    { ...WHOLE, user_group_uuids: [STAFF] },
  ],
  [
    'a refusal',
    { type: 'ForbiddenResponse', message: 'No.' },
    'forbidden',
    { type: 'ForbiddenResponse', message: 'No.' },
  ],
  ['a refusal without words', { type: 'ForbiddenResponse' }, 'forbidden', forbidden()],
  [
    'an error',
    { type: 'ErrorResponse', message: 'Later.' },
    'error',
    { type: 'ErrorResponse', message: 'Later.' },
  ],
])('a handler of plain code returns %s', (_, given, reason, response) => {
  expect(readResponse(given)).toEqual({
    response,
    decision: undefined,
    reason,
    trace: null,
    droppedFields: [],
  });
});

describe('a decision of a default handler or a mapping', () => {
  const trace = () => ({ fields: {}, received: { names: ['email'], others: 0 }, rule: 'rules[0]' });
  const decided = () =>
    withDecision({ response: forbidden('No.'), reason: 'rule_refused', missing: ['affiliation'], trace });
  const decision = expect.objectContaining({
    reason: 'rule_refused',
    missing: ['affiliation'],
    message: 'No.',
  });

  test('is the reason, with its trace', () => {
    const answer = readResponse(decided());
    expect(answer).toMatchObject({
      response: { type: 'ForbiddenResponse' },
      reason: 'rule_refused',
      decision,
    });
    expect(answer.trace).toBe(trace);
  });

  test.each<[string, object, ReasonCode]>([
    ['an error', { type: 'ErrorResponse' }, 'error'],
    ['a profile', ADA, 'authorized'],
  ])(
    'of which the handler made %s is in the trace, and the reason is the handler’s',
    (_, changed, reason) => {
      const answer = readResponse({ ...decided(), ...changed });
      expect(answer).toMatchObject({ reason, decision });
      expect(answer.trace?.()).toEqual({ ...trace(), decided: 'rule_refused' });
    },
  );
});

describe('refused:', () => {
  test.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'undefined'],
    ['AuthorizedUserResponse', 'string'],
    [7, 'number'],
    [true, 'boolean'],
    [[ADA], 'object'],
    [Object.assign(() => {}, ADA), 'function'],
  ])('%p is no response, and the type that was found is named', (given, found) => {
    expect(refusalOf(given)).toEqual(invalid(`${ONE_OF_THREE}; found ${found}`));
  });

  test.each<[string, unknown, string[]]>([
    ['no type', PROFILE, [`type: ${ONE_OF_THREE}`]],
    ['a name that is a number', { ...ADA, first_name: 7 }, ['first_name: expected a string']],
    ['an address that is none', { ...ADA, email: 'SECRET' }, ['email: expected an e-mail address']],
    [
      'a group that is no UUID',
      { ...ADA, user_group_uuids: [STAFF, 'SECRET'] },
      ['user_group_uuids[1]: expected a UUID'],
    ],
    [
      'an empty identifier',
      { ...ADA, external_id: '' },
      ['external_id: expected a string that is not empty'],
    ],
  ])('%s', (_, given, problems) => {
    expect(refusalOf(given)).toEqual(invalid(...problems));
  });

  const MISSING = 'first_name: expected a string (missing)';

  test.each<[object, string]>([
    [{ firstName: 'Ada' }, `${MISSING}; found firstName`],
    [{ 'First-Name': 'Ada' }, `${MISSING}; found First-Name`],
    [{ 'first name': 'Ada' }, MISSING],
    [{ given_name: 'Ada' }, MISSING],
    [{ first_name: undefined }, 'first_name: expected a string'],
    [{ first_name: undefined, firstName: 'Ada' }, 'first_name: expected a string; found firstName'],
    [{ first_name: 7, firstName: 'Ada' }, 'first_name: expected a string'],
  ])('%j in the place of the first name', (given, problem) => {
    const { first_name: _, ...others } = ADA;
    expect(refusalOf({ ...others, ...given })).toEqual(invalid(problem));
  });

  test('an item of a list has no other spelling', () => {
    const given = { ...ADA, user_group_uuids: [undefined], '1': STAFF, _: STAFF };
    expect(refusalOf(given)).toEqual(invalid('user_group_uuids[0]: expected a UUID'));
  });
});

describe('a part of the profile that is not there', () => {
  const without = (field: RequiredField) => {
    const { [field]: _, ...others } = { ...ADA };
    return others;
  };

  describe.each(REQUIRABLE_FIELDS)('%s', (field) => {
    const others = REQUIRABLE_FIELDS.filter((other) => other !== field);

    test.each([null, undefined])('is null where it is not required: %p', (value) => {
      const { response } = readResponse({ ...ADA, [field]: value }, others);
      expect(response).toEqual({ ...WHOLE, [field]: null });
    });

    test('may be left out where it is not required', () => {
      expect(readResponse(without(field), others).response).toEqual({ ...WHOLE, [field]: null });
      expect(readResponse(without(field), []).response).toEqual({ ...WHOLE, [field]: null });
    });

    test('is refused where it is required', () => {
      const details = { problems: [expect.stringMatching(`^${field}: expected`)] };
      expect(refusalOf({ ...ADA, [field]: null }, [field])).toMatchObject({
        code: 'answer_invalid',
        details,
      });
      expect(refusalOf(without(field), [field])).toMatchObject({ code: 'answer_invalid', details });
    });
  });

  test.each<[RequiredField, unknown, string]>([
    ['email', 'no address', 'email: expected an e-mail address'],
    ['email', '', 'email: expected an e-mail address'],
    ['first_name', 7, 'first_name: expected a string'],
  ])('a %s of %j is refused, although none is required', (field, value, problem) => {
    expect(refusalOf({ ...ADA, [field]: value }, [])).toEqual(invalid(problem));
  });
});

test.each<[string, object, string[]]>([
  ['all fields', { ...WHOLE, external_id: 'a-1', external_label: 'ada' }, []],
  ['fields of another system', { ...ADA, role: 'staff', department: 'IT' }, ['department', 'role']],
  ['a field that may be somebody’s data', { ...ADA, 'ada@example.org': 1, role: 1 }, ['role', '1 more']],
  ['an image that cannot be shown', { ...ADA, image_url: 'javascript:alert(1)' }, ['image_url']],
  ['an image', { ...ADA, image_url: 'https://people.example/ada.png' }, []],
  ['an image beside a refusal', { type: 'ForbiddenResponse', image_url: 'x' }, ['image_url']],
  ['a profile beside an error', { ...ADA, type: 'ErrorResponse' }, ['email', 'first_name', 'last_name']],
])('of %s, these do not leave', (_, given, droppedFields) => {
  expect(readResponse(given).droppedFields).toEqual(droppedFields);
});

describe('the identifier of a person', () => {
  const ada = authorizedUser(PROFILE);
  const own = { ...ada, external_id: 'own' };
  const sub = { source: 'sub', value: 'subject-1' };
  const subjectId = { source: 'subject_id', value: 'ada@uni.example', scope: 'uni.example' };
  const isOwnScope = (scope: string) => scope === 'uni.example';
  type Given = Partial<Parameters<typeof withExternalId>[1] & Parameters<typeof withExternalId>[2]>;
  const identified = (
    response: UserLoginResponse,
    { externalId = null, transientId = null, ...rest }: Given,
  ) =>
    withExternalId(response, { externalId, transientId }, { isOwnScope: null, issuerInFront: null, ...rest });

  test.each<[string, UserLoginResponse, Given, object]>([
    ['is added to a profile', ada, { externalId: sub }, { ...ada, external_id: 'subject-1' }],
    [
      'is added although a setting alone names a scope',
      ada,
      { externalId: subjectId },
      { ...ada, external_id: 'ada@uni.example' },
    ],
    [
      'is added where a mapping lists its scope',
      ada,
      { externalId: subjectId, isOwnScope },
      { ...ada, external_id: 'ada@uni.example' },
    ],
    [
      'has no scope that a mapping could list',
      ada,
      { externalId: sub, isOwnScope },
      { ...ada, external_id: 'subject-1' },
    ],
    [
      'has its issuer in front where a mapping says so',
      ada,
      { externalId: sub, issuerInFront: 'https://a' },
      { ...ada, external_id: 'https://a|subject-1' },
    ],
    ['leaves the handler’s own', own, { externalId: sub, transientId: '_t' }, own],
    [
      'is not asked of a profile with its own',
      own,
      { externalId: { ...subjectId, scope: 'evil.example' }, isOwnScope },
      own,
    ],
    [
      'may end like the transient NameID',
      { ...ada, external_id: 'a_t' },
      { transientId: '_t' },
      { ...ada, external_id: 'a_t' },
    ],
    [
      'may end like nothing',
      { ...ada, external_id: 'https://a|null' },
      {},
      { ...ada, external_id: 'https://a|null' },
    ],
    ['is not asked where the setting is off', ada, { transientId: '_t' }, ada],
    ['is not asked of a refusal', forbidden(), { externalId: { ...sub, value: null } }, forbidden()],
    ['is not given to an error', error(), { externalId: sub }, error()],
  ])('%s', (_, response, given, expected) => {
    expect(identified(response, given)).toEqual(expected);
  });

  const transient = [expect.stringMatching(/^The NameID is transient.*persistent NameID/)];

  test.each<[string, UserLoginResponse, Given, object]>([
    [
      'the event has none',
      ada,
      { externalId: { source: 'subject_id', value: null }, transientId: '_t' },
      { source: 'subject_id' },
    ],
    [
      'the NameID is of another format',
      ada,
      { externalId: { source: 'persistent_name_id', value: null } },
      { source: 'persistent_name_id' },
    ],
    [
      'the NameID is transient',
      ada,
      { externalId: { source: 'persistent_name_id', value: null }, transientId: '_t' },
      { source: 'persistent_name_id', problems: transient },
    ],
    [
      'the handler’s own is the transient NameID',
      { ...ada, external_id: ' _t' },
      { transientId: '_t' },
      { source: 'handler', problems: transient },
    ],
    [
      'the handler’s own ends with the transient NameID',
      { ...ada, external_id: 'https://a|_t' },
      { transientId: '_t', issuerInFront: 'https://a' },
      { source: 'handler', problems: transient },
    ],
    [
      'its scope is of another issuer',
      ada,
      { externalId: { ...subjectId, scope: 'evil.example' }, isOwnScope },
      {
        source: 'subject_id',
        problems: ['The scope of the identifier is none of those that the mapping lists for this issuer.'],
      },
    ],
  ])('refuses a profile where %s', (_, response, given, details) => {
    expect(() => identified(response, given)).toThrow(
      expect.objectContaining({ code: 'external_id_missing', details }),
    );
  });
});
