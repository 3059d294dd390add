/** Every text of a login, with its place: those of tokens and of recorded responses too, and keys that may carry data. */
import { isJsonObject } from '../../lib/schema.ts';
import { isDeeperThan } from '../local/httpEvent.ts';
import type { Recording } from '../local/recordings.ts';

export interface Login {
  /** Out of its HTTP envelope. */
  event: unknown;
  outside: readonly Recording[];
}

type Role =
  | ('time' | 'lifetime' | 'token' | 'tokenType' | 'format' | 'method' | 'nameId' | 'value')
  | ('attributeName' | 'claimName' | 'headerName' | 'header')
  | ('request' | 'fieldName' | 'contentType' | 'response');

export interface Place {
  /** Items of a list share it, and `*` stands for a key that is replaced: `idToken.otherClaims.groups[]`. */
  path: string;
  role: Role;
  /** The names of claims or attributes under which it stands, e.g. `roles` and `realm_access.roles`. */
  names: readonly string[];
}

/** Gives what stands there instead: a text or number for each, and a text for each key. */
export type Rewrite = <TLeaf extends string | number>(leaf: TLeaf, place: Place) => TLeaf;

/** In levels. Real events have about ten. */
export const MAX_DEPTH = 100;

/** The fields of events (`lib/openid/model.ts`, `lib/saml/model.ts`), apart by their role. */
const FIELDS: Readonly<Record<string, string>> = {
  time:
    'assertionIssued subjectConfirmationNotOnOrAfter conditionsNotBefore conditionsNotOnOrAfter authnStatementInstant ' +
    'exp iat',
  method: 'subjectConfirmationMethod',
  format: 'nameIDFormat attributeNameFormat',
  nameId: 'nameIDValue',
  attributeName: 'attributeName attributeFriendlyName',
  token: 'accessToken refreshToken',
  tokenType: 'tokenType',
  lifetime: 'expiresIn',
  value:
    'assertion assertionId assertionIssuer assertionSubject subjectConfirmations subjectConfirmationAddress ' +
    'subjectConfirmationRecipient subjectNameID nameIDQualifier nameIDSPNameQualifier nameIDSPProvidedID ' +
    'assertionConditions conditionsAudienceRestrictions audienceRestrictionAudience assertionAuthnStatement ' +
    'authnStatementSessionIndex authnStatementLocality assertionAttributeStatement attributeValue idToken iss sub aud ' +
    'nonce idTokenJwt',
};
const ROLES: ReadonlyMap<string, Role> = new Map(
  Object.entries(FIELDS).flatMap(([role, names]) => names.split(' ').map((name) => [name, role as Role])),
);
/** OpenID Connect Core 2, RFC 7519 section 4.1.5: they stand beside `iat`, and in the token itself. */
const TIME_CLAIMS = ['exp', 'iat', 'nbf', 'auth_time'];
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
  const [name] = names;
  const item = name === undefined ? place : inAttribute(name, place, rewrite);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const role = ROLES.get(key);
      const inside = { ...below(key === 'attributeValue' ? item : place, key), names };
      if (role) return [key, inModel(entry, { ...inside, role }, rewrite)];
      if (key === 'otherClaims') return [key, inJson(entry, { ...inside, names: [] }, rewrite, 'claimName')];
      return inEntry([key, entry], { ...place, names: [] }, rewrite, 'claimName');
    }),
  );
}

/** Values of an attribute share a place: `assertionAttributeStatement[mail].attributeValue`. */
function inAttribute(name: string, place: Place, rewrite: Rewrite): Place {
  const made = rewrite(name, { ...below(place, 'attributeName'), role: 'attributeName' });
  return { ...place, path: place.path.replace(/\[\]$/, `[${made === name ? name : '*'}]`) };
}

/** Claims, and other JSON whose keys may carry data. */
function inJson(value: unknown, place: Place, rewrite: Rewrite, keyRole: Role = 'fieldName'): unknown {
  if (Array.isArray(value)) return value.map((item) => inJson(item, inList(place), rewrite, keyRole));
  if (!isJsonObject(value)) return inLeaf(value, place, rewrite);
  return Object.fromEntries(Object.entries(value).map((entry) => inEntry(entry, place, rewrite, keyRole)));
}

function inEntry(
  [key, entry]: [string, unknown],
  place: Place,
  rewrite: Rewrite,
  keyRole: Role,
): [string, unknown] {
  const made = rewrite(key, { ...below(place, '*'), role: keyRole });
  const isTime = keyRole === 'claimName' && place.names.length === 0 && TIME_CLAIMS.includes(key);
  const names = [key, ...place.names.map((name) => `${name}.${key}`)];
  const role = isTime && typeof entry === 'number' ? 'time' : place.role;
  const inside = { ...below(place, made === key ? key : '*'), names, role };
  return [made, inJson(entry, inside, rewrite, keyRole)];
}

function inLeaf(value: unknown, place: Place, rewrite: Rewrite): unknown {
  if (typeof value === 'number') return rewrite(value, place);
  if (typeof value !== 'string') return value;
  const token = tokenParts(value);
  return token && place.role === 'value' ? inToken(token, place, rewrite) : rewrite(value, place);
}

interface TokenParts {
  header: Readonly<Record<string, unknown>>;
  payload: Readonly<Record<string, unknown>>;
  signature: string;
}

/** Of a JWT in compact form (RFC 7515 section 3.1), without a signature too; null for any other text. */
function tokenParts(text: string): TokenParts | null {
  const parts = text.split('.', 4);
  if (parts.length !== 3) return null;
  const [header, payload] = parts.map(decodedObject);
  return header && payload ? { header, payload, signature: String(parts[2]) } : null;
}

function decodedObject(part: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isJsonObject(json) && !isDeeperThan(json, MAX_DEPTH) ? json : null;
  } catch {
    // It is not JSON.
  }
  return null;
}

/** A token that replaces one says what its event says: its payload goes the way of the claims. */
function inToken({ header, payload, signature }: TokenParts, place: Place, rewrite: Rewrite): string {
  const at = (key: string, role: Role): Place => ({ ...below(place, key), role, names: [] });
  const parts = [
    inJson(header, at('header', 'header'), rewrite, 'headerName'),
    inJson(payload, at('payload', 'value'), rewrite, 'claimName'),
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, rewrite(signature, at('signature', 'value'))].join('.');
}

function inExchange({ request, headers, json, text, ...rest }: Recording, rewrite: Rewrite): Recording {
  const at = (key: string, role: Role = 'value'): Place => ({ ...NOWHERE, path: `outside[].${key}`, role });
  return {
    request: rewrite(request, at('request', 'request')),
    ...rest,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const role = name === 'content-type' ? 'contentType' : 'value';
        return [name, rewrite(value, at(`headers.${name}`, role))];
      }),
    ),
    ...(json !== undefined && { json: inJson(json, at('json'), rewrite) }),
    ...(text !== undefined && { text: String(inLeaf(text, at('text'), rewrite)) }),
  };
}

function below(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? key : `${place.path}.${key}` };
}

function inList(place: Place): Place {
  return place.path.endsWith('[]') ? place : { ...place, path: `${place.path}[]` };
}
