/** The texts of an event, found by the paths of an explanation. */
import { OWN_CLAIMS } from '../../lib/openid/claims.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { eventInside } from '../local/httpEvent.ts';

/** A name, or a position in a list. */
export type EventKey = string | number;

/** Where claims and attributes stand in the event as it arrives, and the paths of an explanation begin. */
const CLAIMS = ['idToken', 'otherClaims'];
const ATTRIBUTES = ['assertion', 'assertionAttributeStatement'];
const ROOTS: Readonly<Record<string, readonly EventKey[]>> = {
  ...Object.fromEntries(OWN_CLAIMS.map((claim) => [claim, ['idToken', claim]])),
  other_claims: CLAIMS,
  attribute_statement: ATTRIBUTES,
};
/** What a path of an explanation leaves out at its end. */
const ENDS: Readonly<Record<string, readonly EventKey[]>> = { attribute_statement: ['attributeValue'] };
/** Paths that the event spells otherwise throughout. */
const WHOLE: Readonly<Record<string, readonly EventKey[]>> = {
  ...Object.fromEntries(
    ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'].map((claim) => [claim, ['idToken', claim]]),
  ),
  'subject.name_id': ['assertion', 'assertionSubject', 'subjectNameID', 'nameIDValue'],
  'authn_statement.instant': ['assertion', 'assertionAuthnStatement', 'authnStatementInstant'],
};

/** A name after a dot, or a position or a quoted name in brackets. */
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/g;

/**
 * @param event as it arrives, in an HTTP envelope or not
 * @param path of an explanation, e.g. `other_claims.groups[0]`
 * @returns null where the event has no text, number, true or false there: the handler may have decided on an event that it changed
 */
export function textAt(event: unknown, path: string): string | null {
  return textOf(at(eventInside(event), keysOf(path)));
}

/**
 * The name of the claim or attribute at a path.
 *
 * @param event as it arrives, in an HTTP envelope or not
 * @param path of an explanation, e.g. `other_claims.groups[0]`, `attribute_statement[3]`
 */
export function nameAt(event: unknown, path: string): string {
  const attribute = at(eventInside(event), keysOf(path).slice(0, -1));
  const names = [entryOf(attribute, 'attributeFriendlyName'), entryOf(attribute, 'attributeName')];
  return names.find(isText) ?? path.replace(/^other_claims\.(.*?)(\[\d+\])?$/, '$1');
}

function textOf(value: unknown): string | null {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}

/** A text, number, true or false of an event, and where it stands in it. */
export interface PlacedText {
  at: readonly EventKey[];
  text: string;
}

/** Of what a check looks at. What is deeper is of no use to it, and may be too deep for functions that call each other. */
const MAX_DEPTH = 10;

/**
 * @param event out of its HTTP envelope
 * @returns what stands there, or all that is below it
 */
export function textsAt(event: unknown, path: readonly EventKey[]): PlacedText[] {
  if (path.length > MAX_DEPTH) return [];
  const value = at(event, path);
  if (Array.isArray(value)) return value.flatMap((_, index) => textsAt(event, [...path, index]));
  if (isJsonObject(value)) return Object.keys(value).flatMap((key) => textsAt(event, [...path, key]));
  const text = textOf(value);
  return text === null ? [] : [{ at: path, text }];
}

function at(event: unknown, path: readonly EventKey[]): unknown {
  return path.reduce<unknown>(entryOf, event);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * The claims and attributes that are a text, number, true or false.
 *
 * @param event out of its HTTP envelope
 * @returns each with its name, and an attribute with its friendly name behind it
 */
export function claimsIn(event: unknown): (PlacedText & { names: string[] })[] {
  const claims = at(event, CLAIMS);
  const attributes = at(event, ATTRIBUTES);
  const placed = [
    ...Object.keys(isJsonObject(claims) ? claims : {}).map((name) => ({
      names: [name],
      at: [...CLAIMS, name],
    })),
    ...(Array.isArray(attributes) ? attributes : []).map((attribute, index) => ({
      names: [entryOf(attribute, 'attributeName'), entryOf(attribute, 'attributeFriendlyName')].filter(
        isText,
      ),
      at: [...ATTRIBUTES, index, 'attributeValue'],
    })),
  ];
  return placed.flatMap((one) => {
    const text = textOf(at(event, one.at));
    return text === null ? [] : [{ ...one, text }];
  });
}

/**
 * Where the path of an explanation leads in the event out of its HTTP envelope.
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
  // ZITADEL has roles as the keys of an object.
  if (isJsonObject(value) && typeof key === 'number') return Object.keys(value)[key];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
