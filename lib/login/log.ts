/**
 * The log: one JSON object a record. On Lambda, its own JSON logging writes an object that `console` is given, with time,
 * level and request id; elsewhere `console` would print `[Object]`, and the line is made here.
 */
import { currentInvocation, nowMs } from '../invocation.ts';
import { LOG_LEVELS, type Logging } from '../settings.ts';
import { shortened } from '../text.ts';
import { describeWithoutMessage, messageOf } from './loggedError.ts';
import type { Login, LoginRequest, Middleware } from './login.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
export type LogRecord = { event: string } & Record<string, unknown>;

export interface Log extends Record<'info' | 'warn' | 'error', (record: LogRecord) => void> {
  /** The record is made only where it is written: it may cost more than the login. */
  debug: (makeRecord: () => LogRecord) => void;
}

export function createLog({ level: lowest, isJson }: Logging): Log {
  function write(level: Level, record: LogRecord): void {
    try {
      console[level](isJson ? record : JSON.stringify({ level: level.toUpperCase(), ...record }));
    } catch {
      // A record that cannot be written stops no login.
    }
  }

  const writer = (level: Level) => {
    const name = level.toUpperCase() as Uppercase<Level>;
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(lowest)) return null;
    return (record: LogRecord) => write(level, record);
  };
  const silent = () => {};
  const debug = writer('debug');
  return {
    debug: debug ? (makeRecord) => debug(makeRecord()) : silent,
    info: writer('info') ?? silent,
    warn: writer('warn') ?? silent,
    error: writer('error') ?? silent,
  };
}

/** The issuer as records have it: the one value of an event that is logged. It is the sender's, and adds no line to a log. */
function shownIssuer({ issuer }: Login): { issuer?: string } {
  return issuer === null ? {} : { issuer: shortened(issuer) };
}

interface LogLoginOptions {
  /** The function's name. */
  name: string;
  /** The module of its handler, or `default`. */
  handlerSource: string;
  log: Log;
  /** The issuers that a setting lists. */
  issuers: { has(issuer: string | null): boolean };
}

/** Writes one record for each login: the reason as a code, and no value of the event but the issuer. */
export function logLogin({ name, handlerSource, log, issuers }: LogLoginOptions): Middleware {
  let hasWarned = false;

  function write({ context: { login } }: LoginRequest): void {
    const { startedAt, isColdStart, issuer, outcome, invocation, missing } = login;
    if (!outcome) return;
    const { requestId } = invocation;
    const { type, reason, statusCode, details, trace, cause } = outcome;
    const isAuthorized = type === 'AuthorizedUserResponse';
    warnOnce(details);
    const record = {
      event: 'login',
      requestId,
      function: name,
      answer: type,
      reason,
      status: statusCode,
      durationMs: Math.round((nowMs() - startedAt) * 100) / 100,
      coldStart: isColdStart,
      handler: handlerSource,
      ...shownIssuer(login),
      // Metrics by issuer read this: an event must not make dimensions.
      issuerListed: issuers.has(issuer) || undefined,
      // The list is left out where it is empty: filters and queries tell an empty list from none by the count alone.
      missingCount: missing?.length,
      missing: missing?.length ? missing : undefined,
      ...(trace && !isAuthorized && { trace: trace() }),
      ...(cause !== undefined && { error: describeWithoutMessage(cause) }),
    };
    log[levelOf(statusCode)]({ ...record, ...details });
    if (trace && isAuthorized) log.debug(() => ({ event: 'login_trace', requestId, trace: trace() }));
    if (cause !== undefined)
      log.debug(() => ({ event: 'login_error_message', requestId, message: messageOf(cause) }));
  }

  /** Each login's record names the fields that do not leave; one warning a process is enough to notice. */
  function warnOnce({ droppedFields }: Readonly<Record<string, unknown>>): void {
    if (hasWarned || droppedFields === undefined) return;
    hasWarned = true;
    log.warn({ event: 'answer_fields_dropped', function: name, handler: handlerSource, droppedFields });
  }

  return { after: write, onError: write };
}

function levelOf(statusCode: number): 'info' | 'warn' | 'error' {
  if (statusCode >= 500) return 'error';
  return statusCode >= 400 ? 'warn' : 'info';
}

let isListening = false;

/**
 * Logs what a handler left running and that fails later: a promise that nobody awaits, a timer that throws. Node would end
 * the process, and with it the login that is running then. Once a process: a tool may load both functions into one.
 */
export function logUnhandledErrors(log: Log): void {
  if (isListening) return;
  isListening = true;
  const report = (kind: string) => (thrown: unknown) => {
    const requestId = currentInvocation()?.requestId;
    log.error({ event: 'unhandled_error', requestId, kind, error: describeWithoutMessage(thrown) });
    log.debug(() => ({ event: 'unhandled_error_message', requestId, message: messageOf(thrown) }));
  };
  process.on('unhandledRejection', report('unhandled rejection'));
  process.on('uncaughtException', report('uncaught exception'));
}
