/** Which rules and rows of a mapping events hit, counted from real decisions. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Explanation } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { coverageOf, notHit } from '../../tools/explain/coverage.ts';
import { openId } from '../profile/decided.ts';
import { customHandler } from '../support/customHandler.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const [A, B, OTHER] = ['https://a.example', 'https://b.example', 'https://other.example'];
const MAPPING: Mapping = {
  rules: [{ email_domains: ['example.org'] }],
  groups: {
    from: ['groups'],
    absent: ['groups'],
    table: [
      { group: 'staff', uuid: UUID },
      { group: { prefix: '/x/' }, uuid: UUID, name: 'Team X' },
    ],
  },
  issuers: {
    [A]: { rules: [{ no_group: ['suspended'] }] },
    [B]: { groups: { from: ['roles'], table: [{ group: 'staff', uuid: UUID }] } },
  },
};

const explained = (claims: Record<string, unknown>, issuer: string): Explanation =>
  openId(MAPPING, claims, issuer).trace;
const STRANGER = { email: 'ada@x.example' };
const SUSPENDED = `issuers.${A}.rules[0].no_group`;
/** The rules that an event hits. */
const rulesHit = (one: Explanation) => {
  const coverage = coverageOf(MAPPING, [one]);
  const idle = notHit(coverage).map(({ path }) => path);
  return coverage.rules.map(({ path }) => path).filter((path) => !idle.includes(path));
};

test.each<[string, Record<string, unknown>, string, string[]]>([
  ['no event that it allows', {}, A, []],
  ['an event that it refuses', STRANGER, B, ['rules[0].email_domains']],
  [
    'an event that another rule refuses first',
    { ...STRANGER, groups: ['suspended'] },
    A,
    ['rules[0].email_domains', SUSPENDED],
  ],
  ['an event that it cannot judge', { groups: 'xsuspended' }, A, [SUSPENDED]],
  ['an issuer that is not listed', {}, OTHER, ['issuers']],
])('a rule is hit by %s', (_, claims, issuer, paths) => {
  expect(rulesHit(explained(claims, issuer))).toEqual(paths);
});

test('the rules are those of the mapping, whatever events there are, each with its verdicts', () => {
  const { rules } = coverageOf(MAPPING, [explained({}, A), explained({}, B), explained(STRANGER, B)]);
  expect(rules).toMatchObject([
    { path: 'issuers', text: `["${A}","${B}"]`, verdicts: { allows: 3, refuses: 0 } },
    { path: 'rules[0].email_domains', text: '["example.org"]', verdicts: { allows: 2, refuses: 1 } },
    { path: SUSPENDED, text: '["suspended"]', verdicts: { allows: 1, refuses: 0 } },
  ]);
});

test('a rule about a claim is told with what it wants of it', () => {
  const mapping: Mapping = {
    rules: [
      { claim: 'department', is: ['physics', 7], message: 'Ask Ada.' },
      { claim: 'department', present: true },
      { assurance: { acr: ['gold'], max_age: '8h' } },
    ],
  };
  expect(coverageOf(mapping, [openId(mapping).trace]).rules).toMatchObject([
    { path: 'rules[0].claim', text: '"department", is ["physics",7]', verdicts: { refuses: 1 } },
    { path: 'rules[1].claim', text: '"department", present true', verdicts: { refuses: 1 } },
    { path: 'rules[2].assurance', text: '{"acr":["gold"],"max_age":"8h"}', verdicts: { unknown: 1 } },
  ]);
});

const GROUPS = [
  explained({ groups: ['staff', 'x', 'y'] }, A),
  explained({ groups: ['staff'] }, A),
  explained({ roles: ['staff', 'z'] }, B),
];
const ROWS = [
  { path: 'groups.table[0]', text: '"staff"', groups: 2 },
  { path: 'groups.table[1]', text: '{"prefix":"/x/"} (Team X)', groups: 0 },
  { path: `issuers.${B}.groups.table[0]`, text: '"staff"', groups: 1 },
];

test('rows count the groups that they map, and groups without a row are counted', () => {
  const { rows, unmatched } = coverageOf(MAPPING, GROUPS);
  expect([rows, unmatched]).toEqual([ROWS, { groups: 3, events: 2 }]);
});

test('groups of everybody are counted in the events of their own part of the mapping', () => {
  const everybody = [UUID];
  const mapping: Mapping = {
    groups: { from: ['groups'], everybody },
    issuers: { [A]: {}, [B]: { groups: { from: ['roles'], everybody } } },
  };
  const events = [A, A, B].map((issuer) => openId(mapping, { groups: [], roles: [] }, issuer).trace);
  expect(coverageOf(mapping, events).rows).toEqual([
    { path: 'groups.everybody[0]', text: UUID, groups: 2 },
    { path: `issuers.${B}.groups.everybody[0]`, text: UUID, groups: 1 },
  ]);
});

test('a mapping for any issuer has no rule about issuers', () => {
  expect(coverageOf({ ...MAPPING, issuers: 'any' }, GROUPS).rules.map(({ path }) => path)).toEqual([
    'rules[0].email_domains',
  ]);
});

describe('check --coverage', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await mkdir(join(folder, 'openidLoggedIn'));
    for (const group of ['staff', 'suspended']) {
      const event = openIdEvent();
      event.idToken.iss = A;
      event.idToken.otherClaims.groups = [group, 'x'];
      await writeFile(join(folder, 'openidLoggedIn', `${group}.json`), JSON.stringify(event));
    }
  });

  async function coverage(handler: string) {
    const source = `import { mapOpenIdLogin } from 'login-hooks'; console.log('loading');
      const map = mapOpenIdLogin(${JSON.stringify(MAPPING)});
      export default ${handler};`;
    const args = [folder, '--handler', await customHandler(source, '.ts'), '--coverage'];
    return runTool('check', args);
  }

  test.each([
    ['a mapping', 'map'],
    ['a mapping that code calls', "(event) => ({ ...map(event), affiliation: 'x' })"],
  ])('names what no event hits of %s, and ends with exit code 1', async (_, handler) => {
    const { status, stdout } = await coverage(handler);
    expect(stdout).toMatch(/^ +rules\[0\]\.email_domains: it refuses nobody \(\["example\.org"\]\)$/m);
    expect(stdout).toMatch(/, 4 not hit$/m);
    expect(status).toBe(1);
  });

  test('has nothing of plain code, whatever it prints', async () => {
    const printed = JSON.stringify({ event: 'decision', explanation: {}, mapping: { grups: 1 } });
    const code = `() => { console.log('${printed}'); return { type: 'ForbiddenResponse', message: 'No.' }; }`;
    const { status, stdout } = await coverage(code);
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/hit$/m)]);
  });
});
