/**
 * Errors as log records. What is thrown may be anything, also an object whose every property throws.
 */

/** V8 writes one frame a line; more of them than this say nothing new. */
const MAX_FRAMES = 10;
const MAX_CAUSES = 3;
const MAX_TEXT = 2_000;
const FRAME =
  /^ {4}at (?:[\w$.<>[\] ]+ \()?(?:async )?(?:file:|node:|\/|[A-Za-z]:\\|<anonymous>|eval)[^()]*\)?$/;
/** What a class or an error code looks like; anything else may be data. */
const NAME = /^[\w$.:-]{1,80}$/;

export interface ErrorDescription {
  class: string;
  code?: string;
  message?: string;
  frames?: string[];
  cause?: ErrorDescription;
}

/**
 * An error thrown during a login: its class, its code and where it was thrown. Never its message, which may
 * carry what the person's identity provider sent.
 */
export function describeWithoutMessage(thrown: unknown): ErrorDescription {
  const code = read(thrown, 'code');
  const frames = framesOf(thrown);
  return {
    class: classOf(thrown),
    ...(typeof code === 'string' && NAME.test(code) && { code }),
    ...(frames.length > 0 && { frames }),
  };
}

/** An error thrown while a module loads, before any login: all of it. */
export function describeWhole(thrown: unknown, causes = MAX_CAUSES): ErrorDescription {
  const message = messageOf(thrown);
  const cause = read(thrown, 'cause');
  return {
    ...describeWithoutMessage(thrown),
    ...(message !== null && { message }),
    ...(cause !== undefined && causes > 0 && { cause: describeWhole(cause, causes - 1) }),
  };
}

/** The message of whatever was thrown, cut to a bounded length; null where it has none. */
export function messageOf(thrown: unknown): string | null {
  const message = typeof thrown === 'string' ? thrown : read(thrown, 'message');
  return typeof message === 'string' ? message.slice(0, MAX_TEXT) : null;
}

function classOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return typeof thrown;
  const name = read(read(thrown, 'constructor'), 'name');
  return typeof name === 'string' && NAME.test(name) ? name : 'unknown';
}

/**
 * The stack's frames without its head, which repeats the message. Where the head is not what the message
 * says now, nothing tells where the message ends, and no frame is given.
 */
function framesOf(thrown: unknown): string[] {
  const stack = read(thrown, 'stack');
  const message = read(thrown, 'message');
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const headEnd = message === '' ? stack.indexOf('\n') : stack.indexOf(message) + message.length;
  if (headEnd < message.length || stack.slice(0, headEnd - message.length).includes('\n')) return [];
  return stack
    .slice(headEnd)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}

function read(target: unknown, key: string): unknown {
  if ((typeof target !== 'object' && typeof target !== 'function') || target === null) return undefined;
  try {
    return (target as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
