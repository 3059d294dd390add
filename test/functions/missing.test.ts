/** Each login's record names the fields that were looked for and not found. */
import { expect, test } from '@jest/globals';
import { answerOf, type BundleOptions, type FunctionName, withFunction } from '../support/bundle.ts';
import { openIdEvent } from '../support/wire.ts';

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
