/** The rule about a sign-in: each demand must be met, and one that cannot be judged is an error. */
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, openId, type Reason, type Rule, saml } from './decided.ts';

type Assurance = Extract<Rule, { assurance: unknown }>['assurance'];

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

test.each<[Assurance, Claims, Reason]>([
  [{ acr: ['gold'] }, { acr: 'gold' }, 'authorized'],
  [{ acr: ['gold', 'silver'] }, { acr: 'silver' }, 'authorized'],
  [{ acr: ['gold'] }, { acr: 'Gold' }, 'rule_refused'],
  [{ acr: ['1'] }, { acr: '0' }, 'rule_refused'],
  [{ acr: ['gold'], amr: ['mfa'] }, { acr: 'gold' }, 'assurance_unknown'],
])('%j with %j: %s', (assurance, claims, reason) => {
  expect(openId(asked(assurance), claims).decision.reason).toBe(reason);
});

test.each<[max_age: string, seconds: number]>([
  ['90s', 90],
  ['5m', 300],
  ['1d', 86_400],
])('%s are %d seconds, and those by which clocks may differ', (max_age, seconds) => {
  const reasonAt = (age: number) => {
    at(age);
    const reasons = [
      openId(asked({ max_age }), { auth_time }).decision.reason,
      saml(asked({ max_age })).decision.reason,
    ];
    expect(new Set(reasons).size).toBe(1);
    return reasons[0];
  };
  expect([0, -30, seconds + 30].map(reasonAt)).toEqual(['authorized', 'authorized', 'authorized']);
  expect(reasonAt(seconds + 30.001)).toBe('rule_refused');
});

test.each<[string, ReturnType<typeof attribute>[], Reason]>([
  ['by its name', [attribute('eduPersonAssurance', IAP)], 'authorized'],
  ['by its OID', [attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.11', IAP)], 'authorized'],
])('assurance of an assertion %s', (_, attributes, reason) => {
  expect(saml(asked({ eduPersonAssurance: [IAP] }), attributes).decision.reason).toBe(reason);
});

const OTHER_FORM = 'arrived in another form: expected';
const IN_FUTURE = expect.stringContaining('in the future: compare the clocks');
const CURE =
  'Have the service request it, or the provider send it: see "Demand assurance" in docs/mappings.md.';

test.each<[Assurance, Claims, unknown]>([
  [{ acr: ['gold'] }, {}, `Did not arrive: acr. ${CURE}`],
  [{ amr: ['mfa'] }, { amrs: ['mfa'] }, `Did not arrive: amr (similar name that arrived: amrs). ${CURE}`],
  [{ amr: ['mfa'] }, { acr: 'x', acrs: ['x'] }, `Did not arrive: amr. ${CURE}`],
  [{ acrs: ['c1'] }, { acr: 'x', amr: ['x'] }, `Did not arrive: acrs. ${CURE}`],
  [{ acr: ['1'] }, { acrs: ['x'], amr: ['x'] }, `Did not arrive: acr. ${CURE}`],
  [{ eduPersonAssurance: [IAP] }, {}, `Did not arrive: eduperson_assurance. ${CURE}`],
  [{ max_age: '1h' }, {}, `Did not arrive: auth_time. ${CURE}`],
  [{ acr: ['1'] }, { acr: 1 }, `acr ${OTHER_FORM} a text that is not empty, or a list of such.`],
  [{ max_age: '1h' }, { auth_time: '1' }, `auth_time ${OTHER_FORM} a number of seconds.`],
  [{ max_age: '1h' }, { auth_time: 9_999_999_999 }, IN_FUTURE],
  [{ amr: [['mfa', 'pwd']] }, { amr: ['mfa'] }, undefined],
])('%j with %j: the trace tells why', (assurance, claims, note) => {
  const { trace } = openId(asked(assurance), claims);
  expect([trace.rule, trace.note]).toEqual(['rules[0].assurance', note]);
});

const ARRIVED_IN = '.1.11, eduPersonAssurance or urn:mace:dir:attribute-def:eduPersonAssurance arrived in';

test.each<[ReturnType<typeof attribute>[], string]>([
  [[], 'Did not arrive: urn:oid:1.3.6.1.4.1.5923.1.1.1.11, eduPersonAssurance and urn:mace:'],
  [[attribute('eduPersonAssurance', '')], ARRIVED_IN],
])('of an assertion with %j, all names of the attribute are told', (attributes, note) => {
  const { trace } = saml(asked({ eduPersonAssurance: [IAP] }), attributes);
  expect(trace.note).toContain(note);
});

test.each<[Assurance, Claims, boolean]>([
  [{ eduPersonAssurance: [IAP] }, { eduperson_assurance: [ATP] }, false],
  [{ amr: ['mfa'] }, { amr: ['pwd'] }, true],
])('%j with %j asks the person to sign in again: %p', (assurance, claims, asks) => {
  const { response } = openId(asked(assurance), claims);
  expect((response as { message: string }).message.includes('Please sign in again')).toBe(asks);
});
