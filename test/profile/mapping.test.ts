/** The profile mapping: what it can express, and what it refuses when it is made. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Mapping, MappingInvalid, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { openId, openIdHandler, saml, samlHandler } from './decided.ts';

const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

describe('a field', () => {
  test.each<[Mapping, Record<string, unknown>, Record<string, unknown>]>([
    [{}, {}, { first_name: 'Ada', image_url: null, affiliation: null }],
    [{ first_name: ['nickname'] }, { nickname: 'Countess' }, { first_name: 'Countess' }],
  ])('%j with %j', (mapping, claims, expected) => {
    expect(openId(mapping, claims).response).toMatchObject({ type: 'AuthorizedUserResponse', ...expected });
  });

  test.each<[Mapping['email'], Record<string, unknown>, string | null]>([
    [{ unverified: 'refuse' }, { email_verified: false }, null],
    [{ unverified: 'refuse' }, {}, 'ada@example.org'],
  ])('e-mail %j with %j: %p', (email, claims, expected) => {
    expect(openId({ email }, claims).response).toMatchObject(
      expected === null ? { type: 'ErrorResponse' } : { type: 'AuthorizedUserResponse', email: expected },
    );
  });
});

describe('a rule', () => {
  const scoped = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';

  test.each<[string[], object, boolean]>([
    [['member@uni.example'], {}, true],
    [['MEMBER@UNI.example'], { affiliations: ['member'] }, true],
  ])('of scopes: %j with %j: %p', (values, more, passes) => {
    const attributes = values.map((value) => attribute(scoped, value));
    const { response } = saml({ rules: [{ scopes: ['uni.example'], ...more }] }, attributes);
    expect(response.type).toBe(passes ? 'AuthorizedUserResponse' : 'ForbiddenResponse');
  });

  test.each<[object, string]>([
    [{ from: [NAME_ID] }, scoped],
    [{}, 'urn:x:self'],
  ])('of scopes takes none from the NameID, and none by FriendlyName: %j, %s', (more, name) => {
    const values = [attribute(name, 'member@uni.example', 'eduPersonScopedAffiliation')];
    expect(saml({ rules: [{ scopes: ['uni.example'], ...more }] }, values).response.type).toBe(
      'ForbiddenResponse',
    );
  });
});

test('nobody gets in by a FriendlyName, where there is a Name', () => {
  const attributes = [attribute('groups', 'student'), attribute('urn:x:self', 'admin', 'groups')];
  expect(saml({ rules: [{ any_group: ['admin'] }] }, attributes).response.type).toBe('ForbiddenResponse');
});

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

  test.each<[string, Record<string, unknown>, object]>([
    ['https://a.example', { email: 'x@a.example' }, { type: 'AuthorizedUserResponse', affiliation: 'A' }],
    [
      'https://b.example',
      { email: 'x@b.example' },
      { type: 'AuthorizedUserResponse', affiliation: 'Anywhere' },
    ],
    ['https://a.example', { email: 'x@b.example' }, { type: 'ForbiddenResponse' }],
    ['https://a.example', { email: 'x@a.example', groups: ['banned'] }, { type: 'ForbiddenResponse' }],
    ['https://c.example', { email: 'x@a.example' }, { type: 'ForbiddenResponse' }],
  ])('%s with %j: %j', (issuer, claims, expected) => {
    expect(openId(mapping, claims, issuer).response).toMatchObject(expected);
  });
});

describe('a mistake in a mapping is found when it is made, with its path', () => {
  test.each<[unknown, string]>([
    [null, 'expected an object'],
    [[], 'expected an object'],
    [
      { firstname: ['x'] },
      'firstname: expected only email, first_name, last_name, image_url, affiliation, external_id, external_label, full_name, groups, rules, messages, issuers',
    ],
    [{ first_name: [] }, 'first_name: expected a list of names, or an object with from and fallback'],
    [{ first_name: 'x' }, 'first_name: expected a list of names, or an object with from and fallback'],
    [
      { first_name: { form: ['x'] } },
      'first_name: expected a list of names, or an object with from and fallback',
    ],
    [{ first_name: { fallback: '' } }, 'first_name.fallback: expected a text that is not empty'],
    [{ email: { unverified: 'acept' } }, 'email.unverified: expected refuse, accept or demand_proof'],
    [{ email: { fallback: 'nobody' } }, 'email.fallback: expected an e-mail address'],
    [{ groups: { table: [{ group: 'a', uuid: 'b' }] } }, 'groups.table[0].uuid: expected a UUID, found "b"'],
    [
      { groups: { table: [{ group: { dn: 'staff' }, uuid: G1 }] } },
      'groups.table[0].group.dn: expected a distinguished name',
    ],
    [
      { groups: { table: [{ group: { contains: 'a' }, uuid: G1 }] } },
      'groups.table[0].group: expected the name of a group, or an object with one of prefix, dn, dn_suffix',
    ],
    [
      { groups: { table: [{ group: { prefix: '' }, uuid: G1 }] } },
      'groups.table[0].group.prefix: expected a text that is not empty',
    ],
    ...['', ' ', 'a'.repeat(201), 'a\u0007', 'a\u202eb'].map((name): [unknown, string] => [
      { groups: { table: [{ group: 'a', uuid: G1, name }] } },
      'groups.table[0].name: expected a text of 200 characters at most, without control characters',
    ]),
    [{ rules: {} }, 'rules: expected a list'],
    [{ first_name: [{ use: 'default' }] }, 'first_name[0].use: expected DEFAULTS or NAME_ID'],
    [{ first_name: [' '] }, 'first_name[0]: expected a text that is not empty'],
    [{ first_name: [7] }, 'first_name[0]: expected the name of a claim or attribute, DEFAULTS or NAME_ID'],
    [{ email: 'mail' }, 'email: expected a list of names, or an object with from, fallback and unverified'],
    [{ groups: { table: 'staff' } }, 'groups.table: expected a list'],
    [
      { groups: { from: ['groups'], absent: ['groups'], required: true } },
      'groups.absent: expected no absent together with required: true, which needs every source',
    ],
    [
      { groups: { from: ['groups', DEFAULTS], absent: ['groups', 'roles'] } },
      'groups.absent: expected names that are also in from',
    ],
    [{ groups: { from: ['groups'], absent: 'groups' } }, 'groups.absent: expected a list'],
    [{ groups: { from: ['groups'], absent: [''] } }, 'groups.absent[0]: expected a text that is not empty'],
    [JSON.parse('{"issuers":{"__proto__":{}}}'), 'issuers: expected at least one issuer'],
    [{ issuers: { prototype: {} } }, 'issuers: expected at least one issuer'],
    [{ issuers: { constructor: {} } }, 'issuers: expected at least one issuer'],
    [{ messages: { forbidden: 'No.' } }, 'messages.forbidden: expected only profile_incomplete, '],
    [{ messages: { groups_unknown: ' ' } }, 'messages.groups_unknown: expected a text that is not empty'],
    [
      { messages: { groups_unknown: ['No.'] } },
      'messages.groups_unknown: expected a text, or an object of texts by language',
    ],
    [{ messages: { groups_unknown: {} } }, 'messages.groups_unknown: expected at least one language'],
    [{ messages: { groups_unknown: { de: '' } } }, 'messages.groups_unknown.de: expected a text that is not'],
    [
      { issuers: { 'https://a': { messages: { issuer_not_listed: 'No.' } } } },
      'issuers.https://a.messages.issuer_not_listed: expected only profile_incomplete, ',
    ],
    [{ issuers: {} }, 'issuers: expected at least one issuer'],
    [{ issuers: ['https://a'] }, 'issuers: expected an object of issuers'],
    [{ issuers: { 'https://a': { rule: [] } } }, 'issuers.https://a.rule: expected only'],
  ])('%j', (mapping, message) => {
    expect(() => parseMapping(mapping as Mapping)).toThrow(MappingInvalid);
    expect(() => parseMapping(mapping as Mapping)).toThrow(message);
  });

  test.each<[unknown, string]>([
    [
      { scopes: ['a.example'], affiliations: ['member@a.example'] },
      '.affiliations[0]: expected an affiliation without its scope',
    ],
    [{ email_domains: ['a.example/'] }, '.email_domains[0]: expected a domain'],
    [{ email_domains: ['a.example.'] }, '.email_domains[0]: expected a domain'],
    [
      {},
      ': expected an object with exactly one of emails, email_domains, scopes, any_group, no_group, claim, attribute, assurance, found an empty object',
    ],
    ['no_group', 'claim, attribute, assurance, found "no_group"'],
    [{ email_domain: ['a.example'] }, 'assurance, found the keys email_domain'],
    [{ any_group: ['a'], no_group: ['b'] }, 'assurance, found the keys any_group, no_group'],
    [{ claim: 'a', attribute: 'a', present: true }, 'found the keys claim, attribute, present'],
    [
      { claim: 'a' },
      ': expected an object with exactly one of is, is_not, present beside claim, found the keys claim',
    ],
    [{ claim: 'a', is: ['b'], present: true }, 'beside claim, found the keys claim, is, present'],
    [{ attribute: 'a', is: ['b'], is_not: ['c'] }, 'beside attribute, found the keys attribute, is, is_not'],
    [{ any_group: ['a'], is: ['b'] }, '.is: expected only any_group, from, message'],
    [{ claim: 'a', is_not: ['b'], absent: 'deny' }, '.absent: expected \'allow\', found "deny"'],
    [{ claim: 'a', is: ['b'], absent: 'allow' }, '.absent: expected only claim, is, message'],
    [{ any_group: ['a'], from: [] }, '.from: expected at least one entry, found an empty list'],
    [{ emails: ['@a.example'] }, '.emails[0]: expected an e-mail address, found "@a.example"'],
    ...[[' b'], ['b '], [{ prefix: ' b' }], [{ suffix: 'b ' }]].map((is): [unknown, string] => [
      { claim: 'a', is },
      'expected a text without white space ',
    ]),
    ...[9_007_199_254_740_992, -9_007_199_254_740_992, 7.5].map((number): [unknown, string] => [
      { claim: 'a', is: [number] },
      `.is[0]: expected a whole number of at most 9007199254740991, found ${number}`,
    ]),
    [{ claim: 'a', is: [{ prefix: 'a', suffix: 'b' }] }, 'found the keys prefix, suffix'],
    [{ assurance: { acr: ['a '] } }, '.assurance.acr[0]: expected a text without white'],
    [{ claim: 'a', is: 'b' }, '.is: expected a list, found "b"'],
    [{ claim: 'a', is: [] }, '.is: expected at least one entry'],
    [{ claim: 'a', is: [' '] }, '.is[0]: expected a text that is not empty'],
    [
      { claim: 'a', is: [null] },
      '.is[0]: expected a text, a whole number, true, false, { prefix } or { suffix }, found null',
    ],
    [{ claim: 'a', present: false }, '.present: expected true'],
    [{ claim: '', present: true }, '.claim: expected a text that is not empty'],
    [{ attribute: 'a', is: [7] }, '.is[0]: expected a text'],
    [{ assurance: {} }, '.assurance: expected at least one of acr, amr, acrs, max_age, eduPersonAssurance'],
    [
      { assurance: { acr: undefined } },
      '.assurance: expected at least one of acr, amr, acrs, max_age, eduPersonAssurance',
    ],
    [{ assurance: { acr: 'gold' } }, '.assurance.acr: expected a list'],
    [{ assurance: { acr: [['a', 'b']] } }, '.assurance.acr[0]: expected a text'],
    [
      { assurance: { amr: [7] } },
      '.assurance.amr[0]: expected a text, or a list of texts that are all needed',
    ],
    [{ assurance: { amr: [[]] } }, '.assurance.amr[0]: expected at least one entry'],
    ...['8', '0h', '08h', '1.5h', '8 h', '8h ', 'PT8H', '100000s', '-1h', 8].map(
      (max_age): [unknown, string] => [
        { assurance: { max_age } },
        '.assurance.max_age: expected a whole number of s, m, h or d, e.g. 8h',
      ],
    ),
    [{ email_domains: ['@a.example'] }, '.email_domains[0]: expected a domain'],
    [{ email_domains: ['*'] }, '.email_domains[0]: expected a domain'],
    [{ any_group: [] }, '.any_group: expected at least one entry'],
    [
      { any_group: ['a'], message: { de_CH: 'Nein.' } },
      '.message.de_CH: expected a language tag, e.g. de or de-CH',
    ],
    [{ any_group: ['a'], message: { german: 'Nein.' } }, '.message.german: expected a l'],
  ])('in the rule %j', (rule, message) => {
    expect(() => parseMapping({ rules: [rule] } as Mapping)).toThrow(MappingInvalid);
    expect(() => parseMapping({ rules: [rule] } as Mapping)).toThrow(message);
  });

  const NEEDS_TRUST =
    'email.unverified: expected trust_email_verified: true for an issuer, because demand_proof needs a proof of the addresses';
  const email = { unverified: 'demand_proof' } as const;

  test.each<[Mapping, string]>([
    [{ email }, NEEDS_TRUST],
    [{ issuers: { 'urn:a': { email } } }, `issuers.urn:a.${NEEDS_TRUST}`],
  ])('SAML alone proves no address: %j', (mapping, message) => {
    expect(() => samlHandler(mapping)).toThrow(new MappingInvalid(message));
  });

  const ofOneKind: [Mapping, string, (mapping: Mapping) => unknown][] = [
    [
      { rules: [{ claim: 'a', present: true }] },
      'rules[0].claim: expected attribute, because this is a mapping of SAML logins',
      samlHandler,
    ],
    [
      { issuers: { a: { rules: [{ attribute: 'a', is: ['b'] }] } } },
      'issuers.a.rules[0].attribute: expected claim, because this is a mapping of OpenID logins',
      openIdHandler,
    ],
    ...(['acr', 'amr', 'acrs'] as const).map((demand): [Mapping, string, typeof samlHandler] => [
      { rules: [{ assurance: { max_age: '8h', [demand]: ['x'] } }] },
      `rules[0].assurance.${demand}: expected only in OpenID mappings, because a SAML event does not have it`,
      samlHandler,
    ]),
  ];
  const from = ['groups', NAME_ID];
  ofOneKind.push(
    [
      { groups: { from }, rules: [{ any_group: ['a'], from: ['groups', 'roles'] }] },
      'rules[0].from[1]: expected a source of groups.from, "groups" or NAME_ID, found "roles"',
      samlHandler,
    ],
    [
      { rules: [{ any_group: ['a'], from: [NAME_ID] }] },
      'rules[0].from[0]: expected a source of groups.from, DEFAULTS, found NAME_ID',
      samlHandler,
    ],
    [
      { rules: [{ any_group: ['a'], from: ['groups'] }], issuers: { a: { groups: { from } }, b: {} } },
      'rules[0].from[0]: expected a source of groups.from, DEFAULTS, found "groups"',
      samlHandler,
    ],
  );
  test.each(ofOneKind)('what logins of a kind do not have: %j', (mapping, message, make) => {
    expect(() => make(mapping)).toThrow(new MappingInvalid(message));
  });

  const denying = { rules: [{ no_group: ['x'] }] };
  const named = (example: string) =>
    'groups.from: expected the names of the sources instead of DEFAULTS, because rules[0].no_group needs evidence of each, ' +
    `e.g. groups: { from: ['${example}'] }`;

  test.each<[Mapping, string, (mapping: Mapping) => unknown]>([
    [denying, named('groups'), openIdHandler],
    [denying, named('memberOf'), samlHandler],
    [{ groups: { from: ['groups', DEFAULTS] }, ...denying }, named('groups'), openIdHandler],
    [{ issuers: { a: denying } }, named('groups').replace('rules', 'issuers.a.rules'), openIdHandler],
  ])('a rule that denies needs named sources: %j', (mapping, message, make) => {
    expect(() => make(mapping)).toThrow(new MappingInvalid(message));
  });

  test.each<[Mapping]>([
    [{ groups: { from: ['groups', NAME_ID], absent: [] }, ...denying }],
    [{ rules: [{ any_group: ['x'] }] }],
  ])('named sources are no mistake, and no rule that denies is none: %j', (mapping) => {
    expect(() => samlHandler(mapping)).not.toThrow();
  });

  test('is told once, with the value that was written, and never with a secret', () => {
    const messageOf = (mapping: unknown) => {
      try {
        return String(parseMapping(mapping as Mapping));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messageOf({ rules: [{ claim: 'a', is: 'b' }] })).toBe('rules[0].is: expected a list, found "b"');
    expect(messageOf({ groups: { overage: { ask: 'graph', secret: 'whsec_x' } } })).not.toContain('whsec_x');
    expect(messageOf({ groups: { secret: 'whsec_x' } })).not.toContain('whsec_x');
    expect(messageOf({ rules: [] })).toBe('rules: expected at least one entry, found an empty list');
    expect(messageOf({ groups: { table: {} } })).toBe('groups.table: expected a list, found an empty object');
    expect(messageOf({ groups: null })).toBe('groups: expected an object, found null');
    expect(messageOf({ groups: () => 1 })).toBe('groups: expected an object, found a function');
    expect(messageOf({ groups: ['a'] })).toBe('groups: expected an object, found a list');
    expect(messageOf({ email: { fallback: 'x'.repeat(300) } })).toBe(
      `email.fallback: expected an e-mail address, found "${'x'.repeat(200)}"`,
    );
  });

  test('has a code, and all mistakes in one message', () => {
    const mapping = { groups: { required: 1, separator: 1 } } as unknown as Mapping;
    const expected = {
      name: 'MappingInvalid',
      code: 'mapping_invalid',
      message:
        "groups.required: expected true or false, found 1; groups.separator: expected a text of one or two characters, or 'none', found 1",
    };
    expect(() => parseMapping(mapping)).toThrow(expect.objectContaining(expected));
  });

  test.each(['a.example', '*.a.example', 'a.b.c.example', 'x-1.a'])(
    'no mistake is the domain %s',
    (domain) => {
      expect(parseMapping({ rules: [{ email_domains: [domain] }] })).toMatchObject({
        rules: [{ email_domains: [domain] }],
      });
    },
  );

  test('whatever it is, it is a mapping or refused', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom('rules', 'groups', 'email', 'from', 'issuers', 'table', 'x'),
          maxDepth: 4,
        }),
        (mapping) => {
          try {
            parseMapping(mapping);
          } catch (error) {
            expect(error).toBeInstanceOf(MappingInvalid);
          }
        },
      ),
    );
  });
});

test.each<[unknown, string]>([
  [{ odd: 1 }, 'odd: expected only '],
  [{ groups: { table: [{ group: 'a' }] } }, 'groups.table[0].uuid: expected a UUID (missing)'],
  [{ rules: [{ claim: 'a', is: [' x'] }] }, 'expected a text without white space around it'],
  [{ rules: [{ claim: 'a', is: [{ prefix: ' x' }] }] }, 'expected a text without white space before it'],
  [{ rules: [{ claim: 'a', is: [{ suffix: 'x ' }] }] }, 'expected a text without white space after it'],
  [{ groups: true }, ', found true'],
])('the mistake in %j: %s', (mapping, message) => {
  expect(() => parseMapping(mapping as Mapping)).toThrow(message);
});

test.each([{ odd: 1 }, { groups: { table: [{ group: 'a' }] } }])('nothing was found in %j', (mapping) => {
  expect(() => parseMapping(mapping as never)).not.toThrow(/found/);
  expect(() => parseMapping(mapping as never)).toThrow(MappingInvalid);
});
