/** The evidence of an OpenID login: its claims, by name or by a path into nested ones. */
import type { OpenIdWire } from './event.ts';
import { asciiLower, type Evidence, type Value } from './evidence.ts';
import { isObject, isText, type JsonObject, own } from './json.ts';
import { CLAIMS } from './names.ts';

const ZITADEL = /^urn:zitadel:iam:org:project(:[^:]+)?:roles$/;

/** @param beside the claims of UserInfo, which may deny something */
export function claimsEvidence({ idToken }: OpenIdWire, beside: JsonObject = {}): Evidence {
  const { __proto__: _, ...claims } = idToken.otherClaims ?? {};
  const texts = (names: readonly string[]) =>
    names.flatMap((name) => textsOf(valuesAt(claims, name)[0]).map((text) => ({ text, name })));
  return {
    issuer: idToken.iss,
    language: isText(claims.locale) ? claims.locale : null,
    defaults: CLAIMS,
    expanded: (name) => [name],
    nameId: null,
    emailNameId: null,
    texts,
    granted: (names) => texts(names).map(({ text }) => text),
    denied: (names) =>
      names.flatMap((name) =>
        [claims, beside].flatMap((source) => valuesAt(source, name).flatMap(deniedValues)),
      ),
    exact: (names) => names.flatMap((name) => valuesAt(claims, name).slice(0, 1).flat()),
    signedIn: own(claims, 'auth_time'),
    isThere: (names) => names.some((name) => valuesAt(claims, name).length > 0),
    isUnknown: (name) => isUnknown(claims, name) || isOdd(beside, name),
    emailStatus: (name, address) => emailStatus(claims, name, address),
  };
}

/** Everything that a name may mean: the claim of this name, then what is nested; null is nothing. */
function valuesAt(object: JsonObject, path: string): unknown[] {
  const flat = keysOfRoles(path, own(object, path) ?? null);
  const nested = parentsOf(object, path).flatMap(({ parent, rest }) =>
    isObject(parent) ? valuesAt(parent, rest) : [],
  );
  return [...(flat === null ? [] : [flat]), ...nested];
}

/** ZITADEL's roles are the keys of an object. */
function keysOfRoles(path: string, value: unknown): unknown {
  return ZITADEL.test(path) && isObject(value) ? Object.keys(value) : value;
}

function parentsOf(object: JsonObject, path: string): { parent: unknown; rest: string }[] {
  const dots = [...path].flatMap((character, index) => (character === '.' ? [index] : []));
  return dots.map((dot) => ({ parent: own(object, path.slice(0, dot)), rest: path.slice(dot + 1) }));
}

function textsOf(value: unknown): string[] {
  if (isText(value)) return [value];
  return Array.isArray(value) ? value.filter(isText) : [];
}

function deniedValues(value: unknown): Value[] {
  return textsOf(value).map((text) => ({ text, joined: isText(value), alone: isText(value) }));
}

function isUnknown(claims: JsonObject, name: string): boolean {
  const elsewhere = own(claims, '_claim_names') ?? null;
  if (elsewhere !== null && !isObject(elsewhere)) return true;
  if (Object.keys(elsewhere ?? {}).some((claim) => claim === name || name.startsWith(`${claim}.`)))
    return true;
  if (name === 'groups' && !isNo(own(claims, 'hasgroups'))) return true;
  return isOdd(claims, name);
}

function isOdd(claims: JsonObject, name: string): boolean {
  return hasOddParent(claims, name) || !valuesAt(claims, name).every(isReadable);
}

function isNo(value: unknown): boolean {
  return value == null || value === false || value === 0 || (isText(value) && /^(0|false)$/i.test(value));
}

function isReadable(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.every(isText));
}

function hasOddParent(object: JsonObject, path: string): boolean {
  return parentsOf(object, path).some(({ parent, rest }) =>
    isObject(parent) ? hasOddParent(parent, rest) : parent != null,
  );
}

type EmailStatus = ReturnType<Evidence['emailStatus']>;

/**
 * OpenID Connect Core 5.1, and Entra's `xms_edov`: a "no" of either counts. For another claim than `email`, so does a "no" next
 * to it, and one about the same address; no "yes" does.
 */
function emailStatus(claims: JsonObject, name: string, address: string): EmailStatus {
  const ofEmail = statusOf([own(claims, 'email_verified'), own(claims, 'xms_edov')]);
  if (name === 'email') return ofEmail;
  const nextToIt = name.endsWith('email') ? statusOf(valuesAt(claims, `${name}_verified`).slice(0, 1)) : null;
  const email = own(claims, 'email');
  const isOfEmail = isText(email) && asciiLower(email.trim()) === asciiLower(address);
  return nextToIt === 'unverified' || (isOfEmail && ofEmail === 'unverified') ? 'unverified' : 'unproven';
}

function statusOf(statements: unknown[]): EmailStatus {
  const said = statements.filter((value) => value != null);
  if (said.length === 0) return 'unproven';
  const isYes = (value: unknown) =>
    value === true || value === 1 || (isText(value) && /^(1|true)$/i.test(value));
  return said.every(isYes) ? 'verified' : 'unverified';
}
