/** Where the call stands that a mistake in a mapping ends, and the text of what a handler threw. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { thrownIn } from '../../tools/local/thrown.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const parent = temporaryFolder();

test('a mapping that cannot be used stands where it is called', async () => {
  const file = join(parent, 'handler.ts');
  await writeFile(file, ['import', '', 'export default', 'call({', '})'].join('\n'));
  const text = 'MappingInvalid: frist_name: expected only email, first_name';
  const thrown = thrownIn([{ event: 'cold_start', error: `${text}\n    at file://${file}:3:16` }]);
  expect(thrown).toMatchObject({ text, place: { path: file, line: 3, column: 16 } });
  expect(thrown?.place?.source.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test('the text of what a handler threw moves no cursor, and is one line', () => {
  const records = [
    { event: 'login', reason: 'handler_threw', error: { class: 'RangeError' } },
    { event: 'login_error_message', message: 'no group\u001b[2J\nof ada' },
  ];
  expect(thrownIn(records)?.text).toBe('RangeError: no group[2J of ada');
});
