/** The leaves of an event and of recorded responses, with what each one is: nothing is passed over, keys that carry data neither. */
import { isJsonObject } from '../../lib/schema.ts';
import type { Exchange } from '../local/process/local.ts';

type Key = string | number;
export type Path = readonly Key[];

export interface Original {
  /** Out of its HTTP envelope. */
  event: unknown;
  exchanges: readonly Exchange[];
}

export type Role =
  | ('issuer' | 'time' | 'lifetime' | 'token' | 'tokenType' | 'format' | 'method' | 'nameId' | 'value')
  | ('attributeName' | 'claimName')
  | ('headerName' | 'header' | 'signature')
  | ('fieldName' | 'request' | 'contentType');

export interface Place {
  role: Role;
  /** In the event out of its HTTP envelope; in a token, below `header` and `payload`. */
  path: Path;
  /** Under which claims or attribute names it stands, e.g. `realm_access.roles` and `roles`. */
  names: readonly string[];
}

/** Gives what stands there instead. */
export type Rewrite = <TLeaf extends string | number>(leaf: TLeaf, place: Place) => TLeaf;

/** Fields of the events whose texts are no plain values. All others of the models are. */
const ROLES: Readonly<Record<string, Role>> = {
  assertionIssuer: 'issuer',
  assertionIssued: 'time',
  subjectConfirmationNotOnOrAfter: 'time',
  conditionsNotBefore: 'time',
  conditionsNotOnOrAfter: 'time',
  authnStatementInstant: 'time',
  subjectConfirmationMethod: 'method',
  nameIDFormat: 'format',
  nameIDValue: 'nameId',
  attributeName: 'attributeName',
  attributeFriendlyName: 'attributeName',
  attributeNameFormat: 'format',
  iss: 'issuer',
  exp: 'time',
  iat: 'time',
  accessToken: 'token',
  refreshToken: 'token',
  tokenType: 'tokenType',
  expiresIn: 'lifetime',
};
const FIELDS = new Set([
  ...Object.keys(ROLES),
  ...['assertion', 'assertionId', 'assertionSubject', 'subjectConfirmations', 'subjectConfirmationAddress'],
  ...['subjectConfirmationRecipient', 'subjectNameID', 'nameIDQualifier', 'nameIDSPNameQualifier'],
  ...[
    'nameIDSPProvidedID',
    'assertionConditions',
    'conditionsAudienceRestrictions',
    'audienceRestrictionAudience',
  ],
  ...['assertionAuthnStatement', 'authnStatementSessionIndex', 'authnStatementLocality'],
  ...[
    'assertionAttributeStatement',
    'attributeValue',
    'idToken',
    'sub',
    'aud',
    'nonce',
    'otherClaims',
    'idTokenJwt',
  ],
]);
/** Whether a key is one of the events' own, which carries no data. */
export function isField(key: string): boolean {
  return FIELDS.has(key);
}

const TIME_CLAIMS = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'];

/** @param event out of its HTTP envelope */
export function rewriteEvent(event: unknown, rewrite: Rewrite): unknown {
  return inModel(event, { role: 'value', path: [], names: [] }, rewrite);
}

function inModel(value: unknown, place: Place, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item, index) => inModel(item, below(place, index), rewrite));
  if (!isJsonObject(value)) return leaf(value, place, rewrite);
  const names = [value.attributeName, value.attributeFriendlyName].filter((name) => typeof name === 'string');
  return mapped(value, (key, entry) => {
    const role = Object.hasOwn(ROLES, key) ? ROLES[key] : undefined;
    const inside: Place = { role: role ?? 'value', path: [...place.path, key], names };
    if (key === 'otherClaims' || !FIELDS.has(key)) {
      const isUnknown = key !== 'otherClaims';
      const shown = isUnknown ? rewrite(key, { ...inside, role: 'claimName' }) : key;
      return [shown, claims(entry, { ...inside, role: 'value', names: isUnknown ? [key] : [] }, rewrite)];
    }
    return [key, inModel(entry, inside, rewrite)];
  });
}

/** Claims, and other JSON whose keys may carry data. */
function claims(value: unknown, place: Place, rewrite: Rewrite, keyRole: Role = 'claimName'): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => claims(item, below(place, index), rewrite, keyRole));
  if (!isJsonObject(value)) return leaf(value, place, rewrite);
  return mapped(value, (key, entry) => {
    const path = [...place.path, key];
    const names = [key, ...place.names.map((name) => `${name}.${key}`)];
    const role = TIME_CLAIMS.includes(key) && typeof entry === 'number' ? 'time' : place.role;
    const shown = rewrite(key, { role: keyRole, path, names: place.names });
    return [shown, claims(entry, { role, path, names }, rewrite, keyRole)];
  });
}

function leaf(value: unknown, place: Place, rewrite: Rewrite): unknown {
  if (typeof value === 'number') return rewrite(value, place);
  if (typeof value !== 'string') return value;
  const parts = place.role === 'value' ? tokenParts(value) : null;
  return parts ? token(parts, place, rewrite) : rewrite(value, place);
}

export interface TokenParts {
  header: Readonly<Record<string, unknown>>;
  payload: Readonly<Record<string, unknown>>;
  signature: string;
}

/** Of a JWT in compact form (RFC 7515 section 3.1); null for any other text, an encrypted token too. */
export function tokenParts(text: string): TokenParts | null {
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]*$/.test(part))) return null;
  const [header, payload] = parts.map(decoded);
  return isJsonObject(header) && isJsonObject(payload)
    ? { header, payload, signature: parts[2] as string }
    : null;
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    // It is not JSON.
  }
  return undefined;
}

/** A stand-in token says what its event says: its payload goes the way of the claims. */
function token({ header, payload, signature }: TokenParts, place: Place, rewrite: Rewrite): string {
  const at = (name: string): Place => ({ role: 'value', path: [...place.path, name], names: [] });
  const newHeader = claims(header, { ...at('header'), role: 'header' }, rewrite, 'headerName');
  const parts = [newHeader, claims(payload, at('payload'), rewrite)].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, rewrite(signature, { ...at('signature'), role: 'signature' })].join('.');
}

export function rewriteExchanges(exchanges: readonly Exchange[], rewrite: Rewrite): Exchange[] {
  return exchanges.map(({ request, headers, json, text, ...rest }, index) => {
    const at = (role: Role, ...keys: Key[]): Place => ({
      role,
      path: ['outside', index, ...keys],
      names: [],
    });
    const rewritten = mapped(headers, (name, value) => {
      const role = name === 'content-type' ? 'contentType' : 'value';
      return [name, rewrite(String(value), at(role, 'headers', name))];
    });
    return {
      request: rewrite(request, at('request', 'request')),
      ...rest,
      headers: rewritten as Record<string, string>,
      ...(json !== undefined && { json: claims(json, at('value', 'json'), rewrite, 'fieldName') }),
      ...(text !== undefined && { text: rewrite(text, at('value', 'text')) }),
    };
  });
}

function below(place: Place, index: number): Place {
  return { ...place, path: [...place.path, index] };
}

function mapped(
  object: Readonly<Record<string, unknown>>,
  entryOf: (key: string, value: unknown) => [string, unknown],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => entryOf(key, value)));
}
