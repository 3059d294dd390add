/** Which rules and rows of a mapping events hit: counted from real decisions, and told by `npm run check -- --coverage`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf, type Explanation } from '../../lib/profile/decision.ts';
import type { OpenIdMappingAtOnce } from '../../lib/profile/schema/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { coverageOf } from '../../tools/explain/coverage.ts';
import { customHandler } from '../support/customHandler.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const [A, B, OTHER] = ['https://a.example', 'https://b.example', 'https://other.example'];
const MAPPING: OpenIdMappingAtOnce = {
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

function event(claims: Record<string, unknown>, issuer: string) {
  const wire = openIdEvent();
  wire.idToken.iss = issuer;
  Object.assign(wire.idToken.otherClaims, claims);
  return wire;
}

function trace(claims: Record<string, unknown>, issuer: string): Explanation {
  const made = decisionOf(
    mapOpenIdLogin(MAPPING)(v.parse(OpenIdUserLoggedInEvent, event(claims, issuer))),
  )?.explain();
  if (!made) throw new Error('expected a decision');
  return made;
}

const rulePaths = ['issuers', 'rules[0].email_domains', `issuers.${A}.rules[0].no_group`];
const hits = (traces: Explanation[]) =>
  coverageOf(MAPPING, traces)
    .rules.filter(({ isHit }) => isHit)
    .map(({ path }) => path);

describe('a rule', () => {
  test('is one of the mapping, whatever events there are', () => {
    const { rules } = coverageOf(MAPPING, []);
    expect(rules.map(({ path }) => path)).toEqual(rulePaths);
    expect(rules.map(({ text }) => text)).toEqual([`["${A}","${B}"]`, '["example.org"]', '["suspended"]']);
    expect(rules.every(({ isHit }) => !isHit)).toBe(true);
  });

  test.each<[string, Record<string, unknown>, string, string[]]>([
    ['by no event that it allows', {}, A, []],
    ['by an event that it refuses', { email: 'ada@x.example' }, B, ['rules[0].email_domains']],
    [
      'by an event that another rule refuses first',
      { email: 'ada@x.example', groups: ['suspended'] },
      A,
      ['rules[0].email_domains', `issuers.${A}.rules[0].no_group`],
    ],
    ['by an event that it cannot judge', { groups: 'xsuspended' }, A, [`issuers.${A}.rules[0].no_group`]],
    ['by an issuer that is not listed', {}, OTHER, ['issuers']],
  ])('is hit %s', (_, claims, issuer, paths) => {
    expect(hits([trace(claims, issuer)])).toEqual(paths);
  });

  test('counts its verdicts', () => {
    const traces = [trace({}, A), trace({}, B), trace({ email: 'ada@x.example' }, B)];
    const [issuers, domains, denial] = coverageOf(MAPPING, traces).rules;
    expect(issuers?.verdicts).toMatchObject({ allows: 3, refuses: 0 });
    expect(domains?.verdicts).toMatchObject({ allows: 2, refuses: 1 });
    expect(denial?.verdicts).toMatchObject({ allows: 1, refuses: 0 });
  });
});

test('a rule about a claim is told with what it wants of it', () => {
  const mapping: OpenIdMappingAtOnce = {
    rules: [
      { claim: 'department', is: ['physics', 7], message: 'Ask Ada.' },
      { claim: 'department', present: true },
      { assurance: { acr: ['gold'], max_age: '8h' } },
    ],
  };
  const made = decisionOf(mapOpenIdLogin(mapping)(v.parse(OpenIdUserLoggedInEvent, event({}, A))))?.explain();
  expect(coverageOf(mapping, made ? [made] : []).rules).toMatchObject([
    { path: 'rules[0].claim', text: '"department", is ["physics",7]', verdicts: { refuses: 1 } },
    { path: 'rules[1].claim', text: '"department", present true', verdicts: { refuses: 1 } },
    { path: 'rules[2].assurance', text: '{"acr":["gold"],"max_age":"8h"}', verdicts: { unknown: 1 } },
  ]);
});

test('rows count the groups that they map, and groups without a row are counted', () => {
  const traces = [
    trace({ groups: ['staff', 'x', 'y'] }, A),
    trace({ groups: ['staff'] }, A),
    trace({ roles: ['staff', 'z'] }, B),
  ];
  const { rows, unmatched } = coverageOf(MAPPING, traces);
  expect(rows).toEqual([
    { path: 'groups.table[0]', text: '"staff"', groups: 2 },
    { path: 'groups.table[1]', text: '{"prefix":"/x/"} (Team X)', groups: 0 },
    { path: `issuers.${B}.groups.table[0]`, text: '"staff"', groups: 1 },
  ]);
  expect(unmatched).toEqual({ groups: 3, events: 2 });
});

describe('npm run check -- --coverage', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await mkdir(join(folder, 'openidLoggedIn'));
    const events = {
      staff: event({ groups: ['staff', 'x'] }, A),
      denied: event({ groups: ['suspended'] }, A),
    };
    for (const [name, wire] of Object.entries(events)) {
      await writeFile(join(folder, 'openidLoggedIn', `${name}.json`), JSON.stringify(wire));
    }
  });

  test('names what no event hits, and ends with exit code 1', async () => {
    const source = `import { mapOpenIdLogin } from 'login-hooks'; console.log('loading');
      export default mapOpenIdLogin(${JSON.stringify(MAPPING)});`;
    const handler = await customHandler(source, '.ts');
    const { status, stdout } = await runTool('check', [folder, '--handler', handler, '--coverage']);
    expect(stdout).toMatch(/^handlers\/\S+, 2 events$/m);
    expect(stdout).toMatch(
      /^rules\[0\]\.email_domains +2 +0 +0 +NOT HIT: refuses nobody +\["example\.org"\]$/m,
    );
    expect(stdout).toMatch(
      /^issuers\.https:\/\/a\.example\.rules\[0\]\.no_group +1 +1 +0 +\["suspended"\]$/m,
    );
    expect(stdout).toMatch(/^groups\.table\[0\] +1 +"staff"$/m);
    expect(stdout).toMatch(/^groups\.table\[1\] +0 +NOT HIT +\{"prefix":"\/x\/"\} \(Team X\)$/m);
    expect(stdout).toMatch(/^2 groups of 2 events match no row; 4 not hit$/m);
    expect(status).toBe(1);
  });

  test('is satisfied where events hit everything', async () => {
    const mapping: OpenIdMappingAtOnce = {
      groups: { from: ['groups'] },
      rules: [{ no_group: ['suspended'] }],
    };
    const source = `import { mapOpenIdLogin } from 'login-hooks';
      export default mapOpenIdLogin(${JSON.stringify(mapping)});`;
    const handler = await customHandler(source, '.ts');
    const { status, stdout } = await runTool('check', [folder, '--handler', handler, '--coverage']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/; 0 not hit\n$/)]);
  });

  test.each([
    ['plain code', `export default () => ({ type: 'ForbiddenResponse' })`],
    [
      'code around a mapping',
      `import { mapOpenIdLogin } from 'login-hooks'; const map = mapOpenIdLogin({});
      export default (event) => map(event);`,
    ],
  ])('a handler of %s has none', async (_, source) => {
    const handler = await customHandler(source, '.ts');
    const { status, stdout } = await runTool('check', [folder, '--handler', handler, '--coverage']);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('No handler is a mapping: there is no coverage.'),
    ]);
  });

  test('does not go with --against', async () => {
    const { status, stderr } = await runTool('check', [folder, '--coverage', '--against', 'x']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('expected --coverage or --against, found both'),
    ]);
  });
});
