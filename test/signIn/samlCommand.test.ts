import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type SamlCommand, signInBySaml } from '../../tools/cli/signInSaml.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { SamlRefused } from '../../tools/signIn/samlRefusals.ts';
import { freePort } from '../support/freePort.ts';
import { type Form, samlIdp, signedInAt, type Wishes } from '../support/samlIdp.ts';
import { federationOf } from '../support/samlMetadata.ts';

const port = await freePort();
const project = await mkdtemp(join(tmpdir(), 'saml-command-'));
let wishes: Wishes = {};
const idp = await samlIdp(`http://localhost:${port}/callback/saml`, () => wishes);

beforeEach(() => {
  wishes = {};
});
afterAll(async () => {
  idp.close();
  await rm(project, { recursive: true });
});

/** The command, until it has printed its address. */
function command(changes: Partial<SamlCommand> = {}) {
  const printed: string[] = [];
  const address = Promise.withResolvers<string>();
  const login = signInBySaml({
    ...{ metadata: `${idp.address}/metadata`, port, project },
    environment: () => ({}),
    print(line) {
      printed.push(line);
      const [url] = /^http:.*\/sso\?.*$/m.exec(line) ?? [];
      if (url !== undefined) address.resolve(url);
    },
    ...changes,
  });
  login.catch(address.reject);
  address.promise.catch(() => {});
  return { login, address: address.promise, printed };
}

interface Asked {
  host?: string;
  method?: string;
  address?: string;
  headers?: Record<string, string>;
}

function ask(
  path: string,
  body = '',
  { host = `localhost:${port}`, method = 'POST', address = '127.0.0.1', headers = {} }: Asked = {},
) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const options = { host: address, port, path, method, headers: { host, ...type, ...headers } };
      const request = http.request(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      request.on('error', reject).end(body);
    },
  );
}

function post({ SAMLResponse, RelayState }: Form, asked?: Asked) {
  return ask('/callback/saml', new URLSearchParams({ SAMLResponse, RelayState }).toString(), asked);
}

describe('The command', () => {
  test('prints what to register and the address, and gives the login', async () => {
    const { login, address, printed } = command();
    const form = await signedInAt(await address);
    const { status, headers, text } = await post(form, { headers: { origin: idp.address } });
    const captured = await login;
    expect(captured.events?.plain).toMatchObject({ assertion: { assertionIssuer: idp.entityId } });
    expect(status).toBe(200);
    expect(text).toMatch(/Signed in.*You can close this window/);
    expect(text).not.toContain('ada@');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(printed.join('\n')).toContain(`our ACS URL is http://localhost:${port}/callback/saml`);
    expect(printed.join('\n')).not.toMatch(/ada@|PRIVATE KEY/);
    await expect(post(form)).rejects.toThrow('ECONNREFUSED');
  });

  test('shows our metadata while it waits, and listens on both loopback addresses', async () => {
    const { login, address } = command();
    const form = await signedInAt(await address);
    for (const loopback of ['127.0.0.1', '::1']) {
      const { status, text } = await ask('/saml/metadata', '', { method: 'GET', address: loopback });
      expect(status).toBe(200);
      expect(text).toContain(`entityID="http://localhost:${port}/saml/metadata"`);
      expect(text).not.toContain('PRIVATE');
    }
    await post(form);
    await login;
  });

  test('says that the provider does not know us yet, and waits until it does', async () => {
    wishes = {
      change() {
        throw new Error('Invalid Request');
      },
    };
    const { login, address, printed } = command();
    const url = await address;
    expect(printed.join('\n')).toMatch(
      /The provider says: Invalid Request\. Register this machine .*\/saml\/metadata.*open the address after that/s,
    );
    expect((await ask('/saml/metadata', '', { method: 'GET' })).status).toBe(200);
    wishes = {};
    await post(await signedInAt(url));
    expect((await login).functionName).toBe('samlLoggedIn');
  });

  test('goes on waiting after requests that are not for it', async () => {
    const { login, address } = command();
    const form = await signedInAt(await address);
    expect((await post(form, { host: 'evil.example.org' })).status).toBe(421);
    expect((await ask('/callback/saml', '', { method: 'GET' })).status).toBe(404);
    expect((await ask('/', '', { method: 'GET' })).status).toBe(404);
    expect((await ask('/callback/saml', 'rubbish')).status).toBe(400);
    expect((await post({ ...form, RelayState: 'guessed' })).text).toMatch(/No sign-in is waiting/);
    expect((await ask('/callback/saml', '', { headers: { 'content-length': '10000001' } })).status).toBe(413);
    expect((await post(form)).status).toBe(200);
    expect((await login).functionName).toBe('samlLoggedIn');
  });

  test('ends with all findings where the response is refused', async () => {
    wishes = { audience: 'urn:other', recipient: 'urn:acs' };
    const { login, address } = command();
    const refused = login.catch((error: unknown) => error);
    const { status, text } = await post(await signedInAt(await address));
    expect(status).toBe(400);
    expect(text).not.toContain('urn:other');
    const error = (await refused) as SamlRefused;
    expect(error).toBeInstanceOf(SamlRefused);
    expect(error.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['assertion_audience_refused', 'assertion_confirmation_refused']),
    );
  });

  test('asks which provider of a federation', async () => {
    const metadata = join(project, 'federation.xml');
    const other = idp.metadata().replace('/entity"', '/other"');
    await writeFile(metadata, federationOf([idp.metadata(), other]));
    await expect(command({ metadata }).login).rejects.toThrow(/2 providers: choose one/);
    const { login, address } = command({ metadata, entityId: idp.entityId });
    await post(await signedInAt(await address));
    expect((await login).events).not.toBeNull();
  });

  test('ends where nobody signs in', async () => {
    const { login } = command({ waitMs: 300 });
    await expect(login).rejects.toThrow(/^nobody signed in within 0 seconds/);
  });

  test('says which port is taken', async () => {
    const { login, address } = command();
    const url = await address;
    const other = command().login;
    await expect(other).rejects.toThrow(UnusableInput);
    await expect(other).rejects.toThrow(`port ${port} is taken: choose another with --port`);
    await post(await signedInAt(url));
    await login;
  });
});
