/** What runs for the logins of one kind, and for no others: OpenID or SAML. */

import type * as v from 'valibot';
import type { Invocation } from '../invocation.ts';
import type { LoginKind } from '../kinds.ts';
import type { Settings } from '../settings.ts';
import type { ExternalId } from './fields/identifier.ts';
import type { DefaultNames, Reader } from './fields/reader.ts';
import type { UserLoginResponse } from './response.ts';
import type { Sources } from './sources.ts';

export interface Kind<TEvent> {
  /** Under which names its providers send things. */
  names: DefaultNames;
  /** From the wire form of an event to what handlers get. */
  model: v.GenericSchema<unknown, TEvent>;
  read(event: TEvent): Reader;
  /** The provider that vouches for the person. */
  issuerOf(event: TEvent): string;
  /** Of the person, as the provider sends it: a language tag, or a list as in Accept-Language; null where it sends none. */
  preferredLanguageOf(event: TEvent): string | null;
  identifiersOf(event: TEvent, settings: Settings): Identifiers;
  /** Where no module is configured, and only there. */
  defaultHandler(event: TEvent): UserLoginResponse;
  /** Null where a setting turns the check off. */
  loadCheck(settings: Settings): Promise<LoginCheck<TEvent> | null>;
  /** Adds to the event what other systems say of the person; left out where none is ever asked. */
  ask?(event: TEvent, sources: Sources): Promise<void>;
}

/** @throws {LoginError} where a login does not pass */
export type LoginCheck<TEvent> = (event: TEvent, invocation: Invocation) => void | Promise<void>;

export interface Identifiers {
  /** What a setting names; null where the setting is off. */
  externalId: ExternalId | null;
  /** What identifies the person only in this login; null where the provider sends nothing of that kind. */
  transientId: string | null;
}

/** Where a mapping's handler has its kind of login. */
export const KIND = Symbol('kind');

/** Where a handler has the mapping that it was made of, for tools that load a built module: each bundle has its own `lib`. */
export const MAPPING = Symbol.for('login-hooks.mapping');

/** The kind of login of a mapping's handler; undefined for any other function, which may read any event. */
export function kindOf(handler: object): LoginKind | undefined {
  return (handler as { [KIND]?: LoginKind })[KIND];
}
