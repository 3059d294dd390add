/** `check --report` and `check --against <commit>`: what a change of a policy does, for the people who review it. */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOMParser } from '@xmldom/xmldom';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
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
  // The other commit has neither its settings nor its secrets.
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
  return execFileSync('git', [...names, ...args], { cwd: project.folder, encoding: 'utf8' });
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
    /\| \*\*newly authorized\*\* \| <code>openidLoggedIn\/locked<\/code> .*\| Forbidden \(rule_refused\) \| Authorized \|/,
  );
  expect(stdout).toContain('| + Guests, - Staff |');
  expect(stdout).toContain('Gets in, expected Forbidden');
  expect(stdout).toContain('no event hits rules\\[0\\].no_group');
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
    '::warning file=events/openidLoggedIn/locked.json,title=newly authorized::openidLoggedIn/locked (handlers/campus): Forbidden (rule_refused) → Authorized',
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
  const { status, stdout } = await project.run(['check', '--against', 'main']);
  expect(stdout).toContain('openidLoggedIn/locked\n  type: "ForbiddenResponse" → "AuthorizedUserResponse"');
  expect(stdout).toContain('2 of 3 events have another response than at main');
  expect(status).toBe(1);
});

test('the other commit leaves nothing behind', async () => {
  await project.run(['check', '--report', 'markdown', '--against', 'HEAD']);
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git('status', '--short')).toBe(' M handlers/campus.ts\n');
});

test('a name of a group is no Markdown, names nobody and leads nowhere', async () => {
  const name = '@all #1 a@example.org www.example.org https://example.org $a$ <b>';
  await project.write(
    'handlers/named.ts',
    handlerOf({ ...MAPPING, groups: { from: ['groups'], table: [{ group: '/staff', uuid: GUESTS, name }] } }),
  );
  const args = ['check', '--report', 'markdown', '--against', 'main', '--handler', 'handlers/named'];
  const { stdout } = await project.run(args);
  await rm(join(project.folder, 'handlers/named.ts'));
  // Only a character between keeps GitHub from reading them: it reads what entities and backslashes stand for.
  expect(stdout).toContain(
    '+ @&#8203;all #&#8203;1 a@&#8203;example.org www&#8203;.example.org https:&#8203;//example.org \\$a\\$ &lt;b>',
  );
});

test('a name of an event is no Markdown', async () => {
  const file = 'events/openidLoggedIn/`|<b>**x.json';
  await project.write(file, event(['/locked']));
  const { stdout } = await project.run(['check', '--report', 'markdown', '--against', 'main']);
  await rm(join(project.folder, file));
  expect(stdout).toContain('<code>openidLoggedIn/\\`\\|&lt;b>\\*\\*x</code>');
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
