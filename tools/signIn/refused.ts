/** Why a sign-in at one's own provider gave no login. */
import { quoted } from '../capture/findings.ts';

export interface Refusal {
  /** What the provider said, e.g. `error` and `error_description`, or StatusCode and StatusMessage; null for nothing. */
  theirs?: string | null;
  /** What to change, and where. */
  ours: string;
  cause?: unknown;
}

/** No token, claim value or secret is in it. The provider's words are cut, and in one line. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly theirs: string | null;
  readonly ours: string;

  constructor({ theirs = null, ours, cause }: Refusal) {
    const shown = theirs === null ? null : quoted(theirs) || null;
    super(
      shown === null ? ours : `The provider says: ${shown}. ${ours}`,
      cause === undefined ? {} : { cause },
    );
    this.theirs = shown;
    this.ours = ours;
  }
}
