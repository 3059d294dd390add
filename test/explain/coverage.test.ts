/** Which rules and rows of a mapping events hit, counted from real decisions. */
import { describe, expect, test } from '@jest/globals';
import type { Explanation } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { coverageOf } from '../../tools/explain/coverage.ts';
import { openId } from '../profile/decided.ts';
import { customHandler } from '../support/customHandler.ts';
import { runTool } from '../support/tools.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const [A, B, OTHER] = ['https://a.example', 'https://b.example', 'https://other.example'];
const STAFF_ROW = { group: 'staff', uuid: UUID };
const TEAM_ROW = { group: { prefix: '/x/' }, uuid: UUID, name: 'Team X' };
const MAPPING: Mapping = {
  rules: [{ email_domains: ['example.org'] }],
  groups: { from: ['groups'], absent: ['groups'], table: [STAFF_ROW, TEAM_ROW] },
  issuers: {
    [A]: { rules: [{ no_group: ['suspended'] }] },
    [B]: { groups: { from: ['roles'], table: [STAFF_ROW] } },
  },
};

const explained = (claims: Record<string, unknown>, issuer: string): Explanation =>
  openId(MAPPING, claims, issuer).trace;
const STRANGER = { email: 'ada@x.example' };
const SUSPENDED_STRANGER = { ...STRANGER, groups: ['suspended'] };
const SUSPENDED = `issuers.${A}.rules[0].no_group`;
const RULES = ['issuers', 'rules[0].email_domains', SUSPENDED];
/** The rules that an event hits. */
const rulesHit = (one: Explanation) => {
  const idle = coverageOf(MAPPING, [one]).notHit.map(({ path }) => path);
  return RULES.filter((path) => !idle.includes(path));
};

test.each<[string, Record<string, unknown>, string, string[]]>([
  ['an event that it refuses', STRANGER, B, ['rules[0].email_domains']],
  ['an event that another rule refuses first', SUSPENDED_STRANGER, A, ['rules[0].email_domains', SUSPENDED]],
  ['an event that it cannot judge', { groups: 'xsuspended' }, A, [SUSPENDED]],
  ['an issuer that is not listed', {}, OTHER, ['issuers']],
])('a rule is hit by %s', (_, claims, issuer, paths) => {
  expect(rulesHit(explained(claims, issuer))).toEqual(paths);
});

/** What events do not hit, as people read it. */
const notHit = (mapping: Mapping, events: readonly Explanation[]) =>
  coverageOf(mapping, events).notHit.map(({ path, text, why }) => `${path}: ${why} (${text})`);

test('the rules are those of the mapping, whatever events there are', () => {
  const issuers = `issuers: it refuses nobody (["${A}","${B}"])`;
  const domains = 'rules[0].email_domains: it refuses nobody (["example.org"])';
  const unreached = `${SUSPENDED}: no event reaches it (["suspended"])`;
  const idle = `${SUSPENDED}: it refuses nobody (["suspended"])`;
  const events = [explained({}, B), explained({}, A), explained(STRANGER, B)];
  const rulesNotHit = (count: number) => notHit(MAPPING, events.slice(0, count)).slice(0, -3);
  expect(rulesNotHit(1)).toEqual([issuers, domains, unreached]);
  expect(rulesNotHit(2)).toEqual([issuers, domains, idle]);
  expect(rulesNotHit(3)).toEqual([issuers, idle]);
});

test('a rule about a claim is told with what it wants of it', () => {
  const physics = { claim: 'department', is: ['physics', 7], message: 'Ask Ada.' };
  const any = { claim: 'department', present: true as const };
  const mapping: Mapping = { rules: [physics, any, { assurance: { acr: ['gold'], max_age: '8h' } }] };
  expect(notHit(mapping, [])).toEqual([
    'rules[0].claim: no event reaches it ("department", is ["physics",7])',
    'rules[1].claim: no event reaches it ("department", present true)',
    'rules[2].assurance: no event reaches it ({"acr":["gold"],"max_age":"8h"})',
  ]);
  expect(notHit(mapping, [openId(mapping).trace])).toEqual([]);
});

const GROUPS = [
  explained({ groups: ['staff', 'x', 'y'] }, A),
  explained({ groups: ['staff'] }, A),
  explained({ roles: ['staff', 'z'] }, B),
];
const [STAFF, TEAM] = [
  'groups.table[0]: no group matches it ("staff")',
  'groups.table[1]: no group matches it ({"prefix":"/x/"} (Team X))',
];

test.each([
  [GROUPS.slice(2), [STAFF, TEAM], 1],
  [GROUPS, [TEAM], 3],
])('rows that no group matches are told, and groups without a row are counted: %#', (events, rows, count) => {
  const found = notHit(MAPPING, events).filter((line) => line.includes('groups.'));
  expect([found, coverageOf(MAPPING, events).unmatched]).toEqual([rows, count]);
});

test('groups of everybody are hit by the events of their own part of the mapping', () => {
  const everybody = [UUID];
  const mapping: Mapping = {
    groups: { from: ['groups'], everybody },
    issuers: { [A]: {}, [B]: { groups: { from: ['roles'], everybody } } },
  };
  const ofAll = `groups.everybody[0]: no group matches it (${UUID})`;
  const notHitBy = (...issuers: string[]) => {
    const events = issuers.map((issuer) => openId(mapping, { groups: [], roles: [] }, issuer).trace);
    return notHit(mapping, events).slice(1);
  };
  expect(notHitBy(A, A)).toEqual([`issuers.${B}.${ofAll}`]);
  expect(notHitBy(B)).toEqual([ofAll]);
  expect(notHitBy(A, B)).toEqual([]);
});

test('a mapping for any issuer has no rule about issuers', () => {
  const idle = 'rules[0].email_domains: it refuses nobody (["example.org"])';
  expect(notHit({ ...MAPPING, issuers: 'any' }, GROUPS)).toEqual([idle, TEAM]);
});

describe('check --coverage', () => {
  async function coverage(handler: string) {
    const source = `import { mapOpenIdLogin } from 'login-hooks'; console.log('loading');
      const rules = [{ email_domains: ['example.edu'] }, { no_group: ['suspended'] }];
      const map = mapOpenIdLogin({ groups: { from: ['groups'] }, rules });
      export default ${handler};`;
    const event = 'openidLoggedIn/keycloak-suspended-group';
    return runTool('check', [event, '--handler', await customHandler(source, '.ts'), '--coverage']);
  }

  test('names what no event hits of a mapping that code calls, and ends with exit code 1', async () => {
    const { status, stdout } = await coverage("(event) => ({ ...map(event), affiliation: 'x' })");
    expect(stdout).toMatch(/^ +rules\[0\]\.email_domains: it refuses nobody \(\["example\.edu"\]\)$/m);
    expect(stdout).toMatch(/, 1 not hit$/m);
    expect(status).toBe(1);
  });

  test('has nothing of plain code, whatever it prints', async () => {
    const printed = JSON.stringify({ event: 'decision', explanation: {}, mapping: { grups: 1 } });
    const code = `() => { console.log('${printed}'); return { type: 'ForbiddenResponse', message: 'No.' }; }`;
    const { status, stdout } = await coverage(code);
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/hit$/m)]);
  });
});
