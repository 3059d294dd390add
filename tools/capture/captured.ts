/** What reading a capture gives: the logins in it, each with its events and with what is worth knowing of it. */

import type { Finding } from './findings.ts';
import type { OAuthError } from './refusalCures.ts';
import type { OpenIdServiceEvent, SamlServiceEvent } from './serviceEvent.ts';

/** A login in both forms. An event that was captured itself is the same in both. */
export interface CapturedEvents {
  plain: OpenIdServiceEvent | SamlServiceEvent | Record<string, unknown>;
  known: OpenIdServiceEvent | SamlServiceEvent | Record<string, unknown>;
}

/** A login that was found in a capture. */
export interface Captured {
  /** What it is, e.g. `SAMLResponse`. */
  kind: Kind;
  /** Where it stood, e.g. `entry 12, request`; empty where it is the whole of the capture. */
  where: string;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** Null where no event can be made of it: then a finding says why. */
  events: CapturedEvents | null;
  /** All of them: problems first, then warnings, then notes. */
  findings: Finding[];
}

type Kind = 'SAMLResponse' | 'assertion' | 'token response' | 'ID token' | 'event' | 'refused login';

/** How many items of a list or entries of recorded traffic are looked at. */
export const MAX_ITEMS = 10_000;

/** A login as it was recognised, before it is read. */
export type Found = { where: string } & (
  | FoundSaml
  | FoundToken
  | { kind: 'event'; event: Record<string, unknown> }
  | FoundRefusal
);

/** What an OpenID provider answered in the place of a login. */
export interface FoundRefusal extends OAuthError {
  kind: 'refused login';
  /** The provider, where it says so (RFC 9207). */
  iss: string | null;
}

export interface FoundSaml {
  kind: 'SAMLResponse';
  xml: string;
  /** When it was sent, in milliseconds since 1970; null where that is not known. */
  sentAt: number | null;
}

export interface FoundToken {
  kind: 'token response' | 'ID token';
  /** The ID token in its compact form. */
  idToken: string;
  accessToken: string | null;
  tokenType: string | null;
  /** In seconds. */
  expiresIn: number | null;
  refreshToken: string | null;
  sentAt: number | null;
}
