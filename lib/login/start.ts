/** What a function does at its start: settings, log, handler, checks; and the middleware that refuses every login where one failed. */

import { KINDS, type LoginKind } from '../kinds.ts';
import { kindOf } from '../profile/decide.ts';
import { asLoginError, LoginError } from '../reasons.ts';
import { configuration, type Settings } from '../settings.ts';
import { type CheckedKind, checkCaller, checkLogin } from './checks.ts';
import { type LoginHandler, loadHandler } from './handlerModule.ts';
import { createLog, type Log, type LogRecord, logUnhandledErrors } from './log.ts';
import { describeWhole } from './loggedError.ts';
import type { Middleware } from './login.ts';

interface StartedKind<TEvent> extends CheckedKind<TEvent> {
  names: { kind: LoginKind };
  /** The handler where no module is configured, and only there. */
  defaultHandler: (event: TEvent) => unknown;
}

/** What a process has for all of its logins: nothing of it changes after the start. */
export interface LoginFunction extends Readonly<Loaded> {
  readonly name: string;
  readonly kind: LoginKind;
  readonly settings: Settings;
  /** The issuers that the settings list. */
  readonly issuers: ReadonlyMap<string, unknown>;
  readonly log: Log;
}

interface Loaded {
  /** `default`, or the module that a setting names; `undecided` where the settings are unusable. */
  handlerSource: string;
  isDefaultHandler: boolean;
  /** Null where the function is not ready. */
  handler: LoginHandler | null;
  /** Of who calls over HTTP; none where it is off. */
  callerCheck: Middleware[];
  /** Of the token or the assertion; none where it is off. */
  loginCheck: Middleware[];
  /** Why every login is answered with an error; null where the function is ready. */
  failure: LoginError | null;
}

/**
 * Reads the settings, and loads all that they name. Never throws: a failure answers every login.
 *
 * @param root the bundle's root, a `file:` URL that ends with `/`
 */
export async function coldStart<TEvent>(ofKind: StartedKind<TEvent>, root: URL): Promise<LoginFunction> {
  const { kind } = ofKind.names;
  const { functionName: name, issuers } = KINDS[kind];
  const { settings, logging } = configuration(kind);
  const log = createLog(logging);
  logUnhandledErrors(log);
  return { name, kind, settings, issuers: settings[issuers], log, ...(await load(ofKind, root)) };
}

/** The handler that the settings name, or the default one where they name none; and the checks that they turn on. */
async function load<TEvent>(ofKind: StartedKind<TEvent>, root: URL): Promise<Loaded> {
  const { kind } = ofKind.names;
  const { settings, problems } = configuration(kind);
  const unready = { isDefaultHandler: false, handler: null, callerCheck: [], loginCheck: [] };
  if (problems.length > 0) {
    const failure = new LoginError('configuration_unusable', { problems });
    return { ...unready, handlerSource: 'undecided', failure };
  }
  const module = settings[KINDS[kind].handlerModule];
  const handlerSource = module ?? 'default';
  try {
    const handler =
      module === null ? (ofKind.defaultHandler as LoginHandler) : await loadHandler(module, { kind, root });
    return {
      handlerSource,
      isDefaultHandler: module === null,
      handler,
      callerCheck: await checkCaller(settings),
      loginCheck: await checkLogin(ofKind, settings),
      failure: null,
    };
  } catch (error) {
    return { ...unready, handlerSource, failure: asLoginError(error) };
  }
}

/** Logs what is in force, or why every login is answered with an error, when all is loaded. */
export function logColdStart(fn: LoginFunction): void {
  const { name, kind, settings, log, handlerSource, failure } = fn;
  const isUsable = failure?.code !== 'configuration_unusable';
  const record = {
    event: 'cold_start',
    function: name,
    handler: handlerSource,
    ...(isUsable && checksInForce(settings, kind)),
    ...(sharesIdentifiers(fn) && { sharedIdentifiers: true }),
  };
  if (failure) log.error(failed(record, failure));
  else log.info(record);
}

/** Whether people of several issuers may have one identifier. A mapping says itself whether they may. */
function sharesIdentifiers({ settings, kind, handler, issuers }: LoginFunction): boolean {
  if (handler === null || kindOf(handler) !== undefined) return false;
  const source = kind === 'OpenID' ? settings.openidExternalId : settings.samlExternalId;
  const hasOneIssuer = settings[KINDS[kind].check] === 'on' && issuers.size === 1;
  return source !== 'off' && !hasOneIssuer;
}

function failed(record: LogRecord, { code, details, cause }: LoginError): LogRecord {
  const error = cause !== undefined && { error: describeWhole(cause) };
  return { ...record, reason: code, ...error, ...details };
}

/** What each check is set to, the issuers that one which is on accepts, and what a profile must have. */
function checksInForce(settings: Settings, kind: LoginKind): Record<string, unknown> {
  const { check, issuers } = KINDS[kind];
  return {
    callerCheck: settings.callerCheck,
    [check]: settings[check],
    ...(settings[check] === 'on' && { issuers: [...settings[issuers].keys()] }),
    requiredFields: settings.requiredFields,
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
