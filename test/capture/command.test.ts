/** `npm run capture`: what was caught is in a file or on stdin. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';
import type { SamlProvider } from '../support/samlProvider.ts';
import { BUILT, runTool } from '../support/tools.ts';
import { base64, encryption, MAIL, metadataOf, PERSON, provider, response, SAML_ISSUERS } from './caught.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'capture-'));

function file(name: string, content: string): string {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
}

let ours: SamlProvider;
let metadata: string;
beforeAll(async () => {
  ours = await provider();
  metadata = file('idp.xml', metadataOf(ours.cert));
});

test('a login in which nothing is wrong is answered, with exit code 0', async () => {
  const caught = file('response.txt', base64(await response(ours)));
  const { status, stdout, stderr } = runTool('capture', [caught, '--metadata', metadata], { SAML_ISSUERS });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^SAMLResponse, for samlLoggedIn\n\nnote {2}signed\n {2}The assertion is signed\.\n\n/,
  );
  expect(stdout).toContain('at the time of the event, with the checks of callers, tokens and assertions off');
  expect(stdout).toMatch(/^response AuthorizedUserResponse$/m);
  expect(stdout).not.toContain('ada@example.org');
});

test('problems come first, each with its cure, and the exit code is 1', async () => {
  const options = { audience: 'https://other.example' };
  const caught = file('audience.txt', base64(await response(ours, { options })));
  const { status, stdout } = runTool('capture', [caught, '--values'], { SAML_ISSUERS });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^SAMLResponse, for samlLoggedIn\n\nproblem {2}assertion_audience_refused\n {2}The assertion is meant for https:\/\/other\.example;/,
  );
  expect(stdout).toContain('\n  Enter the entity ID of the service at the provider');
  expect(stdout).toMatch(/^response AuthorizedUserResponse$/m);
  expect(stdout).toContain('"ada@example.org"');
});

test('the form is chosen: the known service joins two addresses, and neither can be used', async () => {
  const claims = { ...PERSON, [MAIL]: ['ada@example.org', 'lovelace@example.org'] };
  const caught = file('addresses.txt', base64(await response(ours, { claims })));
  expect(runTool('capture', [caught]).stdout).toMatch(/^reason {3}authorized$/m);
  expect(runTool('capture', [caught, '--form', 'known']).stdout).toMatch(/^reason {3}profile_incomplete$/m);
});

test('the handler is chosen', async () => {
  const caught = file('handler.txt', base64(await response(ours)));
  const { stdout } = runTool('capture', [caught, '--handler', 'handlers/renamed-attributes.ts']);
  expect(stdout).toMatch(/^reason {3}issuer_not_listed\nhandler {2}handlers\/renamed-attributes$/m);
});

test('no event is made of a response that cannot be opened', async () => {
  const caught = file('encrypted.txt', await response(ours, { options: encryption(ours) }));
  const { status, stdout } = runTool('capture', [caught]);
  expect(status).toBe(0);
  expect(stdout).toContain('warning  assertion_encrypted');
  expect(stdout.endsWith('It cannot be made into an event.\n\n')).toBe(true);
});

test('- reads stdin', async () => {
  const { status, stdout } = spawnSync(process.execPath, ['tools/cli/capture.ts', '-'], {
    cwd: PROJECT,
    encoding: 'utf8',
    input: (await response(ours)).replace(/<Signature .*<\/Signature>/s, ''),
    env: commandEnvironment(BUILT),
  });
  expect(status).toBe(1);
  expect(stdout).toContain('problem  unsigned');
});

test('unusable input is named, with exit code 2', () => {
  const rubbish = file('rubbish.txt', 'rubbish');
  const cases: [string[], string][] = [
    [[], 'expected <file>: '],
    [['none.txt'], 'none.txt: no such file'],
    [[rubbish], 'this is a text of 7 characters without a login: expected a SAMLResponse'],
    [[rubbish, '--metadata', rubbish], 'the metadata: expected XML'],
    [
      ['events/samlLoggedIn/keycloak.json', '--form', 'other'],
      '--form: expected plain or known, found other',
    ],
    [['events/samlLoggedIn/keycloak.json', '--handler', 'no/such.ts'], 'no/such.ts: no such file'],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = runTool('capture', args);
    expect([args, status, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(message);
  }
});
