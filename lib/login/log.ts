/**
 * The log: one JSON object a record. On Lambda, its own JSON logging writes an object that `console` is given, with time,
 * level and request id; elsewhere `console` would print `[Object]`, and the line is made here.
 */
import { currentInvocation, hasAsked } from '../invocation.ts';
import { LOG_LEVELS, type Logging } from '../readSettings.ts';
import { LoginError } from '../reasons.ts';

const { inspect } = process.getBuiltinModule('node:util');

type Level = 'debug' | 'info' | 'warn' | 'error';
type LogRecord = { event: string } & Record<string, unknown>;

/** The record is made only where it is written: it may cost more than the login. */
export type Log = (level: Level, makeRecord: () => LogRecord) => void;

export function createLog({ level: lowest, isJson }: Logging): Log {
  return (level, makeRecord) => {
    const name = level.toUpperCase() as Uppercase<Level>;
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(lowest)) return;
    try {
      const record = makeRecord();
      console[level](isJson ? record : JSON.stringify({ level: name, ...record }));
    } catch {
      // A record that cannot be made or written stops no login.
    }
  };
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
    const error = describeWithoutMessage(thrown);
    log('error', () => ({ event: 'unhandled_error', requestId, kind, error }));
    log('debug', () => ({ event: 'unhandled_error_message', requestId, message: messageOf(thrown) }));
  };
  process.on('unhandledRejection', report('unhandled rejection'));
  process.on('uncaughtException', report('uncaught exception'));
}

/** V8 writes one frame a line; more of them than this say nothing new. */
const MAX_FRAMES = 10;
const MAX_TEXT = 4_000;
const MAX_FRAME = 300;
/**
 * Where a frame's code stands: its file, line and column. What is before them names a function, and V8 makes such names of
 * computed keys and of the property that was called, which may be data. No bundled file has `@` in its path, and addresses do.
 */
const PLACE = /^ {4}at (?:.*\(|async )?((?:file:|node:|\/|[A-Z]:\\)[^@()\s]*:\d+:\d+)\)?$/;

/**
 * An error thrown during a login: its class, our own code and where it was thrown. What a handler throws may carry what the
 * person's identity provider sent, so its message is never in it, and no code of another's, which may be made of the message.
 */
export function describeWithoutMessage(thrown: unknown) {
  if (!(thrown instanceof Error)) return { class: typeof thrown };
  const frames = framesOf(thrown);
  return {
    class: thrown.constructor.name,
    ...(thrown instanceof LoginError && { code: thrown.code }),
    ...(frames.length > 0 && { frames }),
  };
}

/**
 * An error thrown while a module loads, before any login: all of it, causes and properties too. Once the process has asked for a
 * secret or a look-up, any of it may hold a response: then its class, or our own code and details, and where it was thrown.
 */
export function describeWhole(thrown: unknown): string {
  if (!hasAsked()) return inspect(thrown, { depth: 4 }).slice(0, MAX_TEXT);
  const { class: name, frames = [] } = describeWithoutMessage(thrown);
  const head = thrown instanceof LoginError ? `${thrown.code} ${JSON.stringify(thrown.details)}` : name;
  return [head, ...frames].join('\n    ');
}

/** The message of whatever was thrown, cut to a bounded length; null where it has none. */
export function messageOf(thrown: unknown): string | null {
  const message = thrown instanceof Error ? thrown.message : thrown;
  return typeof message === 'string' ? message.slice(0, MAX_TEXT) : null;
}

/**
 * The places of the stack's frames, without its head, which repeats the message. Where the head is not what the message
 * says now, nothing tells where the message ends, and no frame is given.
 */
// Stryker disable next-line StringLiteral: no text without frames has a place.
function framesOf({ message, stack = '' }: Error): string[] {
  const start = stack.indexOf(message);
  if (start < 0 || stack.slice(0, start).includes('\n')) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => PLACE.exec(line)?.[1] ?? [])
    .slice(0, MAX_FRAMES)
    .map((place) => `at ${place}`.slice(0, MAX_FRAME));
}
