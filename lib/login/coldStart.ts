/** What a function does at its start: settings, log, handler, shadow, watchdog, checks; and the middleware that refuses every login where one failed. */
import { asLoginError, LoginError } from '../errors.ts';
import { configuration, type LoginKind, type Settings } from '../settings.ts';
import { describeWhole } from './describeError.ts';
import { type LoginHandler, loadHandler } from './handlerModule.ts';
import { createLog, type Log, type LogRecord, logUnhandledErrors, withDetails } from './log.ts';
import type { Middleware } from './login.ts';
import { loadShadowHandler, type ShadowHandler } from './shadowHandler.ts';
import type { Watchdog } from './watchdog.ts';

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
  kind: LoginKind;
  settings: Settings;
  /** The issuers that the settings list. */
  issuers: ReadonlyMap<string, unknown>;
  log: Log;
  /** `default`, or the module that a setting names; `undecided` where the settings are unusable. */
  handlerSource: string;
  isDefaultHandler: boolean;
  /** Null where it could not be loaded. */
  handler: LoginHandler | null;
  /** The handler whose responses are thrown away; null where a setting names none. */
  shadow: ShadowHandler | null;
  /** Whether several logins run in this process at the same time. */
  isMultiConcurrent: boolean;
  /** Null where nothing watches the handlers. */
  watchdog: Watchdog | null;
  /** Why every login is answered with an error; null where the function is ready. */
  failure: LoginError | null;
}

/** The settings that each kind of function has under names of its own. */
const OF_KIND = {
  OpenID: { handlerModule: 'openidHandlerModule', check: 'openidTokenCheck', issuers: 'openidIssuers' },
  SAML: { handlerModule: 'samlHandlerModule', check: 'samlAssertionCheck', issuers: 'samlIssuers' },
} as const;

/** Reads the settings, and loads the handler, its shadow and what watches them. Never throws: a failure answers every login. */
export async function coldStart<TEvent>(options: FunctionOptions<TEvent>): Promise<LoginFunction> {
  const { name, kind } = options;
  const { settings, logging, isMultiConcurrent } = configuration(kind);
  const log = createLog(logging);
  logUnhandledErrors(log);
  const issuers = settings[OF_KIND[kind].issuers];
  const common = { name, kind, settings, issuers, log, isMultiConcurrent, shadow: null, watchdog: null };
  const fn: LoginFunction = { ...common, ...(await loadConfigured(options)) };
  if (fn.failure) return fn;
  fn.shadow = await loadShadowHandler(options);
  fn.watchdog = await watchdogOf(fn);
  return fn;
}

type Loaded = Pick<LoginFunction, 'handlerSource' | 'isDefaultHandler' | 'handler' | 'failure'>;

/** The handler that the settings name, or the default one where they name none. */
async function loadConfigured<TEvent>(options: FunctionOptions<TEvent>): Promise<Loaded> {
  const { settings, problems } = configuration(options.kind);
  const unloaded = { isDefaultHandler: false, handler: null, failure: null };
  if (problems.length > 0) {
    const failure = new LoginError('configuration_unusable', { problems });
    return { ...unloaded, handlerSource: 'undecided', failure };
  }
  const module = settings[OF_KIND[options.kind].handlerModule];
  if (module === null) {
    const handler = options.defaultHandler as LoginHandler;
    return { ...unloaded, handlerSource: 'default', isDefaultHandler: true, handler };
  }
  try {
    return { ...unloaded, handlerSource: module, handler: await loadHandler(module, options) };
  } catch (error) {
    return { ...unloaded, handlerSource: module, failure: asLoginError(error) };
  }
}

/** Null on ordinary Lambda, where Lambda's own time-out ends a handler that never yields; and where no operator's code runs. */
async function watchdogOf(fn: LoginFunction): Promise<Watchdog | null> {
  const { name, kind, handlerSource, isDefaultHandler, shadow, isMultiConcurrent, log } = fn;
  if (!isMultiConcurrent || (isDefaultHandler && !shadow?.handler)) return null;
  const onFailure = (error: unknown) =>
    log.error({ event: 'watchdog_failed', function: name, error: describeWhole(error) });
  try {
    const { startWatchdog } = await import('./watchdog.ts');
    const { socket: logSocket } = configuration(kind).logging;
    return startWatchdog({ name, handlerSource, shadowSource: shadow?.source ?? null, logSocket, onFailure });
  } catch (error) {
    onFailure(error);
    return null;
  }
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
  } catch (error) {
    fn.failure ??= asLoginError(error);
    return [];
  }
}

/** Logs what is in force, or why every login is answered with an error, when all is loaded; and why there is no shadow. */
export function logColdStart(fn: LoginFunction): void {
  const { name, kind, settings, log, handlerSource, shadow, failure } = fn;
  const isUsable = failure?.code !== 'configuration_unusable';
  const record = {
    event: 'cold_start',
    function: name,
    handler: handlerSource,
    ...(shadow?.handler && { shadow: shadow.source }),
    ...(shadow?.isOver && { shadowOver: shadow.source }),
    ...(isUsable && checksInForce(settings, kind)),
  };
  if (failure) log.error(failed(record, failure));
  else log.info(record);
  if (shadow?.failure) {
    const record = { event: 'shadow_not_loaded', function: name, shadow: shadow.source };
    log.error(failed(record, shadow.failure));
  }
}

function failed(record: LogRecord, { code, details, cause }: LoginError): LogRecord {
  const error = cause !== undefined && { error: describeWhole(cause) };
  return withDetails({ ...record, reason: code, ...error }, details);
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

/**
 * Lets no login pass where the settings are unusable, or the handler or a check could not be loaded.
 *
 * @throws {LoginError} `configuration_unusable`, `handler_not_loaded` or `internal_error`
 */
export function requireReady(fn: LoginFunction): Middleware {
  return {
    before() {
      if (fn.failure) throw fn.failure;
    },
  };
}
