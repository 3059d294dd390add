/** Which e-mail address of a login is used, and why one is not. */
import type { Words } from '../../messages/en.ts';
import { problemOfAddress } from '../schema/emailAddress.ts';
import type { Unverified } from '../schema/mappingSchema.ts';
import type { Reader } from './reader.ts';

const UNVERIFIED_HINT =
  'Have the provider verify the address, and say so (Keycloak: "Email verified" of the user, or "Trust email" of the identity ' +
  'provider; authentik: the scope mapping "email"; Entra: the optional claim xms_edov; Cognito: the attribute mapping of ' +
  'email_verified). To accept unverified addresses of this issuer, see email.unverified in docs/mappings.md.';

/** Why an address is not used, by the note of the explanation: what the person reads, and what the operator can do. */
export const ADDRESS_PROBLEMS = {
  ambiguous: {
    words: 'email_ambiguous',
    hint: 'Several addresses arrived as one text: have the provider send one Attribute, or one item of a list, for each value.',
  },
  invalid: {
    words: 'email_invalid',
    hint: 'An e-mail address has one @, letters in composed form (NFC), no full stop at the end, and no white space, invisible character or any of <>"(),;:\\[].',
  },
  guest: {
    words: 'email_invalid',
    hint: 'It is the name that Entra gives a guest (#EXT#, live.com#), and not an address: have Entra send the claim email from user.mail.',
  },
  compatibility: {
    words: 'email_compatibility',
    hint: 'The address has compatibility characters of Unicode, such as fullwidth letters: correct it at the provider.',
  },
  unverified: { words: 'email_unverified', hint: UNVERIFIED_HINT },
  unproven: { words: 'email_unproven', hint: UNVERIFIED_HINT },
  unreadable: {
    words: 'email_unproven',
    hint: 'What the provider says of the address is neither yes nor no: have it send email_verified as true or false, and not as a list.',
  },
} as const satisfies Record<string, { words: keyof Words; hint: string }>;

export type AddressRefusal = keyof typeof ADDRESS_PROBLEMS;

/** Whether a reason to refuse an address is what the provider says of it, or does not. */
export function isAboutProof(refusal: string | undefined): boolean {
  return refusal === 'unverified' || refusal === 'unproven' || refusal === 'unreadable';
}

export type AddressTest = (address: string) => boolean;

/** What is asked of the addresses of one issuer's people. */
export interface AddressSpec {
  unverified: Unverified;
  /** Whether an assertion of this issuer proves an address by saying that it is verified. */
  trustsVerified: boolean;
  /** What rules ask of the address that is used. */
  tests: readonly AddressTest[];
}

interface JudgedAddress {
  refusal?: AddressRefusal;
  /** Where the provider does not vouch for an address that is used. */
  note?: AddressRefusal;
}

/** @param claim `isFirst`: whether no other address is tried before it */
export function judgeAddress(
  reader: Reader,
  { unverified, trustsVerified }: AddressSpec,
  { address, name, isFirst }: { address: string; name: string; isFirst: boolean },
): JudgedAddress {
  const problem = problemOfAddress(address);
  if (problem !== null) return { refusal: problem };
  const status = reader.emailStatus(name, address);
  if (status === 'verified') return {};
  // An assertion does not say which of several it means: it proves only the first.
  if (status === 'claimed' && trustsVerified && isFirst) return {};
  const note = status === 'unverified' || status === 'unreadable' ? status : 'unproven';
  const isRefused = unverified === 'demand_proof' || (unverified === 'refuse' && note !== 'unproven');
  return isRefused ? { refusal: note } : { note };
}
