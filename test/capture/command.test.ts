/** `npm run capture`: what was caught is in a file or on stdin; what is wrong with it, and keeping it. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { type Issued, MAIL, PERSON } from '../support/samlIdp.ts';
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

const ours = await provider();
const metadata = file('idp.xml', metadataOf(ours.cert));

const HANDLER = ['--handler', 'handlers/renamed-attributes.ts'];
const ELSEWHERE = { audience: 'https://other.example' };
const TWO_ADDRESSES = { claims: { ...PERSON, [MAIL]: ['ada@example.org', 'lovelace@example.org'] } };
const WELL = [
  /^SAMLResponse, for samlLoggedIn\n\nnote {5}signed\n {2}The assertion is signed\.\n\n/,
  /at the time of the event, with the checks of callers, tokens and assertions off/,
  /^response AuthorizedUserResponse$/m,
  /^(?!.*ada@example\.org)/s,
];
const REFUSED = [
  /samlLoggedIn\n\nerror {4}assertion_audience_refused\n {2}The assertion is for another .* Found: https:\/\/other\.example\. Expected: /,
  /\n {2}→ Enter the entity ID of the service at the provider/,
  /"ada@example\.org"/,
];
const JOINED = [
  /^reason {3}authorized$/m,
  /^warning {2}known_form_differs\n.*\(profile_incomplete\): other type, /m,
];
const UNLISTED = [/^reason {3}issuer_not_listed\nhandler {2}handlers\/renamed-attributes$/m];

test.each<[what: string, issued: Issued, options: string[], status: number, shown: RegExp[]]>([
  ['nothing wrong', {}, [], 0, WELL],
  ['another audience', ELSEWHERE, ['--values'], 1, REFUSED],
  ['addresses that the known service joins', TWO_ADDRESSES, [], 0, JOINED],
  ['another handler, which lets nobody in', {}, HANDLER, 1, UNLISTED],
])('a login with %s', async (_, issued, options, status, shown) => {
  const caught = file('response.txt', base64(await response(ours, issued)));
  const ran = await runTool('capture', [caught, '--metadata', metadata, ...options], { SAML_ISSUERS });
  expect([ran.status, ran.stderr]).toEqual([status, '']);
  for (const pattern of shown) expect(ran.stdout).toMatch(pattern);
});

test('no event is made of a response that cannot be opened', async () => {
  const caught = file('encrypted.txt', await response(ours, encryption(ours)));
  const { status, stdout } = await runTool('capture', [caught]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^warning {2}assertion_encrypted$.*It cannot be made into an event\.\n\n$/ms);
});

const PROCESS = { cwd: PROJECT, encoding: 'utf8', env: commandEnvironment(BUILT) } as const;

test('- reads stdin', async () => {
  const input = (await response(ours)).replace(/<Signature .*<\/Signature>/s, '');
  const args = ['tools/cli/bin.cjs', 'capture', '-'];
  const { status, stdout } = spawnSync(process.execPath, args, { ...PROCESS, input });
  expect([status, stdout]).toEqual([1, expect.stringContaining('error    unsigned')]);
});

test('ends quietly where the reader of its lines goes away', () => {
  const command = `"${process.execPath}" tools/cli/bin.cjs capture events/openidLoggedIn/entra.json | head -1`;
  expect(spawnSync('sh', ['-c', command], PROCESS).stderr).toBe('');
});

test('a file of metadata that is empty is named, with exit code 2', async () => {
  const stderr = expect.stringContaining('empty.xml: expected XML, found no element');
  const args = [file('rubbish.txt', 'rubbish'), '--metadata', file('empty.xml', '')];
  expect(await runTool('capture', args)).toEqual({ status: 2, stdout: '', stderr });
});

describe('--keep', () => {
  const NAME = `kept-by-the-test-of-capture-${process.pid}`;
  const FOLDER_OF_EVENTS = join(PROJECT, 'events', 'openidLoggedIn');
  const FILES = ['json', 'expected.json'].map((end) => join(FOLDER_OF_EVENTS, `${NAME}.${end}`));
  afterAll(() => {
    for (const path of FILES) rmSync(path, { force: true });
  });
  const keep = (...options: string[]) =>
    runTool('capture', [file('caught.json', JSON.stringify(openIdEvent())), ...options]);

  test('shows which texts are kept, those of standards in one line, and writes nothing', async () => {
    const { status, stdout } = await keep('--keep', NAME);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}the issuer: "https:.*\n {2}Of standards .*: .*"email", "given_name"/m);
    expect(stdout).toContain('Nothing is written yet.');
    expect(FILES.filter(existsSync)).toEqual([]);
  });

  test('with --yes writes a sample that npm run check finds as expected', async () => {
    expect((await keep('--keep', NAME, '--yes')).status).toBe(0);
    expect((await runTool('check', [FILES[0] ?? ''])).stdout).toContain('1 of 1 events as expected');
  });

  test('says why it cannot be kept', async () => {
    const { status, stdout } = await keep('--keep', 'entra', '--yes');
    expect([status, stdout]).toEqual([1, expect.stringMatching(/A sample of this name exists already/)]);
  });

  test('is needed for --yes', async () => {
    const stderr = 'expected --keep <name> with --yes\n';
    expect(await keep('--yes')).toEqual({ status: 2, stdout: '', stderr });
  });
});
