/** A login event that notes what is read of it. */

export interface EventRead {
  /** Names and positions in the event as handlers get it, e.g. `['id_token', 'other_claims', 'groups', 0]`. */
  path: (string | number)[];
  /**
   * `value`: its text, number, true, false, null or time. `whole`: all that is in it. `names`: which names are in it.
   * `absent`: there is nothing at this place.
   */
  what: 'value' | 'whole' | 'names' | 'absent';
}

interface Place {
  /** How many places were noted before it; null for one that was read only while nothing is noted. */
  order: number | null;
  value: unknown;
  isAbsent: boolean;
  /** Whether its names were listed, as `Object.keys` and a spread do. */
  isListed: boolean;
  /** Those whose descriptors `Object.keys` reads next: nobody asks for them. */
  listing: Set<PropertyKey>;
  /** The handler's own values: reading one is no reading of the event. */
  changed: Set<PropertyKey>;
  read: Map<string, Place>;
  proxy: object | null;
}

const MAX_PLACES = 5_000;
/** JavaScript itself looks for these. */
const OF_LANGUAGE = ['then', 'toJSON'];

export class NotedEvent {
  /** Whether what is read now is not noted. */
  isPaused = false;
  readonly #root: Place;
  #places = 0;
  #notes = 0;

  constructor(event: object) {
    this.#root = placeOf(event, false, 0);
  }

  /** Reads as the event does, and can be changed as it can. */
  get event(): unknown {
    return this.#watched(this.#root);
  }

  /** What was read so far, in the order of first reading, which is that of the code: of a whole, nothing inside it. */
  reads(): EventRead[] {
    if (!isLookedInto(this.#root)) return [];
    const reads = readsIn(this.#root, []).sort((one, other) => one.order - other.order);
    return reads.map(({ path, what }) => ({ path, what }));
  }

  #watched(place: Place): unknown {
    const { value } = place;
    if (!isNode(value)) return value;
    const note = (key: PropertyKey) => this.#note(place, value, key);
    const change = (key: PropertyKey) => void place.changed.add(key);
    place.proxy ??= new Proxy(value, {
      get(target, key) {
        const read = note(key);
        return read === null ? Reflect.get(target, key) : read();
      },
      has(target, key) {
        note(key);
        return Reflect.has(target, key);
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        place.isListed ||= !this.isPaused;
        place.listing = new Set(keys);
        return keys;
      },
      getOwnPropertyDescriptor(target, key) {
        if (!place.listing.delete(key)) note(key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      set(target, key, written) {
        change(key);
        return Reflect.set(target, key, written);
      },
      defineProperty(target, key, descriptor) {
        change(key);
        return Reflect.defineProperty(target, key, descriptor);
      },
      deleteProperty(target, key) {
        change(key);
        return Reflect.deleteProperty(target, key);
      },
    });
    return place.proxy;
  }

  /** @returns what reads it; null for what is not of the event */
  #note(place: Place, target: object, key: PropertyKey): (() => unknown) | null {
    if (typeof key !== 'string' || place.changed.has(key)) return null;
    const isAbsent = !Object.hasOwn(target, key);
    if (isAbsent && (key in target || Array.isArray(target) || OF_LANGUAGE.includes(key))) return null;
    if (Array.isArray(target) && key === 'length') return null;
    const known = place.read.get(key);
    if (!known && ++this.#places > MAX_PLACES) return null;
    const read = known ?? placeOf(Reflect.get(target, key), isAbsent, null);
    if (!this.isPaused) read.order ??= this.#notes++;
    place.read.set(key, read);
    return () => this.#watched(read);
  }
}

function placeOf(value: unknown, isAbsent: boolean, order: Place['order']): Place {
  const nothing = { isListed: false, listing: new Set<PropertyKey>(), changed: new Set<PropertyKey>() };
  return { order, value, isAbsent, ...nothing, read: new Map(), proxy: null };
}

/** Whether there is something inside. A time has only methods. */
function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

type OrderedRead = EventRead & { order: number };

/** Whether its names were listed, or something in it was read. */
function isLookedInto(place: Place): boolean {
  return place.isListed || notedIn(place).length > 0;
}

function notedIn({ read }: Place): [key: string, place: Place][] {
  return Array.from(read).filter(([, { order }]) => order !== null);
}

function readsIn(place: Place, path: EventRead['path']): OrderedRead[] {
  const order = place.order ?? 0;
  if (place.isAbsent) return [{ order, path, what: 'absent' }];
  if (!isNode(place.value)) return [{ order, path, what: 'value' }];
  if (isWhole(place)) return [{ order, path, what: 'whole' }];
  const isList = Array.isArray(place.value);
  const inside = notedIn(place).map(([key, read]) => readsIn(read, [...path, isList ? Number(key) : key]));
  return [...(place.isListed ? [{ order, path, what: 'names' as const }] : []), ...inside.flat()];
}

/** What is passed on without a look inside counts too: `JSON.stringify` comes later. */
function isWhole(place: Place): boolean {
  const { value, isListed, read } = place;
  if (!isNode(value) || !isLookedInto(place)) return true;
  const mayBeAll = isListed || Array.isArray(value);
  return (
    mayBeAll &&
    Object.keys(value).every((key) => {
      const inside = read.get(key);
      return inside !== undefined && inside.order !== null && isWhole(inside);
    })
  );
}
