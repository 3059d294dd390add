/** What the doctor says of a project of an operator's own: each finding, and nothing after its cure. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { handlerOf, type OwnProject, ownProject } from '../support/ownProject.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { openIdEvent } from '../support/wire.ts';

const HANDLER = handlerOf({ rules: [{ any_group: ['staff'] }], groups: { from: ['groups'] } });
const EVENT = 'events/openidLoggedIn/staff';
const EXPECTED = (handler: string) =>
  JSON.stringify({ handler, status: 200, answer: { type: 'ForbiddenResponse', message: 'no' } });
const event = (groups: string[]) => {
  const wire = openIdEvent();
  Object.assign(wire.idToken.otherClaims, { groups });
  return JSON.stringify(wire);
};
const lock = (version: string) => ({
  'package.json': JSON.stringify({
    name: 'my-logins',
    type: 'module',
    dependencies: { 'left-pad': version },
  }),
  'package-lock.json': JSON.stringify({
    name: 'my-logins',
    lockfileVersion: 3,
    packages: {
      '': { name: 'my-logins', dependencies: { 'left-pad': version } },
      'node_modules/left-pad': { version, resolved: 'https://registry.example/left-pad.tgz' },
    },
  }),
});

/** A registry, as far as npm asks one for advisories. */
const ADVISORY = {
  id: 1,
  url: 'https://advisory.example',
  title: 'x',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
};
function registry({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const versions = {
    '1.0.0': { name: 'left-pad', version: '1.0.0' },
    '2.0.0': { name: 'left-pad', version: '2.0.0' },
  };
  const packument = { name: 'left-pad', 'dist-tags': { latest: '2.0.0' }, versions };
  sendJson(response, url.endsWith('/advisories/bulk') ? { 'left-pad': [ADVISORY] } : packument);
}

let server: Awaited<ReturnType<typeof httpServer>>;
let project: OwnProject;
beforeAll(async () => {
  server = await httpServer(registry);
  project = await ownProject({
    '.npmrc': `registry=${server.url}\n`,
    '.env.prod': 'OPENID_HANDLER_MODULE=handlers/staff\n',
    'handlers/staff.ts': HANDLER,
    [`${EVENT}.json`]: event(['staff']),
    [`${EVENT}.expected.json`]: EXPECTED('handlers/staff'),
    ...lock('2.0.0'),
  });
  await project.write('events/openidLoggedIn/guest.json', event(['guest']));
}, 60_000);
afterAll(async () => {
  await project.remove();
  await server.close();
});

const examine = async () => {
  const { stdout } = await project.run(['doctor', '--stage', 'prod', '--only', 'project', '--json']);
  const { findings, unasked } = JSON.parse(stdout);
  expect(unasked).toEqual([]);
  return findings.map(({ level, code, subject }: Record<string, string>) => `${level} ${code} ${subject}`);
};
const write = async (files: Record<string, string>) => {
  for (const [file, content] of Object.entries(files)) await project.write(file, content);
};

test('a project in which all belongs together has nothing', async () => {
  expect(await examine()).toEqual([]);
});

test.each<[string, string, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    'a package with a known advisory',
    'finding advisory left-pad',
    () => write(lock('1.0.0')),
    () => write(lock('2.0.0')),
  ],
  [
    'a registry that cannot be reached',
    'note advisories_unknown npm audit',
    // The port of `discard`, on which nothing listens.
    () => write({ '.npmrc': 'registry=http://127.0.0.1:9\n' }),
    () => write({ '.npmrc': `registry=${server.url}\n` }),
  ],
  [
    'a handler that no setting names',
    'note handlers_unnamed handlers/',
    () => write({ 'handlers/staff-2.ts': HANDLER }),
    () => write({ '.env.dev': 'OPENID_HANDLER_MODULE=handlers/staff-2\n' }),
  ],
  [
    'an event that expects a handler that is gone',
    `finding event_handler_gone ${EVENT}.json`,
    () => write({ [`${EVENT}.expected.json`]: EXPECTED('handlers/old') }),
    () => write({ [`${EVENT}.expected.json`]: EXPECTED('handlers/staff') }),
  ],
  [
    'a rule that no event hits',
    'note coverage_incomplete handlers/staff',
    () => rm(join(project.folder, 'events/openidLoggedIn/guest.json')),
    () => write({ 'events/openidLoggedIn/guest.json': event(['guest']) }),
  ],
])(
  '%s is found, and gone after its cure',
  async (_, found, change, cure) => {
    await change();
    expect(await examine()).toEqual([found]);
    await cure();
    expect(await examine()).toEqual([]);
  },
  60_000,
);
