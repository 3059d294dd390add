/** TLS certificates of providers: what is told of one that ends, or that nobody trusts. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { tlsCertificate } from '../../tools/doctor/tlsCertificates.ts';
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

let server: https.Server;
let address: string;
beforeAll(async () => {
  server = https.createServer(await certificate(-1, 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `https://localhost:${(server.address() as AddressInfo).port}/realms/campus`;
});
afterAll(() => void server.close());

const RENEWED: [number, number, string?] = [-1, 89];

test.each<[string, [number, number, string?], { isTrusted?: boolean; percent?: number }, string[]]>([
  ['one that was just issued', RENEWED, {}, []],
  ['one with more than a third left', [-58, 32], {}, []],
  ['one with less than a third left', [-62, 28], {}, ['tls_certificate_ending']],
  ['a short one with more than a third left', [-4, 3], {}, []],
  ['one with less left than is asked for', [-46, 44], { percent: 50 }, ['tls_certificate_ending']],
  ['one that has ended', [-91, -1], {}, ['tls_certificate_ended']],
  ['one of another host', [-1, 89, 'other.example'], {}, ['tls_certificate_untrusted']],
  ['one of an authority that nobody knows', RENEWED, { isTrusted: false }, ['tls_certificate_untrusted']],
])('%s', async (_, life, { isTrusted = true, percent = 33 }, codes) => {
  const examined = async (shown: { key: string; cert: string }, trusts: boolean) => {
    server.setSecureContext(shown);
    const distrust = trusts ? trust(shown.cert) : () => {};
    const { findings, unasked } = await tlsCertificate(address, { certificatePercent: percent, nowMs: NOW });
    distrust();
    expect(unasked).toEqual([]);
    return findings.map(({ code }) => code);
  };
  expect(await examined(await certificate(...life), isTrusted)).toEqual(codes);
  expect(await examined(await certificate(...RENEWED), true)).toEqual([]);
});

test('a host that is not there could not be asked', async () => {
  const { findings, unasked } = await tlsCertificate('https://localhost:1', {
    certificatePercent: 33,
    nowMs: NOW,
  });
  expect([findings, unasked]).toEqual([
    [],
    [{ subject: 'localhost:1', message: expect.stringContaining('no connection') }],
  ]);
});
