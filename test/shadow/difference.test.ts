import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuthorizedUserResponse, error, forbidden } from '../../lib/profile/response.ts';
import { type Decided, type Difference, differenceOf } from '../../lib/shadow/difference.ts';

const STAFF = '0b8f5f0e-7f0a-4c3e-9d51-1f7f2a3c4d5e';
const ADMINS = '9a1c2b3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const GUESTS = '5d4c3b2a-1f0e-4d7c-8b6a-f5e4d3c2b1a9';

function authorized(changed: Partial<AuthorizedUserResponse> = {}): Decided {
  const response: AuthorizedUserResponse = {
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    image_url: null,
    affiliation: null,
    user_group_uuids: [STAFF, ADMINS],
    ...changed,
  };
  return { type: response.type, reason: 'authorized', response, trace: null };
}

function refused(message = 'Staff alone may log in.', reason: Decided['reason'] = 'rule_refused'): Decided {
  return { type: 'ForbiddenResponse', reason, response: forbidden(message), trace: null };
}

const threw: Decided = { type: 'ErrorResponse', reason: 'handler_threw', response: null, trace: null };
const failed: Decided = { type: 'ErrorResponse', reason: 'error', response: error('No.'), trace: null };

describe('the same decision', () => {
  test.each<[string, Decided, Decided]>([
    ['the same profile', authorized(), authorized()],
    ['groups in another order', authorized(), authorized({ user_group_uuids: [ADMINS, STAFF] })],
    ['a group twice', authorized(), authorized({ user_group_uuids: [STAFF, ADMINS, STAFF] })],
    ['a group in capitals', authorized(), authorized({ user_group_uuids: [STAFF.toUpperCase(), ADMINS] })],
    ['a label that is null, or left out', authorized({ external_label: null }), authorized()],
    ['the same refusal', refused(), refused()],
    ['an error both times', threw, threw],
  ])('%s', (_, real, shadow) => {
    expect(differenceOf(real, shadow)).toBeNull();
  });
});

describe('another decision', () => {
  test.each<[string, Decided, Decided, Difference]>([
    ['a refusal becomes a profile', refused(), authorized(), { effect: 'would_admit', fields: [] }],
    ['an error becomes a profile', threw, authorized(), { effect: 'would_admit', fields: [] }],
    ['a profile becomes a refusal', authorized(), refused(), { effect: 'would_refuse', fields: [] }],
    ['a profile becomes an error', authorized(), failed, { effect: 'would_refuse', fields: [] }],
    ['a refusal becomes an error', refused(), failed, { effect: 'refusal_differs', fields: ['message'] }],
    [
      'a refusal for another reason',
      refused(),
      refused(undefined, 'groups_unknown'),
      { effect: 'refusal_differs', fields: [] },
    ],
    [
      'a refusal becomes an error for the same reason, in the same words',
      refused('No.', 'groups_unknown'),
      { ...failed, reason: 'groups_unknown' },
      { effect: 'refusal_differs', fields: [] },
    ],
    [
      'other words',
      refused(),
      refused('Staff and students may log in.'),
      { effect: 'refusal_differs', fields: ['message'] },
    ],
    [
      'another name and address',
      authorized(),
      authorized({ last_name: 'King', email: 'ada.king@example.org' }),
      { effect: 'profile_differs', fields: ['email', 'last_name'] },
    ],
    [
      'fields that come and go',
      authorized({ affiliation: 'staff', external_label: 'al' }),
      authorized({ image_url: 'https://idp.example.org/ada.png', external_id: 'a-1' }),
      {
        effect: 'profile_differs',
        fields: ['image_url', 'affiliation', 'external_id', 'external_label'],
      },
    ],
    [
      'groups: one more, two fewer',
      authorized(),
      authorized({ user_group_uuids: [GUESTS] }),
      { effect: 'profile_differs', fields: ['user_group_uuids'], groups: { more: 1, fewer: 2 } },
    ],
    [
      'a group fewer',
      authorized(),
      authorized({ user_group_uuids: [STAFF] }),
      { effect: 'profile_differs', fields: ['user_group_uuids'], groups: { more: 0, fewer: 1 } },
    ],
    [
      'a group more',
      authorized(),
      authorized({ user_group_uuids: [STAFF, ADMINS, GUESTS] }),
      { effect: 'profile_differs', fields: ['user_group_uuids'], groups: { more: 1, fewer: 0 } },
    ],
  ])('%s', (_, real, shadow, difference) => {
    expect(differenceOf(real, shadow)).toEqual(difference);
  });
});

test('no value of either response is in a difference', () => {
  const marked = fc.uuid().map((id) => `MARKER-${id}`);
  const decided = fc.oneof(
    marked.map((text) => refused(text)),
    fc
      .record({ first_name: marked, email: marked, affiliation: fc.option(marked), external_id: marked })
      .map((changed) => authorized(changed)),
  );
  fc.assert(
    fc.property(decided, decided, (real, shadow) => {
      expect(JSON.stringify(differenceOf(real, shadow))).not.toContain('MARKER');
    }),
  );
});
