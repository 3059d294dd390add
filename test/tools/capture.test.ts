/** `npm run capture`: what a capture holds, what is wrong with it, and keeping it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { type Form, samlIdp } from '../support/samlIdp.ts';
import { BUILT, runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

const NAME = `kept-by-the-test-of-capture-${process.pid}`;
const FILES = ['json', 'expected.json'].map((end) =>
  join(PROJECT, 'events', 'openidLoggedIn', `${NAME}.${end}`),
);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capture-'));
});

afterAll(async () => {
  await Promise.all([folder, ...FILES].map((file) => rm(file, { recursive: true, force: true })));
});

async function captured(content: unknown): Promise<string> {
  const file = join(folder, 'caught.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('saml, by a sign-in at a provider', () => {
  test('prints what to register and the address, then what came back', async () => {
    const port = await freePort();
    const provider = await samlIdp(`http://localhost:${port}/callback/saml`, () => ({
      audience: `http://localhost:${port}/saml/metadata`,
    }));
    const metadata = `${provider.address}/metadata`;
    const command = runCommand(
      ['tools/cli/capture.ts', 'saml', '--metadata', metadata, '--port', `${port}`],
      {
        env: commandEnvironment(BUILT),
      },
    );
    const [address = ''] = (await command.printed(/^http:\/\/127\S+(?=\n)/m, 'stderr')) ?? [];
    const { action, ...fields } = (await (await fetch(address)).json()) as Form;
    const response = await fetch(action, { method: 'POST', body: new URLSearchParams({ ...fields }) });
    expect(response.status).toBe(200);
    await command.printed(/^received/m);
    expect(await command.end(0)).toBe(0);
    expect(command.stdout()).toMatch(/^response AuthorizedUserResponse$/m);
    expect(
      command
        .stderr()
        .split('\n')
        .filter((line) => /^\s+'|\[$/.test(line)),
    ).toEqual([]);
    expect(command.stdout() + command.stderr()).not.toMatch(/ada@example/);
    provider.close();
  });

  test.each([
    ['saml', 'expected --metadata <file or address> of the provider with saml\n'],
    ['openid', 'expected --issuer <url> and --client-id <id> with openid\n'],
  ])('%s says what it needs', (protocol, problem) => {
    const { status, stderr } = runTool('capture', [protocol]);
    expect([status, stderr]).toEqual([2, problem]);
  });
});

test('ends quietly where the reader of its lines goes away', () => {
  const command = `"${process.execPath}" tools/cli/capture.ts events/openidLoggedIn/entra.json | head -1`;
  const { stderr } = spawnSync('sh', ['-c', command], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: commandEnvironment(BUILT),
  });
  expect(stderr).toBe('');
});

test.each([
  ['keycloak-nested-roles.json', 'handlers/keycloak-roles', 0],
  ['keycloak-suspended.json', 'handlers/keycloak-roles', 1],
  ['entra.json', 'handlers/nobody', 2],
])('of %s, by %s, the exit code is %i', (sample, handler, code) => {
  const file = join('events', 'openidLoggedIn', sample);
  expect(runTool('capture', [file, '--handler', handler]).status).toBe(code);
});

describe('--keep', () => {
  test('shows which texts stay, and writes nothing', async () => {
    const { status, stdout } = runTool('capture', [await captured(openIdEvent()), '--keep', NAME]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}the issuer: "https:/m);
    expect(stdout).toContain('Nothing is written yet.');
    expect(FILES.filter(existsSync)).toEqual([]);
  });

  test('with --yes writes a sample that npm run check finds as expected', async () => {
    const { status } = runTool('capture', [await captured(openIdEvent()), '--keep', NAME, '--yes']);
    expect(status).toBe(0);
    expect(runTool('check', [FILES[0] ?? '']).stdout).toContain('1 of 1 events as expected');
  });

  test.each([
    ['a name that is taken', [openIdEvent()], 'entra', 1, /A sample of this name exists already/],
    ['a name that is a path', [openIdEvent()], '../entra', 1, /The name is not valid for a sample/],
  ])('says why %s is in the way', async (_, [event], name, code, problem) => {
    const { status, stdout } = runTool('capture', [await captured(event), '--keep', name, '--yes']);
    expect([status, stdout]).toEqual([code, expect.stringMatching(problem)]);
  });

  test('is needed for --yes', async () => {
    const { status, stderr } = runTool('capture', [await captured(openIdEvent()), '--yes']);
    expect([status, stderr]).toEqual([2, 'expected --keep <name> with --yes\n']);
  });
});
