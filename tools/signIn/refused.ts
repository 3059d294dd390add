/** Why a sign-in at one's own provider gave no login. */
import { quoted } from '../capture/findings.ts';
import { UnusableInput } from '../shared/commandLine.ts';

export interface Refusal {
  /** What the provider said, e.g. `error` and `error_description`, or StatusCode and StatusMessage; null for nothing. */
  theirs?: string | null;
  /** What to change, and where. */
  ours: string;
}

/**
 * No token, claim value or secret is in it. The provider's words are cut, and in one line. It has no cause: errors of the
 * libraries hold tokens and claims, which a terminal would show.
 */
export class SignInRefused extends UnusableInput {
  override readonly name: string = 'SignInRefused';
  readonly theirs: string | null;
  readonly ours: string;

  constructor({ theirs = null, ours }: Refusal) {
    const shown = theirs === null ? null : quoted(theirs).trim() || null;
    super(shown === null ? ours : `The provider says: ${shown}. ${ours}`);
    this.theirs = shown;
    this.ours = ours;
  }
}

/** Thrown for a callback that belongs to no sign-in that waits. It changes nothing: those that wait go on waiting. */
export class UnknownState extends SignInRefused {
  override readonly name = 'UnknownState';

  constructor() {
    super({
      ours: 'No sign-in is waiting for this callback: it came twice, took longer than ten minutes, or was not started here. Start the sign-in again.',
    });
  }
}
