/** Projects and handlers that commands make. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionNameOf, givenFor, sourceOf } from '../../tools/create/newHandler.ts';
import { STARTERS, type Starter } from '../../tools/create/starters.ts';
import { PACKAGE } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { linkPackages } from '../support/ownProject.ts';
import { blocksOf, PAGES } from '../support/pages.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';

const BIN = join(PACKAGE, 'tools', 'cli', 'bin.cjs');
const CREATE_MS = 60_000;

const folder = temporaryFolder();

/** A command of login-hooks in a project, to its end. */
function loginHooks(args: string[], cwd: string) {
  const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: cwd });
  return runCommand([BIN, ...args], { cwd, env }).end(0);
}

/** As the page has it. */
function optionsOf(provider: string, { example }: Starter): string[] {
  const domain = example.domain === undefined ? [] : ['--domain', example.domain];
  return ['--provider', provider, '--issuer', example.url, ...domain];
}

const exampleOf = (starter: Starter) =>
  givenFor(starter, { issuer: starter.example.url, domain: starter.example.domain });

const KEYCLOAK = [
  ...['--provider', 'keycloak', '--issuer', 'https://sso.example.edu/realms/campus'],
  ...['--domain', 'example.edu'],
];

/** It has the handler respond in a folder of its own, whose bundle is not built. */
function create(name: string, ...more: string[]) {
  const args = [join(folder, name), '--package', '1.0.0', ...more];
  return runTool('create', args, { LOGIN_HOOKS_BUNDLE: '' });
}

const EACH = Object.entries(STARTERS).flatMap(([kind, starters]) =>
  Object.entries(starters).map(([provider, starter]) => ({ kind, provider, starter })),
);

/** Those whose handlers can be in one project: none needs settings. */
function together(kind: string) {
  return EACH.filter((one) => one.kind === kind && one.starter.settings === undefined);
}

describe.each(Object.keys(STARTERS))('a project of %s logins', (kind) => {
  const project = join(folder, kind);

  beforeAll(async () => {
    expect(await create(kind, '--kind', kind, ...KEYCLOAK)).toMatchObject({ status: 0, stderr: '' });
    await linkPackages(join(project, 'node_modules'));
    const others = together(kind).filter(({ provider }) => provider !== 'keycloak');
    const added = others.map(({ provider, starter }) =>
      loginHooks(['new', kind, provider, ...optionsOf(provider, starter)], project),
    );
    for (const { status, stderr } of await Promise.all(added))
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }, CREATE_MS);

  test(
    'its handlers compile, respond as expected to events that hit all they have, and refuse attacks',
    async () => {
      const { status, stdout } = await loginHooks(['test'], project);
      expect(stdout).toMatch(
        /^([1-9]\d*) of \1 events as expected, every rule and table row hit, [1-9]\d* attacks refused, \d+ got in, 0 not tested$/m,
      );
      expect(status).toBe(0);
    },
    CREATE_MS,
  );

  test('the person of each handler gets in, and nobody else', async () => {
    for (const { provider, starter } of together(kind)) {
      const types = Object.keys(starter.logins(await exampleOf(starter))).map(async (login) => {
        const file = `events/${functionNameOf(kind)}/${provider}-${login}.expected.json`;
        return JSON.parse(await readFile(join(project, file), 'utf8')).answer.type;
      });
      const [person, ...others] = await Promise.all(types);
      expect([provider, person]).toEqual([provider, 'AuthorizedUserResponse']);
      expect(others).not.toContain('AuthorizedUserResponse');
      expect(others.length).toBeGreaterThanOrEqual(2);
    }
  });

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

test('the code on the pages of providers is what commands write', async () => {
  const pages = PAGES.filter((page) => page.startsWith('docs/providers'));
  const blocks = (await Promise.all(pages.map(blocksOf))).flat().filter(({ language }) => language === 'ts');
  // The pages have more providers than there are starters.
  const sources = await Promise.all(
    EACH.map(async ({ kind, starter }) => sourceOf(kind, starter, await exampleOf(starter))),
  );
  expect(blocks.map(({ text }) => text)).toEqual(expect.arrayContaining(sources));
});

test.each(EACH.filter(({ starter }) => starter.settings))(
  'a project of $provider has the settings of its logins in each stage, and its test passes',
  async ({ kind, provider, starter }) => {
    const args = ['--kind', kind, ...optionsOf(provider, starter)];
    expect(await create('with-settings', ...args)).toMatchObject({ status: 0, stderr: '' });
    const project = join(folder, 'with-settings');
    await linkPackages(join(project, 'node_modules'));
    for (const stage of ['dev', 'prod'])
      expect(await loginHooks(['test', '--stage', stage], project)).toMatchObject({ status: 0 });
  },
  CREATE_MS,
);

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
  const args = ['--package', packed, '--kind', 'openid', ...KEYCLOAK];
  const { status } = await create('vendored', ...args);
  expect(status).toBe(0);
  const { dependencies } = JSON.parse(await readFile(join(folder, 'vendored', 'package.json'), 'utf8'));
  expect(dependencies['login-hooks']).toBe('file:vendor/login-hooks-1.2.3.tgz');
  expect(await readFile(join(folder, 'vendored', 'vendor', 'login-hooks-1.2.3.tgz'), 'utf8')).toBe('packed');
});

describe('what cannot be used is refused, and nothing is written:', () => {
  const NAMED = /expected a folder named by 2 to 40 lower-case letters, digits and hyphens/;
  const kind = (word: string, provider = KEYCLOAK) => ['--kind', word, ...provider];
  test.each([
    ['a folder that is not empty', 'openid', kind('openid'), 'openid: expected a new or an empty folder'],
    ['a name that no stack can have', 'My_Logins', kind('openid'), NAMED],
    ['a name of one letter', 'x', kind('openid'), NAMED],
    ['a name that is too long for a function', 'x'.repeat(41), kind('openid'), NAMED],
    ['a name that YAML reads as no text', 'null', kind('openid'), /null is no text in YAML/],
    [
      'the name of its package',
      'login-hooks',
      kind('openid'),
      /expected another name than that of the package/,
    ],
    ['no kind, and nobody to ask', 'refused', [], /^expected --kind: /],
    [
      'no issuer, and nobody to ask',
      'refused',
      kind('openid', ['--provider', 'google']),
      /^expected --issuer: .*https:\/\/accounts\.google\.com/,
    ],
    ['no domain, and nobody to ask', 'refused', kind('openid', KEYCLOAK.slice(0, 4)), /^expected --domain: /],
    [
      'an address in the place of a domain',
      'refused',
      kind('openid', [...KEYCLOAK.slice(0, 4), '--domain', 'ada@example.edu']),
      /^--domain: expected a domain like example\.edu, found ada@example\.edu/,
    ],
    ['another kind', 'refused', kind('openid', ['--provider', 'edugain']), /^--provider: .*, found edugain/],
    [
      'the issuer of another provider',
      'refused',
      kind('saml', ['--provider', 'google', '--issuer', 'https://sso.example.edu']),
      /^--issuer: expected an issuer like .*, found https:\/\/sso\.example\.edu/,
    ],
    [
      "an issuer that ends the handler's text",
      'refused',
      kind('saml', ['--provider', 'other', '--issuer', "urn:a'"]),
      /^--issuer: .*, found urn:a'/,
    ],
    [
      'a packed file without a version in its name',
      'refused',
      [...kind('saml'), '--package', 'login-hooks.tgz'],
      /^--package: expected a version, or a packed file like .*, found login-hooks\.tgz/,
    ],
  ])('%s', async (_, name, args, message) => {
    const { status, stdout, stderr } = await create(name, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
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
  const answers = ['ldap', 'saml', 'othr', 'other', 'no URI', 'urn:example:idp', '@', 'example.edu'];
  const { status, said } = await createAtTerminal('asked', answers);
  // The terminal edits and shows what is typed: readline's own control characters would be shown as escapes.
  expect(said).toMatch(
    /^(the kind of login, .*): --kind: .*found ldap\n\1: (the provider: .*): --provider: .*found othr; .*\n\2: (the issuer, like .*): --issuer: .*\n\3: (the domain .*): --domain: .*\n\4: $/,
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

test.each(EACH)(
  'an attack on $provider ($kind) is of another issuer, whatever the own one is',
  async ({ starter }) => {
    const own = await exampleOf(starter);
    const attack = Object.values(starter.logins(own)).at(-1) as LoginEvent;
    expect(attack.assertion?.assertionIssuer ?? attack.idToken?.iss).not.toBe(own.url);
  },
);

interface LoginEvent {
  idToken?: { iss: string };
  assertion?: { assertionIssuer: string };
}

describe('a new handler', () => {
  const project = join(folder, 'copy');
  const add = (kind: string, name: string) =>
    loginHooks(
      ['new', kind, name, '--issuer', 'https://login.example.org', '--domain', 'example.org'],
      project,
    );
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
  expect(await loginHooks(['check'], folder)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'found no serverless.yml, here or above: make a project with npx login-hooks create <folder>\n',
  });
});
