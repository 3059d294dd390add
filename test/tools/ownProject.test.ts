/** The commands that judge, in a project of an operator's own: each green says that the policy in force was asked, and refused somebody. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { configurationOf, handlerOf, ownTools } from '../support/ownProject.ts';
import { openIdEvent } from '../support/wire.ts';

const ISSUER = 'https://sso.example.edu/realms/campus';
const MAPPING: Mapping = {
  issuers: { [ISSUER]: {} },
  rules: [{ no_group: ['/locked'] }],
  groups: {
    from: ['groups'],
    table: [{ group: '/staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' }],
  },
};

function event(groups: string[], issuer = ISSUER): string {
  const wire = openIdEvent();
  wire.idToken.iss = issuer;
  Object.assign(wire.idToken.otherClaims, { groups });
  return JSON.stringify(wire);
}

const EVENTS = 'events/openidLoggedIn';
const HANDLER = 'handlers/campus.ts';
const ENV = '.env.dev';
const STAFF = `${EVENTS}/staff.json`;
const LOCKED = `${EVENTS}/locked.json`;
const OTHER = `${EVENTS}/other-realm.json`;
const ALL = [STAFF, LOCKED, OTHER];
const expectedOf = (file: string) => file.replace('.json', '.expected.json');

const project = await ownTools({
  'serverless.yml': configurationOf('openid: {handler: handlers/campus, issuers: any}'),
  [HANDLER]: handlerOf(MAPPING),
  [STAFF]: event(['/staff']),
  [LOCKED]: event(['/locked/for-good']),
  [OTHER]: event(['/staff'], 'https://sso.example.edu/realms/guests'),
});
await project.run(['check', '--update']);

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const codesIn = (text: string) =>
  Array.from(text.matchAll(/^(?:error|warning) +(\w+)/gm), ([, code]) => code);
/** Without it, `test` does not run the compiler. */
const UNTYPED = { 'tsconfig.json': null };
const lockd = handlerOf({ ...MAPPING, rules: [{ no_group: ['/lockd'] }] });

const IN_FORCE =
  'openidLoggedIn: handlers/campus (serverless.yml) answers, and refuses 2 of 3 events\n3 of 3 events as expected';

const TESTED =
  /, every rule and table row hit, \d+ attacks refused, 0 got in that must not, \d+ that no rule forbids, 0 not tested\n$/;
test.each([
  ['test', TESTED],
  ['check events/', /^openidLoggedIn\/staff +handlers\/campus +Authorized/m],
])('%s says what answers, and whom it refuses', async (command, told) => {
  const { status, stdout, stderr } = await project.run(command.split(' '));
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(told);
  expect(stdout).toContain(IN_FORCE);
});

test('check and verify tell once what is odd about a mapping', async () => {
  const rules = [{ no_group: ['/locked', 'off*'] }];
  await project.write(HANDLER, handlerOf({ ...MAPPING, issuers: 'any', rules }));
  const ended = [
    await project.run(['check']),
    await project.run(['verify']),
    await project.run(['verify', '--try'], BUILT),
  ];
  await project.write(HANDLER, handlerOf(MAPPING));
  for (const { stdout, stderr } of ended) {
    const warnings = codesIn(stdout).filter((code) => code === 'mapping_warning');
    expect([warnings, stderr]).toEqual([['mapping_warning'], '']);
    expect(stdout).toMatch(/^note +any_issuer +handlers\/campus$/m);
  }
});

test.each(['events/new.json', 'events/openIdLoggedIn/new.json'])(
  'an event in no folder of a function is not passed over: %s',
  async (file) => {
    const { status, stderr } = await project.changed({ [file]: event(['/staff']) }, ['check']);
    expect(stderr).toContain(`${file}: expected this file in the folder events/openidLoggedIn`);
    expect(status).toBe(2);
  },
);

test('of a mapping that does not load, nothing is told that only follows of it', async () => {
  const invalid = handlerOf({ ...MAPPING, rules: [{ email_domains: ['no domain'] }] });
  const { status, stdout } = await project.changed({ [HANDLER]: invalid }, ['check', '--attack']);
  expect([status, codesIn(stdout)]).toEqual([1, []]);
});

test('the default handler can be asked in the place of the one in force', async () => {
  const args = ['--handler', 'default'];
  const one = await project.run(['login', 'openid', 'openidLoggedIn/locked', ...args]);
  expect(JSON.parse(one.stdout).type).toBe('AuthorizedUserResponse');
  const all = await project.run(['check', ...args]);
  const last = '0 of 0 events as expected, 3 not compared (they expect another handler)';
  expect([all.status, lastLine(all.stdout)]).toEqual([0, last]);
});

test('a handler of a layer is compared by --handler, and told otherwise', async () => {
  const onLambda = '/opt/own';
  const expected = JSON.stringify({ handler: onLambda, status: 200, answer: { type: '' } });
  const files = {
    [ENV]: `OPENID_HANDLER_MODULE=${onLambda}\n`,
    ...Object.fromEntries(ALL.map((file) => [expectedOf(file), expected])),
  };
  const told = await project.changed(files, ['check']);
  expect(told.stdout).toContain('/opt/own (.env.dev) answers, on Lambda only, and was not compared');
  const last = '3 not compared: their handler is on Lambda only';
  expect([told.status, lastLine(told.stdout)]).toEqual([0, last]);
  const compared = await project.changed(files, ['check', '--handler', HANDLER]);
  expect([compared.status, lastLine(compared.stdout)]).toEqual([1, '0 of 3 events as expected']);
});

const CODE = `export default () =>
  ({ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' });\n`;
test.each([
  ['which the configuration says aloud of it is told of', 'note', 'handlers/campus'],
  ['of which it does not say so is an error', 'error', 'handlers/other'],
])('a handler of code that takes any issuer, %s: %s another issuer of %s', async (_, level, module) => {
  const files = { [`${module}.ts`]: CODE, [ENV]: `OPENID_HANDLER_MODULE=${module}\n` };
  const { stdout } = await project.changed(files, ['check', '--attack']);
  expect(stdout).toMatch(new RegExp(`^${level} +another_issuer +${module}\n  gets in: `, 'm'));
});

const COMMANDS = ['check', 'test', 'verify', 'login openid openidLoggedIn/staff', 'doctor', 'start'];
test.each(COMMANDS)('a stage that is not there is refused by %s', async (command) => {
  const stderr = expect.stringContaining('no stage production: expected dev or prod');
  const ended = await project.run([...command.split(' '), '--stage', 'production']);
  expect(ended).toMatchObject({ status: 2, stderr });
});

/** Of a login, it asks for two secrets and another system. */
const ASKING = `import { endpoint, forbidden, getAccessToken, getSecret, url } from 'login-hooks';
  const api = endpoint('https://directory.example');
  export default async () => {
    await getSecret('own/key');
    const tokenUrl = url\`\${api}/token\`;
    return forbidden(await getAccessToken({ tokenUrl, secretId: 'own/client', scope: 'x' }));
  };\n`;
const GONE = '{"handler": "handlers/gone", "status": 200, "answer": {"type": "ForbiddenResponse"}}';

const MISTYPED = handlerOf(MAPPING).replace('"no_group"', '"nogroup"');
const DIFFERS =
  /^openidLoggedIn\/locked\n {2}type: [\s\S]*^error +not_hit +handlers\/campus\n.* rules\[0\]\.no_group: .* \(\["\/lockd"\]\)$/m;
const UNRECORDED = /the response to POST \S+\/token is not recorded/;
const MISSING = /handler_not_loaded: there is no handler handlers\/gone/;
const added = { [`${EVENTS}/new.json`]: event(['/staff']) };
/** Its file of secrets is not there, as in a clone. */
const asking = { [HANDLER]: ASKING, [ENV]: 'SECRET_IDS=own/key,own/client\nSECRETS_FILE=secrets.json\n' };
const UNNAMED = { 'serverless.yml': configurationOf('openid: campus') };
const NEAREST =
  /handler_not_loaded: serverless\.yml: there is no handler campus; the nearest is handlers\/campus/;

test.each<[string, string, Record<string, string | null>, RegExp]>([
  ['a type is wrong', 'test', { [HANDLER]: MISTYPED }, /^handlers\/campus\.ts\(2,\d+\): error TS\d+/m],
  ['a handler cannot be built', 'check', { 'handlers/new.ts': 'export default (;' }, /new\.ts:1:16:/],
  ['a response differs', 'check --coverage', { [HANDLER]: lockd }, DIFFERS],
  ['an event is new', 'test', { ...added, ...UNTYPED }, /^error +not_expected +openidLoggedIn\/new$/m],
  ['the expected handler is not there', 'test', { [expectedOf(LOCKED)]: GONE, ...UNTYPED }, MISSING],
  ['the handler of serverless.yml is not there', 'check', UNNAMED, NEAREST],
  ['another system would be asked', 'test', { ...asking, ...UNTYPED }, UNRECORDED],
])('a run fails where %s: %s', async (_, command, files, told) => {
  const { status, stdout } = await project.changed(files, command.split(' '));
  expect([status, stdout]).toEqual([1, expect.stringMatching(told)]);
});

test('a secret that SECRET_IDS does not list is an error, with the line to add', async () => {
  const files = { [HANDLER]: ASKING, [ENV]: 'SECRET_IDS=own/client\n' };
  const { status, stdout } = await project.changed(files, ['check', '--offline']);
  expect(stdout).toContain('secret own/key: SECRET_IDS does not list it');
  expect(stdout).toMatch(
    /^error +secret_not_listed +handlers\/campus\n.*\n.* \.env\.dev: SECRET_IDS=own\/client,own\/key$/m,
  );
  expect(status).toBe(1);
});

describe('check --update', () => {
  const NOBODY = handlerOf({ ...MAPPING, rules: [{ any_group: ['/none'] }] });
  const read = (file: string) => readFile(join(project.folder, file), 'utf8');
  const ANSWERED = [expectedOf(STAFF), expectedOf(LOCKED)];

  /** What is answered afterwards; the files are then put back. */
  async function updating(content: string, args: readonly string[]) {
    const before = await Promise.all(ANSWERED.map(read));
    const ended = await project.changed({ [HANDLER]: content }, args);
    const answers = (await Promise.all(ANSWERED.map(read))).map((text) => JSON.parse(text).answer.type);
    await Promise.all(ANSWERED.map((file, index) => project.write(file, before[index] ?? '')));
    return { ...ended, answers };
  }

  const [IN, OUT] = ['AuthorizedUserResponse', 'ForbiddenResponse'];
  test.each<[string, string, string[], 0 | 1, string, string[]]>([
    ['no refusal in the place of a login', NOBODY, [], 1, 'error +not_written', [IN, OUT]],
    [
      'one that is accepted',
      NOBODY,
      ['--accept', 'openidLoggedIn/staff'],
      0,
      'warning +other_kind',
      [OUT, OUT],
    ],
    ['who newly gets in', lockd, [], 0, 'warning +other_kind', [IN, IN]],
  ])('writes %s, and says so', async (_, handler, args, expected, code, written) => {
    const { status, stdout, answers } = await updating(handler, ['check', '--update', ...args]);
    expect([status, answers]).toEqual([expected, written]);
    expect(stdout).toMatch(new RegExp(`^${code} +openidLoggedIn/`, 'm'));
  });

  test.each([
    [['--accept', 'openidLoggedIn/staff'], 'expected --update with --accept'],
    [['--update', '--accept', 'openidLoggedIn/stafff'], 'the nearest is openidLoggedIn/staff'],
  ])('%j is refused', async (args, problem) => {
    const { status, stderr } = await project.run(['check', ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('check --report', () => {
  const git = (...args: string[]) => {
    const names = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    const env = commandEnvironment();
    return execFileSync('git', [...names, ...args], {
      cwd: project.folder,
      encoding: 'utf8',
      env,
      input: '',
    });
  };
  /** As in a hook of another repository, which tells of itself: it reads the one that the project is in. */
  const IN_HOOK = { GIT_DIR: '/nowhere' };
  const reporting = (files: Record<string, string>, against = 'main') =>
    project.changed(files, ['check', '--report', '--against', against], IN_HOOK);

  beforeAll(() => {
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', 'events', 'handlers', 'package.json', 'serverless.yml', 'tsconfig.json');
    git('commit', '--quiet', '--message', 'A change');
  });

  test('names the logins that are newly authorized first, and what differs, without a value', async () => {
    const uuid = '8a1f6c30-3b7a-4c52-9e86-5f0c9d1e2d4b';
    const groups = { from: ['groups'], table: [{ group: '/staff', uuid }] };
    const changed = handlerOf({ ...MAPPING, rules: [{ no_group: ['/lockd'] }], groups });
    const { status, stdout } = await reporting({ [HANDLER]: changed });
    const counts = '**1 newly authorized, 1 answered otherwise, 1 of 3 logins are answered as before**';
    expect(stdout).toContain(counts);
    expect(stdout).toMatch(
      /\| \*\*newly authorized\*\* \| <code>openidLoggedIn\/locked<\/code> .*\| Forbidden \| Authorized \|.*\|\n\| answered otherwise .*\| Authorized \| Authorized \| user\\?_group\\?_uuids \|/,
    );
    expect(stdout).toContain('Gets in, expected Forbidden');
    expect(stdout).toContain('rules\\[0\\].no_group: it refuses nobody');
    expect(stdout).not.toMatch(/ada|lovelace|example\.org/i);
    expect(status).toBe(1);
  });

  test('has no Markdown of what a mapping and the name of an event say, which names nobody and leads nowhere', async () => {
    const denied = '@all #1 a@example.org www.example.org https://example.org $a$ <b>';
    const file = `${EVENTS}/\`|<b>**x.json`;
    const answer = { type: 'ForbiddenResponse' };
    const expected = JSON.stringify({ handler: 'handlers/campus', status: 200, answer });
    const { stdout } = await reporting({
      ...{ [file]: event(['/locked']), [expectedOf(file)]: expected },
      [HANDLER]: handlerOf({ ...MAPPING, rules: [{ no_group: [denied] }] }),
    });
    // Only a character between keeps GitHub from reading them: it reads what entities and backslashes stand for.
    expect(stdout).toContain(
      '@&#8203;all #&#8203;1 a@&#8203;example.org www&#8203;.example.org https:&#8203;//example.org \\$a\\$ &lt;b>',
    );
    expect(stdout).toMatch(/ logins are answered as before, 1 not compared/);
    expect(stdout).toContain('<code>openidLoggedIn/\\`\\|&lt;b>\\*\\*x</code>');
  });

  test('is refused of what cannot be compared', async () => {
    const empty = git('commit-tree', '-m', 'Empty', git('mktree', '--missing').trim()).trim();
    for (const [against, told] of [
      [empty, `${empty}: no event has an expected response of its handler at this commit`],
      ['mian', '--against: git knows no commit mian'],
    ] as const)
      expect(await reporting({}, against)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(told),
      });
  });
});
