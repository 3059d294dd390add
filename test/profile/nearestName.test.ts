/** Which of the names that arrived is most like one that did not. */
import { expect, test } from '@jest/globals';
import { nearestName } from '../../lib/profile/nearestName.ts';

const XMLSOAP = 'http://schemas.xmlsoap.org/claims/Group';

test.each<[string, string[], string | null]>([
  ['groups', ['email', 'group', 'roles'], 'group'],
  ['groups', ['group', 'Groups'], 'Groups'],
  ['groups', ['group1', 'group2'], 'group1'],
  ['ab', ['abc'], 'abc'],
  ['memberOf', ['isMemberOf'], 'isMemberOf'],
  ['realm_access.roles', ['realm_access'], 'realm_access'],
  ['groups', [XMLSOAP], XMLSOAP],
  [XMLSOAP, ['groups'], 'groups'],
  ['urn:x#groups', ['urn:oid:1.2.3', 'groups'], 'groups'],
  ['groups', ['roles'], null],
  ['groups', ['http://groups.example/email'], null],
  ['groups', [], null],
  ['groups/', [''], null],
])('for %s of %j: %s', (wanted, names, nearest) => {
  expect(nearestName(wanted, names)).toBe(nearest);
});
