/** TLS certificates of providers: what is told of one that ends, or that nobody trusts. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { tlsFindings } from '../../tools/doctor/tls.ts';
import { trust } from '../support/trust.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

/** @param from days from now, and so is `to` */
async function certificate(from: number, to: number, name = 'localhost') {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    notBeforeDate: new Date(NOW + from * DAY_MS),
    notAfterDate: new Date(NOW + to * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  } as never);
  return { key, cert };
}

const server = https.createServer(await certificate(-1, 1)).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `https://localhost:${(server.address() as AddressInfo).port}/realms/campus`;
afterAll(() => void server.close());

type Life = [from: number, to: number, name?: string];

test.each<[string, Life, isTrusted: boolean, found: string[]]>([
  ['one with more than a third left', [-58, 32], true, []],
  ['one with less than a third left', [-62, 28], true, ['warning tls_certificate_ending']],
  ['a short one with more than a third left', [-4, 3], true, []],
  ['one that has ended', [-91, -1], true, ['error tls_certificate_ended']],
  ['one of another host', [-1, 89, 'other.example'], true, ['error tls_certificate_untrusted']],
  ['one of an unknown authority', [-1, 89], false, ['error tls_certificate_untrusted']],
])('%s', async (_, life, isTrusted, found) => {
  const shown = await certificate(...life);
  server.setSecureContext(shown);
  const distrust = isTrusted ? trust(shown.cert) : () => {};
  const findings = await tlsFindings(address, NOW);
  distrust();
  expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(found);
});

test('a host that is not there could not be asked', async () => {
  expect(await tlsFindings('https://localhost:1', NOW)).toMatchObject([{ code: 'inconclusive' }]);
});
