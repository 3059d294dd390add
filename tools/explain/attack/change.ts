/** What a change of a login is: it makes logins that should be refused out of one that is authorized. */
import type { AttackedOpenIdLogin } from './openidLogin.ts';
import type { Policy } from './policy.ts';
import type { AttackedSamlLogin } from './samlLogin.ts';

export type Login = AttackedOpenIdLogin | AttackedSamlLogin;

/** A login that is authorized. */
export interface Target {
  login: Login;
  policy: Policy;
  /** Of the response; an empty text where it has none. */
  address: string;
}

/** The domain of the attacker. */
export const EVIL = 'evil.example';

export interface Variant {
  /** What is changed, in a few words. */
  what: string;
  login: Pick<Login, 'event'>;
  /** The address with which the login would get in; any address where it is left out. */
  address?: string;
}

export interface Change {
  /** What arrives, for the guide. */
  about: string;
  /** What the mapping claims if this is an error, for the guide. */
  errorIf: string;
  /** What refuses it. */
  cure: string;
  /** Whether a finding is an error: the policy claims to refuse this. */
  isError: (policy: Policy) => boolean;
  variants: (target: Target) => Variant[];
}
