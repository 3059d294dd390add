/** Which fields a login's record names as missing. */
import { expect, test } from '@jest/globals';
import { Invocation } from '../../lib/deadline.ts';
import { type ExternalId, Login } from '../../lib/login/login.ts';
import { missingIn } from '../../lib/login/missing.ts';
import type { MadeDecision } from '../../lib/profile/decision.ts';

type Fields = readonly string[] | null;

const FOUND = { source: 'sub', value: 'a-1' };
const ABSENT = { source: 'sub', value: null };

/**
 * @param decided what the response's own decision says; undefined for a response without one
 * @param looked what the login's last mapping says
 */
function missing(decided: Fields | undefined, looked: Fields, externalId: ExternalId | null): Fields {
  const login = new Login(new Invocation({}, null), false);
  login.invocation.missing = looked;
  login.externalId = externalId;
  return missingIn(login, decided === undefined ? undefined : ({ missing: decided } as MadeDecision));
}

test.each<[decided: Fields | undefined, looked: Fields, externalId: ExternalId | null, expected: Fields]>([
  [undefined, null, null, null],
  [undefined, [], null, []],
  [undefined, ['email'], null, ['email']],
  [['affiliation'], ['email'], null, ['affiliation']],
  [null, ['email'], null, null],
  [undefined, null, FOUND, []],
  [undefined, ['email'], FOUND, ['email']],
  [undefined, null, ABSENT, ['external_id']],
  [['email'], null, ABSENT, ['email', 'external_id']],
  [['email', 'external_id', 'user_group_uuids'], null, ABSENT, ['email', 'external_id', 'user_group_uuids']],
  [['user_group_uuids'], null, ABSENT, ['external_id', 'user_group_uuids']],
])('of a decision: %j, of the last mapping: %j, the identifier %j: %j', (...row) => {
  const expected = row[3];
  expect(missing(row[0], row[1], row[2])).toEqual(expected);
});
