/** What an e-mail address may look like. */
import * as v from 'valibot';
import { NOT_PRINTABLE_ASCII, unicodePattern } from '../../text.ts';

/**
 * One `@` with something on both sides, labels between the full stops of the domain (RFC 5321 section 4.1.2), and nothing that only
 * quoted or commented addresses have (RFC 5322 section 3.4.1).
 */
const EMAIL = /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\].]+(?:\.[^\s@<>"(),;:\\[\].]+)*$/;

/** In characters: 64 before the `@` and 255 after it (RFC 5321 section 4.5.3.1). */
const MAX_EMAIL = 320;

/** Characters that nobody sees: an address with one looks like another address. The last are joiners and spaces of some scripts. */
const unseen = unicodePattern(
  String.raw`[\p{C}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u1a60\u2d7f\u{11a47}\u{13441}\u{13442}\u{16fe4}\u{1d159}]`,
  'u',
);

/** Software that reads domains takes it for a full stop (UTS 46 section 2.3), and it has no compatibility form. */
const IDEOGRAPHIC_FULL_STOP = '\u3002';

/** The blocks of other widths and presentations of letters that have a code of their own. */
const OTHER_PRESENTATION = /[\ufb00-\ufdff\ufe10-\ufe1f\ufe30-\ufeff\uff00-\uffef]/;

const ASCII = /[ -~]/;

/**
 * Entra's name of a guest is such as `ada_example.org#EXT#@contoso.onmicrosoft.com`, and `live.com#ada@example.org` in the claim
 * `unique_name` of one with an account of their own: no mail arrives there.
 */
const GUEST = /#ext#|live\.com#/i;

export function isGuest(localPart: string): boolean {
  return GUEST.test(localPart);
}

type AddressProblem = 'ambiguous' | 'invalid' | 'guest' | 'compatibility';

/**
 * Why a response may not carry this text as the person's e-mail address; null where it may. It must be in NFC, without
 * characters that nobody sees and without compatibility characters: two spellings that look alike would be two accounts.
 */
export function problemOfAddress(text: string): AddressProblem | null {
  if (isConcatenated(text)) return 'ambiguous';
  if (text.length > MAX_EMAIL || !EMAIL.test(text)) return 'invalid';
  if (isGuest(text)) return 'guest';
  // Stryker disable next-line ConditionalExpression: what follows accepts it too, and takes longer.
  if (!NOT_PRINTABLE_ASCII.test(text)) return null;
  if (unseen().test(text) || text.normalize('NFC') !== text) return 'invalid';
  return hasCompatibilityCharacters(text) ? 'compatibility' : null;
}

/** Two concatenated addresses, or identifiers with a scope, have two `@`: they are not one. */
export function isConcatenated(text: string): boolean {
  return text.indexOf('@') !== text.lastIndexOf('@');
}

/** Before the `@`, letters that keyboards type are none of these characters, such as the Thai `ำ` (UAX 15). */
function hasCompatibilityCharacters(address: string): boolean {
  const at = address.indexOf('@');
  const domain = address.slice(at);
  return (
    domain.normalize('NFKC') !== domain ||
    domain.includes(IDEOGRAPHIC_FULL_STOP) ||
    Array.from(address.slice(0, at)).some(standsForAnother)
  );
}

function standsForAnother(character: string): boolean {
  return (
    OTHER_PRESENTATION.test(character) || (!ASCII.test(character) && ASCII.test(character.normalize('NFKC')))
  );
}

const EXPECTED: Readonly<Partial<Record<AddressProblem, string>>> = {
  guest: 'expected an e-mail address, which the name of a guest at Entra (#EXT#) is not',
  compatibility: 'expected an e-mail address without compatibility characters',
};

export const email = v.pipe(
  v.string('expected an e-mail address'),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? problemOfAddress(dataset.value) : null;
    if (problem !== null) addIssue({ message: EXPECTED[problem] ?? 'expected an e-mail address' });
  }),
);
