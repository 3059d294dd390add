/** The places in an event where something can be put; found once, so that a case costs no more than joining text. */

/** JSON text with a gap. */
export interface Place {
  before: string;
  after: string;
}

export interface Places {
  /** In the stead of each value. */
  values: Place[];
  /** At the start and the end of each object: of members with one name, the last counts. */
  members: Place[];
  /** The event without one of its members or items, or with one of them twice. */
  variants: string[];
  /** Each member's name, as JSON. */
  keys: string[];
}

export function put({ before, after }: Place, text: string): string {
  return before + text + after;
}

export function placesIn(event: unknown): Places {
  const places: Places = { values: [], members: [], variants: [], keys: [] };
  visit(event, { before: '', after: '' }, places);
  return places;
}

function visit(value: unknown, place: Place, places: Places): void {
  places.values.push(place);
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const children = Object.entries(value).map(([key, child]) => {
    const name = isList ? '' : `${JSON.stringify(key)}:`;
    return { child, name, text: name + JSON.stringify(child) };
  });
  const texts = children.map(({ text }) => text);
  const inside = (before: string[], after: string[]): Place => ({
    before: `${place.before}${open}${before.map((text) => `${text},`).join('')}`,
    after: `${after.map((text) => `,${text}`).join('')}${close}${place.after}`,
  });

  if (!isList) places.members.push(inside([], texts), inside(texts, []));
  for (const [index, { child, name, text }] of children.entries()) {
    const around = inside(texts.slice(0, index), texts.slice(index + 1));
    places.variants.push(
      put(place, open + texts.toSpliced(index, 1).join() + close),
      put(around, `${text},${text}`),
    );
    if (!isList) places.keys.push(name.slice(0, -1));
    visit(child, { ...around, before: around.before + name }, places);
  }
}
