import { expect, test } from '@jest/globals';
import { attentionFirst, claimWord } from '../../../tools/studio/page/signIn/claims.ts';

const claim = (name: string, idToken: boolean, userInfo: boolean, isSame = false) => ({
  name,
  idToken,
  userInfo,
  isSame,
});

const SUB = claim('sub', true, true, true);
const ACR = claim('acr', true, false);
const EMAIL = claim('email', true, true);
const GROUPS = claim('groups', false, true);

test.each([
  [SUB, 'the same'],
  [ACR, 'ID token only'],
  [EMAIL, 'differs'],
  [GROUPS, 'not in the event'],
])('%j: %s', (given, word) => {
  expect(claimWord(given).word).toBe(word);
});

test('what asks for attention is first, and the order stays otherwise', () => {
  const name = claim('name', false, true);
  const names = attentionFirst([SUB, ACR, GROUPS, EMAIL, name]).map((one) => one.name);
  expect(names).toEqual(['email', 'groups', 'name', 'sub', 'acr']);
});
