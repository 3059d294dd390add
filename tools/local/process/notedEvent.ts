/** A login event that notes what is read of it. */

type Path = (string | number)[];

export interface EventRead {
  /** Names and positions in the event as handlers get it, e.g. `['id_token', 'other_claims', 'groups', 0]`. */
  path: Path;
  /** `value`: its text, number, true, false, null or time. `whole`: all that is in it. `absent`: there is nothing at this place. */
  what: 'value' | 'whole' | 'absent';
}

const MAX_PLACES = 5_000;
/** JavaScript itself looks for these. */
const OF_LANGUAGE = ['then', 'toJSON'];

export class NotedEvent {
  /** Whether what is read now is not noted. */
  isPaused = false;
  /** Reads as the event does, and can be changed as it can. */
  readonly event: unknown;
  /** By the path as JSON, in the order of first reading, which is that of the code. */
  readonly #noted = new Map<string, EventRead>();

  constructor(event: object) {
    this.event = this.#watched(event, []);
  }

  /** What was read so far; of what is handed on without a look inside, the whole. */
  reads(): EventRead[] {
    const opened = new Set(Array.from(this.#noted.values(), ({ path }) => JSON.stringify(path.slice(0, -1))));
    return Array.from(this.#noted).flatMap(([key, read]) => (opened.has(key) ? [] : [read]));
  }

  #watched(node: object, path: Path): object {
    const inside = new Map<string, object>();
    /** The handler's own values: reading one is no reading of the event. */
    const written = new Set<PropertyKey>();
    return new Proxy(node, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof key !== 'string' || written.has(key) || !isOfEvent(target, key)) return value;
        const own = [...path, Array.isArray(target) ? Number(key) : key];
        this.#note(own, value);
        if (!isNode(value) || this.#noted.size >= MAX_PLACES) return value;
        const watched = inside.get(key) ?? this.#watched(value, own);
        inside.set(key, watched);
        return watched;
      },
      set(target, key, value) {
        written.add(key);
        return Reflect.set(target, key, value);
      },
    });
  }

  #note(path: Path, value: unknown): void {
    if (this.isPaused || this.#noted.size >= MAX_PLACES) return;
    const key = JSON.stringify(path);
    if (!this.#noted.has(key)) this.#noted.set(key, { path, what: whatOf(value) });
  }
}

/** Whether a name is the event's, or could be: all others are of JavaScript. */
function isOfEvent(target: object, key: string): boolean {
  if (Array.isArray(target)) return key !== 'length' && Object.hasOwn(target, key);
  return Object.hasOwn(target, key) || !(key in target || OF_LANGUAGE.includes(key));
}

/** A time has only methods. */
function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function whatOf(value: unknown): EventRead['what'] {
  if (value === undefined) return 'absent';
  return isNode(value) ? 'whole' : 'value';
}
