/** What a function does once, before its first login: settings, handler, checks, log, and a guard against strays. */

import { LoginError } from '../errors.ts';
import type { LoginKind } from '../settings.ts';
import { configuration, type Settings } from '../settings.ts';
import { type LoginHandler, loadHandler } from './customHandler.ts';
import { describeWhole } from './describeError.ts';
import { createLog, type Log } from './log.ts';
import { guardAgainstStrays } from './strays.ts';

export interface LoginFunction {
  name: string;
  settings: Settings;
  log: Log;
  /** `default`, or the module that a setting names; `undecided` where the settings are unusable. */
  handlerSource: string;
  /** Whether it is the default handler. */
  isDefault: boolean;
  /** The handler; or why every login is answered with an error. */
  handler: LoginHandler | LoginError;
}

export interface LoginFunctionOptions<TEvent> {
  /** The function's name, the same everywhere: `openidLoggedIn` or `samlLoggedIn`. */
  name: string;
  /** The bundle's root, a `file:` URL that ends with `/`. */
  root: URL;
  /** What is checked before the handler runs, where it is on. */
  checks: readonly Check[];
  kind: LoginKind;
  /** Which setting names the custom handler's module. */
  handlerModule: 'openidHandlerModule' | 'samlHandlerModule';
  /** Used where no module is configured, and then only. */
  defaultHandler: (event: TEvent) => unknown;
  /** Its name, under which a custom module may export its own. Said, because minifying renames functions. */
  exportName: string;
}

export interface Check {
  /** Which setting turns it on: by every value but one. */
  setting: 'callerCheck' | 'openidTokenCheck' | 'samlAssertionCheck';
  off: string;
  /** Which setting lists the issuers that it accepts. */
  issuers?: 'openidIssuers' | 'samlIssuers';
  /** Loads the code that it runs. */
  load: () => Promise<unknown>;
}

export function isOn({ setting, off }: Check, settings: Settings): boolean {
  return settings[setting] !== off;
}

/** Never throws: what went wrong is logged here once, and answers every login. */
export async function coldStart<TEvent>(options: LoginFunctionOptions<TEvent>): Promise<LoginFunction> {
  const { settings, logging, problems } = configuration(options.kind);
  const log = createLog(logging);
  guardAgainstStrays(log);
  const handlerSource = problems.length > 0 ? 'undecided' : (settings[options.handlerModule] ?? 'default');
  const handler =
    problems.length > 0
      ? new LoginError('configuration_unusable', { problems })
      : await prepare(options, settings);
  const record = {
    event: 'cold_start',
    function: options.name,
    handler: handlerSource,
    ...(problems.length === 0 && checksInForce(options.checks, settings)),
  };
  if (typeof handler === 'function') log.info(record);
  else log.error({ ...record, reason: handler.code, ...handler.details, ...causeOf(handler) });
  const isDefault = handler === options.defaultHandler;
  return { name: options.name, settings, log, handlerSource, isDefault, handler };
}

/** For the log: what each check is set to, and the issuers that a check which is on accepts. */
function checksInForce(checks: readonly Check[], settings: Settings): Record<string, unknown> {
  const accepted = checks.filter((check) => isOn(check, settings)).map(({ issuers }) => issuers);
  const [issuers] = accepted.filter((setting) => setting !== undefined);
  return {
    ...Object.fromEntries(checks.map(({ setting }) => [setting, settings[setting]])),
    ...(issuers && { issuers: [...settings[issuers].keys()] }),
  };
}

async function prepare<TEvent>(
  { root, checks, kind, handlerModule, defaultHandler, exportName }: LoginFunctionOptions<TEvent>,
  settings: Settings,
): Promise<LoginHandler | LoginError> {
  const module = settings[handlerModule];
  try {
    await loadChecks(checks, settings);
    if (module === null) return defaultHandler as LoginHandler;
    return await loadHandler(module, { root, kind, exportName });
  } catch (error) {
    return error instanceof LoginError ? error : new LoginError('internal_error', {}, { cause: error });
  }
}

/**
 * So that no login waits for it: while a function starts, Lambda gives it a whole processor, and for a login the share
 * that its memory size buys.
 */
async function loadChecks(checks: readonly Check[], settings: Settings): Promise<void> {
  const wanted = checks.filter((check) => isOn(check, settings));
  if (wanted.length > 0) await Promise.all(wanted.map(({ load }) => load()));
}

function causeOf({ cause }: LoginError) {
  return cause === undefined ? {} : { error: describeWhole(cause) };
}
