/** What each rule of a mapping says of somebody whom it refuses, and what to do if the person should get in. */
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';

/** What a rule looked at. */
interface Facts {
  /** The group that it denies, or the value that is not the one it wants; null where there is none. */
  found: string | null;
  /** The claim or attribute of `found`. */
  name: string;
  /** The address that leaves. */
  address: string | null;
  /** The groups of the person; empty where there are none. */
  groups: string;
}

interface RuleRow {
  /** @param rule where it stands in the mapping, e.g. `rules[0]` */
  sentence: (rule: string, facts: Facts) => string;
  /** @param condition as the mapping has it, e.g. `["/staff"]` */
  expected: (condition: string) => string;
  /** What may be changed. */
  change: string;
}

const AN_ADDRESS = 'the e-mail address';

const OF_VALUE: Pick<RuleRow, 'sentence' | 'expected'> = {
  sentence: (rule, { found, name }) =>
    found === null
      ? `${rule} refuses: nothing that it wants arrived`
      : `${name} is ${found}, which ${rule} does not allow`,
  expected: (condition) => condition,
};

const RULE_ROWS = {
  emails: {
    sentence: (rule, { address }) => `${address ?? AN_ADDRESS} is no address that ${rule} lists`,
    expected: (condition) => `one of the addresses ${condition}`,
    change: 'add the address to the rule, or correct it at the provider.',
  },
  email_domains: {
    sentence: (rule, { address }) => `${address ?? AN_ADDRESS} is of no domain that ${rule} lists`,
    expected: (condition) => `an address of a domain of ${condition}`,
    change:
      'add the domain to the rule, if it belongs to the organisation of this issuer; otherwise correct the address at the provider.',
  },
  scopes: {
    sentence: (rule, { found }) =>
      found === null
        ? `no affiliation arrived, and ${rule} needs one`
        : `${found} is not an affiliation that ${rule} allows`,
    expected: (condition) => `an affiliation of ${condition}`,
    change:
      'have the provider release eduPersonScopedAffiliation (urn:oid:1.3.6.1.4.1.5923.1.1.1.9, eduperson_scoped_affiliation), or add its scope or affiliation to the rule.',
  },
  any_group: {
    sentence: (rule, { groups }) =>
      `in none of the groups that ${rule} allows${groups === '' ? '' : ` (in ${groups})`}`,
    expected: (condition) => `one of the groups ${condition}`,
    change:
      'add the person to one of them at the provider, or add a group to the rule, spelled as it arrives.',
  },
  no_group: {
    sentence: (rule, { found }) => `in group ${found}, which ${rule} denies`,
    expected: (condition) => `none of the groups ${condition}`,
    change: 'take the person out of that group at the provider, or the group out of the rule.',
  },
  claim: {
    ...OF_VALUE,
    change: 'correct the value at the provider, or the list of the rule, with its JSON type.',
  },
  attribute: {
    ...OF_VALUE,
    change: 'correct the value at the provider, or the list of the rule, spelled as it arrives.',
  },
  assurance: {
    ...OF_VALUE,
    change:
      'have the service request that way to sign in, or change the rule (docs/mappings.md, "Demand assurance").',
  },
} as const satisfies Readonly<Record<RuleKey, RuleRow>>;

const ROWS: ReadonlyMap<string, RuleRow> = new Map(Object.entries(RULE_ROWS));

/** @param path of a rule in a mapping, e.g. `rules[0].any_group`; undefined for the list of issuers */
export function ruleRow(path: string): RuleRow | undefined {
  return ROWS.get(path.replace(/.*\./, ''));
}
