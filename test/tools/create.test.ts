/** Projects and handlers that commands make. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SAML_TEMPLATES } from '../../tools/create/samlTemplates.ts';
import { functionNameOf, issuerOf, TEMPLATES } from '../../tools/create/templates.ts';
import { PACKAGE } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { linkPackages } from '../support/ownProject.ts';
import { blocksOf } from '../support/pages.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const BIN = join(PACKAGE, 'tools', 'cli', 'bin.cjs');
const CREATE_MS = 60_000;

const folder = temporaryFolder();

/** A command of login-hooks, to its end. */
function loginHooks(args: string[], cwd = folder) {
  return runCommand([BIN, ...args], { cwd }).end(0);
}

const KEYCLOAK = ['--provider', 'keycloak', '--issuer', 'https://sso.example.edu/realms/campus'];

function create(name: string, ...more: string[]) {
  return loginHooks(['create', name, '--package', '1.0.0', ...more]);
}

describe.each(Object.entries(TEMPLATES))('a project of %s logins', (kind, templates) => {
  const project = join(folder, kind);

  beforeAll(async () => {
    expect(await create(kind, '--kind', kind, ...KEYCLOAK)).toMatchObject({ status: 0, stderr: '' });
    await linkPackages(join(project, 'node_modules'));
    const added = Object.entries(templates)
      .filter(([provider]) => provider !== 'keycloak')
      .map(([provider, { example }]) =>
        loginHooks(['new', kind, provider, '--provider', provider, '--issuer', example], project),
      );
    for (const { status, stderr } of await Promise.all(added))
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }, CREATE_MS);

  test('its handlers compile, respond as expected to events that hit all they have, and refuse attacks', async () => {
    const { status, stdout } = await loginHooks(['test'], project);
    expect(stdout).toMatch(
      /^([1-9]\d*) of \1 events as expected, every rule and table row hit, [1-9]\d* attacks refused$/m,
    );
    expect(status).toBe(0);
  });

  test.each(Object.entries(templates))(
    'the expected responses of %s are those that each login is for',
    async (provider, template) => {
      const logins = Object.entries(template.logins(issuerOf(template, template.example)));
      const types = logins.map(async ([login]) => {
        const file = `events/${functionNameOf(kind)}/${provider}-${login}.expected.json`;
        return JSON.parse(await readFile(join(project, file), 'utf8')).answer.type;
      });
      const [person, ...others] = await Promise.all(types);
      expect([person, ...others]).toEqual(logins.map(([, { type }]) => type));
      expect(person).toBe('AuthorizedUserResponse');
      expect(others).not.toContain('AuthorizedUserResponse');
      expect(others.length).toBeGreaterThanOrEqual(2);
    },
  );

  test(
    'each stage is answered by its handler',
    async () => {
      const serverless = join(project, 'node_modules', 'serverless', 'bin', 'serverless.js');
      const args = [serverless, 'package', '--stage', 'prod'];
      const { status, stderr } = await runCommand(args, { cwd: project }).end(0);
      expect([status, stderr]).toEqual([0, expect.stringMatching(/LoggedIn: handler handlers\//)]);
    },
    CREATE_MS,
  );

  test('every command in its README is there', async () => {
    const readme = await readFile(join(project, 'README.md'), 'utf8');
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    const ofNpm = Array.from(readme.matchAll(/^ {4}npm (?:run )?([\w-]+)/gm), ([, script = '']) => script);
    expect(['install', ...Object.keys(scripts)]).toEqual(expect.arrayContaining(ofNpm));
    const texts = [readme, ...Object.values<string>(scripts)];
    const ofLoginHooks = texts.flatMap((text) =>
      Array.from(text.matchAll(/(?:npx |^)login-hooks ([\w-]+)/g), ([, command = '']) => command),
    );
    const { stdout } = await loginHooks(['--help'], project);
    for (const command of ofLoginHooks) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });
});

test('the code on the page of providers is what commands write', async () => {
  const blocks = (await blocksOf('docs/providers.md')).filter(({ language }) => language === 'ts');
  const templates = Object.values(TEMPLATES).flatMap((one) => Object.values(one));
  const mappings = templates.map((template) => template.mapping(issuerOf(template, template.example)));
  // The page has more providers than there are templates.
  expect(blocks.map(({ text }) => text)).toEqual(expect.arrayContaining(mappings));
});

test('a new project has what is listed, and nothing else', async () => {
  const { stdout } = await create('listed', '--kind', 'saml', ...KEYCLOAK);
  const [files = ''] = stdout.split('\n\n');
  const found = await readdir(join(folder, 'listed'), { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.toSorted()).toEqual(
    files
      .split('\n')
      .map((file) => join(folder, 'listed', file))
      .toSorted(),
  );
  expect(await readFile(join(folder, 'listed', 'serverless.yml'), 'utf8')).toMatch(
    /^custom:\n {2}loginHooks:\n {4}#.*\n {4}saml: handlers\/keycloak\n/m,
  );
});

test('a packed file goes into vendor, under its name', async () => {
  const packed = join(folder, 'login-hooks-1.2.3.tgz');
  await writeFile(packed, 'packed');
  const { status } = await loginHooks([
    'create',
    'vendored',
    '--package',
    packed,
    '--kind',
    'openid',
    ...KEYCLOAK,
  ]);
  expect(status).toBe(0);
  const { dependencies } = JSON.parse(await readFile(join(folder, 'vendored', 'package.json'), 'utf8'));
  expect(dependencies['login-hooks']).toBe('file:vendor/login-hooks-1.2.3.tgz');
  expect(await readFile(join(folder, 'vendored', 'vendor', 'login-hooks-1.2.3.tgz'), 'utf8')).toBe('packed');
});

describe('what cannot be used is refused, and nothing is written:', () => {
  test.each([
    [
      'a folder that is not empty',
      ['openid', '--kind', 'openid', ...KEYCLOAK],
      'openid: expected a new or an empty folder',
    ],
    [
      'a name that no stack can have',
      ['My_Logins', '--kind', 'openid', ...KEYCLOAK],
      'My_Logins: expected a folder named by lower-case letters, digits and hyphens',
    ],
    [
      'the name of the package that it depends on',
      ['login-hooks', '--kind', 'openid', ...KEYCLOAK],
      'login-hooks: expected another name than that of the package that the project depends on',
    ],
    ['no kind, and nobody to ask', ['refused'], 'expected --kind: the kind of login, openid or saml'],
    [
      'no issuer, and nobody to ask',
      ['refused', '--kind', 'openid', '--provider', 'google'],
      'expected --issuer: its issuer, like https://accounts.google.com',
    ],
    [
      'a provider without this kind',
      ['refused', '--kind', 'openid', '--provider', 'edugain'],
      '--provider: expected keycloak or entra or okta or google or other, found edugain',
    ],
    [
      'the issuer of another provider',
      ['refused', '--kind', 'saml', '--provider', 'google', '--issuer', 'https://sso.example.edu'],
      '--issuer: expected an issuer like https://accounts.google.com/o/saml2?idpid=C01abc2de, found https://sso.example.edu',
    ],
    [
      "an issuer that ends the handler's text",
      ['refused', '--kind', 'saml', '--provider', 'other', '--issuer', "urn:a'"],
      "--issuer: expected an issuer like https://login.example.org/saml/metadata, found urn:a'",
    ],
    [
      'a packed file without a version in its name',
      ['refused', '--kind', 'saml', ...KEYCLOAK, '--package', 'login-hooks.tgz'],
      '--package: expected a version, or a packed file like login-hooks-1.0.0.tgz, found login-hooks.tgz',
    ],
  ])('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await create(...(args as [string]));
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${message}\n` });
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });
});

/** @param answers to its questions; after the last one, the input ends. @returns the exit code, and what it says */
async function createAtTerminal(name: string, answers: string[]) {
  const start = `process.stdin.isTTY = process.stderr.isTTY = true; require(${JSON.stringify(BIN)});`;
  const child = spawn(process.execPath, ['-e', start, 'login-hooks', 'create', name, '--package', '1.0.0'], {
    cwd: folder,
    env: commandEnvironment(),
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (!text.endsWith(': ')) return;
    const answer = answers.shift();
    if (answer === undefined) child.stdin.end();
    else child.stdin.write(`${answer}\n`);
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, said };
}

test('at a terminal, it asks for what is not given, and again for what cannot be used', async () => {
  const answers = ['ldap', 'saml', 'othr', 'other', 'no URI', 'urn:example:idp'];
  const { status, said } = await createAtTerminal('asked', answers);
  // The terminal edits and shows what is typed: readline's own control characters would be shown as escapes.
  expect(said).toMatch(
    /^(the kind of login, .*): --kind: .*found ldap\n\1: (the provider: .*): --provider: .*found othr; .*\n\2: (its issuer, like .*): --issuer: .*\n\3: $/,
  );
  expect(status).toBe(0);
  expect(await readFile(join(folder, 'asked', 'handlers', 'other.ts'), 'utf8')).toContain(
    "'urn:example:idp'",
  );
});

test('at a terminal, it fails if the input ends before the last answer', async () => {
  const { status, said } = await createAtTerminal('ended', ['saml']);
  expect(said).toMatch(/\nexpected --provider: the provider: .*\n$/);
  expect(status).toBe(2);
  expect(existsSync(join(folder, 'ended'))).toBe(false);
});

test('a login of an unlisted university has another issuer than the own one, whatever that is', () => {
  const { edugain } = SAML_TEMPLATES;
  const url = 'https://idp.uni.example/idp/shibboleth';
  const { 'unlisted-university': foreign } = edugain.logins({ url, part: '' });
  expect(JSON.stringify(foreign?.event)).not.toContain(`"${url}"`);
});

describe('a new handler', () => {
  const project = join(folder, 'copy');
  const add = (kind: string, name: string) =>
    loginHooks(['new', kind, name, '--issuer', 'https://login.example.org'], project);
  beforeAll(async () => {
    await cp(join(folder, 'listed'), project, { recursive: true });
  });

  test('says how it is put in force', async () => {
    const { status, stdout } = await add('saml', 'physics-only');
    const said = stdout.trim().split('\n').at(-1);
    expect({ status, said }).toEqual({
      status: 0,
      said: 'To put it in force, write saml: handlers/physics-only below custom.loginHooks in serverless.yml',
    });
  });

  test('never replaces a file', async () => {
    const before = await readdir(project, { recursive: true });
    const { status, stderr } = await add('saml', 'physics-only');
    expect(status).toBe(2);
    expect(stderr).toMatch(/physics-only\.ts: this file exists already: nothing was written\n$/);
    expect(await readdir(project, { recursive: true })).toEqual(before);
  });

  test('is of a kind that the project has', async () => {
    const { status, stderr } = await add('openid', 'third');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'serverless.yml: custom.loginHooks has no openid: add it there first, so that its function is deployed\n',
    });
  });
});

test('outside of a project, a command says how to make one', async () => {
  expect(await loginHooks(['check'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'found no serverless.yml, here or above: make a project with npx login-hooks create <folder>\n',
  });
});
