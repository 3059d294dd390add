/** The texts of an event, found by the paths of a trace. */
import { isJsonObject } from '../../lib/schema.ts';
import { eventInside } from '../local/httpEvent.ts';

/** A name, or a position in a list. */
export type EventKey = string | number;

/** Where the paths of a trace begin in the event as it arrives. */
const ROOTS: Readonly<Record<string, readonly EventKey[]>> = {
  other_claims: ['idToken', 'otherClaims'],
  attribute_statement: ['assertion', 'assertionAttributeStatement'],
};
/** What a path of a trace leaves out at its end. */
const ENDS: Readonly<Record<string, readonly EventKey[]>> = { attribute_statement: ['attributeValue'] };
/** Paths that the event spells otherwise throughout. */
const WHOLE: Readonly<Record<string, readonly EventKey[]>> = {
  'subject.name_id': ['assertion', 'assertionSubject', 'subjectNameID', 'nameIDValue'],
  'authn_statement.instant': ['assertion', 'assertionAuthnStatement', 'authnStatementInstant'],
};

/** A name after a dot, or a position or a quoted name in brackets. */
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/g;

/**
 * @param event as it arrives, in an HTTP envelope or not
 * @param path of a trace, e.g. `other_claims.groups[0]`
 * @returns null where the event has no text, number, true or false there: the handler may have decided on an event that it changed
 */
export function textAt(event: unknown, path: string): string | null {
  const found = keysOf(path).reduce<unknown>(entryOf, eventInside(event));
  return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : null;
}

/**
 * Where the path of a trace leads in the event out of its HTTP envelope.
 *
 * @returns e.g. `['idToken', 'otherClaims', 'groups', 0]`
 */
export function keysOf(path: string): readonly EventKey[] {
  const whole = WHOLE[path];
  if (whole) return whole;
  const [root = '', ...rest] = Array.from(path.matchAll(STEP), ([, name, bracket]) =>
    bracket === undefined ? (name ?? '') : (JSON.parse(bracket) as EventKey),
  );
  return [...(ROOTS[root] ?? [root]), ...rest, ...(ENDS[root] ?? [])];
}

function entryOf(value: unknown, key: EventKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** E.g. `idToken.otherClaims["a b"][0]`. */
export function pathText(path: readonly EventKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
