/** Where a mistake in a mapping stands, and the text of what a handler threw. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { thrownIn } from '../../tools/local/thrown.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const SOURCE = `import { mapOpenIdLogin } from 'login-hooks';
const domain = 'uni example';
export default mapOpenIdLogin({
  frist_name: ['given'],
  groups: { from: ['groups'], table: [{ group: 'a', uuid: 'no-uuid' }] },
  rules: [
    { email_domains: ['uni.example', 'uni_example'] },
    { any_group: ['a'], message: '' },
  ],
});
`;
const parent = temporaryFolder();

test.each<[string, number, number]>([
  ['frist_name: expected only email, first_name', 4, 3],
  ['groups.table[0].uuid: expected a UUID, found "no-uuid"', 5, 59],
  ['rules[0].email_domains[1]: expected a domain, found "uni_example"; rules[1]: expected x', 7, 38],
  ['rules[1].message: expected a text, found ""', 8, 34],
  ['rules[1].any_group: expected a list, found "b"', 3, 16],
  ['groups.table[0].group: expected a group, found "a"', 3, 16],
])('%s: line %i, column %i', async (mistake, line, column) => {
  const file = join(parent, 'handler.ts');
  await writeFile(file, SOURCE);
  const error = `MappingInvalid: ${mistake}\n    at file://${file}:3:16`;
  const thrown = thrownIn([{ event: 'cold_start', error }]);
  expect(thrown?.place).toMatchObject({ path: file, line, column });
});

test('the text of what a handler threw moves no cursor, and is one line', () => {
  const records = [
    { event: 'login', reason: 'handler_threw', error: { class: 'RangeError' } },
    { event: 'login_error_message', message: 'no group\u001b[2J\nof ada' },
  ];
  expect(thrownIn(records)?.text).toBe('RangeError: no group[2J of ada');
});
