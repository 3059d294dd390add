/**
 * A login whose claims or attributes of the address hold the address that leaves, and no other. Otherwise a person with two
 * addresses would get in by the one and be known by the other.
 */

import { isDefaults, type Source } from '../schema/profileFields.ts';
import {
  type DefaultNames,
  type Name,
  namesOf,
  type Occurrence,
  type PlacedValue,
  type Reader,
  type RuleReader,
} from './reader.ts';

/** The address that leaves, and where it stands in the event; nowhere for one of the mapping's own. */
export interface LeavingAddress extends PlacedValue {
  value: string;
}

/** Makes a function that puts the address in the place of its sources. A rule that denies also looks at the others that arrived. */
export function addressReader(
  sources: readonly Source[],
  defaults: DefaultNames,
): (reader: Reader, address: LeavingAddress | null) => RuleReader {
  const names = sources.flatMap((source) => {
    if (typeof source === 'string') return source;
    // Stryker disable next-line ArrayDeclaration: no rule is about what is no name.
    return isDefaults(source) ? defaults.email.map(({ name }) => name) : [];
  });
  // The names of claims are case-sensitive, and those of attributes are not.
  const keyOf = ({ name, key }: Name) => (defaults.kind === 'OpenID' ? name : key);
  const all = namesOf(...names.flatMap(defaults.same));
  const keys = new Set(all.map(keyOf));
  const isOfAddress = (names: readonly Name[]) => names.some((name) => keys.has(keyOf(name)));

  return (reader, address) => {
    const leaving = address === null ? [] : [address];
    const isNameId = sources.some(
      (source) => typeof source !== 'string' && (source.use === 'nameId' || reader.emailNameId !== null),
    );
    const leavingAt = ([first]: readonly Name[]): Occurrence[] =>
      leaving.map(({ path, value }) => {
        const { name } = first as Name;
        return { name, path, text: value, use: 'grant', shape: 'item' };
      });
    // They are not used beside one by Name, and may be denied all the same.
    const friendly = () => reader.occurrences(all).filter(({ by }) => by === 'FriendlyName');
    return {
      nameId: isNameId && reader.nameId?.trim() !== address?.value ? null : reader.nameId,
      signedInAt: reader.signedInAt,
      has: (name) => reader.has(name),
      allNames: () => reader.allNames(),
      nestedNames: () => reader.nestedNames(),
      otherNames: (name) => reader.otherNames(name),
      hasOverage: (name) => reader.hasOverage(name),
      otherForm: (name) => reader.otherForm(name),
      occurrences: (names, all) => (isOfAddress(names) ? leavingAt(names) : reader.occurrences(names, all)),
      occurrencesEverywhere(names, all) {
        const occurrences = reader.occurrencesEverywhere(names, all);
        if (!isOfAddress(names)) return occurrences;
        // Stryker disable next-line MethodExpression: the same address once more denies nobody else.
        const others = [...occurrences, ...friendly()].filter(({ text }) => text.trim() !== address?.value);
        // Stryker disable next-line StringLiteral: whatever is not used grants nothing.
        const denied = others.map((occurrence) => ({ ...occurrence, use: 'deny-only' }) as const);
        return [...leavingAt(names), ...denied];
      },
      values: (names) => (isOfAddress(names) ? leaving : reader.values(names)),
      valuesEverywhere(names) {
        const values = reader.valuesEverywhere(names);
        if (!isOfAddress(names)) return values;
        return [...leaving, ...values, ...friendly().map(({ path, text }) => ({ path, value: text }))];
      },
    };
  };
}
