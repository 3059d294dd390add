import type { LoginFunction } from './coldStart.ts';
import type { LoginHandler } from './customHandler.ts';
import type { Step } from './step.ts';

/** @throws {LoginError} where there is none: the settings are unusable, or it could not be loaded */
export function handlerOf({ handler }: LoginFunction): LoginHandler {
  if (typeof handler !== 'function') throw handler;
  return handler;
}

/** Lets no login pass where the settings are unusable or the handler could not be loaded. */
export function requireHandler(fn: LoginFunction): Step {
  return {
    before() {
      handlerOf(fn);
    },
  };
}
