/** A shadow handler: it is asked about real logins, its responses are thrown away, and what would change is logged. */
import { asLoginError } from '../errors.ts';
import type { LoginFunction } from '../login/coldStart.ts';
import type { Middleware } from '../login/login.ts';

/** The shadow's two places on the path of a login; none where no shadow is set. */
export interface Shadow {
  /** Right before the handler, which may change its event. */
  copyEvent: Middleware[];
  /** Around all else, so that the response and its log record are made when the shadow is asked. */
  compare: Middleware[];
}

/** Loads what asks the shadow, during the init phase. Never throws: a mistake in it stops no login. */
export async function useShadow(fn: LoginFunction): Promise<Shadow> {
  if (!fn.shadow?.handler) return { copyEvent: [], compare: [] };
  const { source, handler } = fn.shadow;
  try {
    const { askShadow } = await import('./askShadow.ts');
    return askShadow(fn, { source, handler });
  } catch (error) {
    fn.shadow = { source, handler: null, failure: asLoginError(error), isOver: false };
    return { copyEvent: [], compare: [] };
  }
}
