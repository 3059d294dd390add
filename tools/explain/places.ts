/** Places in an event in one spelling, that of handlers: `id_token.other_claims.email`. */
import * as v from 'valibot';
import type { LoginKind } from '../../lib/kinds.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { eventInside } from '../local/httpEvent.ts';
import { timeText } from '../shared/readable.ts';

/** The names and positions that lead to a part of an event, as its handler gets it. */
export type Place = readonly (string | number)[];

export interface PlacedText {
  text: string;
  /** Where it stands in the event; null where it is no value of the event. */
  at: Place | null;
}

/** What runs for the logins of each kind. */
export const OF_KIND = { OpenID: OPENID, SAML };

/** Where the paths of a decision begin. */
const ROOTS: Readonly<Record<LoginKind, string>> = { OpenID: 'id_token', SAML: 'assertion' };
/** They begin the paths of what stands in no event. */
const OTHER_SYSTEMS: readonly unknown[] = ['userinfo', 'graph'];

/** What a handler gets of an event, which arrives in an HTTP envelope or not; an event that no handler gets, as it arrives. */
export function handlerEvent(event: unknown, kind: LoginKind): unknown {
  return validEvent(event, kind) ?? eventInside(event);
}

/** Null for an event that no handler gets. */
export function validEvent(event: unknown, kind: LoginKind) {
  const { success, output } = v.safeParse(OF_KIND[kind].model, eventInside(event));
  return success ? output : null;
}

/** A name after a dot, or a position or a quoted name in brackets. */
const STEP = /\.?([A-Za-z_$][\w$]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/g;

/** @param path of a decision, e.g. `other_claims.groups[0]`, `attribute_statement[3]`, `userinfo.email` */
export function placeOf(path: string, kind: LoginKind): Place {
  const keys = Array.from(path.matchAll(STEP), ([, name, bracket]) =>
    bracket === undefined ? (name ?? '') : (JSON.parse(bracket) as string | number),
  );
  if (OTHER_SYSTEMS.includes(keys[0])) return keys;
  const isText = keys[0] === 'attribute_statement' || path === 'subject.name_id';
  return [ROOTS[kind], ...keys, ...(isText ? ['value'] : [])];
}

/** E.g. `id_token.other_claims["a b"][0]`. */
export function placeText(place: Place): string {
  return place.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** Null where the event, as its handler gets it, has no text, number, time, true or false there: the handler may have changed it. */
export function textAt(event: unknown, place: Place): string | null {
  const value = place.reduce(entryOf, event);
  if (value instanceof Date) return timeText(value.getTime());
  if (typeof value === 'number' && place.length === 2 && TIMES.includes(place[1]))
    return timeText(value * 1_000);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}

/** Claims that are times, in seconds since 1970. */
const TIMES: readonly unknown[] = ['exp', 'iat'];

/** Of what a check or a handler looks at. What is deeper is of no use to it, and may be too deep for functions that call each other. */
const MAX_DEPTH = 10;

/** The texts at a place, and all that are below it, but for empty ones. */
export function textsAt(event: unknown, place: Place): PlacedText[] {
  if (place.length > MAX_DEPTH) return [];
  const text = textAt(event, place);
  if (isText(text)) return [{ at: place, text }];
  const value = place.reduce(entryOf, event);
  if (Array.isArray(value)) return value.flatMap((_, index) => textsAt(event, [...place, index]));
  return isJsonObject(value) ? Object.keys(value).flatMap((key) => textsAt(event, [...place, key])) : [];
}

const CLAIMS = ['id_token', 'other_claims'];
const ATTRIBUTES = ['assertion', 'attribute_statement'];

function isBelow(place: Place, root: Place): boolean {
  return place.length > root.length && root.every((key, index) => place[index] === key);
}

/** As providers call the claim or attribute that a place stands in, e.g. `department`, `realm_access.roles`. */
export function nameAt(event: unknown, place: Place): string {
  const attribute = attributeAt(place);
  const isOfEvent = Object.values(ROOTS).some((root) => root === place[0]);
  const root = isBelow(place, CLAIMS) ? CLAIMS.length : Number(isOfEvent);
  const names = attribute
    ? ['friendly_name', 'name'].map((key) => [...attribute, key].reduce(entryOf, event))
    : [place.slice(root).filter(isText).join('.')];
  return names.find(isText) ?? placeText(place);
}

/** The attribute that a place stands in; null for any other place. */
export function attributeAt(place: Place): Place | null {
  return isBelow(place, ATTRIBUTES) ? place.slice(0, ATTRIBUTES.length + 1) : null;
}

/** The claims or attributes of an event, each where its value stands, with its name and the other name of an attribute. */
export function claimsIn(event: unknown): { at: Place; names: string[] }[] {
  const claims = CLAIMS.reduce(entryOf, event);
  const attributes = ATTRIBUTES.reduce(entryOf, event);
  const names = Object.keys(isJsonObject(claims) ? claims : {});
  return [
    ...names.map((name) => ({ at: [...CLAIMS, name], names: [name] })),
    ...(Array.isArray(attributes) ? attributes : []).map((attribute, index) => ({
      at: [...ATTRIBUTES, index, 'value'],
      names: [entryOf(attribute, 'name'), entryOf(attribute, 'friendly_name')].filter(isText),
    })),
  ];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function entryOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  // ZITADEL has roles as the keys of an object.
  if (isJsonObject(value) && typeof key === 'number') return Object.keys(value)[key];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
