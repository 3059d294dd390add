import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { jsonMistake } from '../lib/jsonMistake.ts';
import { readJsonFile } from '../tools/shared/commandLine.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const folder = temporaryFolder();

describe('where a text stops being JSON', () => {
  test.each([
    ['{"a": s3cret}', '1:7', 'unexpected text'],
    ['{"a": "s3cret" "b"}', '1:16', 'unexpected text'],
    ['{\n  "a": "s3cret",\n}', '3:1', 'unexpected text'],
    ['{"a": "s3cret', '1:14', 'it ends too early'],
    ['{"a": true,\n "b": trUe}', '2:9', 'unexpected text'],
    ['', '1:1', 'it ends too early'],
    ['{}\ns3cret', '2:1', 'unexpected text'],
  ])('%j', (text, place, what) => expect(jsonMistake(text)).toBe(`${place}: expected JSON: ${what}`));
});

test.each(['{"id": s3cret}', '{"id": "s3cret" }}', 's3cret', '{"id": "s3cret', '"s3cret\u0001"'])(
  'the error for a file says where, and quotes nothing: %j',
  async (text) => {
    const file = join(folder, 'broken.json');
    await writeFile(file, text);
    const error = await readJsonFile(file).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/broken\.json:1:\d+: expected JSON: /);
    expect(String(error)).not.toMatch(/s3|cret/);
  },
);
