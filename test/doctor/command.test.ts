/** `doctor` in a project of an operator's own, at a real provider: what it examines, what it prints, its exit code. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exitCodeOf, inconclusive } from '../../tools/doctor/findings.ts';
import { error, inOrder, note, warning } from '../../tools/shared/finding.ts';
import { openIdProvider } from '../support/openIdProvider.ts';
import { handlerOf, ownTools } from '../support/ownProject.ts';
import { metadataOf } from '../support/samlMetadata.ts';
import { selfSigned } from '../support/servers.ts';
import { signingKey } from '../support/signingKeys.ts';
import { signXml } from '../support/signXml.ts';

const provider = await openIdProvider([await signingKey('RS256')]);
const federation = await selfSigned('federation.example');
const project = await ownTools({
  'ca.pem': provider.ca,
  'idp.xml': signXml(metadataOf({ attributes: 'ID="_1"' }), '/*', '/*', { privateKey: federation.key }),
  'federation.pem': federation.cert,
});
afterAll(() => provider.close());

const CAMPUS = 'OPENID_HANDLER_MODULE=handlers/campus';
const MAPPING = { issuers: { [provider.issuer]: { userinfo: true } } };
beforeEach(async () => {
  await setTo(CAMPUS);
  await project.write('handlers/campus.ts', handlerOf(MAPPING));
});

const setTo = (...settings: string[]) =>
  project.write('.env.prod', [...settings, 'NODE_EXTRA_CA_CERTS=ca.pem', ''].join('\n'));
const run = (only: string, ...args: string[]) =>
  project.run(['doctor', '--stage', 'prod', '--only', only, ...args]);

test('where all is well, it says so', async () => {
  expect(await run('openid')).toMatchObject({ status: 0, stdout: '0 errors, 0 warnings, 0 notes\n' });
});

test('an error is exit code 1: what, of what, and what to change', async () => {
  const OPENID_ISSUERS = `{"${provider.issuer}/":{"audiences":["a"]}}`;
  await setTo(CAMPUS, 'OPENID_TOKEN_CHECK=on', `OPENID_ISSUERS=${OPENID_ISSUERS}`);
  const { status, stdout } = await run('openid');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^error {4}issuer_refused {2}https:.*\n {2}only one .*\n {2}→ list .*\n\nerror/);
  const subjects = Array.from(stdout.matchAll(/^error +(\w+ +\S+)$/gm), ([, subject]) => subject);
  expect(subjects).toEqual([
    `issuer_refused  ${provider.issuer}/`,
    `issuer_refused  ${provider.issuer}`,
    `discovery_issuer_differs  ${provider.issuer}/`,
  ]);
  expect(stdout).toMatch(/\n\n3 errors, 0 warnings, 0 notes\n$/);
});

test('metadata without an examination of SAML is refused', async () => {
  const stderr = expect.stringMatching(/^--metadata: expected with --only saml or without --only/);
  expect(await run('openid', '--metadata', 'idp.xml')).toMatchObject({ status: 2, stderr });
});

test('errors stand first, then warnings, then notes, and findings of a level keep their order', () => {
  const [first, second] = [note('key_rolls', 'a', 'x'), note('another', 'a', 'x')];
  const [ended, ends] = [error('ended', 'a', 'x'), warning('ends_soon', 'a', 'x')];
  expect(inOrder([first, ends, second, ended])).toEqual([ended, ends, first, second]);
});

test('a mapping may list issuers that nothing checks', async () => {
  await setTo(CAMPUS, 'OPENID_TOKEN_CHECK=off');
  expect(await run('openid')).toMatchObject({ status: 0 });
});

test('notes where nothing lists an issuer, and says what answers', async () => {
  await setTo();
  const stdout = expect.stringMatching(/^note {5}issuers_unlisted {2}openidLoggedIn\n/);
  const stderr = expect.stringContaining('openidLoggedIn: the default handler (serverless.yml) answers\n');
  expect(await run('openid')).toMatchObject({ status: 0, stdout, stderr });
});

test('takes metadata of a SAML provider, and the key that signed it', async () => {
  await setTo('SAML_ISSUERS={"https://idp.example.org/saml":{"audiences":["a"],"recipients":["b"]}}');
  const missing = expect.stringContaining('add --metadata <address or file>');
  expect(await run('saml')).toMatchObject({ status: 2, stdout: missing });
  const { status, stdout } = await run('saml', '--metadata', 'idp.xml', '--metadata-key', 'federation.pem');
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^error {4}saml_keys_missing /)]);
});

describe('exit code 2', () => {
  test('goes before that of an error', () => {
    const found = error('discovery_unusable', 'https://idp.example', 'x', 'y');
    expect(exitCodeOf([found])).toBe(1);
    expect(exitCodeOf([found, inconclusive('npm audit', 'x')])).toBe(2);
  });

  test('says that something could not be asked', async () => {
    const stdout = expect.stringMatching(/^warning {2}inconclusive /);
    await provider.whileDown(async () => expect(await run('openid')).toMatchObject({ status: 2, stdout }));
  });

  const KEY = ['--metadata-key', 'key.pem'];
  const UNLOADED = /inconclusive .*cannot be loaded/s;
  test.each<[string, string, string, string[], RegExp]>([
    ['unusable settings', '.env.prod', 'OPENID_ISSUERS={}\n', [], /inconclusive .*at least one issuer/s],
    ['a handler that throws', 'handlers/campus.ts', 'throw new Error("no")', [], UNLOADED],
    ['a handler that cannot be built', 'handlers/campus.ts', 'import "./none.ts"', [], UNLOADED],
    ['no key', 'key.pem', 'none', KEY, /expected a certificate or a public key/],
  ])('for %s', async (_, file, content, args, told) => {
    await project.write(file, content);
    const { status, stdout, stderr } = await run('openid', ...args);
    expect([status, stdout + stderr]).toEqual([2, expect.stringMatching(told)]);
  });
});
