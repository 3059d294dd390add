import type { LoginFunction } from './coldStart.ts';
import type { Step } from './step.ts';

/** Lets no login pass where the settings are unusable or the handler could not be loaded. */
export function requireHandler({ handler }: LoginFunction): Step {
  return {
    before() {
      if (typeof handler !== 'function') throw handler;
    },
  };
}
