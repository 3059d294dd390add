/** The rules about groups. The one that denies needs evidence of each source, and a form in which no group can hide. */

import { type DeniableText, deniedGroups } from './deniedGroups.ts';
import { groupMatcher } from './groupMatcher.ts';
import { allowsIf, type Judge } from './judgement.ts';
import type { Group } from './mappingSchema.ts';
import { notArrived } from './nearestName.ts';

/** Exact, as the table is. */
export function anyGroup(groups: readonly Group[]): Judge {
  const matching = groupMatcher(groups);
  return ({ groups: { known, values, sources } }) => {
    if (!known) return { verdict: 'unknown' };
    if (values.some((value) => matching(value).matches.length > 0)) return allowsIf(true);
    const missing = sources.filter(({ hasArrived }) => !hasArrived).map(({ from }) => from);
    if (missing.length === 0) return allowsIf(false);
    return { verdict: 'refuses', note: ({ names }) => `${notArrived(missing, names)} ${NAME_CURE}` };
  };
}

/** @param named all groups that the mapping names */
export function noGroup(denied: readonly Group[], named: readonly Group[]): Judge {
  const denialAmong = deniedGroups(denied, named);
  return ({ groups: { known, unproven, everywhere } }) => {
    const { denied, unclear } = denialAmong(everywhere());
    if (denied) return { verdict: 'refuses', value: denied.path };
    if (unproven.length > 0)
      return { verdict: 'unknown', note: ({ names }) => `${notArrived(unproven, names)} ${ABSENT_CURE}` };
    if (!known) return { verdict: 'unknown' };
    return unclear
      ? { verdict: 'unclear', value: unclear.path, note: () => UNCLEAR_NOTES[unclear.form] }
      : { verdict: 'allows' };
  };
}

const JOINED_NOTE =
  'A text may contain a denied group among others: have the provider send one Attribute for each value, and set groups.separate.';

const UNCLEAR_NOTES: Readonly<Record<DeniableText['form'], string>> = {
  value: 'A group cannot be read: its name is too long, or in another form than the groups of the mapping.',
  joinable: JOINED_NOTE,
  alone:
    'Groups arrived as one text instead of a list, so others may be missing: have the provider send a list ' +
    '(Keycloak: "Multivalued" of the mapper), or set groups.separate if it sends one text for a person with one group ' +
    '(AD FS, JumpCloud, IdentityServer).',
};

const NAME_CURE = 'Correct the name in groups.from, or have the provider send it.';

const ABSENT_CURE = `${NAME_CURE} If the provider leaves it out for people without groups, list it in groups.absent.`;
