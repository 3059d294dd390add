/** Which e-mail address of a login is used, and why one is not. */
import { problemOfAddress } from './emailAddress.ts';
import type { Reader } from './reader.ts';

const UNVERIFIED_HINT =
  'Turn it on at the provider. Keycloak: "Email verified" of the user or "Trust email" of the identity provider; ' +
  'authentik: the scope mapping "email"; Cognito: the attribute mapping of email_verified; Entra: the optional claim ' +
  'xms_edov. To accept unverified addresses of this issuer, see email.unverified in docs/mappings.md.';

/** Why an address is not used, by the note of the trace: what the operator can do. */
export const ADDRESS_HINTS = {
  ambiguous: 'Several addresses arrived as one text: have the provider send one Attribute for each value.',
  invalid: 'An e-mail address has one @ and no white space, control character or any of <>"(),;:\\[].',
  compatibility:
    'The address has compatibility characters of Unicode, such as fullwidth letters: correct it at the provider.',
  too_many: 'Too many addresses were refused to try the rest: have the provider send only the verified one.',
  unverified: UNVERIFIED_HINT,
  unproven: UNVERIFIED_HINT,
} as const;

export type AddressRefusal = keyof typeof ADDRESS_HINTS;

export interface AcceptedAddress {
  /** Where the provider does not vouch for it. */
  note?: AddressNote | null;
}

type AddressNote = 'unverified' | 'unproven';

/** Which addresses are used: those not said to be unverified, all, or those said to be verified. */
export type Unverified = 'refuse' | 'accept' | 'demand_proof';

/** More than anybody has. */
const MAX_ADDRESSES = 100;

/** The addresses of one login, as they are tried. */
export class AddressChoice {
  /** Why the last of them was refused; null where none was. */
  refusal: AddressRefusal | null = null;
  readonly #reader: Reader;
  readonly #unverified: Unverified;
  readonly #trustsVerified: boolean;
  #tried = 0;

  /** @param trustsVerified whether an assertion proves an address by saying that it is verified */
  constructor(reader: Reader, unverified: Unverified, trustsVerified: boolean) {
    this.#reader = reader;
    this.#unverified = unverified;
    this.#trustsVerified = trustsVerified;
  }

  /**
   * @param name under which it was found
   * @returns null for an address that is not used, and for all beyond `MAX_ADDRESSES`
   */
  accept(address: string, name: string): AcceptedAddress | null {
    this.#tried += 1;
    const problem = this.#tried > MAX_ADDRESSES ? 'too_many' : problemOfAddress(address);
    if (problem !== null) return this.#refuse(problem);
    const note = this.#noteOn(address, name);
    return note !== null && this.#isRefused(note) ? this.#refuse(note) : { note };
  }

  #refuse(refusal: AddressRefusal): null {
    this.refusal = refusal;
    return null;
  }

  #noteOn(address: string, name: string): AddressNote | null {
    const status = this.#reader.emailStatus(name, address);
    if (status === 'verified' || (status === 'claimed' && this.#trustsVerified)) return null;
    return status === 'unverified' ? 'unverified' : 'unproven';
  }

  #isRefused(note: AddressNote): boolean {
    return this.#unverified === 'demand_proof' || (this.#unverified === 'refuse' && note === 'unverified');
  }
}
