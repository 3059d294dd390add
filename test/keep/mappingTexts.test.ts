/** What a mapping names. */
import { expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { mappingTexts } from '../../tools/keep/places.ts';

const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const DEFAULT_GROUPS = ['groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'];
const NOTHING = {
  groups: [],
  domains: [],
  affiliations: [],
  addresses: new Set(),
  names: new Set(),
  usesNameIdForGroups: false,
  values: new Map(),
};

test('no mapping names nothing', () => {
  const none = { ...NOTHING, groupNames: new Set(), affiliationNames: new Set() };
  expect(mappingTexts(null, OPENID_NAMES)).toEqual(none);
});

test('an empty mapping names the groups of the defaults', () => {
  const groupNames = new Set(DEFAULT_GROUPS);
  const expected = { ...NOTHING, names: groupNames, groupNames, affiliationNames: new Set() };
  expect(mappingTexts(parseMapping({}), OPENID_NAMES)).toEqual(expected);
});

test('all parts of a mapping name texts: domains in lower case, the longest first', () => {
  const mapping = parseMapping({
    email: ['Address', { use: 'nameId' }],
    groups: { from: ['Teams', { use: 'nameId' }], table: [{ group: 'staff', uuid: GROUP }] },
    rules: [
      { email_domains: ['a.org', '*.Long.example.org'] },
      { any_group: ['one'] },
      { emails: ['Ada@example.edu'] },
    ],
    issuers: {
      x: {
        rules: [
          { scopes: ['uni.org'] },
          { scopes: ['uni.org'], affiliations: ['Rector'], from: ['Role'] },
          { no_group: [{ prefix: '/two/' }] },
          { claim: 'Team', is: ['Physics', 7] },
          { claim: 'Team', is: [true, { prefix: 'a-' }] },
          { claim: 'Team', is_not: [{ suffix: '-b' }, 'Maths'] },
          { claim: 'any', present: true },
          { assurance: { acr: ['gold'], amr: [['pwd', 'otp'], 'hwk'], max_age: '8h' } },
          { assurance: { eduPersonAssurance: ['high'] } },
        ],
      },
    },
  });
  const groupNames = new Set(['teams', ...DEFAULT_GROUPS]);
  const affiliationNames = new Set([
    ...['eduperson_scoped_affiliation', 'voperson_external_affiliation', 'role'],
  ]);
  expect(mappingTexts(mapping, OPENID_NAMES)).toEqual({
    groups: ['staff', 'one', { prefix: '/two/' }],
    domains: ['long.example.org', 'uni.org', 'uni.org', 'a.org'],
    affiliations: ['rector'],
    addresses: new Set(['ada@example.edu']),
    names: new Set([
      ...['address', ...groupNames, ...affiliationNames],
      ...['team', 'any', 'acr', 'amr', 'auth_time', 'eduperson_assurance'],
    ]),
    values: new Map([
      ['team', new Set(['Physics', '7', 'true', 'a-', '-b', 'Maths'])],
      ['any', new Set()],
      ['acr', new Set(['gold'])],
      ['amr', new Set(['pwd', 'otp', 'hwk'])],
      ['auth_time', new Set()],
      ['eduperson_assurance', new Set(['high'])],
    ]),
    groupNames,
    affiliationNames,
    usesNameIdForGroups: true,
  });
});
