/** Nobody gets in in whom a rule denies, however many rules there are and wherever they stand; and who pleases all of them does. */
import fc from 'fast-check';
import type { Ask } from './functions.ts';
import {
  type Attributes,
  type Claims,
  type Mapping,
  OPENID_ISSUER,
  openIdLogin,
  SAML_ISSUER,
  samlLogin,
} from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

/** A rule, with values by which somebody gets in, and values by which nobody does. Each reads a source of its own. */
interface Clause<TValue> {
  rule: Readonly<Record<string, unknown>>;
  /** What it reads. */
  name: string;
  good: readonly TValue[];
  bad: readonly TValue[];
}

const AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const ASSURANCE = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.11';
const HIGH = 'https://refeds.org/assurance/IAP/high';
/** Taken by rules on groups; what a list of them holds. */
const GROUP_RULES = [
  { rule: { any_group: ['staff', { prefix: '/teams/' }] }, good: ['staff', '/teams/x'], bad: ['staffing'] },
  { rule: { no_group: ['suspended'] }, good: ['staff'], bad: ['suspended', '/suspended', 'x;suspended'] },
];

const OPENID_CLAUSES: Clause<unknown>[] = [
  {
    rule: { claim: 'department', is: ['physics', 7, true] },
    name: 'department',
    good: ['physics', 7, true, ['chemistry', 'physics']],
    bad: ['chemistry', '7', 'true', 8, false, null, undefined, {}, ['chemistry'], 'physics,chemistry'],
  },
  {
    rule: { claim: 'lock', is_not: ['TRUE', true] },
    name: 'lock',
    good: ['FALSE', false, 'no'],
    bad: ['TRUE', true, ['no', 'TRUE'], undefined, null],
  },
  {
    rule: { claim: 'orcid', present: true },
    name: 'orcid',
    good: ['0000-0002-1825-0097', ['x']],
    bad: ['', ' ', '\u200b', [], undefined, null],
  },
  {
    rule: { scopes: ['uni.example', '*.uni.example'], affiliations: ['staff'] },
    name: 'eduperson_scoped_affiliation',
    good: ['staff@uni.example', ['member@uni.example', 'staff@cs.uni.example']],
    bad: [
      ...[
        'staff@evil.example',
        'staff@uni.example.evil',
        'staff@xuni.example',
        'member@uni.example',
        undefined,
      ],
      ...['staff', 'staff@', ['staff@evil.example', 'member@uni.example'], 'staff@uni.example@evil.example'],
    ],
  },
  {
    rule: { assurance: { acr: ['gold', 'silver'] } },
    name: 'acr',
    good: ['gold', 'silver'],
    bad: ['bronze', '0', 'goldx', undefined, null, ''],
  },
  {
    rule: { assurance: { amr: ['hwk', ['pwd', 'otp']] } },
    name: 'amr',
    good: [['hwk'], ['otp', 'pwd'], 'hwk'],
    bad: [['pwd'], ['otp'], [], 'pwd', 'pwd otp', undefined],
  },
];

const SAML_CLAUSES: Clause<readonly string[]>[] = [
  {
    rule: { attribute: 'department', is: ['physics'] },
    name: 'department',
    good: [['physics'], ['chemistry', 'physics']],
    bad: [['chemistry'], [], ['physics,chemistry'], ['physicsx']],
  },
  {
    rule: { attribute: 'lock', is_not: ['TRUE'] },
    name: 'lock',
    good: [['FALSE'], ['no', 'never']],
    bad: [['TRUE'], ['FALSE', 'TRUE'], []],
  },
  {
    rule: { attribute: 'orcid', present: true },
    name: 'orcid',
    good: [['0000-0002-1825-0097']],
    bad: [[''], [' '], ['\u200b'], []],
  },
  {
    rule: { scopes: ['uni.example'] },
    name: AFFILIATION,
    good: [['staff@uni.example'], ['member@uni.example', 'staff@uni.example']],
    bad: [['staff@evil.example'], ['staff@xuni.example'], ['staff@uni.example.evil'], ['staff'], []],
  },
  {
    rule: { assurance: { eduPersonAssurance: [HIGH] } },
    name: ASSURANCE,
    good: [[HIGH], ['https://refeds.org/assurance', HIGH]],
    bad: [['https://refeds.org/assurance/IAP/low'], [`${HIGH}er`], []],
  },
];

interface Tried<TValue> {
  clause: Clause<TValue>;
  value: TValue;
  isGood: boolean;
  /** Whether the rule stands with the issuer. */
  isOfIssuer: boolean;
}

/** Some of the rules, in any order; usually one at most is not pleased. */
function tried<TValue>(clauses: readonly Clause<TValue>[]): fc.Arbitrary<Tried<TValue>[]> {
  const one = (clause: Clause<TValue>) =>
    fc
      .record({ isGood: fc.nat(3).map((number) => number > 0), isOfIssuer: fc.boolean(), at: fc.nat() })
      .map(({ isGood, isOfIssuer, at }): Tried<TValue> => {
        const values = isGood ? clause.good : clause.bad;
        return { clause, value: values[at % values.length] as TValue, isGood, isOfIssuer };
      });
  return fc
    .shuffledSubarray([...clauses], { minLength: 1 })
    .chain((some) => fc.tuple(...some.map(one)) as fc.Arbitrary<Tried<TValue>[]>);
}

const groups = fc.record({
  rules: fc.subarray(GROUP_RULES),
  isGood: fc.boolean(),
  at: fc.nat(),
});

/** What stands with the issuer is added to what stands for all. */
function mappingOf(rules: readonly { rule: unknown; isOfIssuer: boolean }[], issuer: string): Mapping {
  const of = (isOfIssuer: boolean) => {
    const own = rules.filter((rule) => rule.isOfIssuer === isOfIssuer).map(({ rule }) => rule);
    return own.length > 0 ? { rules: own } : {};
  };
  return { groups: { from: ['groups'] }, ...of(false), issuers: { [issuer]: of(true) } };
}

type Groups = typeof groups extends fc.Arbitrary<infer T> ? T : never;

function groupsOf({ rules, isGood, at }: Groups): string[] {
  const bad = rules[at % Math.max(rules.length, 1)]?.bad ?? ['x'];
  const wrong = bad[at % bad.length] ?? 'x';
  if (isGood) return ['staff', 'members'];
  return wrong === 'staffing' ? [wrong] : ['staff', wrong];
}

const OTHER_ISSUERS = [
  ...['http://idp.example.org', 'https://idp.example.org/', 'https://idp.example.org.evil.example', ''],
  ...['https://evil-idp.example.org', 'https://idp.example.org:8443', 'HTTPS://IDP.EXAMPLE.ORG', '__proto__'],
  ...['https://idpxexample.org', 'https://idp.example.org/saml/', 'https://idp.example.org\n', 'constructor'],
];

const { openId, saml, both } = await mappings();

function rulesInvariant<TValue>(
  kind: string,
  ask: Ask,
  clauses: readonly Clause<TValue>[],
  eventOf: (mapping: Mapping, values: Record<string, TValue>, groups: string[]) => unknown,
  issuer: string,
): void {
  invariant(
    `rules, ${kind}: who pleases all of them gets in, and nobody else`,
    fc.tuple(tried(clauses), groups, fc.boolean()),
    async ([some, groups, isOfIssuer]) => {
      const rules = [
        ...some.map(({ clause: { rule }, isOfIssuer }) => ({ rule, isOfIssuer })),
        ...groups.rules.map(({ rule }) => ({ rule, isOfIssuer })),
      ];
      const values = Object.fromEntries(some.map(({ clause: { name }, value }) => [name, value]));
      const isMeant = some.every(({ isGood }) => isGood) && (groups.isGood || groups.rules.length === 0);
      const event = eventOf(mappingOf(rules, issuer), values, groupsOf(groups));
      const { answer, reason } = await ask(event);
      const isIn = answer.type === 'AuthorizedUserResponse';
      const shown = JSON.stringify({ ...values, groups: groupsOf(groups) });
      demand(isIn === isMeant, `${isIn ? 'gets in' : `is refused (${reason})`} with ${shown}`);
    },
  );
}

rulesInvariant(
  'OpenID',
  openId,
  OPENID_CLAUSES,
  (mapping, values: Claims, groups) => openIdLogin(mapping, { ...values, groups }),
  OPENID_ISSUER,
);
rulesInvariant(
  'SAML',
  saml,
  SAML_CLAUSES,
  (mapping, values: Attributes, groups) => samlLogin(mapping, { ...values, groups }),
  SAML_ISSUER,
);
invariant(
  'rules: an issuer that is not listed lets nobody in',
  fc.constantFrom(...OTHER_ISSUERS),
  async (issuer) => {
    const mapping = { issuers: { [OPENID_ISSUER]: {}, [SAML_ISSUER]: {} } };
    for (const { answer } of await both(mapping, {}, issuer))
      demand(answer.type !== 'AuthorizedUserResponse', `a person of ${issuer} gets in`);
  },
);
