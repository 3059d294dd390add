/** What the doctor says of what moto does not play: rotations that are due, runtimes that end. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Aws } from '../../tools/doctor/aws.ts';
import { runtimeFindings } from '../../tools/doctor/runtimes.ts';
import { secrets } from '../../tools/doctor/secrets.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { httpServer } from '../support/servers.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-23');
const inDays = (days: number) => (NOW + days * DAY_MS) / 1_000;

let answer = '';
let server: Awaited<ReturnType<typeof httpServer>>;
beforeAll(async () => {
  server = await httpServer((_, response: ServerResponse) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(answer);
  });
  const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL: server.url });
});
afterAll(() => server.close());

const CURRENT = { VersionIdsToStages: { v1: ['AWSCURRENT'] } };

test.each<[string, object, string[]]>([
  ['a secret without rotation', { ...CURRENT, CreatedDate: inDays(-10) }, []],
  ['one that is rotated', { ...CURRENT, RotationEnabled: true, NextRotationDate: inDays(1) }, []],
  [
    'one whose rotation was due',
    { ...CURRENT, RotationEnabled: true, NextRotationDate: inDays(-1) },
    ['rotation_overdue'],
  ],
  ['one whose rotation is off', { ...CURRENT, RotationEnabled: false, NextRotationDate: inDays(-1) }, []],
  [
    'one of last year',
    { ...CURRENT, CreatedDate: inDays(-700), LastChangedDate: inDays(-366) },
    ['secret_old'],
  ],
  [
    'one that was changed since',
    { ...CURRENT, CreatedDate: inDays(-700), LastChangedDate: inDays(-365) },
    [],
  ],
  ['one without a value', { VersionIdsToStages: { v1: ['AWSPENDING'] } }, ['secret_empty']],
])('%s', async (_, described, codes) => {
  answer = JSON.stringify(described);
  const stage = new Stage('dev', { ...process.env, SECRET_IDS: 'login-hooks/x' });
  const { findings } = await secrets(new Aws('eu-central-1'), { stage, nowMs: NOW, before: {} });
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

test.each<[string, string, string[]]>([
  ['nodejs24.x', '2027-10-31', []],
  ['nodejs24.x', '2027-11-05', ['runtime_ends']],
  ['nodejs24.x', '2028-05-01', ['runtime_deprecated']],
  ['nodejs99.x', '2026-11-23', ['runtime_unknown']],
])('the runtime %s on %s', (runtime, date, codes) => {
  expect(runtimeFindings('fn', runtime, Date.parse(date)).map(({ code }) => code)).toEqual(codes);
});
