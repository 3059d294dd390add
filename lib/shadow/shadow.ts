/** A shadow handler: it is asked about real logins, its responses are thrown away, and what would change is logged. */
import { runInShadow } from '../deadline.ts';
import { KINDS } from '../kinds.ts';
import type { LoginFunction, ShadowHandler } from '../login/coldStart.ts';
import { type LoadOptions, loadHandler } from '../login/handlerModule.ts';
import type { Middleware } from '../login/login.ts';
import { asLoginError, LoginError } from '../reasons.ts';
import { configuration, type Settings } from '../settings.ts';

/** In milliseconds: with the 8 s of the real handler, a start stays under the 10 s that Lambda gives it. */
const LOAD_TIMEOUT_MS = 1_500;

/**
 * Loads the second handler that a setting names, and what asks it. Never throws: no mistake in it stops a login.
 *
 * @returns null where no setting names one
 */
export async function loadShadow(options: LoadOptions): Promise<ShadowHandler | null> {
  const { settings, shadowProblems: problems } = configuration(options.kind);
  const unloaded = { handler: null, failure: null, isOver: false };
  if (problems.length > 0) {
    const failure = new LoginError('configuration_unusable', { problems });
    return { ...unloaded, source: 'undecided', failure };
  }
  const source = settings[KINDS[options.kind].shadowHandlerModule];
  if (source === null) return null;
  if (isOver(settings)) return { ...unloaded, source, isOver: true };
  try {
    const inTime = { ...options, loadTimeoutMs: LOAD_TIMEOUT_MS };
    const handler = await runInShadow(() => loadHandler(source, inTime));
    await import('./askShadow.ts');
    return { ...unloaded, source, handler };
  } catch (error) {
    return { ...unloaded, source, failure: asLoginError(error) };
  }
}

/** Whether the last day of the shadow is over. */
export function isOver({ shadowUntil }: Settings): boolean {
  return shadowUntil !== null && Date.now() >= shadowUntil;
}

/** The shadow's two places on the path of a login; none where no shadow is loaded. */
export interface Shadow {
  /** Right before the handler, which may change its event. */
  copyEvent: Middleware[];
  /** Around all else, so that the response and its log record are made when the shadow is asked. */
  compare: Middleware[];
}

export async function useShadow(fn: LoginFunction): Promise<Shadow> {
  if (!fn.shadow?.handler) return { copyEvent: [], compare: [] };
  const { source, handler } = fn.shadow;
  const { askShadow } = await import('./askShadow.ts');
  return askShadow(fn, { source, handler });
}
