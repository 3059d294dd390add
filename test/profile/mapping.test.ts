/** The profile mapping: what stands for one issuer, and what is refused when a mapping is made. */
import { describe, expect, test } from '@jest/globals';

import { type Mapping, MappingInvalid, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { type Claims, G1, openId, openIdHandler, type Reason, samlHandler } from './decided.ts';

describe('issuers', () => {
  const mapping: Mapping = {
    groups: { from: ['groups'], absent: ['groups'] },
    rules: [{ no_group: ['banned'] }],
    affiliation: { fallback: 'Anywhere' },
    issuers: {
      'https://a.example': { rules: [{ email_domains: ['a.example'] }], affiliation: { fallback: 'A' } },
      'https://b.example': { rules: [{ email_domains: ['b.example'] }] },
    },
  };

  test.each<[issuer: string, Claims, Reason, affiliation: string | undefined]>([
    ['https://a.example', { email: 'x@a.example' }, 'authorized', 'A'],
    ['https://a.example', { email: 'x@b.example' }, 'rule_refused', undefined],
    ['https://a.example', { email: 'x@a.example', groups: ['banned'] }, 'rule_refused', undefined],
    ['https://c.example', { email: 'x@a.example' }, 'issuer_not_listed', undefined],
  ])('%s with %j: %s, %s', (issuer, claims, reason, affiliation) => {
    const { decision, response } = openId(mapping, claims, issuer);
    expect([decision.reason, (response as { affiliation?: string }).affiliation]).toEqual([
      reason,
      affiliation,
    ]);
  });

  test('leave the demand of proof in force where they name other sources', () => {
    const issuers = { 'https://a.example': { email: ['email'] } };
    const demanding: Mapping = { email: { from: ['mail'], unverified: 'demand_proof' }, issuers };
    expect(openId(demanding, {}, 'https://a.example').decision.reason).toBe('email_unverified');
  });
});

/** @param message a part of it */
function expectMistake(make: () => unknown, message: string): void {
  expect(make).toThrow(MappingInvalid);
  expect(make).toThrow(message);
}

const NAMES = 'first_name: expected a list of names, or an object with from and fallback';
const inTable = (row: object) => ({ groups: { table: [{ uuid: G1, ...row }] } });
const GROUP = 'expected the name of a group, or an object with one of prefix, dn, dn_suffix';
const USER_GROUP = 'expected a text of 200 characters at most, without control characters';
const [from, absent] = [['groups'], ['groups']];
const WITHOUT_ABSENT = 'expected no absent together with required: true, which needs every source';
const inMessages = (groups_unknown: unknown) => ({ messages: { groups_unknown } });

test.each<[message: string, mappings: unknown[]]>([
  ['expected an object, found null', [null]],
  ['expected an object, found an empty list', [[]]],
  [NAMES, [{ first_name: [] }, { first_name: 'x' }, { first_name: { form: ['x'] } }]],
  ['first_name[0].use: expected DEFAULTS or NAME_ID', [{ first_name: [{ use: 'default' }] }]],
  ['first_name[0]: expected the name of a claim or attribute, DEFAULTS or NAME_ID', [{ first_name: [7] }]],
  ['email: expected a list of names, or an object with from, fallback and unverified', [{ email: 'mail' }]],
  ['email.unverified: expected refuse, accept or demand_proof', [{ email: { unverified: 'acept' } }]],
  ['groups: expected an object, found true', [{ groups: true }]],
  ['groups.table: expected a list', [{ groups: { table: 'staff' } }]],
  ['groups.table[0].uuid: expected a UUID, found "b"', [inTable({ group: 'a', uuid: 'b' })]],
  ['groups.table[0].group.dn: expected a distinguished name', [inTable({ group: { dn: 'staff' } })]],
  [`groups.table[0].group: ${GROUP}`, [inTable({ group: { contains: 'a' } })]],
  ['groups.table[0].group.prefix: expected a text that is not empty', [inTable({ group: { prefix: '' } })]],
  [`groups.table[0].name: ${USER_GROUP}`, [inTable({ group: 'a', name: '' })]],
  [USER_GROUP, [inTable({ group: 'a', name: ' ' }), inTable({ group: 'a', name: 'a'.repeat(201) })]],
  [USER_GROUP, [inTable({ group: 'a', name: 'a\u0007' }), inTable({ group: 'a', name: 'a\u202eb' })]],
  [`groups.absent: ${WITHOUT_ABSENT}, found a list`, [{ groups: { from, absent, required: true } }]],
  [
    'groups.absent: expected names that are also in from, found a list',
    [{ groups: { from, absent: ['groups', 'roles'] } }],
  ],
  ['groups.absent: expected a list', [{ groups: { from, absent: 'groups' } }]],
  ['messages.forbidden: expected only profile_incomplete, ', [{ messages: { forbidden: 'No.' } }]],
  ['messages.groups_unknown: expected a text that is not empty', [inMessages(' ')]],
  ['messages.groups_unknown: expected a text, or an object of texts by language', [inMessages(['No.'])]],
  ['messages.groups_unknown: expected at least one language', [inMessages({})]],
  ['messages.groups_unknown: expected at most 10000 characters', [inMessages('x'.repeat(10_001))]],
  ['issuers: expected at least one issuer', [JSON.parse('{"issuers":{"__proto__":{}}}')]],
  ['issuers: expected an object of issuers', [{ issuers: ['https://a'] }]],
])('%s: %j', (message, mappings) => {
  for (const mapping of mappings) expectMistake(() => parseMapping(mapping as Mapping), message);
});

const ONE_OF =
  ': expected an object with exactly one of emails, email_domains, scopes, any_group, no_group, ';
const BESIDE =
  ': expected an object with exactly one of is, is_not, present beside claim, found the keys claim';
const WHOLE = '.is[0]: expected a whole number of at most 9007199254740991, found 9007199254740992';
const VALUE = 'expected a text, a whole number, true, false, { prefix } or { suffix }, found null';
const DEMANDS = '.assurance: expected at least one of acr, amr, acrs, max_age, eduPersonAssurance';
const ALL_NEEDED = 'expected a text, or a list of texts that are all needed';
const AGE = '.assurance.max_age: expected a whole number of s, m, h or d, e.g. 8h';
const AGES = ['8', '0h', '08h', '1.5h', '8 h', '8h ', 'PT8H', '100000s', '-1h', 8];

test.each<[message: string, rules: unknown[]]>([
  [`${ONE_OF}claim, attribute, assurance, found an empty object`, [{}]],
  ['assurance, found the keys email_domain', [{ email_domain: ['a.example'] }]],
  ['assurance, found the keys any_group, no_group', [{ any_group: ['a'], no_group: ['b'] }]],
  ['.emails[0]: expected an e-mail address, found "@a.example"', [{ emails: ['@a.example'] }]],
  ['.email_domains[0]: expected a domain', [{ email_domains: ['a.example/'] }]],
  ['.email_domains[0]: expected a domain', [{ email_domains: ['@a.example'] }]],
  ['.email_domains[0]: expected a domain', [{ email_domains: ['*'] }]],
  ['.affiliations[0]: expected an affiliation without its scope', [{ scopes: ['a'], affiliations: ['b@a'] }]],
  ['.any_group: expected at least one entry', [{ any_group: [] }]],
  [
    '.message.de_CH: expected a language tag, e.g. de or de-CH',
    [{ any_group: ['a'], message: { de_CH: 'Nein.' } }],
  ],
  [BESIDE, [{ claim: 'a' }]],
  ['beside attribute, found the keys attribute, is, is_not', [{ attribute: 'a', is: ['b'], is_not: ['c'] }]],
  ['.absent: expected \'allow\', found "deny"', [{ claim: 'a', is_not: ['b'], absent: 'deny' }]],
  ['.absent: expected only claim, is, message', [{ claim: 'a', is: ['b'], absent: 'allow' }]],
  ['.is[0]: expected a text that is not empty', [{ claim: 'a', is: [' '] }]],
  ['.is[0]: expected a text without white space around it', [{ claim: 'a', is: [' b'] }]],
  ['expected a text without white space before it', [{ claim: 'a', is: [{ prefix: ' b' }] }]],
  ['expected a text without white space after it', [{ claim: 'a', is: [{ suffix: 'b ' }] }]],
  ['found the keys prefix, suffix', [{ claim: 'a', is: [{ prefix: 'a', suffix: 'b' }] }]],
  [WHOLE, [{ claim: 'a', is: [9_007_199_254_740_992] }]],
  [`.is[0]: ${VALUE}`, [{ claim: 'a', is: [null] }]],
  ['.present: expected true', [{ claim: 'a', present: false }]],
  ['.is[0]: expected a text', [{ attribute: 'a', is: [7] }]],
  [DEMANDS, [{ assurance: {} }, { assurance: { acr: undefined } }]],
  [`.assurance.amr[0]: ${ALL_NEEDED}`, [{ assurance: { amr: [7] } }]],
  ['.assurance.amr[0]: expected at least one entry', [{ assurance: { amr: [[]] } }]],
  [AGE, AGES.map((max_age) => ({ assurance: { max_age } }))],
])('a rule, %s: %j', (message, rules) => {
  for (const rule of rules) expectMistake(() => parseMapping({ rules: [rule] } as Mapping), message);
});

const NEEDS_TRUST =
  'email.unverified: expected trust_email_verified: true for an issuer, because demand_proof needs a proof of the addresses';
const PROOF = { email: { unverified: 'demand_proof' } } as const;
const ofKind = (own: string, kind: string) => `expected ${own}, because this is a mapping of ${kind} logins`;
const NOT_IN_SAML = 'expected only in OpenID mappings, because a SAML event does not have it';
const ofSource = (...from: unknown[]) => ({ rules: [{ any_group: ['a'], from }] }) as Mapping;
const WITH_NAME_ID = { groups: { from: ['groups', NAME_ID] } };
const OF_DEFAULTS = 'rules[0].from[0]: expected a source of groups.from, DEFAULTS, found';
const DENYING_ROLES = { groups: { from: ['groups'] }, rules: [{ no_group: ['x'], from: ['roles'] }] };
const DENYING = { rules: [{ no_group: ['x'] }] };
const named = (example: string) =>
  'groups.from: expected the names of the sources instead of DEFAULTS, because rules[0].no_group needs ' +
  `evidence of each, e.g. groups: { from: ['${example}'] }`;

test.each<['OpenID' | 'SAML', Mapping, string]>([
  ['SAML', PROOF, NEEDS_TRUST],
  ['SAML', { rules: [{ claim: 'a', present: true }] }, `rules[0].claim: ${ofKind('attribute', 'SAML')}`],
  [
    'OpenID',
    { issuers: { a: { rules: [{ attribute: 'a', is: ['b'] }] } } },
    `issuers.a.rules[0].attribute: ${ofKind('claim', 'OpenID')}`,
  ],
  ['SAML', { rules: [{ assurance: { acr: ['x'] } }] }, `rules[0].assurance.acr: ${NOT_IN_SAML}`],
  [
    'SAML',
    { ...WITH_NAME_ID, ...ofSource('groups', 'roles') },
    'rules[0].from[1]: expected a source of groups.from, "groups" or NAME_ID, found "roles"',
  ],
  ['SAML', ofSource(NAME_ID), `${OF_DEFAULTS} NAME_ID`],
  ['OpenID', DENYING_ROLES, 'rules[0].from[0]: expected a source of groups.from, "groups", found "roles"'],
  // A rule that denies needs named sources.
  ['OpenID', DENYING, named('groups')],
  ['SAML', DENYING, named('memberOf')],
  ['OpenID', { groups: { from: ['groups', DEFAULTS] }, ...DENYING }, named('groups')],
])('%s logins cannot be decided by %j: %s', (kind, mapping, message) => {
  const make = kind === 'OpenID' ? openIdHandler : samlHandler;
  expect(() => make(mapping)).toThrow(new MappingInvalid(message));
});

test.each<Mapping>([
  { rules: [{ any_group: ['x'] }] },
  { groups: { from: ['groups', DEFAULTS] }, rules: [{ no_group: ['x'], from: ['groups'] }] },
  ...['*.a.example', 'a.b.c.example', 'x-1.a'].map((domain) => ({
    rules: [{ email_domains: [domain] }],
  })),
])('%j is no mistake', (mapping) => {
  expect(() => samlHandler(mapping)).not.toThrow();
});

describe('a mistake', () => {
  const messageOf = (mapping: unknown) => {
    try {
      return String(parseMapping(mapping as Mapping));
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('is told with what was written, of whatever type', () => {
    expect(messageOf({ groups: () => 1 })).toBe('groups: expected an object, found a function');
  });

  test('is told with 200 characters at most, never with a secret, and without what is missing', () => {
    const long = `email.fallback: expected an e-mail address, found "${'x'.repeat(200)}"`;
    expect(messageOf({ email: { fallback: 'x'.repeat(300) } })).toBe(long);
    expect(messageOf({ groups: { overage: { ask: 'graph', secret: 'whsec_x' } } })).not.toContain('whsec_x');
    expect(messageOf({ groups: { secret: 'whsec_x' } })).not.toContain('whsec_x');
    expect(messageOf({ odd: 1 })).toMatch(/^odd: expected only [a-z_, ]+$/);
    expect(messageOf({ groups: { table: [{ group: 'a' }] } })).not.toContain('found');
  });

  test('has a code, and all mistakes in one message', () => {
    const mapping = { groups: { required: 1, separator: 1 } } as unknown as Mapping;
    const message =
      "groups.required: expected true or false, found 1; groups.separator: expected a text of one or two characters, or 'none', found 1";
    const expected = { name: 'MappingInvalid', code: 'mapping_invalid', message };
    expect(() => parseMapping(mapping)).toThrow(expect.objectContaining(expected));
  });
});
