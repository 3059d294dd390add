/** The steps of docs/providers.md for a Keycloak on one's own machine, as they stand there; sign-ins by the commands. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Captured } from '../../tools/capture/captured.ts';
import { signInByOpenid } from '../../tools/cli/signInOpenid.ts';
import { signInBySaml } from '../../tools/cli/signInSaml.ts';
import { freePort } from '../support/freePort.ts';
import { textOf } from '../support/pages.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { adminHere } from './machine/admin.ts';
import { logIn } from './machine/campus.ts';
import { HOME } from './machine/keycloak.ts';
import { Person } from './machine/person.ts';

jest.setTimeout(240_000);

const admin = adminHere('campus');
const project = temporaryFolder();
let port: number;
beforeAll(async () => {
  port = await freePort();
  await admin.removeRealm();
  const page = await textOf('docs/providers.md');
  const steps = Array.from(page.matchAll(/^ {4}(bin\/kcadm\.sh .*)$/gm), ([, step = '']) => step);
  expect(steps).toHaveLength(5);
  const commands = steps
    .join(' && ')
    .replaceAll('http://127.0.0.1:8181', '"$KEYCLOAK_URL"')
    .replaceAll('--password admin', '--password "$KEYCLOAK_PASSWORD"')
    .replaceAll('localhost:3003', `localhost:${port}`);
  await promisify(execFile)('sh', ['-c', commands], { cwd: HOME, env: { ...process.env, HOME: project } });
}, 240_000);
afterAll(() => admin.removeRealm());

/** Signs in as the person of the page, at the address that a command prints. */
async function asAda(command: (print: (line: string) => void) => Promise<Captured>, before = async () => {}) {
  const address = Promise.withResolvers<string>();
  const printed: string[] = [];
  const login = command((line) => {
    printed.push(line);
    const [url] = /^http:\S+$/m.exec(line) ?? [];
    if (url !== undefined) address.resolve(url);
  });
  login.catch(address.reject);
  const url = await address.promise;
  await before();
  await logIn(new Person(), url, 'ada', 'lovelace');
  return { ...(await login), printed: printed.join('\n') };
}

const environment = () => ({});

test('Ada signs in by npm run capture -- openid', async () => {
  const asked = { issuer: admin.issuer, clientId: 'login-hooks', port, environment };
  const { events, findings } = await asAda((print) => signInByOpenid({ ...asked, print }));
  expect(JSON.stringify(events?.plain)).toContain('ada@example.org');
  expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
});

test('Ada signs in by npm run capture -- saml after our metadata is imported', async () => {
  const asked = { metadata: `${admin.issuer}/protocol/saml/descriptor`, port, project, environment };
  const { findings, printed } = await asAda(
    (print) => signInBySaml({ ...asked, print }),
    async () => {
      const ours = await fetch(`http://localhost:${port}/saml/metadata`);
      await admin.makeClient(await admin.importMetadata(await ours.text()));
    },
  );
  expect(printed).toContain('The provider says: Invalid Request. Register this machine');
  const codes = findings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['assertion_opened', 'signed']));
});
