/** The rule about a sign-in: each demand must be met, and one that cannot be judged is an error. */
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

type Assurance = Extract<NonNullable<Mapping['rules']>[number], { assurance: unknown }>['assurance'];
type Claims = Record<string, unknown>;

// Read at the first login of this file.
process.env.CLOCK_SKEW_SECONDS = '30';

/** When the person of an assertion signed in. */
const SIGNED_IN = Date.parse('2026-11-21T10:00:00Z');
afterEach(() => {
  jest.restoreAllMocks();
});

const asked = (assurance: Assurance): Mapping => ({ rules: [{ assurance }] });
const at = (seconds: number) => jest.spyOn(Date, 'now').mockReturnValue(SIGNED_IN + seconds * 1_000);
const auth_time = SIGNED_IN / 1_000;
const IAP = 'https://refeds.org/assurance/IAP/high';
const ATP = 'https://refeds.org/assurance/ATP/ePA-1d';

test.each<[Assurance, Claims, string]>([
  [{ acr: ['gold'] }, { acr: 'gold' }, 'authorized'],
  [{ acr: ['gold', 'silver'] }, { acr: 'silver' }, 'authorized'],
  [{ acr: ['gold'] }, { acr: 'Gold' }, 'rule_refused'],
  [{ acr: ['1'] }, { acr: '0' }, 'rule_refused'],
  [{ acr: ['gold'], amr: ['mfa'] }, { acr: 'gold' }, 'assurance_unknown'],
])('%j with %j: %s', (assurance, claims, reason) => {
  expect(openId(asked(assurance), claims).decision.reason).toBe(reason);
});

const HOUR = 3_600;

test.each<[string, number, unknown, string]>([
  ['now', 0, auth_time, 'authorized'],
  ['the oldest that is allowed', HOUR + 30, auth_time, 'authorized'],
  ['older', HOUR + 30.001, auth_time, 'rule_refused'],
  ['as far in the future as clocks may differ', -30, auth_time, 'authorized'],
])('a sign-in of the last hour: %s', (_, seconds, auth_time, reason) => {
  at(seconds);
  expect(openId(asked({ max_age: '1h' }), { auth_time }).decision.reason).toBe(reason);
});

test.each<[string, number]>([
  ['90s', 90],
  ['5m', 300],
  ['8h', 28_800],
  ['1d', 86_400],
])('%s are %d seconds', (max_age, seconds) => {
  const reasons = [seconds + 30, seconds + 31].map((age) => {
    at(age);
    return openId(asked({ max_age }), { auth_time }).decision.reason;
  });
  expect(reasons).toEqual(['authorized', 'rule_refused']);
});

test.each([
  [HOUR + 30, 'authorized'],
  [HOUR + 31, 'rule_refused'],
])('of an assertion, the statement of the sign-in counts: after %d s %s', (seconds, reason) => {
  at(seconds);
  expect(saml(asked({ max_age: '1h' })).decision.reason).toBe(reason);
});

test.each<[string, ReturnType<typeof attribute>[], string]>([
  ['by its name', [attribute('eduPersonAssurance', IAP)], 'authorized'],
  ['by its OID', [attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.11', IAP)], 'authorized'],
])('assurance of an assertion %s', (_, attributes, reason) => {
  expect(saml(asked({ eduPersonAssurance: [IAP] }), attributes).decision.reason).toBe(reason);
});

const CURE =
  'Have the service request it, or the provider send it: see "Demand assurance" in docs/mappings.md.';

test.each<[Assurance, Claims, unknown]>([
  [{ acr: ['gold'] }, {}, `Did not arrive: acr. ${CURE}`],
  [{ amr: ['mfa'] }, { amrs: ['mfa'] }, `Did not arrive: amr (similar name that arrived: amrs). ${CURE}`],
  [{ eduPersonAssurance: [IAP] }, {}, `Did not arrive: eduperson_assurance. ${CURE}`],
  [{ max_age: '1h' }, {}, `Did not arrive: auth_time. ${CURE}`],
  [
    { acr: ['1'] },
    { acr: 1 },
    'acr arrived in another form: expected a text that is not empty, or a list of such.',
  ],
  [{ max_age: '1h' }, { auth_time: '1' }, 'auth_time arrived in another form: expected a number of seconds.'],
  [
    { max_age: '1h' },
    { auth_time: 9_999_999_999 },
    expect.stringContaining('in the future: compare the clocks'),
  ],
  [{ amr: [['mfa', 'pwd']] }, { amr: ['mfa'] }, undefined],
])('%j with %j: the trace tells why', (assurance, claims, note) => {
  const { trace } = openId(asked(assurance), claims);
  expect([trace.rule, trace.note]).toEqual(['rules[0].assurance', note]);
});

test.each<[ReturnType<typeof attribute>[], string]>([
  [[], 'Did not arrive: urn:oid:1.3.6.1.4.1.5923.1.1.1.11, eduPersonAssurance and urn:mace:'],
  [
    [attribute('eduPersonAssurance', '')],
    '.1.11, eduPersonAssurance or urn:mace:dir:attribute-def:eduPersonAssurance arrived in',
  ],
])('of an assertion with %j, all names of the attribute are told', (attributes, note) => {
  const { trace } = saml(asked({ eduPersonAssurance: [IAP] }), attributes);
  expect(trace.note).toContain(note);
});

test.each<[Assurance, Claims, boolean]>([
  [{ eduPersonAssurance: [IAP] }, { eduperson_assurance: [ATP] }, false],
  [{ amr: ['mfa'] }, { amr: ['pwd'] }, true],
  [{ max_age: '1h' }, { auth_time: 1 }, true],
])('%j with %j asks the person to sign in again: %p', (assurance, claims, asks) => {
  const { response } = openId(asked(assurance), claims);
  expect((response as { message: string }).message.includes('Please sign in again')).toBe(asks);
});
