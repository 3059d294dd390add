/** Known advisories of a project's packages, as `npm audit` tells them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { ownTools } from '../support/ownProject.ts';
import { httpServer, sendJson } from '../support/servers.ts';

function lock(version: string) {
  const own = { name: 'my-logins', type: 'module', dependencies: { 'left-pad': version } };
  const installed = { version, resolved: 'https://registry.example/left-pad.tgz' };
  const packages = { '': own, 'node_modules/left-pad': installed };
  return {
    'package.json': JSON.stringify(own),
    'package-lock.json': JSON.stringify({ name: own.name, lockfileVersion: 3, packages }),
  };
}

let severity: string;
/** A registry, as far as npm asks one for advisories. */
function registry({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const about = { id: severity, url: 'https://a.example', title: 'x' };
  const advisory = { ...about, severity, vulnerable_versions: '<2.0.0' };
  const ofVersion = (version: string) => [version, { name: 'left-pad', version }];
  const versions = Object.fromEntries(['1.0.0', '2.0.0'].map(ofVersion));
  const packument = { name: 'left-pad', 'dist-tags': { latest: '2.0.0' }, versions };
  sendJson(response, url.endsWith('/advisories/bulk') ? { 'left-pad': [advisory] } : packument);
}

const server = await httpServer(registry);
const project = await ownTools(lock('1.0.0'));
afterAll(() => server.close());

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
