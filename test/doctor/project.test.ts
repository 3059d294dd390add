/** Known advisories of a project's packages, as `npm audit` tells them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnProject, ownProject } from '../support/ownProject.ts';
import { httpServer, sendJson } from '../support/servers.ts';

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

let severity: string;
/** A registry, as far as npm asks one for advisories. */
function registry({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const advisory = {
    id: severity,
    url: 'https://a.example',
    title: 'x',
    severity,
    vulnerable_versions: '<2.0.0',
  };
  const versions = {
    '1.0.0': { name: 'left-pad', version: '1.0.0' },
    '2.0.0': { name: 'left-pad', version: '2.0.0' },
  };
  const packument = { name: 'left-pad', 'dist-tags': { latest: '2.0.0' }, versions };
  sendJson(response, url.endsWith('/advisories/bulk') ? { 'left-pad': [advisory] } : packument);
}

let server: Awaited<ReturnType<typeof httpServer>>;
let project: OwnProject;
beforeAll(async () => {
  server = await httpServer(registry);
  project = await ownProject(lock('1.0.0'));
}, 60_000);
afterAll(async () => {
  await project.remove();
  await server.close();
});

test.each<[string, string, string | null, string[]]>([
  ['grave', 'high', '1.0.0', ['error advisory left-pad']],
  ['mild', 'low', '1.0.0', ['note advisory left-pad']],
  ['of another version', 'high', '2.0.0', []],
  ['of a registry that cannot be reached', 'high', null, ['note advisories_unknown npm audit']],
])('an advisory, %s', async (_, level, version, found) => {
  severity = level;
  // The port of `discard`, on which nothing listens.
  await project.write('.npmrc', `registry=${version === null ? 'http://127.0.0.1:9' : server.url}\n`);
  for (const [file, content] of Object.entries(lock(version ?? '1.0.0'))) await project.write(file, content);
  const { stdout } = await project.run(['doctor', '--only', 'project', '--json']);
  const findings: Record<string, string>[] = JSON.parse(stdout);
  expect(findings.map((one) => `${one.level} ${one.code} ${one.subject}`)).toEqual(found);
});
