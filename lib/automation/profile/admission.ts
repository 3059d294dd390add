/** Who is admitted, and to which groups: the part of a mapping that the default handlers do not have. */
import { error, forbidden } from '../response.ts';
import type { Admission, Admit } from './decide.ts';
import { type GroupsSpec, groupReader, groupTable, sourceNames } from './groups.ts';
import type { DefaultNames } from './names.ts';
import type { PlacedRule } from './plan.ts';
import { type CheckedRule, checkedRule, needsGroups } from './rules.ts';
import { DEFAULTS } from './sources.ts';

const GROUPS_UNKNOWN = 'Your identity provider did not tell which groups you are in';

/** Where rules look at groups and nothing is mapped. */
const GROUPS_FOR_RULES: GroupsSpec = { from: [DEFAULTS], required: false, unknown: 'none', table: [] };

export function admission(spec: GroupsSpec | null, placedRules: PlacedRule[], defaults: DefaultNames): Admit {
  const { table, unknown, ...reading } = spec ?? GROUPS_FOR_RULES;
  const readsGroups = spec !== null || placedRules.some(({ rule }) => needsGroups(rule));
  const readGroups = readsGroups
    ? groupReader(reading, defaults)
    : () => ({ known: true, values: [], glued: false });
  const mapGroups = groupTable(table);
  const unknownMessage = `${GROUPS_UNKNOWN} (looked for ${lookedFor(reading.from, defaults)}).`;
  const rules: CheckedRule[] = placedRules.map((placed) => checkedRule(placed, defaults));

  return (received, email): Admission => {
    const groups = readGroups(received);
    const { user_group_uuids, trace } = mapGroups(groups);
    const admitted: Admission = { user_group_uuids, ...(readsGroups && { groups: trace }) };
    if (!groups.known && unknown === 'error') {
      return { ...admitted, refusal: { response: error(unknownMessage), reason: 'groups_unknown' } };
    }
    const refusing = rules.find(({ lets }) => !lets({ received, email, groups }));
    if (!refusing) return admitted;
    const unknownGroups = refusing.needsGroups && !groups.known;
    const response = forbidden(unknownGroups ? unknownMessage : refusing.message);
    const isOperatorsMessage = refusing.isOperatorsMessage && !unknownGroups;
    return {
      ...admitted,
      refusal: { response, reason: 'rule_refused', isOperatorsMessage, rule: refusing.path },
    };
  };
}

function lookedFor(from: GroupsSpec['from'], defaults: DefaultNames): string {
  return from.flatMap((source) => sourceNames(source, defaults.groups).map(({ name }) => name)).join(', ');
}
