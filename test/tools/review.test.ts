/** `check --report`: what a change of a policy does, for the people who review it. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AskingMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { commandEnvironment } from '../support/environment.ts';
import type { Ended } from '../support/inProcess.ts';
import { configurationOf, handlerOf, type OwnTools, ownTools } from '../support/ownProject.ts';
import { openIdEvent } from '../support/wire.ts';

const ISSUER = 'https://sso.example.edu/realms/campus';
const [STAFF, GUESTS] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8a1f6c30-3b7a-4c52-9e86-5f0c9d1e2d4b'];
const HANDLER = 'handlers/campus.ts';

/** @param denied a group, which somebody misspells, or writes for others to read */
const campus = (denied: string, uuid = STAFF): string =>
  handlerOf({
    issuers: { [ISSUER]: {} },
    rules: [{ no_group: [denied] }, { email_domains: ['example.org'] }],
    groups: { from: ['groups'], table: [{ group: '/staff', uuid }] },
  } as AskingMapping);

function event(groups: string[], email = 'ada.unseen@example.org'): string {
  const wire = openIdEvent();
  wire.idToken.iss = ISSUER;
  Object.assign(wire.idToken.otherClaims, { groups, email, email_verified: true });
  return JSON.stringify(wire);
}

let project: OwnTools;
/** Of the change. */
let report: Ended;
const git = (...args: string[]) => {
  const names = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: project.folder });
  return execFileSync('git', [...names, ...args], { cwd: project.folder, encoding: 'utf8', env, input: '' });
};
/** As in a hook of another repository, which tells of itself: it reads the one that the project is in. */
const reviewed = (against: string) =>
  project.run(['check', '--report', '--against', against], { GIT_DIR: '/nowhere' });

beforeAll(async () => {
  project = await ownTools({
    'serverless.yml': configurationOf('openid: handlers/campus'),
    '.gitignore': 'node_modules/\n.build/\n',
    [HANDLER]: campus('/locked'),
    'events/openidLoggedIn/staff.json': event(['/staff']),
    'events/openidLoggedIn/locked.json': event(['/locked']),
    'events/openidLoggedIn/elsewhere.json': event(['/staff'], 'ada.unseen@elsewhere.org'),
  });
  await project.run(['check', '--update']);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--all', '--message', 'A change');
  await project.write(HANDLER, campus('/lockd', GUESTS));
  report = await reviewed('main');
});
afterAll(() => project.remove());

test('it names the logins that are newly authorized first, and what differs, without a value', () => {
  const { status, stdout } = report;
  const counts = '**1 newly authorized, 1 answered otherwise, 1 of 3 logins are answered as before**';
  expect(stdout).toContain(counts);
  expect(stdout).toMatch(
    /\| \*\*newly authorized\*\* \| <code>openidLoggedIn\/locked<\/code> .*\| Forbidden \| Authorized \|.*\|\n\| answered otherwise .*\| Authorized \| Authorized \| user\\?_group\\?_uuids \|/,
  );
  expect(stdout).toContain('Gets in, expected Forbidden');
  expect(stdout).toContain('rules\\[0\\].no_group: it refuses nobody');
  expect(stdout).not.toMatch(/ada|unseen|elsewhere\.org/i);
  expect(status).toBe(1);
});

test('what a mapping and the name of an event say is no Markdown, names nobody and leads nowhere', async () => {
  const denied = '@all #1 a@example.org www.example.org https://example.org $a$ <b>';
  const file = 'events/openidLoggedIn/`|<b>**x.json';
  const expected = '{"handler":"handlers/campus","status":200,"answer":{"type":"ForbiddenResponse"}}';
  const files = { [file]: event(['/locked']), [file.replace('.json', '.expected.json')]: expected };
  const command = ['check', '--report', '--against', 'main'];
  const { stdout } = await project.changed({ ...files, [HANDLER]: campus(denied) }, command);
  // Only a character between keeps GitHub from reading them: it reads what entities and backslashes stand for.
  expect(stdout).toContain(
    '@&#8203;all #&#8203;1 a@&#8203;example.org www&#8203;.example.org https:&#8203;//example.org \\$a\\$ &lt;b>',
  );
  expect(stdout).toMatch(/ logins are answered as before, 1 not compared/);
  expect(stdout).toContain('<code>openidLoggedIn/\\`\\|&lt;b>\\*\\*x</code>');
});

test('what cannot be compared is refused', async () => {
  const empty = git('commit-tree', '-m', 'Empty', git('mktree', '--missing').trim()).trim();
  for (const [against, told] of [
    [empty, `${empty}: no event has an expected response of its handler at this commit`],
    ['mian', '--against: git knows no commit mian'],
  ] as const)
    expect(await reviewed(against)).toMatchObject({ status: 2, stderr: expect.stringContaining(told) });
});
