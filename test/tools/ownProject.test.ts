/** The commands in a project of an operator's own: they know its handlers and events, and no sample of login-hooks. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { handlerOf, type OwnProject, ownProject } from '../support/ownProject.ts';
import { freePorts, portOptions, requests, STUDIO_ADDRESS } from '../support/studio.ts';
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

const FILES = {
  '.env.dev': 'OPENID_HANDLER_MODULE=handlers/campus\n',
  'tsconfig.json': '{"extends": "login-hooks/tsconfig.json", "include": ["handlers"]}',
  'handlers/campus.ts': handlerOf(MAPPING),
  'events/openidLoggedIn/staff.json': event(['/staff']),
  'events/openidLoggedIn/locked.json': event(['/locked/for-good']),
  'events/openidLoggedIn/other-realm.json': event(['/staff'], 'https://sso.example.edu/realms/guests'),
};

let project: OwnProject;
beforeAll(async () => {
  project = await ownProject(FILES);
  await project.run(['check', '--update']);
}, 60_000);
afterAll(() => project.remove());

const run = (...args: string[]) => project.run(args);

/** What commands print while a file has another content; no content removes it. */
async function withFile<TResult>(file: string, content: string | null, use: () => Promise<TResult>) {
  const path = join(project.folder, file);
  const before = await readFile(path, 'utf8').catch(() => null);
  if (content === null) await rm(path);
  else await project.write(file, content);
  try {
    return await use();
  } finally {
    if (before === null) await rm(path);
    else await project.write(file, before);
  }
}

const LABELS = ['locked', 'other-realm', 'staff'].map((name) => `openidLoggedIn/${name}`);
const labelsIn = (text: string) =>
  Array.from(text.matchAll(/^(\w+LoggedIn\/\S+) {2}/gm), ([, label]) => label);

test('check lists the events of the project, and no sample', async () => {
  const { status, stdout } = await run('check');
  expect([status, labelsIn(stdout)]).toEqual([0, LABELS]);
  expect(stdout).toMatch(/\n3 of 3 events as expected\n$/);
});

test('check --coverage counts the mappings of the project, and no worked handler', async () => {
  const { status, stdout } = await run('check', '--coverage');
  expect(stdout).toMatch(/3 of 3 events as expected\n\nhandlers\/campus, 3 events\n/);
  expect([status, stdout]).toEqual([0, expect.not.stringContaining('handlers/keycloak')]);
});

describe('start', () => {
  let ports: Awaited<ReturnType<typeof freePorts>>;
  let command: ReturnType<OwnProject['start']>;
  beforeAll(async () => {
    ports = await freePorts();
    command = project.start(['start', ...portOptions(ports)]);
    await command.printed(/^Send a login/m);
  });
  afterAll(() => command.end());

  test('lists the events of the project, and sends one of them', () => {
    expect(labelsIn(command.stdout()).sort()).toEqual(LABELS);
    const sent = `:${ports.http}/openid -H 'content-type: application/json' -d @events/openidLoggedIn/staff.json`;
    expect(command.stdout()).toContain(sent);
  });

  test('lists them in the studio, and no sample', async () => {
    const [address] = await command.printed(STUDIO_ADDRESS);
    const logins = await requests(address, ports.http).logins();
    expect(logins.map(({ id }) => id.replace('.', '/')).sort()).toEqual(LABELS);
  });
});

describe('verify --try', () => {
  const TRIED = ['verify', 'openidLoggedIn', '--try'];

  test('sends the events of the project through the handler in force', async () => {
    const { status, stdout } = await run(...TRIED);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/\nopenidLoggedIn: 3 of 3 events as expected by handlers\/campus\n$/),
    ]);
  });

  test.each([
    [
      'answers one of them otherwise',
      handlerOf({ ...MAPPING, rules: [{ no_group: ['/lockd'] }] }),
      /^openidLoggedIn: 2 of 3 events as expected by handlers\/campus\nopenidLoggedIn\/locked\n {2}type: /m,
    ],
    [
      'ends its process',
      'export default () => process.exit(3);\n',
      /: 0 of 3 .*\n3 events, the first is openidLoggedIn\/locked\n {2}crash: the process of openidLoggedIn ended \(exit code 3\)/m,
    ],
  ])('fails where it %s', async (_, content, told) => {
    const { status, stderr } = await withFile('handlers/campus.ts', content, () => run(...TRIED));
    expect([status, stderr]).toEqual([1, expect.stringMatching(told)]);
  });
});

describe('login-hooks test', () => {
  const ALL_WELL = /^3 of 3 events as expected, every rule and table row hit, \d+ attacks refused\n$/;

  test('says in a line that all is well, whatever handler the settings name', async () => {
    expect(await run('test')).toEqual({ status: 0, stdout: expect.stringMatching(ALL_WELL), stderr: '' });
    const other = { OPENID_HANDLER_MODULE: 'handlers/other' };
    const { status, stdout } = await project.run(['test'], other);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^openidLoggedIn: no event expects handlers\/other: .*--update\n\n3 of 3 events as expected/,
    );
  });

  test.each<[string, string, string | null, RegExp]>([
    [
      'a type is wrong',
      'handlers/campus.ts',
      handlerOf(MAPPING).replace('"no_group"', '"nogroup"'),
      /^handlers\/campus\.ts\(2,\d+\): error TS\d+/,
    ],
    ['a handler cannot be built', 'handlers/new.ts', 'export default (;\n', /handlers\/new\.ts:1:16:/],
    [
      'a handler throws',
      'handlers/campus.ts',
      `const handler = (): never => {\n  throw new Error('out of order');\n};\nexport default handler;\n`,
      /^3 events, the first is openidLoggedIn\/locked\n {2}Error: out of order\n(?:.*\n)*\n0 of 3 events as expected, /,
    ],
    [
      'a response differs',
      'handlers/campus.ts',
      handlerOf({ ...MAPPING, rules: [{ no_group: ['/lockd'] }] }),
      /^openidLoggedIn\/locked\n {2}type: .*\n(?:.*\n)*handlers\/campus: no event hits rules\[0\]\.no_group: \["\/lockd"\]\n\n2 of 3 events as expected, 1 not hit, /,
    ],
    [
      'an attack gets in',
      'handlers/campus.ts',
      `import { authorizedUser, type OpenIdHandler } from 'login-hooks';
      const anybody: OpenIdHandler = () => authorizedUser({ first_name: 'A', last_name: 'B', email: 'a@example.org' });
      export default anybody;\n`,
      /\nhandlers\/campus: another_issuer gets in \(/,
    ],
    [
      'no event hits a row',
      'events/openidLoggedIn/staff.json',
      event([]),
      /\nhandlers\/campus: no event hits groups\.table\[0\]: "\/staff"\n/,
    ],
    [
      'an event has no expected response',
      'events/openidLoggedIn/locked.expected.json',
      null,
      /^no expected response: openidLoggedIn\/locked; npx login-hooks check --update writes it\n(?:.*\n)*2 of 3 events/,
    ],
    [
      'the expected handler is not there',
      'events/openidLoggedIn/locked.expected.json',
      '{"handler": "handlers/gone", "status": 200, "answer": {"type": "ForbiddenResponse"}}',
      /^openidLoggedIn\/locked\n(?:.*\n)* {2}handler_not_loaded: there is no handler handlers\/gone/,
    ],
  ])('fails where %s, and says only that', async (_, file, content, told) => {
    const { status, stdout } = await withFile(file, content, () => run('test'));
    expect([status, stdout]).toEqual([1, expect.stringMatching(told)]);
  });

  test('asks no other system', async () => {
    const asking = `import { endpoint, forbidden, lookUp, type OpenIdHandler, url } from 'login-hooks';
      import * as v from 'valibot';
      const api = endpoint('https://directory.example');
      const asking: OpenIdHandler = async () => forbidden(await lookUp(url\`\${api}/x\`, v.string()));
      export default asking;\n`;
    const { status, stdout } = await withFile('handlers/campus.ts', asking, () => run('test'));
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining(
        'the response to GET https://directory.example/x is not recorded: npx login-hooks check',
      ),
    ]);
  });
});
