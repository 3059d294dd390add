/** What `npm run check -- --attack` finds in mappings, and the table of its changes. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { withForeignAddress } from '../../tools/explain/attack/addressChanges.ts';
import { CHANGES } from '../../tools/explain/attack/changes.ts';
import { inDeniedGroup } from '../../tools/explain/attack/groupChanges.ts';
import { AttackedOpenIdLogin } from '../../tools/explain/attack/openidLogin.ts';
import { policyOf } from '../../tools/explain/attack/policy.ts';
import { attack, CAMPUS, eventsOf, type Kind, openIdLogin, PARTNER, samlLogin } from '../support/attack.ts';
import { customHandler } from '../support/customHandler.ts';
import { tableRows, textOf } from '../support/pages.ts';
import { openIdEvent } from '../support/wire.ts';

const EVENTS = { openid: openIdLogin, saml: samlLogin };
const inDomain = (domain: string) => ({ rules: [{ email_domains: [domain] }] });
const inScope = (domain: string, more: object = { affiliations: ['member'] }) => ({
  rules: [{ scopes: [domain], ...more }, { email_domains: [domain] }],
});

const SOUND = {
  openid: {
    issuers: { [CAMPUS]: inDomain('example.edu'), [PARTNER]: inDomain('partner.example') },
    email: { unverified: 'demand_proof' },
    groups: { from: ['groups'] },
    rules: [{ any_group: ['staff'] }, { no_group: ['suspended'] }],
  },
  saml: { issuers: { [CAMPUS]: inScope('example.edu'), [PARTNER]: inScope('partner.example') } },
} as const satisfies Record<Kind, Mapping>;

async function findingsOf(kind: Kind, mapping: Mapping, event: object = EVENTS[kind]()): Promise<string[]> {
  const maker = kind === 'openid' ? 'mapOpenIdLogin' : 'mapSamlLogin';
  const module = await customHandler(
    `import { ${maker} } from 'login-hooks';\nexport default ${maker}(${JSON.stringify(mapping)});\n`,
    '.mts',
  );
  const folder = await eventsOf(kind, event);
  const { findings } = await attack([folder, '--handler', module]);
  return findings.map(({ level, change }) => `${level} ${change}`);
}

test('the name of a guest is tried in the domain of the address, but not on code', () => {
  const tried = (mapping: Mapping | null) => {
    const login = new AttackedOpenIdLogin(openIdLogin());
    const target = { login, policy: policyOf(mapping, 'OpenID', CAMPUS), address: 'ada@example.edu' };
    const guests = withForeignAddress(target).filter(({ what }) => what === 'name of a guest');
    return guests.map(({ login: { event }, address }) => [
      JSON.stringify(event).includes(`"${address}"`),
      address,
    ]);
  };
  expect(tried(SOUND.openid)).toEqual([[true, 'ada_evil.example#EXT#@example.edu']]);
  expect(tried(null)).toEqual([]);
});

test('a denied group is tried behind each separator, and with its domain', () => {
  const login = new AttackedOpenIdLogin(openIdLogin());
  const target = { login, policy: policyOf(SOUND.openid, 'OpenID', CAMPUS), address: 'ada@example.edu' };
  const tried = inDeniedGroup(target).map((variant) => JSON.stringify(variant.login.event));
  for (const text of [
    'everyone,suspended',
    'everyone;suspended',
    'everyone|suspended',
    'suspended@idm.example',
  ])
    expect(tried).toContainEqual(expect.stringContaining(`"${text}"`));
});

describe('a mapping with one weakness has one finding more than a sound one', () => {
  const NOTES = ['note another_account', 'note weak_sign_in'];
  test.each<Kind>(['openid', 'saml'])('sound: %s', async (kind) => {
    expect(await findingsOf(kind, SOUND[kind])).toEqual(NOTES);
  });

  test('rules on a claim and on assurance refuse other values, other types and weak sign-ins', async () => {
    const claims = { department: 'physics', level: 2, auth_time: 1795255199, acr: '2', amr: ['pwd', 'otp'] };
    const rules = [
      { claim: 'department', is: ['physics'] },
      { claim: 'level', is: [2] },
      { assurance: { acr: ['2'], amr: ['otp'], max_age: '8h' } },
    ];
    const mapping = { ...SOUND.openid, rules: [...SOUND.openid.rules, ...rules] };
    expect(await findingsOf('openid', mapping, openIdLogin(claims))).toEqual(['note another_account']);
  });

  test('rules on addresses, denied values, the subject and named sources refuse what is changed', async () => {
    const rules = [
      { emails: ['ada@example.edu'] },
      { claim: 'locked', is_not: [true, 'TRUE'] },
      { claim: 'sub', is: [openIdEvent().idToken.sub] },
      { no_group: ['closed'], from: ['groups'] },
    ];
    const mapping = { ...SOUND.openid, rules: [...SOUND.openid.rules, ...rules] } as Mapping;
    expect(await findingsOf('openid', mapping, openIdLogin({ locked: false }))).toEqual(NOTES);
  });

  const { openid, saml } = SOUND;
  const { issuers, ...ofNoIssuer } = openid;
  test.each<[string, Kind, Mapping, string]>([
    [
      'it lists no issuers',
      'openid',
      { ...ofNoIssuer, rules: [...openid.rules, { email_domains: ['example.edu'] }] },
      'note another_issuer',
    ],
    [
      'another listed issuer may assert any address',
      'openid',
      { ...openid, issuers: { ...issuers, [PARTNER]: {} } },
      'error listed_issuer',
    ],
    [
      'another listed issuer may assert any scope',
      'saml',
      { issuers: { ...saml.issuers, [PARTNER]: {} } },
      'error listed_issuer',
    ],
    [
      'a domain decides and no proof of the address is demanded',
      'openid',
      { ...openid, email: { unverified: 'refuse' } },
      'error unproven_address',
    ],
    [
      'a domain decides and unverified addresses are accepted',
      'openid',
      { ...openid, email: { unverified: 'accept' } },
      'error unproven_address',
    ],
    [
      'the claim of the address may end with more than a domain',
      'openid',
      {
        ...openid,
        issuers: { [CAMPUS]: {} },
        rules: [...openid.rules, { claim: 'email', is: [{ suffix: 'example.edu' }] }],
      },
      'error foreign_address',
    ],
    [
      'no rule is about the address',
      'openid',
      { ...openid, issuers: { [CAMPUS]: {} } },
      'note foreign_address',
    ],
    [
      'groups that do not arrive count as none',
      'openid',
      {
        ...openid,
        groups: { from: ['groups'], absent: ['groups'] },
        rules: [{ no_group: ['suspended'] }],
      },
      'note optional_groups_missing',
    ],
    [
      'one text is taken for all groups',
      'openid',
      { ...openid, groups: { from: ['groups'], separator: 'none' } },
      'note groups_as_one_text',
    ],
    [
      'the groups below one are denied and not that one',
      'openid',
      { ...openid, rules: [{ any_group: ['staff'] }, { no_group: [{ prefix: '/suspended/' }] }] },
      'error denied_group',
    ],
    [
      'any affiliation will do',
      'saml',
      { issuers: { ...saml.issuers, [CAMPUS]: inScope('example.edu', {}) } },
      'note other_affiliation',
    ],
  ])('%s', async (_, kind, mapping, expected) => {
    const found = await findingsOf(kind, mapping);
    expect(found.toSorted()).toEqual([...NOTES, expected].toSorted());
  });
});

test('the page has each change as the code makes it, and no other', async () => {
  const rows = tableRows(await textOf('docs/attack.md')).slice(2);
  const changes = Object.entries(CHANGES).map(([name, { about, errorIf, cure }]) => [
    `\`${name}\``,
    about,
    errorIf,
    cure,
  ]);
  expect(rows).toEqual(changes);
});
