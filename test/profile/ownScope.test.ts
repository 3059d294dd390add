/** Which scopes a mapping lists for the issuer of the login. */
import { expect, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/deadline.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { openId } from './decided.ts';

/** What the login knows of its last mapping, for a handler that copies the response. */
function known(mapping: Mapping): Pick<Invocation, 'isOwnScope'> {
  const invocation = new Invocation({}, null);
  runInInvocation(invocation, () => openId(mapping));
  return invocation;
}

test('the login knows which scopes its mapping lists for the issuer', () => {
  const rules: Mapping['rules'] = [{ scopes: ['uni.example'] }, { scopes: ['*.example.org'] }];
  const { isOwnScope } = known({ rules });
  const scopes = ['uni.example', 'cs.example.org', 'example.org', 'evil.example'];
  expect(scopes.filter((scope) => isOwnScope?.(scope))).toEqual(['uni.example', 'cs.example.org']);
  expect(known({}).isOwnScope).toBeNull();
  expect(known({ issuers: { 'https://other.example': { rules } } }).isOwnScope).toBeNull();
});
