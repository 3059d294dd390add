/** A login event as JSON, of which copies are made that differ in one thing. */
import type { LoginKind } from '../../../lib/kinds.ts';
import { asciiLowerCase } from '../../../lib/text.ts';

/** Never changed: each method returns another login. */
export interface AttackedLogin {
  readonly kind: LoginKind;
  /** What is sent to the function. */
  readonly event: unknown;
  readonly issuer: string;
  withIssuer(issuer: string): AttackedLogin;
  /** The texts under any of these names. */
  textsOf(names: readonly string[]): string[];
  /** Puts texts in the place of all that stands under these names. */
  withTexts(names: readonly string[], texts: readonly string[]): AttackedLogin;
  without(names: readonly string[]): AttackedLogin;
  /** Puts other texts in the place of each that equals this one without case, e.g. an address. */
  replacing(text: string, others: readonly string[]): AttackedLogin;
  /** The time of authentication, in milliseconds since 1970. */
  authenticatedAt(moment: number): AttackedLogin;
}

/** Whether anything differs in the event that is sent. */
export function isChanged({ event }: Pick<AttackedLogin, 'event'>, before: AttackedLogin): boolean {
  return JSON.stringify(event) !== JSON.stringify(before.event);
}

/** Whether a value is this text, without case and surrounding white space. */
export function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' && asciiLowerCase(value.trim()) === asciiLowerCase(text);
}
