/** The rules about groups. The one that denies needs evidence of each source, and a form in which no group can hide. */

import { notArrived } from '../fields/nearestName.ts';
import { deniedGroups, type Finding, isUnreadForm } from '../groups/deniedGroups.ts';
import { groupMatcher } from '../groups/matchGroups.ts';
import type { Group } from '../schema/mappingSchema.ts';
import { allowsIf, type Judge } from './judgement.ts';

/** Exact, as the table is. */
export function anyGroup(groups: readonly Group[]): Judge {
  const matching = groupMatcher(groups);
  return ({ reader, groups: { known, values, sources } }) => {
    if (!known) return { verdict: 'unknown' };
    if (values.some((value) => matching(value).matches.length > 0)) return allowsIf(true);
    const missing = sources.filter(({ hasArrived }) => !hasArrived).map(({ from }) => from);
    if (missing.length === 0) return allowsIf(false);
    return {
      verdict: 'refuses',
      note: ({ names }) => `${notArrived(missing, names, reader.nestedNames())} ${NAME_CURE}`,
    };
  };
}

/** @param named all groups that the mapping names */
export function noGroup(denied: readonly Group[], named: readonly Group[]): Judge {
  const findingAmong = deniedGroups(denied, named);
  return ({ reader, groups: { known, unproven, partial, everywhere } }) => {
    const { finding, path: value } = findingAmong(everywhere()) ?? {};
    if (finding === 'denied') return { verdict: 'refuses', value };
    if (unproven.length > 0)
      return {
        verdict: 'unknown',
        note: ({ names }) => `${notArrived(unproven, names, reader.nestedNames())} ${ABSENT_CURE}`,
      };
    if (!known) return { verdict: 'unknown' };
    if (partial.length > 0)
      return {
        verdict: 'unknown',
        note: () => `${partial.join(' and ')}: some items have no text there. ${SEND_ALL}`,
      };
    if (!finding) return { verdict: 'allows' };
    return { verdict: isUnreadForm(finding) ? 'unknown' : 'unclear', value, note: () => NOTES[finding] };
  };
}

const SEND_ALL = 'Have the provider send it for each, or a list of texts.';

const NOTES: Readonly<Record<Exclude<Finding['finding'], 'denied'>, string>> = {
  escaped:
    'A group has percent escapes that are encoded twice, or no UTF-8: have the provider send it without.',
  in_ldap:
    'A group is an LDAP URL, which is not read: have the provider send its name, or its distinguished name.',
  reversed:
    'A distinguished name has its most general part first: have the provider send it as in RFC 4514, or deny by a name instead of dn or dn_suffix.',
  unreadable:
    'A group cannot be read: its name is too long, or in another form than the groups of the mapping.',
  alone:
    'Groups arrived as one text instead of a list, so others may be missing: have the provider send a list ' +
    "(Keycloak: \"Multivalued\" of the mapper), or set groups.separator: to what joins several groups, such as ',', or to 'none' " +
    'if it sends one text to a person with one group (AD FS, JumpCloud, IdentityServer).',
  inside:
    'A text may contain a denied group among others: have the provider send each group by itself, or set groups.separator to what ' +
    'joins them in the only text of a source.',
  glued:
    "A text may contain a denied group among others: have the provider send one Attribute for each value, and set groups.separator to 'none'.",
};

const NAME_CURE = 'Correct the name in groups.from, or have the provider send it.';

const ABSENT_CURE = `${NAME_CURE} If the provider leaves it out for people without groups, list it in groups.absent.`;
