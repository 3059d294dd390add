/** The steps of docs/providers/keycloak.md for a Keycloak on one's own machine, as they stand there; sign-ins by the studio. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { textOf } from '../support/pages.ts';
import { Person } from '../support/person.ts';
import { type ShownSignIn, type Studio, signInAt, startStudio } from '../support/studio.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { adminHere } from './machine/admin.ts';
import { HOME, logIn } from './machine/keycloak.ts';

jest.setTimeout(240_000);

const admin = adminHere('campus');
const project = temporaryFolder();
let studio: Studio;
beforeAll(async () => {
  studio = await startStudio({}, { samples: [] });
  await studio.ready();
  await admin.removeRealm();
  const page = await textOf('docs/providers/keycloak.md');
  const steps = Array.from(page.matchAll(/^ {4}(bin\/kcadm\.sh .*)$/gm), ([, step = '']) => step);
  expect(steps).toHaveLength(5);
  const commands = steps
    .join(' && ')
    .replaceAll('http://127.0.0.1:8181', '"$KEYCLOAK_URL"')
    .replaceAll('--password admin', '--password "$KEYCLOAK_PASSWORD"')
    .replaceAll('localhost:3003', `localhost:${studio.ports.studio}`);
  await promisify(execFile)('sh', ['-c', commands], { cwd: HOME, env: { ...process.env, HOME: project } });
}, 240_000);
afterAll(async () => {
  await studio?.close();
  await admin.removeRealm();
});

async function asAda(protocol: string, asked: Readonly<Record<string, string>>): Promise<ShownSignIn> {
  const { open = '' } = await studio.send(`sign-in/${protocol}`, asked);
  const { hash } = (await logIn(new Person(), open, 'ada', 'lovelace')).url;
  return signInAt(studio, hash);
}

test('Ada signs in by OpenID Connect', async () => {
  const { login, findings } = await asAda('openid', { issuer: admin.issuer, clientId: 'login-hooks' });
  expect(login).not.toBeNull();
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
});

test('Ada signs in by SAML after our metadata is imported', async () => {
  await studio.page('#/sign-in');
  const ours = await fetch(`${studio.origin}/saml/metadata`);
  await admin.makeClient(await admin.importMetadata(await ours.text()));
  const { findings } = await asAda('saml', { metadataUrl: `${admin.issuer}/protocol/saml/descriptor` });
  const codes = findings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['assertion_opened', 'signed']));
});
