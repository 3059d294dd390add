/**
 * Errors as log records. A handler may throw anything, also an object whose every property throws.
 */
import { LoginError } from '../reasons.ts';

const { inspect } = process.getBuiltinModule('node:util');

/** V8 writes one frame a line; more of them than this say nothing new. */
const MAX_FRAMES = 10;
const MAX_TEXT = 4_000;
const MAX_FRAME = 300;
/**
 * Where a frame's code stands: its file, line and column. What is before them names a function, and V8 makes such names of
 * computed keys and of the property that was called, which may be data. No bundled file has `@` in its path, and addresses do.
 */
const PLACE = /^ {4}at (?:.*\(|async )?((?:file:|node:|\/|[A-Z]:\\)[^@()\s]*:\d+:\d+)\)?$/;
/** What a class looks like; anything else may be data. */
const CLASS_NAME = /^[\w$]{1,80}$/;

interface ErrorDescription {
  class: string;
  code?: string;
  frames?: string[];
}

/**
 * An error thrown during a login: its class, our own code and where it was thrown. Never its message, which may
 * carry what the person's identity provider sent, and never another's code, which may be made of it.
 */
export function describeWithoutMessage(thrown: unknown): ErrorDescription {
  const frames = framesOf(thrown);
  const made = LoginError.made(thrown);
  return {
    class: classOf(thrown),
    ...(made && { code: made.code }),
    ...(frames.length > 0 && { frames }),
  };
}

/**
 * An error instead of one whose message, properties and causes may hold a secret: its class, or our own code and
 * details, and where it was thrown.
 */
export function withoutMessage(thrown: unknown): Error {
  const { class: name, frames = [] } = describeWithoutMessage(thrown);
  const made = LoginError.made(thrown);
  const head = made ? `${made.code} ${JSON.stringify(made.details)}` : name;
  return Object.assign(new Error(), { stack: [head, ...frames.map((frame) => `    ${frame}`)].join('\n') });
}

/** An error thrown while a module loads, before any login: all of it, causes and properties too. */
export function describeWhole(thrown: unknown): string {
  try {
    return inspect(thrown, { depth: 4 }).slice(0, MAX_TEXT);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** The message of whatever was thrown, cut to a bounded length; null where it has none. */
export function messageOf(thrown: unknown): string | null {
  const message = typeof thrown === 'string' ? thrown : read(thrown, 'message');
  return typeof message === 'string' ? message.slice(0, MAX_TEXT) : null;
}

/** By the prototype: what is thrown may have a `constructor` of its own, made of anything. */
function classOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return typeof thrown;
  try {
    const { name } = Object.getPrototypeOf(thrown).constructor;
    return typeof name === 'string' && CLASS_NAME.test(name) ? name : 'unknown';
  } catch {
    return 'unknown';
  }
}

/**
 * The places of the stack's frames, without its head, which repeats the message. Where the head is not what the message
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
    .flatMap((line) => PLACE.exec(line)?.[1] ?? [])
    .slice(0, MAX_FRAMES)
    .map((place) => `at ${place}`.slice(0, MAX_FRAME));
}

/** Undefined also where reading it throws, as of `null`. */
function read(target: unknown, key: string): unknown {
  try {
    return (target as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
