/** The files of a sample: all or none, and never over another one. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SamplePlan } from '../../tools/keep/plan.ts';
import { writeKept } from '../../tools/keep/plan.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { exchange } from './answering.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
});
afterEach(() => rm(folder, { recursive: true }));

function planned(more: Partial<SamplePlan> = {}): SamplePlan {
  const answer = { type: 'ForbiddenResponse', message: 'No.' };
  return {
    ...{ name: 'first', folder: join(folder, 'events', 'openidLoggedIn'), files: [] },
    ...{
      kept: [],
      replaced: [],
      blockers: [],
      unanswered: [],
      event: { a: [1] },
      expected: { status: 200, answer },
      outside: null,
    },
    ...more,
  };
}
const OUTSIDE = { outside: [exchange('GET https://x.example')] };

/** What is in the folder of the samples, by the names of the files. */
async function written(): Promise<Record<string, string>> {
  const place = planned().folder;
  const names = (await readdir(place).catch(() => [])).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(place, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? '']));
}
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

test.each<[string, Partial<SamplePlan>, string[]]>([
  ['an event and what is expected', {}, ['first.json', 'first.expected.json']],
  ['recorded responses too', OUTSIDE, ['first.json', 'first.recordings.json', 'first.expected.json']],
])('%s are written, and nothing else', async (_, more, files) => {
  const plan = planned(more);
  expect(await writeKept(plan)).toEqual(files.map((file) => join(plan.folder, file)));
  expect(await written()).toEqual({
    'first.json': '{\n  "a": [\n    1\n  ]\n}\n',
    'first.expected.json': json(plan.expected),
    ...(plan.outside && { 'first.recordings.json': json({ invented: true, recordings: plan.outside }) }),
  });
});

describe('nothing is written', () => {
  test.each<[string, Partial<SamplePlan>, string]>([
    ['something stands in the way', { blockers: ['No.', 'Not this.'] }, 'No.\nNot this.'],
    ['no response is expected', { expected: null }, ''],
  ])('where %s', async (_, more, message) => {
    await expect(writeKept(planned(more))).rejects.toEqual(new UnusableInput(message));
    expect(await written()).toEqual({});
  });

  test('where writing fails in the middle', async () => {
    const answer: Record<string, unknown> = {};
    answer.self = answer;
    const plan = planned({ ...OUTSIDE, outside: answer as never });
    await expect(writeKept(plan)).rejects.toThrow('circular');
    expect(await written()).toEqual({});
  });

  test.each(['first.json', 'first.expected.json', 'first.recordings.json'])('over %s', async (file) => {
    const plan = planned(OUTSIDE);
    await mkdir(plan.folder, { recursive: true });
    await writeFile(join(plan.folder, file), 'other');
    const message = `${join(plan.folder, 'first')}: a sample of this name exists already: choose another name`;
    await expect(writeKept(plan)).rejects.toEqual(new UnusableInput(message));
    expect(await written()).toEqual({ [file]: 'other' });
  });
});

test('of two samples of one name, at the same time, one is written', async () => {
  const plans = ['one', 'other'].map((name) => planned({ event: name, ...OUTSIDE }));
  const results = await Promise.allSettled(plans.map(writeKept));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const winner = plans[results.findIndex(({ status }) => status === 'fulfilled')];
  expect((await written())['first.json']).toBe(json(winner?.event));
});
