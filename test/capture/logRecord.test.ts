/** Log records of refused logins: each gives an event that the function answers with the same reason. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { Engine } from '../../tools/local/engine.ts';
import type { LogRecord } from '../../tools/local/process/logRecords.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const REASONS = ['profile_incomplete', 'email_unverified', 'issuer_not_listed'];

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.open();
});
afterAll(() => engine.close());

async function recordOf(functionName: string, event: unknown, handlerModule?: string): Promise<LogRecord> {
  const way = { functionName, handlerModule, isChecked: false, isLive: false };
  const { records } = await engine.answer({ ...way, event, moment: null, outside: 'live' });
  const record = records.find((one) => one.event === 'login');
  if (!record) throw new Error('no record');
  return record;
}

/** As above level DEBUG: without the paths. */
function asOnLambda(record: LogRecord): LogRecord {
  return JSON.parse(JSON.stringify(record), (key, value) => (key === 'path' ? undefined : value));
}

async function expectAlike(functionName: string, event: unknown, handler?: string): Promise<void> {
  const record = asOnLambda(await recordOf(functionName, event, handler));
  expect(REASONS).toContain(record.reason);
  const [captured] = await readCapture(JSON.stringify(record), { environment: () => ({}) });
  expect(captured).toMatchObject({ kind: 'log record', functionName, where: '' });
  expect(captured?.findings.map(({ code }) => code)).toEqual(['values_made_up']);
  for (const form of ['plain', 'known'] as const) {
    const again = await recordOf(functionName, captured?.events?.[form], handler);
    expect([form, again.reason]).toEqual([form, record.reason]);
    expect(again.answer).toBe(record.answer);
    expect(outcomeOf(again)).toEqual(outcomeOf(record));
  }
}

/** Which fields were found and which were not, with the notes. */
function outcomeOf({ trace }: LogRecord): unknown {
  const { fields } = trace as { fields: Record<string, { found: string | null; note?: string }> };
  return Object.fromEntries(
    Object.entries(fields)
      .map(([field, { found, note }]) => [field, found !== null, note])
      .map(([field, ...rest]) => [String(field), rest]),
  );
}

describe('the refused sample events', () => {
  test('fail alike, by the handler that each expects', async () => {
    const samples = await projectSamples();
    let count = 0;
    for (const { functionName, event, expected } of samples) {
      const { reason, trace } = await recordOf(functionName, event, expected?.handler);
      if (!REASONS.includes(String(reason)) || trace === undefined) continue;
      count++;
      await expectAlike(functionName, event, expected?.handler);
    }
    expect(count).toBeGreaterThan(10);
  });
});

const withClaims = (otherClaims: Record<string, unknown>) => {
  const event = openIdEvent();
  return { ...event, idToken: { ...event.idToken, otherClaims } };
};

const NAMED = { given_name: 'Ada', family_name: 'Lovelace' };

test.each<[string, Record<string, unknown>]>([
  ['nothing at all', {}],
  ['no address', NAMED],
  ['an address that is none', { ...NAMED, email: 'ada' }],
  ['two addresses as one text', { ...NAMED, email: 'a@example.orgb@example.org' }],
  ['an empty address', { ...NAMED, email: '' }],
  ['an address that is not verified', { ...NAMED, email: 'a@example.org', email_verified: false }],
  ['one that Entra does not vouch for', { ...NAMED, email: 'a@example.org', xms_edov: '0' }],
  ['one word for a name', { email: 'a@example.org', email_verified: true, name: 'Ada' }],
  ['a name and no address', { name: 'Ada Lovelace' }],
  ['an empty name', { email: 'a@example.org', given_name: ' ', family_name: 'Lovelace' }],
  ['names that are not shown', { email: 'a@example.org', 'a name with spaces': 1, ünsafe: 2 }],
])('OpenID Connect: %s', async (_, claims) => expectAlike('openidLoggedIn', withClaims(claims)));

const GIVEN = attribute('urn:oid:2.5.4.42', 'Ada', 'givenName');
const SURNAME = attribute('urn:oid:2.5.4.4', 'Lovelace', 'sn');

test.each<[string, ReturnType<typeof attribute>[]]>([
  ['nothing at all', []],
  ['no address', [GIVEN, SURNAME]],
  ['an address that is none', [GIVEN, SURNAME, attribute('mail', 'ada')]],
  [
    'an address that is not verified',
    [GIVEN, SURNAME, attribute('mail', 'a@b.example'), attribute('emailVerified', 'no')],
  ],
  [
    'names by FriendlyName',
    [attribute('urn:x:1', 'Ada', 'givenName'), attribute('urn:x:2', 'Lovelace', 'sn')],
  ],
  ['a full name, and no address', [attribute('displayName', 'Lovelace, Ada')]],
])('SAML: %s', async (_, attributes) => expectAlike('samlLoggedIn', samlEvent(attributes)));

test('SAML: a NameID that is two addresses', async () => {
  const event = samlEvent([GIVEN, SURNAME]);
  const { subjectNameID } = event.assertion.assertionSubject;
  subjectNameID.nameIDFormat = 'EmailAddress';
  subjectNameID.nameIDValue = 'a@example.orgb@example.org';
  await expectAlike('samlLoggedIn', event);
});

describe('a record', () => {
  const record = () => recordOf('openidLoggedIn', withClaims({}));

  test.each<[string, (line: string, message: object) => string, string]>([
    [
      "in the envelope of Lambda's JSON logging",
      (_, message) => JSON.stringify({ level: 'INFO', message }),
      '',
    ],
    ['among other lines', (line) => `START RequestId: 1\n${line}\nEND RequestId: 1`, 'line 2'],
    ['after a prefix', (line) => `2026-11-21T10:00:00.000Z\t1-2-3\tINFO\t${line}\n`, 'line 1'],
    ['as exported from a console', (line) => JSON.stringify([{ timestamp: 1, message: line }]), 'item 1'],
  ])('%s is read', async (_, wrap, where) => {
    const message = await record();
    const captures = await readCapture(wrap(JSON.stringify(message), message), { environment: () => ({}) });
    expect(captures).toMatchObject([{ kind: 'log record', where }]);
  });

  test('of another reason says which ones can be read', async () => {
    const refused = { ...(await record()), reason: 'rule_refused' };
    await expect(readCapture(JSON.stringify(refused), { environment: () => ({}) })).rejects.toThrow(
      'ended with rule_refused: an event can be made only for profile_incomplete, email_unverified, issuer_not_listed',
    );
  });

  test('without its trace is no use', async () => {
    const { trace: _, ...rest } = await record();
    await expect(readCapture(JSON.stringify(rest), { environment: () => ({}) })).rejects.toThrow(
      'has no trace: copy all of it',
    );
  });
});
