/** What reading a capture gives: the logins in it, each with its events and with what is worth knowing of it. */
import type { Finding } from '../shared/finding.ts';
import type { ServiceEvents, TokenResponse } from './serviceEvent.ts';

export interface Captured {
  kind: Found['kind'] | 'assertion';
  /** Where it stood, e.g. `request 12`; empty where it is the whole of the capture. */
  where: string;
  functionName: string;
  /** Null where no event can be made of it: then a finding says why. */
  events: ServiceEvents | null;
  /** All of them: errors first, then warnings, then notes. */
  findings: Finding[];
}

export type Found = (FoundSaml | FoundTokens | FoundEvent | FoundRefusal) & {
  /** Left out where it is the whole of the capture. */
  where?: string;
  /** When it was sent, in milliseconds since 1970; null or left out where that is not known. */
  sentAt?: number | null;
};

export interface FoundSaml {
  kind: 'SAMLResponse';
  xml: string;
}

export interface FoundTokens {
  /** Of claims, nobody has the token that was signed. */
  kind: 'token response' | 'ID token' | 'claims of an ID token';
  /** With an empty access token where there is none. */
  tokens: TokenResponse;
}

interface FoundEvent {
  kind: 'event';
  event: Record<string, unknown>;
}

/** An error of OAuth (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6). */
export interface OAuthError {
  error: string;
  error_description?: string | undefined;
}

export interface FoundRefusal extends OAuthError {
  kind: 'refused login';
  /** The provider, where it says so (RFC 9207). */
  iss: string | null;
}
