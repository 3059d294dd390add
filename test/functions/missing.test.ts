/** Each login's record names the fields that were looked for and not found. */
import { describe, expect, test } from '@jest/globals';
import { answerOf, type BundleOptions, type FunctionName, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';

function openId(claims: Record<string, unknown> = {}, issuer?: string) {
  const wire = openIdEvent();
  Object.assign(wire.idToken.otherClaims, claims);
  if (issuer !== undefined) wire.idToken.iss = issuer;
  return wire;
}

type Logged = Record<'reason' | 'missing' | 'missingCount', unknown>;

/** What each event's record says. */
function logged(name: FunctionName, events: unknown[], options: BundleOptions = {}): Promise<Logged[]> {
  return withFunction(name, options, async (fn) => {
    const records: Logged[] = [];
    for (const event of events) {
      const { reason, missing, missingCount } = (await answerOf(fn, event)).record ?? {};
      records.push({ reason, missing, missingCount });
    }
    return records;
  });
}

const undecided = { missing: undefined, missingCount: undefined };
const found = { missing: undefined, missingCount: 0 };
const lacking = (...missing: string[]) => ({ missing, missingCount: missing.length });

test('a default handler', async () => {
  const events = [openId(), openId({ email: undefined, given_name: '' }), openId({ email_verified: false })];
  expect(await logged('openidLoggedIn', [...events, { ...openId(), expiresIn: 'soon' }])).toEqual([
    { reason: 'authorized', ...found },
    { reason: 'profile_incomplete', ...lacking('email', 'first_name') },
    { reason: 'email_unverified', ...found },
    { reason: 'event_invalid', ...undecided },
  ]);
});

describe('the identifier that a setting names', () => {
  const transient = samlEvent();
  const persistent = samlEvent();
  persistent.assertion.assertionSubject.subjectNameID.nameIDFormat = 'persistent';
  const incomplete = samlEvent([]);

  test('beside a decision', async () => {
    const env = { SAML_EXTERNAL_ID: 'persistent_name_id' };
    expect(await logged('samlLoggedIn', [transient, persistent, incomplete], { env })).toEqual([
      { reason: 'external_id_missing', ...lacking('external_id') },
      { reason: 'authorized', ...found },
      { reason: 'profile_incomplete', ...lacking('email', 'first_name', 'last_name', 'external_id') },
    ]);
  });

  test('beside a handler of plain code', async () => {
    const handler = await customHandler(`export default () => ({ type: 'ForbiddenResponse' })`);
    const env = { SAML_EXTERNAL_ID: 'persistent_name_id', SAML_HANDLER_MODULE: handler };
    expect(await logged('samlLoggedIn', [transient, persistent], { env })).toEqual([
      { reason: 'forbidden', ...lacking('external_id') },
      { reason: 'forbidden', ...found },
    ]);
  });
});

test('an issuer is marked where the settings list it, and nowhere else', async () => {
  const listed = 'https://idp.example.org';
  const env = { OPENID_ISSUERS: JSON.stringify({ [listed]: { audiences: ['client-1'] } }) };
  const issuers = [listed, `${listed}/`, listed.toUpperCase(), '', 'toString', '__proto__'];
  const marks = (options: BundleOptions) =>
    withFunction('openidLoggedIn', options, async (fn) => {
      const marked: unknown[] = [];
      for (const issuer of issuers)
        marked.push((await answerOf(fn, openId({}, issuer))).record?.issuerListed);
      return marked;
    });
  expect(await marks({ env })).toEqual([true, ...issuers.slice(1).map(() => undefined)]);
  expect(await marks({})).toEqual(issuers.map(() => undefined));
});
