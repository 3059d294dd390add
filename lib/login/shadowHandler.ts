/** Loads the second handler that a setting names. No mistake in it stops a login. */
import { runInShadow } from '../deadline.ts';
import { asLoginError, LoginError } from '../errors.ts';
import { configuration, type Settings } from '../settings.ts';
import { type LoadOptions, type LoginHandler, loadHandler } from './handlerModule.ts';

export interface ShadowHandler {
  /** The module that the setting names; `undecided` where the settings are unusable. */
  source: string;
  /** Null where it could not be loaded. */
  handler: LoginHandler | null;
  /** Why it could not be loaded. */
  failure: LoginError | null;
  /** Whether its last day is over, so that it is not loaded. */
  isOver: boolean;
}

/** In milliseconds: with the 8 s of the real handler, a start stays under the 10 s that Lambda gives it. */
const LOAD_TIMEOUT_MS = 1_500;

const MODULES = { OpenID: 'openidShadowHandlerModule', SAML: 'samlShadowHandlerModule' } as const;

/** Null where no setting names one. Never throws. */
export async function loadShadowHandler(options: LoadOptions): Promise<ShadowHandler | null> {
  const { settings, shadowProblems: problems } = configuration(options.kind);
  const unloaded = { handler: null, failure: null, isOver: false };
  if (problems.length > 0) {
    const failure = new LoginError('configuration_unusable', { problems });
    return { ...unloaded, source: 'undecided', failure };
  }
  const source = settings[MODULES[options.kind]];
  if (source === null) return null;
  if (isOver(settings)) return { ...unloaded, source, isOver: true };
  try {
    const inTime = { ...options, loadTimeoutMs: LOAD_TIMEOUT_MS };
    const handler = await runInShadow(() => loadHandler(source, inTime));
    return { ...unloaded, source, handler };
  } catch (error) {
    return { ...unloaded, source, failure: asLoginError(error) };
  }
}

/** Whether the last day of the shadow is over. */
export function isOver({ shadowUntil }: Settings): boolean {
  return shadowUntil !== null && Date.now() >= shadowUntil;
}
