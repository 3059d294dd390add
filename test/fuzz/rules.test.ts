/** Nobody gets in in whom a rule denies, however many rules there are and wherever they stand; and who pleases all of them does. */
import fc from 'fast-check';
import { demand, invariant } from './invariant.ts';
import { both, OPENID_ISSUER, SAML_ISSUER } from './mappings.ts';

type Value = string | string[] | undefined;

/** Rules about one claim, with values by which somebody gets in, and values by which nobody does. */
interface Clause {
  rules: readonly object[];
  name: string;
  good: readonly Value[];
  bad: readonly Value[];
}

const HIGH = 'https://refeds.org/assurance/IAP/high';
const CLAUSES: Clause[] = [
  {
    rules: [{ email_domains: ['example.org', 'xn--mnchen-3ya.example'] }],
    name: 'email',
    good: ['ada@example.org', 'Ada.Lovelace@EXAMPLE.org', 'zofia+x@münchen.example'],
    bad: [
      ...['ada@cs.example.org', 'ada@evil-example.org', 'ada@example.org.evil', undefined],
      ...['ada@ex\u0430mple.org', 'ada@example.org@evil.example', 'eve#EXT#@example.org'],
    ],
  },
  {
    rules: [{ claim: 'department', is: ['physics'] }],
    name: 'department',
    good: ['physics', ['chemistry', 'physics']],
    bad: ['chemistry', [], undefined, 'physics,chemistry', 'physicsx'],
  },
  {
    rules: [{ claim: 'lock', is_not: ['TRUE'] }],
    name: 'lock',
    good: ['FALSE', ['no', 'never']],
    bad: ['TRUE', ['FALSE', 'TRUE'], [], undefined],
  },
  {
    rules: [{ claim: 'orcid', present: true }],
    name: 'orcid',
    good: ['0000-0002-1825-0097', ['', 'x']],
    bad: ['', ' ', '\u200b', [], undefined],
  },
  {
    rules: [{ scopes: ['uni.example', '*.uni.example'], affiliations: ['staff'] }],
    name: 'eduperson_scoped_affiliation',
    good: ['staff@uni.example', ['member@uni.example', 'staff@cs.uni.example']],
    bad: [
      ...['staff@evil.example', 'staff@uni.example.evil', 'staff@xuni.example', 'member@uni.example'],
      ...['staff', 'staff@', 'staff@uni.example@evil.example', [], undefined],
      ['staff@evil.example', 'member@uni.example'],
    ],
  },
  {
    rules: [{ assurance: { eduPersonAssurance: [HIGH] } }],
    name: 'eduperson_assurance',
    good: [HIGH, ['https://refeds.org/assurance', HIGH]],
    bad: ['https://refeds.org/assurance/IAP/low', `${HIGH}er`, [], undefined],
  },
  {
    rules: [{ any_group: ['staff', { prefix: '/teams/' }] }, { no_group: ['suspended'] }],
    name: 'groups',
    good: [['staff'], ['members', '/teams/x']],
    bad: [['staffing'], ['staff', 'suspended'], ['staff', '/suspended'], ['staff', 'x;suspended'], undefined],
  },
];

/** Some of the rules, in any order and place; usually one at most is not pleased. */
const tried = fc.shuffledSubarray(CLAUSES, { minLength: 1 }).chain((some) =>
  fc.tuple(
    ...some.map(({ rules, name, good, bad }) =>
      fc
        .record({ isGood: fc.nat(3).map((number) => number > 0), isOfIssuer: fc.boolean(), at: fc.nat() })
        .map(({ isGood, isOfIssuer, at }) => {
          const values = isGood ? good : bad;
          return { rules, name, value: values[at % values.length], isGood, isOfIssuer };
        }),
    ),
  ),
);

const OTHER_ISSUERS = [
  ...['http://idp.example.org', 'https://idp.example.org/', 'https://idp.example.org.evil.example', ''],
  ...['https://evil-idp.example.org', 'https://idp.example.org:8443', 'HTTPS://IDP.EXAMPLE.ORG', '__proto__'],
  ...['https://idpxexample.org', 'https://idp.example.org/saml/', 'https://idp.example.org\n', 'constructor'],
];

invariant('rules: who pleases all of them gets in, and nobody else', tried, async (some) => {
  const rulesOf = (isOfIssuer: boolean) => {
    const rules = some.filter((one) => one.isOfIssuer === isOfIssuer).flatMap(({ rules }) => rules);
    return rules.length > 0 ? { rules } : {};
  };
  const issuers = { [OPENID_ISSUER]: rulesOf(true), [SAML_ISSUER]: rulesOf(true) };
  const mapping = { groups: { from: ['groups'] }, ...rulesOf(false), issuers };
  const claims = Object.fromEntries(some.map(({ name, value }) => [name, value]));
  const isMeant = some.every(({ isGood }) => isGood);
  for (const { isIn, reason } of await both(mapping, claims))
    demand(isIn === isMeant, `${isIn ? 'gets in' : `is refused (${reason})`} with ${JSON.stringify(claims)}`);
});
invariant(
  'rules: an issuer that is not listed lets nobody in',
  fc.constantFrom(...OTHER_ISSUERS),
  async (issuer) => {
    const mapping = { issuers: { [OPENID_ISSUER]: {}, [SAML_ISSUER]: {} } };
    for (const { isIn } of await both(mapping, {}, issuer)) demand(!isIn, `a person of ${issuer} gets in`);
  },
);
