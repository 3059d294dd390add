/** Projects that `create` makes. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loginHooksPackage } from '../../tools/create/loginHooksPackage.ts';
import { givenFor, sourceOf } from '../../tools/create/newHandler.ts';
import { loginsOf, STARTERS, type Starter } from '../../tools/create/starters.ts';
import { writeNew } from '../../tools/create/writeNew.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { PACKAGE } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { linkPackages } from '../support/ownProject.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';

const BIN = join(PACKAGE, 'tools', 'cli', 'bin.cjs');
const folder = temporaryFolder();

/** A command of login-hooks in a project, to its end. */
function loginHooks(args: string[], cwd: string, settings: Record<string, string> = {}) {
  const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: cwd, ...settings });
  return runCommand([BIN, ...args], { cwd, env }).end(0);
}

const read = (...path: string[]) => readFile(join(folder, ...path), 'utf8');
const exampleOf = (starter: Starter) =>
  givenFor(starter, { issuer: starter.example.url, domain: starter.example.domain });

const ISSUER = ['--provider', 'keycloak', '--issuer', 'https://sso.example.edu/realms/campus'];
const KEYCLOAK = [...ISSUER, '--domain', 'example.edu', '--http', 'no'];

/** It has the handler respond in a folder of its own, whose bundle is not built. */
function create(name: string, ...more: string[]) {
  const args = [join(folder, name), '--package', '1.0.0', ...more];
  return runTool('create', args, { LOGIN_HOOKS_BUNDLE: '' });
}

const EACH = Object.entries(STARTERS).flatMap(([kind, starters]) =>
  Object.entries(starters).map(([provider, starter]) => ({ kind, provider, starter })),
);

/** The name of its handler in a project of both kinds. */
const handlerOf = ({ kind, provider }: (typeof EACH)[number]) =>
  kind === 'saml' ? `saml-${provider}` : provider;
/** The events of a handler, by their paths without an extension. */
async function eventsOf(one: (typeof EACH)[number]) {
  const logins = await loginsOf(one.kind, one.starter, await exampleOf(one.starter));
  return Object.entries(logins).map(
    ([login, event]) => [`events/${one.kind}LoggedIn/${handlerOf(one)}-${login}`, event] as const,
  );
}

/** A handler with its events, which expect nothing yet; without them where its logins need settings. */
async function filesOf(one: (typeof EACH)[number]): Promise<Record<string, string>> {
  const handler = `handlers/${handlerOf(one)}`;
  const expected = JSON.stringify({ handler, status: 200, answer: { type: 'ErrorResponse' } });
  const events = (one.starter.settings ? [] : await eventsOf(one)).flatMap(([path, event]) => [
    [`${path}.json`, JSON.stringify(event)],
    [`${path}.expected.json`, expected],
  ]);
  const source = await sourceOf(one.kind, one.starter, await exampleOf(one.starter));
  return { [`${handler}.ts`]: source, ...Object.fromEntries(events) };
}

test('a new project has eight files before its events', async () => {
  const { status, stdout, stderr } = await create('openid', '--kind', 'openid', ...KEYCLOAK);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = stdout.slice(0, stdout.indexOf('\n\n')).split('\n');
  const made = await readdir(join(folder, 'openid'), { recursive: true, withFileTypes: true });
  const files = made.filter((one) => one.isFile());
  const paths = files.map((one) => relative(join(folder, 'openid'), join(one.parentPath, one.name)));
  expect(paths.toSorted()).toEqual(listed.toSorted());
  expect(listed.filter((file) => !file.startsWith('events/'))).toEqual([
    ...['package.json', 'serverless.yml', 'tsconfig.json', '.gitignore', '.npmrc'],
    ...['.github/workflows/check.yml', 'README.md', 'handlers/keycloak.ts'],
  ]);
  const configuration = await read('openid', 'serverless.yml');
  expect(configuration).toMatch(/^custom:\n {2}loginHooks:\n {4}#.*\n {4}openid: handlers\/keycloak\n/m);
  expect(configuration).not.toMatch(/^ {4}http:/m);
  // Neither is committed: they may hold secrets.
  expect(await read('openid', '.gitignore')).toMatch(/^\.env\nsecrets\.json$/m);
});

describe('in a new project with the handlers of all providers', () => {
  const project = join(folder, 'openid');

  beforeAll(async () => {
    await linkPackages(join(project, 'node_modules'));
    const configuration = await read('openid', 'serverless.yml');
    const both = configuration.replace(/ {4}openid: .*\n/, '$&    saml: handlers/saml-keycloak\n');
    await writeFile(join(project, 'serverless.yml'), both);
    const others = EACH.filter((one) => handlerOf(one) !== 'keycloak');
    for (const files of await Promise.all(others.map(filesOf))) await writeNew(project, files);
    // Where none is in force, each event is answered by the handler that it names.
    const settings = { OPENID_HANDLER_MODULE: 'default', SAML_HANDLER_MODULE: 'default' };
    await loginHooks(['check', '--update'], project, settings);
  });

  test('they compile, respond as expected to events that hit all they have, and refuse attacks', async () => {
    const { status, stdout } = await loginHooks(['test'], project);
    expect(stdout).toMatch(
      /^([1-9]\d*) of \1 events as expected, every rule and table row hit, [1-9]\d* attacks refused, 0 got in that must not, \d+ that no rule forbids, 0 not tested$/m,
    );
    expect(status).toBe(0);
  });

  test('the person of each gets in, and nobody else', async () => {
    for (const one of EACH.filter(({ starter }) => !starter.settings)) {
      const types = (await eventsOf(one)).map(
        async ([path]) => JSON.parse(await read('openid', `${path}.expected.json`)).answer.type,
      );
      const [person, ...others] = await Promise.all(types);
      expect([one.kind, one.provider, person]).toEqual([one.kind, one.provider, 'AuthorizedUserResponse']);
      expect(others).not.toContain('AuthorizedUserResponse');
      expect(others.length).toBeGreaterThanOrEqual(2);
    }
  });
});

test('every command in the README of a new project is there', async () => {
  const readme = await read('openid', 'README.md');
  const { scripts } = JSON.parse(await read('openid', 'package.json'));
  const ofNpm = Array.from(readme.matchAll(/^ {4}npm (?:run )?([\w-]+)/gm), ([, script = '']) => script);
  expect(['install', ...Object.keys(scripts)]).toEqual(expect.arrayContaining(ofNpm));
  const texts = [readme, ...Object.values<string>(scripts)];
  const ofLoginHooks = texts.flatMap((text) =>
    Array.from(text.matchAll(/(?:npx |^)login-hooks ([\w-]+)/g), ([, command = '']) => command),
  );
  const { stdout } = await loginHooks(['--help'], join(folder, 'openid'));
  for (const command of ofLoginHooks) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test.each(EACH)(
  'the $kind handler of $provider is that of its page, with nothing of the example',
  async ({ kind, starter }) => {
    const { url, domain = '' } = starter.example;
    const given = { url: 'urn:mine', part: 'mine', domain: 'mine.test' };
    const source = await sourceOf(kind, starter, given);
    expect(source).toContain('  issuers: {');
    expect(source).toContain("'urn:mine': {");
    expect([source.includes("'mine.test'"), source.includes(url)]).toEqual([domain !== '', false]);
    expect(domain !== '' && source.includes(domain)).toBe(false);
    const { person } = await loginsOf(kind, starter, given);
    expect(JSON.stringify(person)).toMatch(/"(?:iss|assertionIssuer)":"urn:mine"/);
    expect(JSON.stringify(person)).not.toMatch(/@example\.|2b1a8f7e-4c3d/);
  },
);

test('what is given stays as it is, but for the role that everybody of a realm has', async () => {
  const starter = STARTERS.saml?.keycloak as Starter;
  const issuer = 'https://sso.example.edu/realms/Staff';
  const source = await sourceOf('saml', starter, await givenFor(starter, { issuer, domain: 'a.test' }));
  expect(source).toContain(`'${issuer}': {}`);
  expect(source).toContain("any_group: ['default-roles-staff']");
});

test.each(EACH.filter(({ starter }) => starter.settings))(
  'a project of $provider has the settings of its logins in each stage, and its events pass',
  async ({ kind, provider, starter: { example } }) => {
    const args = ['--kind', kind, '--provider', provider, '--issuer', example.url, '--http', 'no'];
    expect(await create('with-settings', ...args)).toMatchObject({ status: 0, stderr: '' });
    const project = join(folder, 'with-settings');
    await linkPackages(join(project, 'node_modules'));
    const ended = await loginHooks(['check', '--coverage', '--attack', '--stage', 'prod'], project);
    expect(ended).toMatchObject({ status: 0 });
    expect(await read('with-settings', '.env.dev')).toBe(await read('with-settings', '.env.prod'));
  },
);

test('a project depends on a packed file, which goes into vendor, on an address, or on a version', async () => {
  const [name, address] = ['login-hooks-1.2.3.tgz', 'https://a.example/login-hooks-1.2.3.tgz'];
  const [packed, file] = [join(folder, name), `vendor/${name}`];
  await writeFile(packed, 'packed');
  const files = { [file]: Buffer.from('packed') };
  expect(await loginHooksPackage('--package', packed)).toEqual({ dependency: `file:${file}`, files });
  for (const given of [address, '1.2.3'])
    expect(await loginHooksPackage('--package', given)).toEqual({ dependency: given, files: {} });
  for (const [given, problem] of [
    ['login-hooks.tgz', /^--package: expected a packed file like .*, found login-hooks\.tgz/],
    ['absent/login-hooks-1.0.0.tgz', /^absent\/login-hooks-1\.0\.0\.tgz: no such file$/],
  ] as const)
    await expect(loginHooksPackage('--package', given)).rejects.toThrow(problem);
});

describe('what cannot be used is refused, and nothing is written:', () => {
  const NAMED = /expected a folder named by 2 to 40 lower-case letters, digits and hyphens/;
  const openid = ['--kind', 'openid'];
  const saml = (provider: string, issuer: string) => [
    ...['--kind', 'saml', '--provider', provider, '--issuer', issuer],
  ];
  const google = [...openid, '--provider', 'google'];
  const orcid = [...openid, '--provider', 'orcid', '--issuer', 'https://orcid.org', '--domain', 'a.example'];
  const address = [...openid, ...ISSUER, '--domain', 'ada@example.edu'];
  const beyond = [...openid, ...ISSUER, '--domain', 'münchen.example'];
  const LIKE_EDU = /^--domain: expected one like example\.edu, found ada@example\.edu/;
  const FOUND_SSO = /^--issuer: expected one like .*, found https:\/\/sso\.example\.edu/;
  beforeAll(() => writeFile(join(folder, 'a-file'), ''));
  test.each([
    ['a folder that is not empty', 'openid', [], 'openid: expected a new or an empty folder'],
    ['a domain beyond ASCII', 'new', beyond, /found münchen\.example, which is not ASCII: write xn--/],
    ['a file in the place of a folder', 'a-file', [], 'a-file: expected a new or an empty folder'],
    ['a name that no stack can have', 'My_Logins', [], NAMED],
    ['a name that is too long for a function', 'x'.repeat(41), [], NAMED],
    ['a name that YAML reads as no text', 'null', [], NAMED],
    ['the name of its package', 'login-hooks', [], NAMED],
    ['no kind, and nobody to ask', 'refused', [], /^expected --kind: /],
    ['no issuer, and nobody to ask', 'refused', google, /^expected --issuer: .*https:\/\/accounts\.google/],
    ['no domain, and nobody to ask', 'refused', [...openid, ...ISSUER], /^expected --domain: /],
    ['no word on an API', 'refused', [...openid, ...KEYCLOAK.slice(0, -2)], /^expected --http: /],
    ['an address in the place of a domain', 'refused', address, LIKE_EDU],
    ['a domain of logins without an address', 'refused', orcid, /^--domain: expected none, because /],
    ['another kind', 'refused', [...openid, '--provider', 'edugain'], /^--provider: .*, found edugain/],
    ['the issuer of another provider', 'refused', saml('google', 'https://sso.example.edu'), FOUND_SSO],
    ["an issuer that ends the handler's text", 'refused', saml('other', "urn:a'"), /^--issuer: .*urn:a'/],
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
  const answers = ['ldap', 'saml', 'othr', 'other', 'no URI', 'urn:example:idp', '@', 'example.edu', 'yes'];
  const { status, said } = await createAtTerminal('asked', answers);
  // The terminal edits and shows what is typed: readline's own control characters would be shown as escapes.
  expect(said).toMatch(
    /^(the kind of login, .*): --kind: .*found ldap\n\1: (the provider: .*): --provider: .*found othr; .*\n\2: (the issuer, like .*): --issuer: .*\n\3: (the domain .*): --domain: .*\n\4: an HTTP API, .*: $/,
  );
  expect(status).toBe(0);
  expect(await read('asked', 'handlers', 'other.ts')).toContain("'urn:example:idp'");
  expect(await read('asked', 'serverless.yml')).toMatch(
    /^ {4}saml: handlers\/other\n {4}#.*\n {4}http: true$/m,
  );
});

test('at a terminal, it fails if the input ends before the last answer', async () => {
  const { status, said } = await createAtTerminal('ended', ['saml']);
  expect(said).toMatch(/\nexpected --provider: the provider: .*\n$/);
  expect(status).toBe(2);
  expect(existsSync(join(folder, 'ended'))).toBe(false);
});

test('outside of a project, a command says how to make one', async () => {
  expect(await loginHooks(['check'], folder)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'found no serverless.yml, here or above: make a project with npx login-hooks create <folder>\n',
  });
});

test('a file that is there stays as it is', async () => {
  await writeFile(join(folder, 'there.txt'), 'mine');
  await expect(writeNew(folder, { 'there.txt': 'other' })).rejects.toThrow(UnusableInput);
  expect(await read('there.txt')).toBe('mine');
});
