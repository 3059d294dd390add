/** `npm run capture`: what was caught is in a file or on stdin; what is wrong with it, and keeping it. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { MAIL, PERSON } from '../support/samlIdp.ts';
import type { SamlProvider } from '../support/samlProvider.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';
import { base64, encryption, metadataOf, provider, response, SAML_ISSUERS } from './caught.ts';

const FOLDER = temporaryFolder();

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
  const { status, stdout, stderr } = await runTool('capture', [caught, '--metadata', metadata], {
    SAML_ISSUERS,
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^SAMLResponse, for samlLoggedIn\n\nnote {5}signed\n {2}The assertion is signed\.\n\n/,
  );
  expect(stdout).toContain('at the time of the event, with the checks of callers, tokens and assertions off');
  expect(stdout).toMatch(/^response AuthorizedUserResponse$/m);
  expect(stdout).not.toContain('ada@example.org');
});

test('errors come first, each with what to change, and the exit code is 1', async () => {
  const options = { audience: 'https://other.example' };
  const caught = file('audience.txt', base64(await response(ours, { options })));
  const { status, stdout } = await runTool('capture', [caught, '--values'], { SAML_ISSUERS });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^SAMLResponse, for samlLoggedIn\n\nerror {4}assertion_audience_refused\n {2}The assertion is meant for https:\/\/other\.example;/,
  );
  expect(stdout).toContain('\n  → Enter the entity ID of the service at the provider');
  expect(stdout).toMatch(/^response AuthorizedUserResponse$/m);
  expect(stdout).toContain('"ada@example.org"');
});

test('where the known service joins two addresses, and neither can be used, a warning says so', async () => {
  const claims = { ...PERSON, [MAIL]: ['ada@example.org', 'lovelace@example.org'] };
  const caught = file('addresses.txt', base64(await response(ours, { claims })));
  const { stdout } = await runTool('capture', [caught]);
  expect(stdout).toMatch(/^reason {3}authorized$/m);
  expect(stdout).toMatch(
    /^warning {2}known_form_differs\n.*ErrorResponse \(profile_incomplete\): other type, /m,
  );
});

test('the handler is chosen', async () => {
  const caught = file('handler.txt', base64(await response(ours)));
  const { stdout } = await runTool('capture', [caught, '--handler', 'handlers/renamed-attributes.ts']);
  expect(stdout).toMatch(/^reason {3}issuer_not_listed\nhandler {2}handlers\/renamed-attributes$/m);
});

test('no event is made of a response that cannot be opened', async () => {
  const caught = file('encrypted.txt', await response(ours, { options: encryption(ours) }));
  const { status, stdout } = await runTool('capture', [caught]);
  expect(status).toBe(1);
  expect(stdout).toContain('warning  assertion_encrypted');
  expect(stdout.endsWith('It cannot be made into an event.\n\n')).toBe(true);
});

test('- reads stdin', async () => {
  const { status, stdout } = spawnSync(process.execPath, ['tools/cli/bin.cjs', 'capture', '-'], {
    cwd: PROJECT,
    encoding: 'utf8',
    input: (await response(ours)).replace(/<Signature .*<\/Signature>/s, ''),
    env: commandEnvironment(BUILT),
  });
  expect(status).toBe(1);
  expect(stdout).toContain('error    unsigned');
});

test.each([
  ['a file without a login', [], 'this is a text of 7 characters without a login: expected a SAMLResponse'],
  ['metadata that is none', ['--metadata', join(FOLDER, 'rubbish.txt')], 'the metadata: expected XML'],
])('%s is named, with exit code 2', async (_, options, message) => {
  const stderr = expect.stringContaining(message);
  const args = [file('rubbish.txt', 'rubbish'), ...options];
  expect(await runTool('capture', args)).toEqual({ status: 2, stdout: '', stderr });
});

test('ends quietly where the reader of its lines goes away', () => {
  const command = `"${process.execPath}" tools/cli/bin.cjs capture events/openidLoggedIn/entra.json | head -1`;
  const { stderr } = spawnSync('sh', ['-c', command], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: commandEnvironment(BUILT),
  });
  expect(stderr).toBe('');
});

test('a login that is not authorized ends with exit code 1', async () => {
  const args = ['events/openidLoggedIn/keycloak-suspended.json', '--handler', 'handlers/keycloak-roles'];
  expect(await runTool('capture', args)).toMatchObject({ status: 1, stderr: '' });
});

describe('--keep', () => {
  const NAME = `kept-by-the-test-of-capture-${process.pid}`;
  const FILES = ['json', 'expected.json'].map((end) =>
    join(PROJECT, 'events', 'openidLoggedIn', `${NAME}.${end}`),
  );
  afterAll(() => {
    for (const path of FILES) rmSync(path, { force: true });
  });
  const keep = (...options: string[]) =>
    runTool('capture', [file('caught.json', JSON.stringify(openIdEvent())), ...options]);

  test('shows which texts stay, and writes nothing', async () => {
    const { status, stdout } = await keep('--keep', NAME);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}the issuer: "https:/m);
    expect(stdout).toContain('Nothing is written yet.');
    expect(FILES.filter(existsSync)).toEqual([]);
  });

  test('with --yes writes a sample that npm run check finds as expected', async () => {
    expect((await keep('--keep', NAME, '--yes')).status).toBe(0);
    expect((await runTool('check', [FILES[0] ?? ''])).stdout).toContain('1 of 1 events as expected');
  });

  test.each([
    ['a name that is taken', 'entra', /A sample of this name exists already/],
    ['a name that is a path', '../entra', /The name is not valid for a sample/],
  ])('says why %s is in the way', async (_, name, problem) => {
    const { status, stdout } = await keep('--keep', name, '--yes');
    expect([status, stdout]).toEqual([1, expect.stringMatching(problem)]);
  });

  test('is needed for --yes', async () => {
    const stderr = 'expected --keep <name> with --yes\n';
    expect(await keep('--yes')).toEqual({ status: 2, stdout: '', stderr });
  });
});
