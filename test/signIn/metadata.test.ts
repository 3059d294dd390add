/** What a sign-in needs of a provider's metadata, and why it cannot begin with others. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { fetchSamlMetadata, redirected, samlProviderIn } from '../../tools/signIn/metadata.ts';
import { type Described, federationOf, metadataOf, SSO_URL } from '../support/samlMetadata.ts';

const OLD = 'https://idp.example.org/saml';
const OTHER = 'https://idp.example.net/saml';
const [first, second] = await Promise.all([generate(), generate()]);
const certificates = [first.cert, second.cert];

function described(wishes: Described = {}): string {
  return metadataOf({ certificates, ...wishes });
}

describe('metadata', () => {
  test('names the provider, where a sign-in begins, and every certificate that it may sign with', () => {
    const provider = samlProviderIn(described());
    expect(provider).toMatchObject({ entityId: OLD, ssoUrl: SSO_URL, wantsSignedRequests: false });
    expect(provider.certificates).toHaveLength(2);
  });

  test.each(['true', '1'])('may want signed requests: %s', (value) => {
    const metadata = described({ roleAttributes: `WantAuthnRequestsSigned="${value}"` });
    expect(samlProviderIn(metadata).wantsSignedRequests).toBe(true);
  });

  test('of a federation gives the provider that is chosen', () => {
    const federation = federationOf([described(), described({ entityId: OTHER })]);
    expect(samlProviderIn(federation, { entityId: OTHER }).entityId).toBe(OTHER);
  });

  test('of a federation names its providers where none is chosen', () => {
    const federation = federationOf([described(), described({ entityId: OTHER })]);
    expect(() => samlProviderIn(federation)).toThrow(/choose one by its entityId: .*idp.example.net/);
  });

  test('is usable until it expires', () => {
    const metadata = described({ attributes: 'validUntil="2026-01-01T00:00:00Z"' });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2025-12-31T23:59:59Z'));
    expect(samlProviderIn(metadata).entityId).toBe(OLD);
    clock.mockReturnValue(Date.parse('2026-01-01T00:00:00Z'));
    expect(() => samlProviderIn(metadata)).toThrow(UnusableInput);
    clock.mockRestore();
  });
});

describe('no sign-in begins with metadata', () => {
  const EXPIRED = 'validUntil="2020-01-01T00:00:00Z"';
  test.each<[what: string, metadata: string, message: RegExp]>([
    ['of another provider', described(), /has no provider .*not-there/],
    ['that has it twice', federationOf([described(), described()]), /2 times/],
    ['without HTTP-Redirect', described({ bindings: ['HTTP-POST'] }), /HTTP-Redirect, found HTTP-POST/],
    ['without a binding', described({ bindings: [] }), /HTTP-Redirect, found nothing/],
    ['without a certificate', described({ certificates: [] }), /expected a readable certificate for signing/],
    ['that expired', described({ attributes: EXPIRED }), /valid until 2020-01-01T00:00:00Z: fetch/],
    ['of a federation that expired', federationOf([described()], EXPIRED), /valid until/],
    ['whose role expired', described({ roleAttributes: EXPIRED }), /valid until/],
    ['that ends at no time', described({ attributes: 'validUntil="soon"' }), /valid until soon/],
    ['with a script as address', described({ ssoUrl: 'javascript:alert(1)' }), /expected a web address/],
    ['without entityID', described({ entityId: '' }), /expected an entityID/],
    ['of a service', described().replaceAll('IDPSSO', 'SPSSO'), /metadata of the provider/],
    ['with a DOCTYPE', `<!DOCTYPE x [<!ENTITY a "b">]>${described()}`, /DOCTYPE/],
    ['that is cut', described().slice(0, -20), /expected XML/],
    ['that is HTML', '<html><body>Sign in</body></html>', /metadata of the provider/],
  ])('%s', (what, metadata, message) => {
    const entityId = what === 'of another provider' ? 'not-there' : undefined;
    const chosen = what.endsWith('twice') ? OLD : entityId;
    expect(() => samlProviderIn(metadata, { entityId: chosen })).toThrow(UnusableInput);
    expect(() => samlProviderIn(metadata, { entityId: chosen })).toThrow(message);
  });
});

const servers: { close(): void; closeAllConnections(): void }[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
}

describe('a sign-in that begins on this machine', () => {
  const begin = (from?: string) =>
    samlProviderIn(described({ ssoUrl: 'http://127.0.0.1:9200/sso' }), { from });
  test.each([['http://localhost:8080/metadata'], ['metadata.xml'], [undefined]])('may be of %s', (from) => {
    expect(begin(from).ssoUrl).toBe('http://127.0.0.1:9200/sso');
  });

  test('is refused of metadata from elsewhere: a request is sent before anybody sees the address', () => {
    expect(() => begin('https://idp.example.org/metadata')).toThrow(/is not of this machine, and has/);
  });
});

describe('an address', () => {
  test('gives the metadata, also where it leads on to another', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/metadata') response.writeHead(302, { location: '/there' }).end();
      else response.end(described());
    });
    await expect(fetchSamlMetadata(address)).resolves.toBe(described());
  });

  test.each<[what: string, listener: RequestListener, message: RegExp]>([
    ['answers an error', (_, response) => response.writeHead(404).end('no'), /responded with 404/],
    [
      'leads elsewhere without TLS',
      (_, response) => response.writeHead(302, { location: 'http://idp.example.org/' }).end(),
      /expected https/,
    ],
    [
      'leads in a circle',
      (_, response) => response.writeHead(302, { location: '/metadata' }).end(),
      /responded with 302/,
    ],
    ['sends without end', (_, response) => void flood(response), /more than 1048576 bytes: .*MDQ/],
    ['sends nothing', () => undefined, /within 300 ms/],
    ['hangs up', (request) => void request.socket.destroy(), /sends no metadata/],
  ])('that %s is refused', async (what, listener, message) => {
    const address = await serve(listener);
    const refusal = fetchSamlMetadata(address, what === 'sends nothing' ? 300 : undefined);
    await expect(refusal).rejects.toThrow(UnusableInput);
    await expect(refusal).rejects.toThrow(message);
  });

  test.each([
    ['http://127.0.0.1:1/', /redirects to an address on this machine/],
    ['http://localhost:3000/saml', /redirects to an address on this machine/],
    ['https://localhost/', /redirects to an address on this machine/],
    ['https://127.0.0.1/', /redirects to an address on this machine/],
    ['https://[::1]/', /redirects to an address on this machine/],
    ['https://idp.localhost/', /redirects to an address on this machine/],
    ['http://idp.example.org/', /expected https/],
  ])('of another place does not lead to %s', (location, message) => {
    expect(() => redirected('https://idp.example.org/metadata', location)).toThrow(message);
  });

  test.each(['http://idp.example.org/metadata', 'http://localhost.example.org/', 'ftp://localhost/'])(
    'others could change on its way is refused: %s',
    async (address) => {
      await expect(fetchSamlMetadata(address)).rejects.toThrow(/expected https/);
    },
  );
});

function flood(response: import('node:http').ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
  };
  response.on('drain', more);
  more();
}
