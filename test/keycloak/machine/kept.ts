/** A login of the campus that is kept as a sample without the person, and checked. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { KeepPlan } from '../../../tools/studio/api.ts';
import { runCommand } from '../../support/commands.ts';
import { commandEnvironment } from '../../support/environment.ts';
import { type Campus, SURNAME } from './campus.ts';

/** @param login the id of the login in the list of the studio */
export async function keepAndCheck({ studio }: Campus, login: string, username: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await studio.api(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const plan = (await post(`/api/logins/${login}/keep`, { name: 'kept' })) as KeepPlan;
  expect(plan.blockers).toEqual([]);
  await post(`/api/keeps/${plan.id}`, {});
  expect(plan.files).not.toEqual([]);
  for (const file of plan.files)
    expect(await readFile(join(studio.folder, file), 'utf8')).not.toMatch(
      new RegExp(`${username}|${SURNAME}`, 'i'),
    );
  const sample = plan.files.find((file) => file.endsWith('kept.json')) ?? '';
  const env = commandEnvironment({ HOME: studio.folder, LOGIN_HOOKS_ENV_FOLDER: studio.folder });
  const check = runCommand(['tools/cli/bin.cjs', 'check', sample], { cwd: studio.folder, env });
  expect(await check.end(0)).toMatchObject({ status: 0 });
}
