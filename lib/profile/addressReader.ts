/**
 * A login whose claims or attributes of the address hold the address that leaves, and no other. Otherwise a person with two
 * addresses would get in by the one and be known by the other.
 */
import type { LoginKind } from '../kinds.ts';
import {
  type DefaultNames,
  type Name,
  type NestedName,
  namesOf,
  type OtherForm,
  type Place,
  type PlacedValue,
  type Reader,
  type RuleReader,
  type Source,
} from './reader.ts';

/** The address that leaves, and where it stands in the event. */
export interface LeavingAddress {
  value: string;
  /** Left out for an address of the mapping's own. */
  path?: string | undefined;
}

/**
 * Makes a function that puts the address in its place. A rule that denies also looks at the others that arrived.
 *
 * @param sources of the address
 */
export function addressReader(
  sources: readonly Source[],
  defaults: DefaultNames,
): (reader: Reader, address: LeavingAddress | null) => RuleReader {
  const { kind } = defaults;
  const texts = sources.flatMap((source) => {
    if (typeof source === 'string') return source;
    return source.use === 'defaults' ? (defaults.email ?? []).map(({ name }) => name) : [];
  });
  const keys = new Set(namesOf(...texts.flatMap(defaults.same)).map((name) => keyOf(name, kind)));
  const uses = new Set(sources.map((source) => (typeof source === 'string' ? null : source.use)));
  return (reader, address) =>
    new AddressReader(reader, address, {
      isOfAddress: (names) => names.some((name) => keys.has(keyOf(name, kind))),
      isNameId: uses.has('nameId') || (uses.has('defaults') && reader.emailNameId !== null),
    });
}

/** The names of claims are case-sensitive, and those of attributes are not. */
function keyOf({ name, key }: Name, kind: LoginKind): string {
  return kind === 'OpenID' ? name : key;
}

interface AddressSources {
  isOfAddress(names: readonly Name[]): boolean;
  /** Whether the address may stand in the NameID. */
  isNameId: boolean;
}

class AddressReader implements RuleReader {
  readonly nameId: string | null;
  readonly #reader: RuleReader;
  readonly #address: LeavingAddress | null;
  readonly #isOfAddress: AddressSources['isOfAddress'];

  constructor(reader: RuleReader, address: LeavingAddress | null, { isOfAddress, isNameId }: AddressSources) {
    this.nameId = isNameId && reader.nameId?.trim() !== address?.value ? null : reader.nameId;
    this.#reader = reader;
    this.#address = address;
    this.#isOfAddress = isOfAddress;
  }

  places(names: readonly Name[]): Generator<Place> {
    return this.#withAddress(names, this.#reader.places(names));
  }

  groupPlaces(names: readonly Name[]): Generator<Place> {
    return this.#withAddress(names, this.#reader.groupPlaces(names));
  }

  *#withAddress(names: readonly Name[], places: IteratorObject<Place>): Generator<Place> {
    if (!this.#isOfAddress(names)) {
      yield* places;
      return;
    }
    for (const { path, value } of this.#leaving()) {
      yield { name: (names[0] as Name).name, path, text: value, rank: 'used', form: 'value' };
    }
    for (const place of places) {
      if (place.text.trim() !== this.#address?.value) yield { ...place, rank: 'hidden' };
    }
  }

  values(names: readonly Name[]): PlacedValue[] {
    return this.#isOfAddress(names) ? this.#leaving() : this.#reader.values(names);
  }

  valuesEverywhere(names: readonly Name[]): PlacedValue[] {
    const values = this.#reader.valuesEverywhere(names);
    return this.#isOfAddress(names) ? [...this.#leaving(), ...values] : values;
  }

  #leaving(): (PlacedValue & { value: string })[] {
    return this.#address === null ? [] : [{ path: this.#address.path ?? '', value: this.#address.value }];
  }

  get signedInAt(): PlacedValue | null {
    return this.#reader.signedInAt;
  }

  has(name: Name): boolean {
    return this.#reader.has(name);
  }

  nestedNames(): NestedName[] {
    return this.#reader.nestedNames();
  }

  hasOverage(name: Name): boolean {
    return this.#reader.hasOverage(name);
  }

  otherForm(name: Name): OtherForm | null {
    return this.#reader.otherForm(name);
  }
}
