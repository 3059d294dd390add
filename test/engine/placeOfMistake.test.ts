/** Where a mapping's mistake stands in the source of its handler. */
import { expect, test } from '@jest/globals';
import { placeOfMistake } from '../../tools/local/placeOfMistake.ts';

const SOURCE = `import { mapOpenIdLogin } from 'login-hooks';
// rules: [
const GROUPS = {
  from: ['x'],
  table: [{ group: 'a', uuid: 'bad' }],
};
export default mapOpenIdLogin({
  issuers: {
    'https://sso.example.edu': { rules: [{ scopes: ['x,y'] }] },
    'https://sso.example.edu.other': {
      rules: [{ any_group: ['a'] }, { email_domains: ['x y'] }],
    },
  },
  groups: GROUPS,
  rules: [
    { any_group: ['a'] }, /* { */
    { email_domains: [
      'ok',
      'x y',
    ] },
  ],
});
`;

test.each<[string, number, number]>([
  ['rules[0]', 16, 5],
  ['rules[1].email_domains[1]', 19, 7],
  ['rules[1].unknown', 17, 5],
  ['groups.table[0].uuid', 5, 31],
  ['issuers.https://sso.example.edu.rules[0].scopes[0]', 9, 53],
  ['issuers.https://sso.example.edu.other.rules[1].email_domains[0]', 11, 55],
  ['unknown', 7, 16],
])('%s', (path, line, column) => {
  expect(placeOfMistake(SOURCE, { line: 7, column: 16 }, path)).toEqual({ line, column });
});
