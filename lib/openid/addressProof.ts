/** What claims say of the e-mail addresses beside them: which are proven, and which are not verified. */
import { addressKey } from '../profile/schema/domains.ts';
import { trimmed, trimmedAll } from '../text.ts';

export type Claims = Record<string, unknown>;

/** OpenID Connect Core 5.1, and as Casdoor and others spell it. */
const PROOFS = ['email_verified', 'emailVerified'];
/** Google's older name, which says no as clearly and proves nothing. */
const STATEMENTS = [...PROOFS, 'verified_email'];
/** Entra's, about the claim `email` only. */
const OF_ENTRA = 'xms_edov';

/** What is said against an address. `unreadable`: something that is neither yes nor no. */
export type Doubt = 'unverified' | 'unreadable';

export function statementsOn(name: string): string[] {
  return name === 'email' ? [...STATEMENTS, OF_ENTRA] : [`${name}_verified`];
}

/** The names under which an object has addresses, or statements about one: `email` of `email_verified`. */
export function addressNames(claims: Claims): string[] {
  const ofEmail = statementsOn('email');
  const names = Object.keys(claims).map((name) =>
    ofEmail.includes(name) ? 'email' : name.replace(/_verified$/, ''),
  );
  return [...new Set(names.filter((name) => name.endsWith('email')))];
}

/**
 * The address that the object says is verified; null for none. It speaks of its claim `email`: of a list of several, nobody
 * knows which one it means. Counts only for an address that nothing speaks against.
 */
export function provenAddress(claims: Claims): string | null {
  return [...PROOFS, OF_ENTRA].some((name) => isYes(claims[name])) ? onlyAddress(claims.email) : null;
}

/** The one address that a claim holds, as a text or as a list of one. */
export function onlyAddress(value: unknown): string | null {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' ? trimmed(only) : null;
}

/** The texts of a claim as addresses compare when one is denied. A blank text is no address, and stands for none. */
export function addressKeys(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return trimmedAll(values.filter((one) => typeof one === 'string')).map(denialKey);
}

/** Full Unicode case: what is equal only so may be denied, and gains nothing. */
export function denialKey(address: string): string {
  return addressKey(address.toLowerCase());
}

/**
 * The addresses that something speaks against, wherever it stands, each item of a list too. A statement is about the claim
 * `email` beside it; where there is none, about every address beside it and below.
 */
export function doubtsIn(sources: readonly Claims[]): Map<string, Doubt> {
  const doubts = new Map<string, Doubt>();
  for (const source of sources) collectDoubts(source, doubts, null);
  return doubts;
}

/** @param said against the value: against a text, each item of a list, and all that stands in an object */
function collectDoubts(value: unknown, doubts: Map<string, Doubt>, said: Doubt | null): void {
  if (typeof value !== 'object' || value === null) {
    if (said === null) return;
    for (const key of addressKeys(value)) if (doubts.get(key) !== 'unverified') doubts.set(key, said);
    return;
  }
  const claims = value as Claims;
  const isOfAll = addressKeys(claims.email).length === 0;
  const ofAll = (isOfAll ? doubtIn(claims, STATEMENTS) : null) ?? said;
  for (const [name, held] of Object.entries(claims)) {
    const doubt = ofAll ?? (name.endsWith('email') ? doubtIn(claims, statementsOn(name)) : null);
    collectDoubts(held, doubts, doubt);
  }
}

function doubtIn(claims: Claims, names: readonly string[]): Doubt | null {
  const against = names.map((name) => claims[name]).filter(isDenial);
  if (against.length === 0) return null;
  return against.some((value) => isNo(value) || value === 'no') ? 'unverified' : 'unreadable';
}

/** Anything but an absent claim or a yes. */
export function isDenial(value: unknown): boolean {
  return !isAbsent(value) && !isYes(value);
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** How providers write "yes". */
function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(1|true)$/i.test(value));
}

/** How providers write "no". Where groups may be cut short, any other value says that they are. */
export function isNo(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(0|false)$/i.test(value));
}
