/** The files of a sample: all or none, and never over another one. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/engine/events.ts';
import type { SamplePlan } from '../../tools/keep/planKeep.ts';
import { writeKept } from '../../tools/keep/writeKept.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';
import { engine, plan } from './keeping.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => engine.close());

const planned = (name: string): Promise<SamplePlan> =>
  plan('openidLoggedIn', openIdEvent(), { name, folder });

async function filesIn(name: string): Promise<string[]> {
  return (await readdir(join(folder, name)).catch(() => [])).sort();
}

test('npm run check passes with what is kept, whichever handler answers it', async () => {
  const samples = await sampleEvents();
  const kept = samples.filter(({ name }) =>
    /^(?:entra-groups|keycloak-suspended|edugain-joined.*|keycloak|orcid-other.*)$/.test(name),
  );
  for (const [index, { functionName, event, expected }] of kept.entries()) {
    const handlerModule = expected?.handler;
    await writeKept(await plan(functionName, event, { name: `zz-${index}`, folder, handlerModule }));
  }
  const { status, stdout } = runTool('check', [folder]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${kept.length}`)]);
});

test('planning writes nothing', async () => {
  await planned('first');
  expect(await readdir(folder)).toEqual([]);
});

describe('writing', () => {
  test('leaves the files of the sample alone', async () => {
    const written = await writeKept(await planned('first'));
    expect(written).toEqual(
      ['first.json', 'first.expected.json'].map((file) => join(folder, 'openidLoggedIn', file)),
    );
    expect(await filesIn('openidLoggedIn')).toEqual(['first.expected.json', 'first.json']);
  });

  test('is refused where something stands in the way', async () => {
    const plan = { ...(await planned('first')), blockers: ['No.'] };
    await expect(writeKept(plan)).rejects.toThrow('No.');
    expect(await filesIn('openidLoggedIn')).toEqual([]);
  });

  test.each(['first.json', 'first.expected.json', 'first.outside.json'])(
    'never replaces %s',
    async (file) => {
      const plan = await planned('first');
      await mkdir(join(folder, 'openidLoggedIn'));
      await writeFile(join(folder, 'openidLoggedIn', file), 'other');
      expect((await planned('first')).blockers).toContainEqual(
        expect.stringContaining('a sample of this name already'),
      );
      const withOutside = { ...plan, outside: [] };
      await expect(writeKept(withOutside)).rejects.toThrow('a sample of this name already');
      expect(await filesIn('openidLoggedIn')).toEqual([file]);
      expect(await readFile(join(folder, 'openidLoggedIn', file), 'utf8')).toBe('other');
    },
  );

  test('of one name at the same time makes one sample', async () => {
    const plans = await Promise.all([planned('first'), planned('first')]);
    const results = await Promise.allSettled(plans.map(writeKept));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = plans[results.findIndex(({ status }) => status === 'fulfilled')];
    const event = await readFile(join(folder, 'openidLoggedIn', 'first.json'), 'utf8');
    const expected = await readFile(join(folder, 'openidLoggedIn', 'first.expected.json'), 'utf8');
    expect([JSON.parse(event), JSON.parse(expected)]).toEqual([winner?.event, winner?.expected]);
  });

  test('that fails in the middle leaves nothing', async () => {
    const plan = await planned('first');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const broken = { ...plan, expected: { status: 200, answer: cyclic } };
    await expect(writeKept(broken)).rejects.toThrow();
    expect(await filesIn('openidLoggedIn')).toEqual([]);
  });
});
