/** Which kind of login a handler is for, where a mapping made it. */
import type { LoginKind } from '../settings.ts';

const KIND = Symbol('kind');

export function ofKind<THandler extends object>(kind: LoginKind, handler: THandler): THandler {
  return Object.defineProperty(handler, KIND, { value: kind });
}

/** Undefined for a function that is not a mapping's: nothing tells which events it reads. */
export function kindOf(handler: object): LoginKind | undefined {
  return (handler as { [KIND]?: LoginKind })[KIND];
}
