/** What `npm run check -- --attack` finds in mappings and in handlers of code, and the table of its changes. */
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { withForeignAddress } from '../../tools/explain/attack/addressChanges.ts';
import { Attack } from '../../tools/explain/attack/attack.ts';
import { CHANGES } from '../../tools/explain/attack/changes.ts';
import { inDeniedGroup, inLookAlikeGroup } from '../../tools/explain/attack/groupChanges.ts';
import { byAnotherIssuer } from '../../tools/explain/attack/issuerChanges.ts';
import { AttackedLogin } from '../../tools/explain/attack/login.ts';
import { policyOf } from '../../tools/explain/attack/policy.ts';
import type { Judged } from '../../tools/explain/judgedSamples.ts';
import type { Engine } from '../../tools/local/engine.ts';
import { expectedFile, sampleEvent } from '../../tools/local/events.ts';
import type { InvocationResult } from '../../tools/local/invocation.ts';
import type { Samples } from '../../tools/local/samples.ts';
import { attack, CAMPUS, eventsOf, type Kind, openIdLogin, PARTNER, samlLogin } from '../support/attack.ts';
import { customHandler } from '../support/customHandler.ts';
import { tableRows, textOf } from '../support/pages.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { runTool } from '../support/tools.ts';
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

/** @param code around the mapping, which it calls as `map` */
const handlerOf = (kind: Kind, mapping: Mapping, code = 'map') => {
  const maker = kind === 'openid' ? 'mapOpenIdLogin' : 'mapSamlLogin';
  const source = `import { ${maker} } from 'login-hooks';
    const map = ${maker}(${JSON.stringify(mapping)});
    export default ${code};`;
  return customHandler(source, '.mts');
};

async function findingsOf(
  kind: Kind,
  mapping: Mapping,
  event: object = EVENTS[kind](),
  code = 'map',
): Promise<string[]> {
  const folder = await eventsOf(kind, event);
  const { findings } = await attack(folder, await handlerOf(kind, mapping, code));
  return findings.map(({ level, change }) => `${level} ${change}`);
}

describe('what is tried', () => {
  const targetOf = (mapping: Mapping | null, event = openIdLogin()) => ({
    login: new AttackedLogin('OpenID', event),
    policy: policyOf(mapping, 'OpenID', CAMPUS),
    address: 'ada@example.edu',
  });
  const textOfAll = (variants: readonly { login: AttackedLogin }[]) =>
    variants.map(({ login: { event } }) => JSON.stringify(event)).join('\n');

  test('the name of a guest, in the domain of the address, but not on code', () => {
    const guests = (mapping: Mapping | null) =>
      withForeignAddress(targetOf(mapping)).filter(({ what }) => what === 'name of a guest');
    expect(guests(SOUND.openid).map(({ address }) => address)).toEqual(['ada_evil.example#EXT#@example.edu']);
    expect(guests(null)).toEqual([]);
  });

  test('of a mapping inside code, denied groups where the mapping looks, and look-alikes where code may look', () => {
    const mapping = { ...SOUND.openid, groups: { from: ['teams'] } };
    const login = new AttackedLogin('OpenID', openIdLogin({ groups: ['staff'] }));
    const policy = policyOf(mapping, 'OpenID', CAMPUS, { isCode: true });
    const target = { login, policy, address: 'ada@example.edu' };
    const placesOf = (variants: readonly { what: string }[]) =>
      new Set(variants.map(({ what }) => what.split(' in ').at(-1)));
    expect(placesOf(inDeniedGroup(target))).toEqual(new Set(['teams']));
    expect(placesOf(inLookAlikeGroup(target))).toEqual(new Set(['groups']));
  });

  test('a denied group behind each separator, and with its domain', () => {
    const tried = textOfAll(inDeniedGroup(targetOf(SOUND.openid)));
    for (const text of [
      'everyone,suspended',
      'everyone;suspended',
      'everyone|suspended',
      'suspended@idm.example',
    ])
      expect(tried).toContain(`"${text}"`);
  });

  test.each([
    'https://evil-sso.example.edu/realms/campus',
    'https://evilexample.edu/realms/campus',
    'https://ssoxexample.edu/realms/campus',
    'https://sso.example.edu:8443/realms/campus',
    'http://sso.example.edu/realms/campus',
    'https://sso.example.edu.evil.example/realms/campus',
    'https://sso.example.edu@evil.example/realms/campus',
    'https://sso.example.edu/realms/evil',
    'https://sso.example.edu/realms/campus/',
  ])('the issuer %s', (issuer) => {
    expect(textOfAll(byAnotherIssuer(targetOf(SOUND.openid)))).toContain(`"iss":"${issuer}"`);
  });

  test.each<[string, Mapping['groups'], string[], string[]]>([
    [
      'a whole name',
      { from: ['groups'], table: [{ group: 'staff', uuid: PARTNER }] },
      ['staff'],
      ['staffing', 'nonstaff', 'nonstaff-external', 'STAFF'],
    ],
    [
      'a prefix that ends where a name does',
      { from: ['groups'], table: [{ group: { prefix: 'staff/' }, uuid: PARTNER }] },
      ['staff/a'],
      ['staff/nona', 'STAFF/A'],
    ],
    ['a group that nothing grants', { from: ['groups'], table: [] }, ['everyone'], []],
  ])('look-alikes of %s', (_, groups, given, expected) => {
    const uuid = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
    const text = JSON.stringify({ issuers: { [CAMPUS]: {} }, groups }).replaceAll(PARTNER, uuid);
    const tried = inLookAlikeGroup(targetOf(JSON.parse(text), openIdLogin({ groups: given })));
    const texts = tried.map(({ login }) => login.textsOf(['groups'])[0]);
    expect(texts.filter((one) => !one?.startsWith('staff/'))).toEqual(
      expected.filter((one) => !one.startsWith('staff/')),
    );
    expect(texts).not.toContain('staff/aing');
  });
});

test('few changed events of a sample are asked at a time', async () => {
  const answered = { failed: null, unavailable: null, reason: 'authorized' } as InvocationResult;
  answered.response = { type: 'AuthorizedUserResponse', email: 'ada@example.edu' };
  let asked = 0;
  let running = 0;
  let most = 0;
  const invoke = async () => {
    asked += 1;
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
    return answered;
  };
  const sample = { functionName: 'openidLoggedIn', name: 'ada', event: openIdLogin() };
  const judged = { sample, answered, handler: null, verdict: { kind: 'expected' } };
  const attack = new Attack({ invoke } as unknown as Samples, {} as Engine);
  await attack.on(judged as unknown as Judged);
  expect(asked).toBeGreaterThan(20);
  expect(most).toBeLessThanOrEqual(8);
});

describe('a mapping with one weakness has one finding more than a sound one', () => {
  const NOTES = ['note another_account', 'note weak_sign_in'];
  test('rules on claims, addresses, assurance and named sources refuse what is changed', async () => {
    const claims = {
      ...{ department: 'physics', level: 2, locked: false },
      ...{ auth_time: 1795255199, acr: '2', amr: ['pwd', 'otp'] },
    };
    const rules = [
      { claim: 'department', is: ['physics'] },
      { claim: 'level', is: [2] },
      { claim: 'locked', is_not: [true, 'TRUE'] },
      { claim: 'sub', is: [openIdEvent().idToken.sub] },
      { emails: ['ada@example.edu'] },
      { no_group: ['closed'], from: ['groups'] },
      { assurance: { acr: ['2'], amr: ['otp'], max_age: '8h' } },
    ];
    const mapping = { ...SOUND.openid, rules: [...SOUND.openid.rules, ...rules] } as Mapping;
    expect(await findingsOf('openid', mapping, openIdLogin(claims))).toEqual(['note another_account']);
  });

  const { openid, saml } = SOUND;
  const { issuers, ...others } = openid;
  const ofIssuers = (more: object) => ({ ...openid, issuers: more }) as Mapping;
  const ofDomain = { ...others, rules: [...openid.rules, { email_domains: ['example.edu'] }] };
  const anySuffix = { claim: 'email', is: [{ suffix: 'example.edu' }] };
  const groups = { from: ['groups'] };
  const ofGroups = (allowed: unknown, denied: unknown) =>
    ({ ...openid, rules: [{ any_group: [allowed] }, { no_group: [denied] }] }) as Mapping;

  test.each<[string, Kind, Mapping, string | null]>([
    ['nothing', 'openid', openid, null],
    ['nothing of SAML', 'saml', saml, null],
    [
      'a scope that another issuer asserts',
      'saml',
      { issuers: { ...saml.issuers, [PARTNER]: {} } },
      'error listed_issuer',
    ],
    [
      'one group that is not denied',
      'openid',
      ofGroups('staff', { prefix: '/suspended/' }),
      'error denied_group',
    ],
    [
      'a prefix inside a name',
      'openid',
      ofGroups({ prefix: 'staff' }, 'suspended'),
      'error look_alike_group',
    ],
    ['any issuer', 'openid', { ...ofDomain, issuers: 'any' }, 'note another_issuer'],
  ])('%s, in a mapping and around it', async (_, kind, mapping, expected) => {
    const all = [...NOTES, expected ?? []].flat().toSorted();
    expect((await findingsOf(kind, mapping)).toSorted()).toEqual(all);
    // As README.md has it: other user groups than those of the mapping.
    const around = '(event) => ({ ...map(event), user_group_uuids: [] })';
    expect((await findingsOf(kind, mapping, EVENTS[kind](), around)).toSorted()).toEqual(all);
  });

  test.each<[string, Kind, Mapping, string]>([
    ['no issuers', 'openid', ofDomain, 'error another_issuer'],
    [
      'an address that another issuer asserts',
      'openid',
      ofIssuers({ ...issuers, [PARTNER]: {} }),
      'error listed_issuer',
    ],
    ['no proof', 'openid', { ...openid, email: { unverified: 'refuse' } }, 'error unproven_address'],
    [
      'a suffix that is no domain',
      'openid',
      { ...ofIssuers({ [CAMPUS]: {} }), rules: [...openid.rules, anySuffix] } as Mapping,
      'error foreign_address',
    ],
    ['no rule on the address', 'openid', ofIssuers({ [CAMPUS]: {} }), 'note foreign_address'],
    [
      'groups that may be absent',
      'openid',
      { ...openid, groups: { ...groups, absent: ['groups'] }, rules: [{ no_group: ['suspended'] }] },
      'note optional_groups_missing',
    ],
    [
      'one text',
      'openid',
      { ...openid, groups: { ...groups, separator: 'none' } },
      'note groups_as_one_text',
    ],
    [
      'any affiliation',
      'saml',
      { issuers: { ...saml.issuers, [CAMPUS]: inScope('example.edu', {}) } },
      'note other_affiliation',
    ],
  ])('%s', async (_, kind, mapping, expected) => {
    const found = await findingsOf(kind, mapping);
    expect(found.toSorted()).toEqual([...NOTES, expected].toSorted());
  });
});

const AUTHORIZED = { status: 200, answer: { type: 'AuthorizedUserResponse' } };

/** A handler that authorizes all people whom these lines do not refuse. */
function guarded(guard: string): Promise<string> {
  return customHandler(`export default (event) => {
    const { iss, other_claims: claims } = event.id_token ?? {};
    const attributes = event.assertion?.attribute_statement ?? [];
    const no = { type: 'ForbiddenResponse', message: 'No.' };
    let email = claims?.email ?? attributes.find(({ friendly_name }) => friendly_name === 'mail')?.value;
    let user_group_uuids = [];
    ${guard}
    return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email, user_group_uuids };
  };`);
}

const OF_CAMPUS = `if (iss !== '${CAMPUS}') return no;`;
const OF_DOMAIN = `if (!email?.endsWith('@example.edu')) return no;`;
const PROVEN = 'if (claims.email_verified !== true) return no;';
const GUARDS = `${OF_CAMPUS} ${OF_DOMAIN} ${PROVEN}`;
const STAFF = `user_group_uuids = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30'];`;

describe('code is attacked by issuer and address always, by group and scope where it grants by them', () => {
  test.each<[string, string, string[], string[]]>([
    ['that looks at both', GUARDS, [], []],
    ['that takes any issuer', `${OF_DOMAIN} ${PROVEN}`, ['another_issuer'], ['foreign', 'case']],
    [
      'that looks at how the issuer begins',
      `if (!iss.startsWith('${CAMPUS}')) return no; ${OF_DOMAIN} ${PROVEN}`,
      ['another_issuer'],
      ['trailing slash', 'longer name'],
    ],
    [
      'that looks for the issuer by a pattern',
      `if (!/sso.example.edu\\/realms\\/campus$/.test(iss)) return no; ${OF_DOMAIN} ${PROVEN}`,
      ['another_issuer'],
      ['before the host', 'a dot replaced', 'another scheme'],
    ],
    [
      'that waits for no promise',
      `const allowed = async () => iss === '${CAMPUS}'; if (!allowed()) return no; ${OF_DOMAIN} ${PROVEN}`,
      ['another_issuer'],
      ['another realm or tenant', 'before the domain', 'another port'],
    ],
    [
      'that looks at how the domain ends',
      `${OF_CAMPUS} if (!email?.endsWith('example.edu')) return no; ${PROVEN}`,
      ['foreign_address'],
      ['subdomain', 'prefix'],
    ],
    [
      'that judges one address and returns another',
      `${OF_CAMPUS} const all = [email].flat(); email = all[0]; if (!all.some((one) => one?.endsWith('@example.edu'))) return no; ${PROVEN}`,
      ['foreign_address'],
      ['before the own'],
    ],
    [
      'that takes any domain of an address inside other claims',
      `${OF_CAMPUS} email = claims.profile?.emails?.[0]; ${PROVEN}`,
      ['foreign_address'],
      ['another domain', 'look-alike'],
    ],
    [
      'that takes any text for a proof',
      `${OF_CAMPUS} ${OF_DOMAIN} if (!claims.email_verified) return no;`,
      ['unproven_address'],
      ['"false"', 'nested'],
    ],
    [
      'that looks for a part of a group',
      `${GUARDS} if (!claims.groups?.some((group) => group.includes('staff'))) return no;`,
      ['look_alike_group'],
      ['begins in groups', 'ends in groups', 'contains in groups'],
    ],
    [
      'that gives a user group without looking at case',
      `${GUARDS} if (claims.groups?.some((group) => group.toLowerCase() === 'staff')) ${STAFF}`,
      ['look_alike_group'],
      ['case in groups'],
    ],
    [
      'that gives a user group for a whole name',
      `${GUARDS} if (claims.groups?.includes('staff')) ${STAFF}`,
      [],
      [],
    ],
  ])('%s', async (_, guard, changes, what) => {
    const folder = await eventsOf('openid', openIdLogin({ profile: { emails: ['ada@example.edu'] } }));
    const { status, findings } = await attack(folder, await guarded(guard));
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ change }) => change)).toEqual(changes);
    expect(errors.flatMap((one) => one.what)).toEqual(expect.arrayContaining(what));
    expect(status).toBe(changes.length > 0 ? 1 : 0);
  });

  test.each([
    ['', ['another_issuer', 'unproven_address', 'foreign_address']],
    [
      `if (!attributes.some(({ value }) => value.endsWith('example.edu') && value.startsWith('member@'))) return no;`,
      ['another_issuer', 'unproven_address', 'foreign_address', 'foreign_scope'],
    ],
  ])('in SAML too: %s', async (guard, changes) => {
    const folder = await eventsOf('saml', samlLogin());
    const { findings } = await attack(folder, await guarded(guard));
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ change }) => change)).toEqual(changes);
  });
});

describe('what proves nothing', () => {
  test('a handler that throws is not tested', async () => {
    const guard = `if (iss !== '${CAMPUS}') throw new Error('x'); ${OF_DOMAIN} ${PROVEN}`;
    const folder = await eventsOf('openid', openIdLogin());
    const { counts, findings } = await attack(folder, await guarded(guard));
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'not tested', change: 'another_issuer' }),
    );
    expect(counts.notTested).toBeGreaterThan(0);
  });

  test('no other system is asked, where nothing is recorded', async () => {
    const system = await httpServer((_, response) => sendJson(response, {}));
    const handler = await customHandler(`export default async () => {
      await fetch('${system.url}');
      return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.edu' };
    };`);
    const { status, events } = await attack(await eventsOf('openid', openIdLogin()), handler);
    await system.close();
    expect({ status, events, requests: system.requests }).toEqual({ status: 1, events: 0, requests: [] });
  });

  test.each([
    ['no login is authorized', 'return no;'],
    [
      'the handler throws at every change',
      `if (iss + JSON.stringify(claims) !== ${JSON.stringify(CAMPUS + JSON.stringify(openIdLogin().idToken.otherClaims))}) throw new Error('x');`,
    ],
  ])('it fails where %s', async (_, guard) => {
    const folder = await eventsOf('openid', openIdLogin());
    const { status, notAttacked } = await attack(folder, await guarded(guard));
    expect({ status, notAttacked }).toEqual({ status: 1, notAttacked: ['openidLoggedIn'] });
  });
});

describe('the worked handlers refuse every change', () => {
  test('of the samples', async () => {
    const folder = await eventsOf('openid', openIdLogin());
    for (const { functionName, file, expected } of await projectSamples()) {
      if (expected?.handler === undefined) continue;
      for (const one of [file, expectedFile({ file })])
        await cp(one, join(folder, functionName, basename(one)));
    }
    const result = await attack(folder);
    expect(result.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(result).toMatchObject({ status: 0, unused: [], attacked: ['openidLoggedIn', 'samlLoggedIn'] });
  });

  const GET = (request: string, json: object) => ({
    request: `GET ${request}`,
    ...{ status: 200, headers: {}, json },
  });
  const PROVIDER = 'https://connect.surfconext.example';
  const ADA = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org', email_verified: true };

  test.each<[string, Kind, string, object[]]>([
    [
      'orcid-email',
      'openid',
      'orcid',
      [
        GET('https://pub.orcid.org/v3.0/0000-0001-5109-3700/email', {
          email: [{ email: 'ada@example.org', primary: true, verified: true }],
        }),
      ],
    ],
    [
      'userinfo-profile',
      'openid',
      'surfconext-no-profile-claims',
      [
        GET(`${PROVIDER}/.well-known/openid-configuration`, {
          issuer: PROVIDER,
          userinfo_endpoint: `${PROVIDER}/oidc/userinfo`,
        }),
        GET(`${PROVIDER}/oidc/userinfo`, { sub: '3b1f0e2d4c5a69788796a5b4c3d2e1f00f1e2d3c', ...ADA }),
      ],
    ],
    [
      'directory-lookup',
      'saml',
      'directory-other-issuer',
      [
        GET('https://directory.example.org/api/people/10017', {
          ...{ givenName: 'Ada', sn: 'Lovelace', mail: 'ada@example.org', department: null },
        }),
      ],
    ],
  ])('of %s, by recorded responses', async (name, kind, sample, recordings) => {
    const stored = JSON.stringify(await sampleEvent(`${kind}LoggedIn`, sample));
    const event = JSON.parse(
      stored.replace('https://idp.elsewhere.example/idp', 'https://sso.example.org/saml'),
    );
    const expected = { handler: `handlers/${name}`, ...AUTHORIZED };
    const beside = { expected, recordings: { invented: true, recordings } };
    // Secrets have stand-in values while recordings respond.
    const result = await attack(await eventsOf(kind, event, beside), undefined, {
      SECRET_IDS: 'login-hooks/directory-token',
    });
    expect(result.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(result).toMatchObject({ events: 1 });
    expect(result.counts.refused).toBeGreaterThan(5);
  });
});

describe('what is meant is in the expected file', () => {
  const MEANT = 'The realm gives its people addresses.';
  const run = async (guard: string, mayBe: object) => {
    const handler = await guarded(guard);
    const expected = { handler, ...AUTHORIZED, mayBe };
    return attack(await eventsOf('openid', openIdLogin(), { expected }), handler);
  };
  const errorsOf = async (guard: string, mayBe: object) => {
    const { findings } = await run(guard, mayBe);
    return findings.filter(({ level }) => level === 'error').map(({ change }) => change);
  };

  test('by the change, with a reason', async () => {
    const guard = `${OF_CAMPUS} ${PROVEN}`;
    expect(await errorsOf(guard, {})).toEqual(['foreign_address']);
    expect(await errorsOf(guard, { foreign_address: MEANT })).toEqual([]);
  });

  test('once for all events of a handler, where it is about groups', async () => {
    const mapping = {
      ...SOUND.openid,
      groups: { from: ['groups'], table: [] },
      rules: [{ any_group: [{ prefix: 'staff' }] }],
    };
    const handler = await handlerOf('openid', mapping as Mapping);
    const meaning = { handler, ...AUTHORIZED, mayBe: { look_alike_group: MEANT } };
    const folder = await eventsOf('openid', openIdLogin(), { expected: meaning });
    const other = join(folder, 'openidLoggedIn', 'eve.json');
    await cp(join(folder, 'openidLoggedIn', 'ada.json'), other);
    const { findings, unused } = await attack(folder, handler);
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(unused).toEqual([]);
  });

  test.each([
    ['another_issuer', 'another issuer cannot be excused'],
    ['denied_group', 'nothing gets in by this change'],
    ['no_such_change', 'expected one of another_issuer, '],
  ])('an entry for %s excuses nothing, and fails', async (change, problem) => {
    const { status, unused } = await run(GUARDS, { [change]: MEANT });
    expect(unused).toEqual([expect.stringContaining(`openidLoggedIn/ada: mayBe.${change}: ${problem}`)]);
    expect(status).toBe(1);
  });

  test('another issuer gets in in spite of an entry', async () => {
    expect(await errorsOf(`${OF_DOMAIN} ${PROVEN}`, { another_issuer: MEANT })).toEqual(['another_issuer']);
  });

  test('an entry without a reason is refused', async () => {
    await expect(run(GUARDS, { foreign_address: ' ' })).rejects.toThrow(
      'mayBe.foreign_address: expected a text',
    );
  });
});

test('for people there is a finding for each handler and change with the cure, and the checks that are off', async () => {
  const handler = await guarded(`${OF_DOMAIN} ${PROVEN}`);
  const args = [await eventsOf('openid', openIdLogin()), '--attack', '--handler', handler];
  const { status, stdout } = await runTool('check', args);
  expect(stdout).toMatch(/^error +another_issuer +\S+\n {2}gets in: .*; ada\n {2}→ List the issuers: /m);
  expect(stdout).toContain('OPENID_TOKEN_CHECK is off, so nothing looks at ');
  expect(stdout).not.toContain('SAML_ASSERTION_CHECK');
  expect(stdout).toMatch(
    /, \d+ attacks refused, [1-9]\d* got in that must not, \d+ that no rule forbids, 2 not tested\n$/,
  );
  expect(status).toBe(1);
  const OPENID_ISSUERS = JSON.stringify({ [CAMPUS]: { audiences: ['client-1'] } });
  const on = await runTool('check', args, { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS });
  expect(on.stdout).not.toContain('is off');
});

test('the page has each change with its cure, and no other', async () => {
  const page = await textOf('docs/check.md');
  const table = page.slice(page.indexOf('| change |'));
  const rows = tableRows(table.slice(0, table.indexOf('\n\n'))).slice(2);
  const changes = Object.entries(CHANGES).map(([name, { cure }]) => [`\`${name}\``, cure]);
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual(changes);
});
