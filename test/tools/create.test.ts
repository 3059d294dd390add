/** Projects and handlers that commands make. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { functionNameOf, issuerOf, TEMPLATES } from '../../tools/create/templates.ts';
import { PACKAGE } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { blocksOf } from '../support/pages.ts';

const BIN = join(PACKAGE, 'tools', 'cli', 'bin.cjs');
const CREATE_MS = 60_000;

const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
const project = join(folder, 'my-logins');
afterAll(() => rm(folder, { recursive: true }));

/** A command of login-hooks, to its end. */
function loginHooks(args: string[], cwd = folder) {
  return runCommand([BIN, ...args], { cwd }).end(0);
}

const KEYCLOAK = ['--provider', 'keycloak', '--issuer', 'https://sso.example.edu/realms/campus'];

function create(name: string, ...more: string[]) {
  return loginHooks(['create', name, '--package', '1.0.0', ...more]);
}

/** Every template but the one that `create` takes here. */
const ALL = Object.entries(TEMPLATES).flatMap(([kind, templates]) =>
  Object.entries(templates).map(([provider, template]) => ({ kind, provider, template })),
);
const OTHERS = ALL.filter(({ kind, provider }) => `${kind} ${provider}` !== 'openid keycloak');

/** Of a handler: its name alone says what it is for in a project with all of them. */
function nameOf(kind: string, provider: string): string {
  return kind === 'openid' ? provider : `${provider}-saml`;
}

beforeAll(async () => {
  expect(await create('my-logins', '--kind', 'openid', ...KEYCLOAK)).toMatchObject({ status: 0, stderr: '' });
  await linkPackages(project);
  const added = OTHERS.map(async ({ kind, provider, template }) => {
    const options = ['--provider', provider, '--issuer', template.example];
    return loginHooks(['new', kind, nameOf(kind, provider), ...options], project);
  });
  for (const { status, stderr } of await Promise.all(added))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, CREATE_MS);

/** As npm would install them. */
async function linkPackages(folder: string): Promise<void> {
  const own = join(folder, 'node_modules');
  await mkdir(own);
  for (const name of await readdir(join(PACKAGE, 'node_modules')))
    await symlink(join(PACKAGE, 'node_modules', name), join(own, name), 'junction');
  await symlink(PACKAGE, join(own, 'login-hooks'), 'junction');
}

test('every handler gives the expected responses to its events, which hit all its rules and table rows', async () => {
  const { status, stdout } = await loginHooks(['check', '--coverage'], project);
  expect(stdout).toMatch(/^([1-9]\d*) of \1 events as expected$/m);
  expect(status).toBe(0);
});

test.each(ALL)(
  '$kind $provider: the expected responses are what each login is for',
  async ({ kind, provider, template }) => {
    const logins = template.logins(issuerOf(template, template.example));
    const types = Object.keys(logins).map(async (login) => {
      const file = `events/${functionNameOf(kind)}/${nameOf(kind, provider)}-${login}.expected.json`;
      return [login, JSON.parse(await readFile(join(project, file), 'utf8')).answer.type];
    });
    const found = Object.fromEntries(await Promise.all(types));
    expect(found).toEqual(
      Object.fromEntries(Object.entries(logins).map(([login, { type }]) => [login, type])),
    );
    const [person, ...others] = Object.values(found);
    expect(person).toBe('AuthorizedUserResponse');
    expect(others).not.toContain('AuthorizedUserResponse');
    expect(others.length).toBeGreaterThanOrEqual(2);
  },
);

test('the handlers of a new project compile', () => {
  execFileSync(process.execPath, [join(project, 'node_modules', 'typescript', 'bin', 'tsc')], {
    cwd: project,
  });
});

test('the code on the page of providers is what commands write', async () => {
  const blocks = (await blocksOf('docs/providers.md')).filter(({ language }) => language === 'ts');
  const mappings = ALL.map(({ template }) => template.mapping(issuerOf(template, template.example)));
  expect(blocks.map(({ text }) => text).toSorted()).toEqual(mappings.toSorted());
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
  expect(await readFile(join(folder, 'listed', '.env.dev'), 'utf8')).toBe(
    'SAML_HANDLER_MODULE=handlers/keycloak\n',
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

test('every command in the README of a new project is there', async () => {
  const readme = await readFile(join(project, 'README.md'), 'utf8');
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const run = Array.from(readme.matchAll(/npm (?:run )?([\w-]+)/g), ([, script = '']) => script);
  const commands = Array.from(readme.matchAll(/npx login-hooks ([\w-]+)/g), ([, command = '']) => command);
  const ofScripts = Object.values<string>(scripts).flatMap(
    (script) => script.match(/^login-hooks ([\w-]+)/)?.[1] ?? [],
  );
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(run.filter((script) => script !== 'install' && script !== 'and')),
  );
  const { stdout } = await loginHooks(['--help']);
  for (const command of [...commands, ...ofScripts])
    expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

describe('what cannot be used is refused, and nothing is written:', () => {
  test.each([
    [
      'a folder that is not empty',
      ['my-logins', '--kind', 'openid', ...KEYCLOAK],
      'my-logins: expected a new or an empty folder',
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
      ['refused', '--package', 'login-hooks.tgz'],
      '--package: expected a version, or a packed file like login-hooks-1.0.0.tgz, found login-hooks.tgz',
    ],
  ])('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await create(...(args as [string]));
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${message}\n` });
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });
});

test('at a terminal, it asks for what is not given', async () => {
  const start = `process.stdin.isTTY = true; require(${JSON.stringify(BIN)});`;
  const child = spawn(
    process.execPath,
    ['-e', start, 'login-hooks', 'create', 'asked', '--package', '1.0.0'],
    {
      cwd: folder,
      env: commandEnvironment(),
    },
  );
  const answers = ['saml', 'other', 'urn:example:idp'];
  let asked = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    asked += text;
    if (text.endsWith(': ')) child.stdin.write(`${answers.shift()}\n`);
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(asked).toMatch(/^the kind of login, .*the provider: .*its issuer, like /s);
  expect(await readFile(join(folder, 'asked', 'handlers', 'other.ts'), 'utf8')).toContain(
    "'urn:example:idp'",
  );
});

describe('a new handler', () => {
  const PHYSICS = ['new', 'openid', 'physics-only', '--issuer', 'https://login.example.org'];
  let copy: string;
  beforeAll(async () => {
    copy = join(folder, 'copy');
    await cp(join(folder, 'listed'), copy, { recursive: true });
  });

  test('is in force if no other is set', async () => {
    const { status, stdout } = await loginHooks(PHYSICS, copy);
    expect({ status, said: stdout.trim().split('\n').at(-1) }).toEqual({
      status: 0,
      said: '.env.dev: OPENID_HANDLER_MODULE=handlers/physics-only',
    });
    const settings = 'SAML_HANDLER_MODULE=handlers/keycloak\nOPENID_HANDLER_MODULE=handlers/physics-only\n';
    expect(await readFile(join(copy, '.env.dev'), 'utf8')).toBe(settings);
  });

  test('never replaces a file', async () => {
    const before = await readdir(copy, { recursive: true });
    const { status, stderr } = await loginHooks(PHYSICS, copy);
    expect(status).toBe(2);
    expect(stderr).toMatch(/physics-only\.ts: this file exists already: nothing was written\n$/);
    expect(await readdir(copy, { recursive: true })).toEqual(before);
  });

  test('leaves the setting of another handler', async () => {
    const { stdout } = await loginHooks(
      ['new', 'openid', 'second', '--issuer', 'https://login.example.org'],
      copy,
    );
    expect(stdout).toContain('.env.dev has OPENID_HANDLER_MODULE=handlers/physics-only, which stays');
    expect(await readFile(join(copy, '.env.dev'), 'utf8')).not.toContain('second');
  });
});

test('outside of a project, a command says how to make one', async () => {
  expect(await loginHooks(['check'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'found no serverless.yml, here or above: make a project with npx login-hooks create <folder>\n',
  });
});
