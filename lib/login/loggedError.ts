/** Errors as log records. What a handler throws may carry what the person's identity provider sent. */
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

interface ErrorDescription {
  class: string;
  code?: string;
  frames?: string[];
}

/**
 * An error thrown during a login: its class, our own code and where it was thrown. Its message is never in it, and no code of
 * another's, which may be made of the message.
 */
export function describeWithoutMessage(thrown: unknown): ErrorDescription {
  const frames = framesOf(thrown);
  return {
    class: thrown instanceof Error ? thrown.constructor.name : typeof thrown,
    ...(thrown instanceof LoginError && { code: thrown.code }),
    ...(frames.length > 0 && { frames }),
  };
}

/**
 * An error instead of one whose message, properties and causes may hold a secret: its class, or our own code and
 * details, and where it was thrown.
 */
export function withoutMessage(thrown: unknown): Error {
  const { class: name, frames = [] } = describeWithoutMessage(thrown);
  const head = thrown instanceof LoginError ? `${thrown.code} ${JSON.stringify(thrown.details)}` : name;
  return Object.assign(new Error(), { stack: [head, ...frames.map((frame) => `    ${frame}`)].join('\n') });
}

/** An error thrown while a module loads, before any login: all of it, causes and properties too. */
export function describeWhole(thrown: unknown): string {
  return inspect(thrown, { depth: 4 }).slice(0, MAX_TEXT);
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
function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return [];
  const { message, stack } = thrown;
  const start = stack.indexOf(message);
  if (start < 0 || stack.slice(0, start).includes('\n')) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .flatMap((line) => PLACE.exec(line)?.[1] ?? [])
    .slice(0, MAX_FRAMES)
    .map((place) => `at ${place}`.slice(0, MAX_FRAME));
}
