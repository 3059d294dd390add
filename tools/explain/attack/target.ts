/** What is attacked, and what a change makes of it. */
import type { AttackedLogin } from './login.ts';
import type { Policy } from './policy.ts';

/** A login that is authorized. */
export interface Target {
  login: AttackedLogin;
  policy: Policy;
  /** Of the response; an empty text where it has none. */
  address: string;
}

/** The domain of the attacker. */
export const EVIL = 'evil.example';

/** A login that should be refused, made out of one that is authorized. */
export interface Variant {
  /** What is changed, in a few words. */
  what: string;
  login: AttackedLogin;
  /** The address with which the login would get in; any address where it is left out. */
  address?: string;
  /** The login without what the variant imitates: it gets in only where it is given more than this one. */
  control?: AttackedLogin;
}
