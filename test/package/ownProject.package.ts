/** A project of an operator's own, which depends on the packed package: made, used, changed and updated as an operator does it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { freePorts, portOptions } from '../support/studio.ts';
import { templateIn } from '../support/template.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { LATER, laterPackedFile, replaceIn } from './laterPackedFile.ts';

// The registry may be slow.
jest.setTimeout(240_000);
const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
const ISSUER = 'https://keycloak.example.org/realms/campus';
const EVENT = 'events/openidLoggedIn/keycloak-person.json';

/** In which the project lies, and the home of its operator. */
let folder: string;

const parent = temporaryFolder();
beforeAll(async () => {
  folder = join(parent, 'my-logins');
  await run(
    `npm run -s create -- ${folder} --kind openid --provider keycloak --issuer ${ISSUER} --domain example.org --http no`,
    PROJECT,
  );
  await run('npm install');
  await run('git init -q');
  await commit();
});

/**
 * As an operator's shell: it has nothing of the tests' own Node and packages.
 *
 * @returns what it writes. @throws {Error} with all of it, where the command fails
 */
async function run(command: string, cwd = folder): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd, env: environment() });
  return stdout + stderr;
}

function environment(): NodeJS.ProcessEnv {
  const paths = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'));
  return { PATH: paths.join(':'), HOME: process.env.HOME };
}

async function commit(): Promise<void> {
  await run('git add -A && git -c user.name=operator -c user.email=operator@example.org commit -qm Work');
}

const replace = (file: string, found: string | RegExp, replacement: string) =>
  replaceIn(join(folder, file), found, replacement);

async function template(): Promise<string> {
  await run('npx serverless package --stage prod');
  return templateIn(join(folder, '.serverless'));
}

test('its test says that its own events are as expected, and speaks of no other', async () => {
  const told = await run('npm test');
  expect(told).toMatch(/3 of 3 events as expected/);
  expect(told).not.toMatch(/saml/i);
});

test('its events are answered by npm start, and so is a login', async () => {
  const ports = await freePorts();
  const args = ['start', '--', ...portOptions(ports)];
  const started = spawn('npm', args, { cwd: folder, env: environment(), detached: true });
  let told = '';
  started.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  while (!told.includes('Send a login') && started.exitCode === null) await once(started.stdout, 'data');
  const body = await readFile(join(folder, EVENT));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${ports.http}/openid`, { method: 'POST', headers, body });
  const page = await fetch(`http://127.0.0.1:${ports.studio}/`);
  process.kill(-(started.pid ?? 0), 'SIGINT');
  await once(started, 'exit');
  expect(await response.json()).toMatchObject({
    ...{ type: 'AuthorizedUserResponse', first_name: 'Katherine' },
  });
  expect(await page.text()).toContain('client.js');
  expect(told).not.toContain('samlLoggedIn');
});

test('its handlers are checked against the types of the package', async () => {
  const mistake = join(folder, 'handlers', 'mistake.ts');
  await writeFile(
    mistake,
    "import { mapOpenIdLogin } from 'login-hooks';\nexport default mapOpenIdLogin({ grups: {} });\n",
  );
  await expect(run('npx tsc --noEmit')).rejects.toMatchObject({ stdout: expect.stringContaining('grups') });
  await rm(mistake);
  await run('npx tsc --noEmit');
});

test('the commands of the guide for a pull request run as they stand', async () => {
  const guide = await readFile(join(PROJECT, 'docs', 'check.md'), 'utf8');
  const [github, gitlab] = guide.match(/npx login-hooks check --stage prod --report .*/g) ?? [];
  await run('git update-ref refs/remotes/origin/main HEAD');
  await replace('handlers/keycloak.ts', /rules: .*\n/, '');
  const inCi = (command = '') =>
    run(
      `export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=summary.md CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD); ! ${command}`,
    );
  for (const [command, report] of [
    [github, 'summary.md'],
    [gitlab, 'logins.md'],
  ] as const) {
    await inCi(command);
    expect(await readFile(join(folder, report), 'utf8')).toContain('**1 newly authorized, ');
  }
  await run('git checkout -q . && git clean -fdq');
});

test('takes a variable, a dependency, another name of the service and a second handler', async () => {
  await replace('serverless.yml', 'service: my-logins', 'service: campus-logins');
  await replace(
    'serverless.yml',
    'provider:\n',
    `provider:\n  environment:\n    DIRECTORY_URL: \${env:DIRECTORY_URL}\n`,
  );
  await appendFile(join(folder, '.env'), 'DIRECTORY_URL=https://directory.example.org\n');
  await run('npm install p-limit@7.1.1');
  await run('cp handlers/keycloak.ts handlers/physics-only.ts');
  await replace('handlers/physics-only.ts', /^/, "import pLimit from 'p-limit';\n");
  await replace('handlers/physics-only.ts', /$/, '\nexport const limit = pLimit(1);\n');
  await run('sed -i s#handlers/keycloak#handlers/physics-only# serverless.yml events/*/*.expected.json');
  expect(await run('npx login-hooks check')).toMatch(/3 of 3 events as expected/);
  const packaged = await template();
  for (const part of [
    'campus-logins-prod-openidLoggedIn',
    'https://directory.example.org',
    'handlers/physics-only',
  ])
    expect(packaged).toContain(part);
  await commit();
});

test('an update changes a line of package.json, the lock file, and the packed file', async () => {
  await run(`npx login-hooks update ${await laterPackedFile(parent)}`);
  const changed = await run('git add -A && git diff --cached --name-status --no-renames');
  expect(changed.trim().split('\n')).toEqual([
    'M\tpackage-lock.json',
    'M\tpackage.json',
    `D\tvendor/login-hooks-${version}.tgz`,
    `A\tvendor/login-hooks-${LATER.version}.tgz`,
  ]);
  const lines = (await run('git diff --cached -U0 package.json')).match(/^[-+] .*/gm);
  expect(lines).toEqual([
    `-    "login-hooks": "file:vendor/login-hooks-${version}.tgz",`,
    `+    "login-hooks": "file:vendor/login-hooks-${LATER.version}.tgz",`,
  ]);
  await commit();
});

test('a fresh clone works', async () => {
  const clone = join(parent, 'clone');
  await run(`git clone -q ${folder} ${clone}`);
  await run('npm ci', clone);
  expect(await run('npm test', clone)).toContain('as expected');
  expect(await readdir(join(clone, 'vendor'))).toEqual([`login-hooks-${LATER.version}.tgz`]);
  expect(await readFile(join(clone, 'node_modules/login-hooks/lib/messages/en.js'), 'utf8')).toContain(
    LATER.words,
  );
});
