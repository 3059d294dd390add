/** Who is admitted, and to which groups: the part of a mapping that the default handlers do not have. */

import type { Admission, Admit } from './decide.ts';
import { type GroupsSpec, groupReader, groupTable, type ReceivedGroups } from './groups.ts';
import type { DefaultNames } from './names.ts';
import { error, forbidden } from './response.ts';
import {
  type CheckedRule,
  checkedRule,
  groupsOfRule,
  type PlacedRule,
  type Verdict,
  warningsOfRule,
} from './rules.ts';
import { DEFAULTS } from './sources.ts';

const GROUPS_UNKNOWN = 'Your identity provider did not tell which groups you are in.';
const GROUPS_AMBIGUOUS =
  'Your identity provider told your groups in a form that cannot be read. Please tell the people who run this service.';
const AMBIGUOUS_NOTE =
  'A text may hold a forbidden group among others: have the provider send one Attribute for each value, and set groups.separate.';

/** Where rules look at groups and nothing is mapped. */
const GROUPS_FOR_RULES: GroupsSpec = {
  from: [DEFAULTS],
  required: false,
  unknown: 'none',
  separate: false,
  table: [],
};
const NO_GROUPS: ReceivedGroups = { known: true, values: [], everywhere: () => [] };

type Refusal = NonNullable<Admission['refusal']>;

export function admission(spec: GroupsSpec | null, placedRules: PlacedRule[], defaults: DefaultNames): Admit {
  const { table, unknown, ...reading } = spec ?? GROUPS_FOR_RULES;
  const ruledGroups = placedRules.flatMap(({ rule }) => groupsOfRule(rule));
  const named = [...table.map(({ group }) => group), ...ruledGroups];
  const readsGroups = spec !== null || ruledGroups.length > 0;
  const readGroups = readsGroups ? groupReader(reading, defaults) : () => NO_GROUPS;
  const mapGroups = groupTable(table);
  const rules = placedRules.map((placed) => checkedRule(placed, named, defaults));
  if (!reading.separate) for (const placed of placedRules) warnOf(warningsOfRule(placed, named));

  const refusalOf = (rule: CheckedRule, verdict: Verdict): Refusal => {
    if (verdict === 'unknown')
      return { response: error(GROUPS_UNKNOWN), reason: 'groups_unknown', rule: rule.path };
    if (verdict === 'unclear')
      return { response: error(GROUPS_AMBIGUOUS), reason: 'groups_ambiguous', rule: rule.path };
    const { message, isOperatorsMessage, path } = rule;
    return { response: forbidden(message), reason: 'rule_refused', isOperatorsMessage, rule: path };
  };

  return (received, email): Admission => {
    const groups = readGroups(received);
    const { user_group_uuids, trace } = mapGroups(groups);
    const admitted: Admission = { user_group_uuids, ...(readsGroups && { groups: trace }) };
    if (!groups.known && unknown === 'error') {
      return { ...admitted, refusal: { response: error(GROUPS_UNKNOWN), reason: 'groups_unknown' } };
    }
    for (const rule of rules) {
      const verdict = rule.judge({ received, email, groups });
      if (verdict === 'allows') continue;
      if (verdict === 'unclear') admitted.groups = { ...trace, note: AMBIGUOUS_NOTE };
      return { ...admitted, refusal: refusalOf(rule, verdict) };
    }
    return admitted;
  };
}

/** By Node's own warnings: a mapping is made while a module loads, where there is no login and no log of one. */
function warnOf(problems: readonly string[]): void {
  for (const problem of problems) process.emitWarning(problem, 'MappingWarning');
}
