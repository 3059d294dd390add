/** `check --report` and `check --against <commit>`: what a change of a policy does, for the people who review it. */
import { execFileSync } from 'node:child_process';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOMParser } from '@xmldom/xmldom';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { commandEnvironment } from '../support/environment.ts';
import { handlerOf, type OwnProject, ownProject } from '../support/ownProject.ts';
import { openIdEvent } from '../support/wire.ts';

const ISSUER = 'https://sso.example.edu/realms/campus';
const [STAFF, GUESTS] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8a1f6c30-3b7a-4c52-9e86-5f0c9d1e2d4b'];
const MAPPING: Mapping = {
  issuers: { [ISSUER]: {} },
  rules: [{ no_group: ['/locked'] }, { email_domains: ['example.org'] }],
  groups: { from: ['groups'], table: [{ group: '/staff', uuid: STAFF, name: 'Staff' }] },
};

function event(groups: string[], email = 'ada.unseen@example.org'): string {
  const wire = openIdEvent();
  wire.idToken.iss = ISSUER;
  Object.assign(wire.idToken.otherClaims, { groups, email, email_verified: true });
  return JSON.stringify(wire);
}

const FILES = {
  '.gitignore': 'node_modules/\n.build/\n.env.*\nsecrets.json\n',
  '.env.dev': 'OPENID_HANDLER_MODULE=handlers/campus\nSECRETS_FILE=secrets.json\n',
  'secrets.json': '{}',
  'handlers/campus.ts': handlerOf(MAPPING),
  'events/openidLoggedIn/staff.json': event(['/staff']),
  'events/openidLoggedIn/locked.json': event(['/locked']),
  'events/openidLoggedIn/elsewhere.json': event(['/staff'], 'ada.unseen@elsewhere.org'),
};

let project: OwnProject;
type Ended = Awaited<ReturnType<OwnProject['run']>>;
/** Of the change, by their form. */
const reports: Record<string, Ended> = {};
const git = (...args: string[]) => {
  const names = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: project.folder });
  return execFileSync('git', [...names, ...args], { cwd: project.folder, encoding: 'utf8', env, input: '' });
};
const commit = () => git('commit', '--quiet', '--all', '--message', 'A change');

beforeAll(async () => {
  project = await ownProject(FILES);
  await project.run(['check', '--update']);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  commit();
  // Somebody misspells a denied group, and gives staff another user group.
  await project.write(
    'handlers/campus.ts',
    handlerOf({
      ...MAPPING,
      rules: [{ no_group: ['/lockd'] }, { email_domains: ['example.org'] }],
      groups: { from: ['groups'], table: [{ group: '/staff', uuid: GUESTS, name: 'Guests' }] },
    }),
  );
  for (const form of ['markdown', 'junit', 'github'])
    reports[form] = await project.run(['check', '--report', form, '--against', 'main'], {
      GITHUB_STEP_SUMMARY: join(project.folder, '.build', 'summary.md'),
      GITHUB_WORKSPACE: project.folder,
    });
}, 60_000);
afterAll(() => project.remove());

/** @param form of those made before all tests */
const reportAs = (form: string) => reports[form] as Ended;

test('Markdown names the logins that are newly authorized first, and those with other groups', () => {
  const { status, stdout } = reportAs('markdown');
  expect(stdout).toContain(
    '**1 newly authorized, 1 with other groups, 1 of 3 logins are answered as before**',
  );
  expect(stdout).toMatch(
    /\| \*\*newly authorized\*\* \| <code>openidLoggedIn\/locked<\/code> .*\| Forbidden \| Authorized \|/,
  );
  expect(stdout).toContain(`| + Guests, - ${STAFF} |`);
  expect(stdout).toContain('Gets in, expected Forbidden');
  expect(stdout).toContain('rules\\[0\\].no_group: it refuses nobody');
  expect(status).toBe(1);
});

test('JUnit XML has a test for each event and each finding', () => {
  const { status, stdout } = reportAs('junit');
  const xml = new DOMParser().parseFromString(stdout, 'text/xml');
  const failed = Array.from(xml.getElementsByTagName('failure'), (failure) => [
    (failure.parentNode as Element).getAttribute('name'),
    failure.getAttribute('message'),
  ]);
  expect(failed).toContainEqual(['locked', 'Gets in, expected Forbidden']);
  expect(xml.getElementsByTagName('testsuite')[0]?.getAttribute('failures')).toBe(String(failed.length));
  expect(xml.getElementsByTagName('system-out')[0]?.textContent).toContain(
    'newly authorized: openidLoggedIn/locked (handlers/campus)',
  );
  expect(status).toBe(1);
});

test('GitHub gets annotations at the files, and the summary of the job', async () => {
  const { stdout } = reportAs('github');
  expect(stdout).toContain(
    '::warning file=events/openidLoggedIn/locked.json,title=newly authorized::openidLoggedIn/locked (handlers/campus): Forbidden → Authorized',
  );
  expect(stdout).toContain('::error file=events/openidLoggedIn/locked.json,title=Not as expected::');
  expect(await readFile(join(project.folder, '.build', 'summary.md'), 'utf8')).toContain('#### Who gets in');
});

test.each(['markdown', 'junit', 'github'])('%s has no value of a login', (form) => {
  const { stdout } = reportAs(form);
  expect(stdout).toContain('locked');
  expect(stdout).not.toMatch(/ada|unseen|elsewhere\.org/i);
});

test('without a report, the differences from a commit are shown field by field', async () => {
  // As in a hook of another repository.
  const { status, stdout } = await project.run(['check', '--against', 'main'], { GIT_DIR: '/nowhere' });
  expect(stdout).toContain('openidLoggedIn/locked\n  type: "ForbiddenResponse" → "AuthorizedUserResponse"');
  expect(stdout).toContain('2 of 3 events have another response than is expected at main');
  expect(status).toBe(1);
});

test('where the other commit has no expected response, nothing can be compared', async () => {
  const empty = git('commit-tree', '-m', 'Empty', git('mktree', '--missing').trim()).trim();
  const { status, stderr } = await project.run(['check', '--against', empty]);
  expect(stderr).toContain(`${empty}: no event has an expected response of its handler at this commit`);
  expect(status).toBe(2);
});

test('a name of a group is no Markdown, names nobody and leads nowhere', async () => {
  const name = '@all #1 a@example.org www.example.org https://example.org $a$ <b>';
  const file = 'handlers/campus.ts';
  const before = await readFile(join(project.folder, file), 'utf8');
  const table = [{ group: '/staff', uuid: GUESTS, name }];
  await project.write(file, handlerOf({ ...MAPPING, groups: { from: ['groups'], table } }));
  const { stdout } = await project.run(['check', '--report', 'markdown', '--against', 'main']);
  await project.write(file, before);
  // Only a character between keeps GitHub from reading them: it reads what entities and backslashes stand for.
  expect(stdout).toContain(
    '+ @&#8203;all #&#8203;1 a@&#8203;example.org www&#8203;.example.org https:&#8203;//example.org \\$a\\$ &lt;b>',
  );
});

test('a name of an event is no Markdown', async () => {
  const file = 'events/openidLoggedIn/`|<b>**x.json';
  const expected = file.replace('.json', '.expected.json');
  await project.write(file, event(['/locked']));
  await project.write(
    expected,
    '{"handler":"handlers/campus","status":200,"answer":{"type":"ForbiddenResponse"}}',
  );
  const { stdout } = await project.run(['check', '--report', 'markdown', '--against', 'main']);
  for (const one of [file, expected]) await rm(join(project.folder, one));
  expect(stdout).toContain('1 of 3 logins are answered as before, 1 not compared');
  expect(stdout).toContain('<code>openidLoggedIn/\\`\\|&lt;b>\\*\\*x</code>');
});

/** Git has variables for its hooks, which name the index of the commit that is being made. */
test.each([
  ['of all that is staged', []],
  ['of one file', ['handlers/campus.ts']],
])('in a pre-commit hook, a commit %s is made as without it', async (_, only) => {
  const told = join(project.folder, '.build', 'hook.txt');
  const command = `"${process.execPath}" node_modules/login-hooks/tools/cli/bin.cjs check --against HEAD`;
  const hook = `.git/hooks/pre-commit`;
  await project.write(hook, `#!/bin/sh\n${command} > "${told}" 2>&1 || true\n`);
  await chmod(join(project.folder, hook), 0o755);
  await project.write('notes.txt', 'a note');
  git('add', 'notes.txt', 'handlers/campus.ts');
  git('checkout', '--quiet', '-b', `hooked-${only.length}`);
  git('commit', '--quiet', '--message', 'A change', ...only);
  expect(await readFile(told, 'utf8')).toContain(
    '2 of 3 events have another response than is expected at HEAD',
  );
  const left = only.length === 0 ? [] : ['notes.txt'];
  expect(git('show', '--name-only', '--format=').trim().split('\n')).toEqual([
    'handlers/campus.ts',
    ...(only.length === 0 ? ['notes.txt'] : []),
  ]);
  expect(git('diff', '--cached', '--name-only').trim()).toBe(left.join('\n'));
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  await rm(join(project.folder, hook));
  git('reset', '--quiet', 'main');
  await rm(join(project.folder, 'notes.txt'));
});

describe('is refused', () => {
  test.each([
    [
      'a commit that git does not know',
      ['--report', 'markdown', '--against', 'mian'],
      /git knows no commit mian, and there is no handler mian/,
    ],
    [
      'a handler beside a report',
      ['--report', 'markdown', '--against', 'handlers/campus'],
      /expected a commit of git/,
    ],
    ['another kind of report', ['--report', 'html'], /expected markdown or junit or github/],
    ['a report beside --update', ['--report', 'junit', '--update'], /expected --report or --update/],
  ])('%s', async (_, args, message) => {
    const { status, stderr } = await project.run(['check', ...args]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
