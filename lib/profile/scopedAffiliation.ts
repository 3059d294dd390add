/** Values like `member@uni.example` (eduPersonScopedAffiliation, eduPerson 2.2.9). */
import { asciiLowerCase, MAX_NAME_LENGTH } from '../text.ts';

/** The vocabulary of eduPerson 2.2.1. */
const AFFILIATIONS = 'faculty student staff alum member affiliate employee library-walk-in'.split(' ');

export interface ScopedAffiliation {
  affiliation: string;
  scope: string;
}

/**
 * Reads a value in lower case. Some services join several values into one text: `member@u.examplestaff@u.example` is
 * read where the whole of it consists of eduPerson's vocabulary and listed scopes.
 *
 * @param scopes those that are listed; one that begins with `*.` stands for no scope that could be cut off
 * @returns none for anything else
 */
export function scopedAffiliationReader(scopes: readonly string[]): (value: string) => ScopedAffiliation[] {
  const known = new Set(scopes.map(asciiLowerCase).filter((scope) => !scope.startsWith('*.')));
  const joints = jointsOf(known);

  return (value) => {
    if (value.length > MAX_NAME_LENGTH) return [];
    const [first = '', ...rest] = asciiLowerCase(value).split('@');
    const last = rest.pop();
    if (last === undefined) return [];
    if (rest.length === 0) return [{ affiliation: first, scope: last }];
    if (!AFFILIATIONS.includes(first) || !known.has(last)) return [];
    const found: ScopedAffiliation[] = [];
    let affiliation = first;
    for (const between of rest) {
      const joint = joints.get(between);
      if (!joint) return [];
      found.push({ affiliation, scope: joint.scope });
      affiliation = joint.affiliation;
    }
    return [...found, { affiliation, scope: last }];
  };
}

/** What may stand between two `@`: a scope and the next affiliation. No affiliation ends like another: each text has one cut. */
function jointsOf(scopes: ReadonlySet<string>): Map<string, ScopedAffiliation> {
  const joints = new Map<string, ScopedAffiliation>();
  for (const scope of scopes) {
    for (const affiliation of AFFILIATIONS) joints.set(scope + affiliation, { affiliation, scope });
  }
  return joints;
}
