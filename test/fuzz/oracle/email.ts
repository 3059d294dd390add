/** What may stand as an e-mail address in an answer, and which one a mapping takes. */

import type { Source } from '../../../lib/profile/reader.ts';
import { type Evidence, isNameId } from './evidence.ts';
import { type Email, fieldOf, type Unverified } from './mapping.ts';

const NOT_IN_ADDRESS =
  /[<>"(),;:\\[\]\s\p{Control}\p{Format}\p{Surrogate}\p{Private_Use}\p{Unassigned}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u1a60\u2d7f\u{11a47}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;

/** RFC 5321 section 4.5.3.1: 64 for the local part, 255 for the domain, and the `@`. */
const MAX_LENGTH = 320;
/** Addresses that are tried. */
const MAX_TRIED = 100;

export function isAddress(text: string): boolean {
  const [local, domain, ...more] = text.split('@');
  return (
    local !== '' &&
    domain !== undefined &&
    domain !== '' &&
    more.length === 0 &&
    text.length <= MAX_LENGTH &&
    !NOT_IN_ADDRESS.test(text) &&
    text === text.normalize('NFC') &&
    domain === domain.normalize('NFKC') &&
    !domain.includes('\u3002') &&
    ![...(local ?? '')].some(isCompatibilityForm)
  );
}

/** Of a character of ASCII, or in a block of other widths and presentations. */
function isCompatibilityForm(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return false;
  const isIn = ([first, last]: readonly [number, number]) => code >= first && code <= last;
  return PRESENTATIONS.some(isIn) || /[\u0020-\u007e]/.test(character.normalize('NFKC'));
}

/** Alphabetic and Arabic, vertical, compatibility, small and Arabic again, halfwidth and fullwidth. */
const PRESENTATIONS = [
  [0xfb00, 0xfdff],
  [0xfe10, 0xfe1f],
  [0xfe30, 0xfeff],
  [0xff00, 0xffef],
] as const;

export interface MappedEmail {
  /** Null where there is none that may be used. */
  value: string | null;
  /** Whether the fallback may have been taken, or may not: it is not said for what is hardly an address. */
  isOpen: boolean;
  /** Whether the provider sent nothing that could be one. */
  isAbsent: boolean;
}

export function mappedEmail(evidence: Evidence, field: Email | undefined): MappedEmail {
  const { from, fallback } = fieldOf(field);
  const unverified = (!Array.isArray(field) && field?.unverified) || 'refuse';
  let refused = '';
  let tried = 0;
  for (const { text, name } of candidates(evidence, from)) {
    const address = text.trim();
    if (address !== '') tried += 1;
    if (tried > MAX_TRIED) return { value: null, isOpen: false, isAbsent: false };
    if (isAddress(address) && isAccepted(evidence.emailStatus(name, address), unverified))
      return { value: address, isOpen: false, isAbsent: false };
    refused += address;
  }
  const isAbsent = refused === '';
  if (fallback === null || refused.includes('@')) return { value: null, isOpen: false, isAbsent };
  return { value: fallback, isOpen: !isAbsent, isAbsent };
}

/** In the order in which they are tried; names that stand next to each other are looked up together. */
function* candidates(evidence: Evidence, from: readonly Source[]): Generator<{ text: string; name: string }> {
  for (const names of groupsOfNames(evidence, from)) {
    if (typeof names === 'string' && evidence.nameId !== null) {
      yield { text: evidence.nameId, name: 'NameID' };
    } else if (typeof names !== 'string') {
      yield* evidence.texts(names ?? evidence.defaults('email'));
      if (names === null && evidence.emailNameId !== null)
        yield { text: evidence.emailNameId, name: 'NameID' };
    }
  }
}

/** Lists of names; null for the default ones; a text for the NameID. */
function groupsOfNames(evidence: Evidence, from: readonly Source[]): (string[] | string | null)[] {
  const groups: (string[] | string | null)[] = [];
  for (const source of from) {
    const last = groups.at(-1);
    if (isNameId(source)) groups.push('NameID');
    else if (typeof source !== 'string') groups.push(null);
    else if (Array.isArray(last)) last.push(...evidence.expanded(source));
    else groups.push([...evidence.expanded(source)]);
  }
  return groups;
}

function isAccepted(status: ReturnType<Evidence['emailStatus']>, unverified: Unverified): boolean {
  if (unverified === 'accept' || status === 'verified') return true;
  return unverified === 'refuse' && status === 'unproven';
}
