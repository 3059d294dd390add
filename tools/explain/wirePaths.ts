/** Where in an event as it arrives the places are that handlers read. */
import * as v from 'valibot';
import type { LoginKind } from '../../lib/kinds.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { EventKey } from './eventNodes.ts';

type Path = readonly EventKey[];

const MODELS: Readonly<Record<LoginKind, v.GenericSchema>> = {
  OpenID: OpenIdUserLoggedInEvent,
  SAML: SamlUserLoggedInEvent,
};

const TIME = /^\d{4}-\d\d-\d\dT/i;
/** Stands in every object, so that each has a value: models drop it, or keep it as they keep any name. */
const MARKER = '';

/**
 * The models rename fields and move none. So an event whose every value is a number of its own, parsed by its model, has the
 * numbers under the names of the model.
 *
 * @param event as it arrives, out of its HTTP envelope
 * @returns e.g. `['idToken', 'sub']` for `['id_token', 'sub']`; what the event does not have keeps the model's name
 */
export function wirePaths(event: unknown, kind: LoginKind): (path: Path) => Path {
  const arriving: Path[] = [];
  const known = new Map<string, Path>([[JSON.stringify([]), []]]);
  const learn = (value: unknown, path: Path) => {
    // The model's own default has no number.
    const place = value === null ? [] : (arriving[numberIn(value)] ?? []);
    for (const end of place.keys())
      known.set(JSON.stringify(path.slice(0, end + 1)), place.slice(0, end + 1));
  };
  const numbered = mapped(event, (value, path) => standIn(value, arriving.push(path) - 1));
  const { success, output } = v.safeParse(MODELS[kind], numbered);
  if (success) mapped(output, learn);
  return (path) => {
    const ends = Array.from(path, (_, index) => path.length - index);
    const end = ends.find((length) => known.has(JSON.stringify(path.slice(0, length)))) ?? 0;
    return [...(known.get(JSON.stringify(path.slice(0, end))) ?? []), ...path.slice(end)];
  };
}

/** Its type is what a model wants there. */
function standIn(value: unknown, number: number): unknown {
  if (typeof value === 'number') return number;
  return typeof value === 'string' && TIME.test(value)
    ? new Date(number * 1_000).toISOString()
    : String(number);
}

function numberIn(value: unknown): number {
  if (value instanceof Date) return value.getTime() / 1_000;
  return TIME.test(String(value)) ? Date.parse(String(value)) / 1_000 : Number(value);
}

/** A copy in which each value that has none inside is another one. */
function mapped(value: unknown, change: (value: unknown, path: Path) => unknown, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, change, [...path, index]));
  if (!isJsonObject(value) || value instanceof Date) return change(value, path);
  const entries = Object.entries({ [MARKER]: null, ...value });
  return Object.fromEntries(entries.map(([key, entry]) => [key, mapped(entry, change, [...path, key])]));
}
