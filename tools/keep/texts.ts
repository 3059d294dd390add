/** Every text of a login, with its place: those of recorded responses too, and keys that may carry data. */
import * as OPENID from '../../lib/openid/model.ts';
import * as SAML from '../../lib/saml/model.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { Recording } from '../local/recordings.ts';

export interface Login {
  /** Out of its HTTP envelope. */
  event: unknown;
  outside: readonly Recording[];
}

/** `claimName` is any key of JSON. */
export type Role =
  | ('time' | 'lifetime' | 'token' | 'tokenType' | 'format' | 'method' | 'nameId' | 'value')
  | ('attributeName' | 'claimName' | 'request' | 'contentType' | 'response');

export interface Place {
  /** As handlers spell it. Items of a list share it, and `*` is a key that is replaced: `id_token.other_claims.groups[]`. */
  path: string;
  role: Role;
  /** The names of claims or attributes under which it stands, e.g. `roles` and `realm_access.roles`. */
  names: readonly string[];
}

/** Gives what stands there instead: a text or number for each, and a text for each key. */
export type Rewrite = (leaf: string | number, place: Place) => string | number;

/** The fields of events that hold no plain value. */
const ROLES: Readonly<Record<string, Role>> = {
  assertionIssued: 'time',
  subjectConfirmationNotOnOrAfter: 'time',
  conditionsNotBefore: 'time',
  conditionsNotOnOrAfter: 'time',
  authnStatementInstant: 'time',
  exp: 'time',
  iat: 'time',
  subjectConfirmationMethod: 'method',
  nameIDFormat: 'format',
  attributeNameFormat: 'format',
  nameIDValue: 'nameId',
  attributeName: 'attributeName',
  attributeFriendlyName: 'attributeName',
  accessToken: 'token',
  refreshToken: 'token',
  idTokenJwt: 'token',
  tokenType: 'tokenType',
  expiresIn: 'lifetime',
};
/** By the name that a field of an event has on the wire, the one that it has for handlers. */
const HANDLER_NAMES: ReadonlyMap<string, string> = new Map([
  ['assertion', 'assertion'],
  ...[...Object.values(OPENID), ...Object.values(SAML)]
    .flatMap(({ pipe }) => [...pipe])
    .flatMap((step) => ('operation' in step ? renamedBy(step.operation) : [])),
]);

function renamedBy(rename: (fields: never) => object): [string, string][] {
  const wireNames = new Proxy({}, { get: (_, name) => name });
  return Object.entries(rename(wireNames as never)).map(([name, wireName]) => [wireName, name]);
}

/** OpenID Connect Core 2, RFC 7519 section 4.1.5: they stand beside `iat`, and in the token itself. */
const TIME_CLAIMS = ['exp', 'iat', 'nbf', 'auth_time'];
/** The name under which the NameID stands. */
export const NAME_ID = 'name_id';
const NOWHERE: Place = { path: '', role: 'value', names: [] };

export function rewriteLogin({ event, outside }: Login, rewrite: Rewrite): Login {
  return {
    event: inModel(event, NOWHERE, rewrite),
    outside: outside.map((exchange) => inExchange(exchange, rewrite)),
  };
}

/** @param response of the function: its fields carry no data, their values may */
export function visitResponse(response: Readonly<Record<string, unknown>> | null, rewrite: Rewrite): void {
  for (const [field, value] of Object.entries(response ?? {}))
    inJson(value, { ...below(NOWHERE, `response.${field}`), role: 'response' }, rewrite);
}

function inModel(value: unknown, place: Place, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item) => inModel(item, inList(place), rewrite));
  if (!isJsonObject(value)) return inLeaf(value, place, rewrite);
  const names = [value.attributeName, value.attributeFriendlyName].filter((name) => typeof name === 'string');
  const valuePlace = names[0] === undefined ? place : inAttribute(names[0], place, rewrite);
  const entries = Object.entries(value).map(([key, entry]) => {
    const handlerName = HANDLER_NAMES.get(key);
    if (handlerName === undefined) return inEntry([key, entry], { ...place, names: [] }, rewrite);
    const inside = below(key === 'attributeValue' ? valuePlace : place, handlerName);
    if (key === 'otherClaims') return [key, inJson(entry, { ...inside, names: [] }, rewrite)];
    const role = ROLES[key] ?? 'value';
    return [key, inModel(entry, { ...inside, role, names: role === 'nameId' ? [NAME_ID] : names }, rewrite)];
  });
  return Object.fromEntries(entries);
}

/** Values of an attribute share a place: `assertion.attribute_statement[mail].value`. */
function inAttribute(name: string, place: Place, rewrite: Rewrite): Place {
  const isKept = rewrite(name, { ...below(place, 'name'), role: 'attributeName' }) === name;
  return { ...place, path: place.path.replace(/\[\]$/, `[${isKept ? name : '*'}]`) };
}

/** Claims, and other JSON whose keys may carry data. */
function inJson(value: unknown, place: Place, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item) => inJson(item, inList(place), rewrite));
  if (!isJsonObject(value)) return inLeaf(value, place, rewrite);
  return Object.fromEntries(Object.entries(value).map((entry) => inEntry(entry, place, rewrite)));
}

function inEntry([key, entry]: [string, unknown], place: Place, rewrite: Rewrite): [unknown, unknown] {
  const made = rewrite(key, { ...below(place, '*'), role: 'claimName' });
  const isTime = place.names.length === 0 && TIME_CLAIMS.includes(key) && typeof entry === 'number';
  const names = [key, ...place.names.map((name) => `${name}.${key}`)];
  const inside = { ...below(place, made === key ? key : '*'), names, role: isTime ? 'time' : place.role };
  return [made, inJson(entry, inside, rewrite)];
}

function inLeaf(value: unknown, place: Place, rewrite: Rewrite): unknown {
  return typeof value === 'string' || typeof value === 'number' ? rewrite(value, place) : value;
}

/** @returns an event whose token says what its claims say: it is not signed */
export function withToken(event: unknown): unknown {
  if (!isJsonObject(event) || !isJsonObject(event.idToken) || !('idTokenJwt' in event)) return event;
  const { otherClaims, ...claims } = event.idToken;
  const parts = [{ alg: 'none' }, { ...Object(otherClaims), ...claims }];
  const [header, payload] = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return { ...event, idTokenJwt: `${header}.${payload}.` };
}

function inExchange(exchange: Recording, rewrite: Rewrite): Recording {
  const { request, headers, json, text } = exchange;
  const at = (path: string, role: Role = 'value'): Place => ({ ...NOWHERE, path: `outside[].${path}`, role });
  const inHeader = ([name, value]: [string, string]) => [
    name,
    rewrite(value, at(`headers.${name}`, name === 'content-type' ? 'contentType' : 'value')),
  ];
  return {
    ...exchange,
    request: String(rewrite(request, at('request', 'request'))),
    headers: Object.fromEntries(Object.entries(headers).map(inHeader)),
    ...(json !== undefined && { json: inJson(json, at('json'), rewrite) }),
    ...(text !== undefined && { text: String(rewrite(text, at('text'))) }),
  };
}

function below(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? key : `${place.path}.${key}` };
}

function inList(place: Place): Place {
  return place.path.endsWith('[]') ? place : { ...place, path: `${place.path}[]` };
}
