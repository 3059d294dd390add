/** `doctor` in a project of an operator's own, at a real provider: what it prints, its exit code and its facts. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { configurationFor, handlerOf, type OwnProject, ownProject } from '../support/ownProject.ts';
import { metadataOf } from '../support/samlMetadata.ts';
import { selfSigned } from '../support/servers.ts';
import { signingKey } from '../support/signingKeys.ts';
import { signXml } from '../support/signXml.ts';

let provider: OpenIdProvider;
let project: OwnProject;
beforeAll(async () => {
  provider = await openIdProvider([await signingKey('RS256')]);
  const federation = await selfSigned('federation.example');
  project = await ownProject({
    'serverless.yml': configurationFor('openid'),
    'ca.pem': provider.ca,
    'idp.xml': signXml(metadataOf({ attributes: 'ID="_1"' }), '/*', '/*', { privateKey: federation.key }),
    'federation.pem': federation.cert,
  });
}, 60_000);
afterAll(async () => {
  await project.remove();
  await provider.close();
});

const FACTS = () => join(project.folder, 'doctor.prod.json');
beforeEach(async () => {
  await rm(FACTS(), { force: true });
  await setTo('OPENID_HANDLER_MODULE=handlers/campus');
  await project.write('serverless.yml', configurationFor('openid'));
  await project.write(
    'handlers/campus.ts',
    handlerOf({ issuers: { [provider.issuer]: { userinfo: true } } }),
  );
});

const setTo = (...settings: string[]) =>
  project.write('.env.prod', [...settings, 'NODE_EXTRA_CA_CERTS=ca.pem', ''].join('\n'));
const run = (...args: string[]) => project.run(['doctor', '--stage', 'prod', '--only', 'providers', ...args]);
const facts = async () => JSON.parse(await readFile(FACTS(), 'utf8'));

test('where all is well, it says so, and keeps the facts', async () => {
  expect(await run()).toMatchObject({ status: 0, stdout: '0 findings, 0 notes\n' });
  expect(Object.keys((await facts()).providers.openid)).toEqual([provider.issuer]);
});

test('notes the keys that changed, and does not fail', async () => {
  await run();
  provider.change([await signingKey('RS256', 'new')]);
  const { status, stdout } = await run();
  expect(status).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^note {5}keys_changed {2}${provider.issuer}\n {2}The keys .*\n {2}→ Ask .*\n\n0 findings, 1 note\n$`,
    ),
  );
});

test('a finding is exit code 1, and JSON where it is asked for', async () => {
  await setTo('OPENID_TOKEN_CHECK=on', `OPENID_ISSUERS={"${provider.issuer}/":{"audiences":["a"]}}`);
  const { status, stdout } = await run('--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [{ code: 'discovery_issuer_differs', level: 'finding', subject: `${provider.issuer}/` }],
    unasked: [],
  });
});

test('notes where nothing lists an issuer, and says that no setting names the handlers that are there', async () => {
  await setTo();
  expect(await run()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^note {5}issuers_unlisted {2}openidLoggedIn\n/),
    stderr: expect.stringContaining('and not your own in handlers/ (campus)'),
  });
});

test('takes metadata of a SAML provider, and the key that signed it', async () => {
  const issuer = 'https://idp.example.org/saml';
  await project.write('serverless.yml', configurationFor('saml'));
  await setTo(`SAML_ISSUERS={"${issuer}":{"audiences":["a"],"recipients":["b"]}}`);
  expect(await run()).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('add --metadata <address or file>'),
  });
  const given = ['--metadata', 'idp.xml', '--metadata-key', 'federation.pem'];
  const { status, stdout } = await run(...given);
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^finding {2}saml_keys_missing /)]);
  expect(Object.keys((await facts()).providers.saml)).toEqual([issuer]);
});

describe('exit code 2', () => {
  test('says that something could not be asked, and the facts stay', async () => {
    await run();
    const before = await facts();
    await provider.whileDown(async () => {
      expect(await run()).toMatchObject({
        status: 2,
        stdout: expect.stringMatching(/^unasked .*\b1 could not be asked\n$/s),
      });
    });
    expect(await facts()).toEqual(before);
  });

  test.each([
    [
      'settings that no function could use',
      '.env.prod',
      'OPENID_ISSUERS={}\n',
      [],
      'expected at least one issuer',
    ],
    [
      'a handler that cannot be loaded',
      'handlers/campus.ts',
      'throw new Error("no")',
      [],
      'cannot be loaded',
    ],
    ['a handler that cannot be built', 'handlers/campus.ts', 'import "./none.ts"', [], 'cannot be loaded'],
    ['facts of another form', 'doctor.prod.json', '[]\n', [], 'expected the facts that doctor wrote'],
    [
      'facts of another content',
      'doctor.prod.json',
      '{"providers":{"openid":1}}\n',
      [],
      'restore or remove the file',
    ],
    ['no key', 'key.pem', 'none', ['--metadata-key', 'key.pem'], 'expected a certificate or a public key'],
    ['no percentage', 'other', '', ['--certificate-percent', '0'], 'expected a whole number from 1 to 100'],
  ])('for %s', async (_, file, content, args, told) => {
    await project.write(file, content);
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout + stderr]).toEqual([2, expect.stringContaining(told)]);
  });
});
