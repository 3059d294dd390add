/** What a function does once, before its first login: settings, log, handler, checks. */
import { LoginError } from '../errors.ts';
import { configuration, type LoginKind, type Settings } from '../settings.ts';
import { describeWhole } from './describeError.ts';
import { type LoginHandler, loadHandler } from './handlerModule.ts';
import { createLog, type Log, logUnhandledErrors } from './log.ts';
import type { Middleware } from './login.ts';

export interface FunctionOptions<TEvent> {
  /** The function's name, the same everywhere: `openidLoggedIn` or `samlLoggedIn`. */
  name: string;
  kind: LoginKind;
  /** The bundle's root, a `file:` URL that ends with `/`. */
  root: URL;
  /** The handler where no module is configured, and only there. */
  defaultHandler: (event: TEvent) => unknown;
  /** Its name, under which a custom module may export its own. Written out, because minifying renames functions. */
  exportName: string;
}

export interface LoginFunction {
  name: string;
  settings: Settings;
  log: Log;
  /** `default`, or the module that a setting names; `undecided` where the settings are unusable. */
  handlerSource: string;
  /** The handler; or why every login is answered with an error. */
  handler: LoginHandler | LoginError;
}

/** The settings that each kind of function has under names of its own. */
const OF_KIND = {
  OpenID: { handlerModule: 'openidHandlerModule', check: 'openidTokenCheck', issuers: 'openidIssuers' },
  SAML: { handlerModule: 'samlHandlerModule', check: 'samlAssertionCheck', issuers: 'samlIssuers' },
} as const;

/** Never throws: what goes wrong is logged once, and answers every login. */
export async function coldStart<TEvent>(options: FunctionOptions<TEvent>): Promise<LoginFunction> {
  const { settings, logging, problems } = configuration(options.kind);
  const log = createLog(logging);
  logUnhandledErrors(log);
  const isUsable = problems.length === 0;
  const module = settings[OF_KIND[options.kind].handlerModule];
  const fn: LoginFunction = {
    name: options.name,
    settings,
    log,
    handlerSource: isUsable ? (module ?? 'default') : 'undecided',
    handler: isUsable
      ? await handlerOf(module, options)
      : new LoginError('configuration_unusable', { problems }),
  };
  logColdStart(fn, isUsable ? checksInForce(settings, options.kind) : {});
  return fn;
}

async function handlerOf<TEvent>(
  module: string | null,
  { root, kind, defaultHandler, exportName }: FunctionOptions<TEvent>,
): Promise<LoginHandler | LoginError> {
  if (module === null) return defaultHandler as LoginHandler;
  try {
    return await loadHandler(module, { root, kind, exportName });
  } catch (error) {
    return error instanceof LoginError ? error : new LoginError('internal_error', {}, { cause: error });
  }
}

/** What each check is set to, and the issuers that one which is on accepts. */
function checksInForce(settings: Settings, kind: LoginKind): Record<string, unknown> {
  const { check, issuers } = OF_KIND[kind];
  return {
    callerCheck: settings.callerCheck,
    [check]: settings[check],
    ...(settings[check] === 'on' && { issuers: [...settings[issuers].keys()] }),
  };
}

function logColdStart({ name, handlerSource, handler, log }: LoginFunction, details: object): void {
  const record = { event: 'cold_start', function: name, handler: handlerSource, ...details };
  if (typeof handler === 'function') log.info(record);
  else log.error({ ...record, reason: handler.code, ...handler.details, ...causeOf(handler) });
}

function causeOf({ cause }: LoginError) {
  return cause === undefined ? {} : { error: describeWhole(cause) };
}

/** Makes the middleware of a check; none where a setting turns the check off. */
type CheckFactory = (settings: Settings) => Promise<Middleware[]>;

/**
 * Loads the code of a check before the first login: Lambda gives the init phase a whole processor, and a login the share
 * that its memory size buys. Where that fails, every login is answered with an error.
 */
export async function loadCheck(fn: LoginFunction, makeCheck: CheckFactory): Promise<Middleware[]> {
  try {
    return await makeCheck(fn.settings);
  } catch (cause) {
    fn.handler = new LoginError('internal_error', {}, { cause });
    logColdStart(fn, {});
    return [];
  }
}

/** Lets no login pass where the settings are unusable, or the handler or a check could not be loaded. */
export function requireReady(fn: LoginFunction): Middleware {
  return {
    before() {
      if (typeof fn.handler !== 'function') throw fn.handler;
    },
  };
}
