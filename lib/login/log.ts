/**
 * One JSON object a log record. On Lambda, its own JSON logging writes an object that `console` is given, with
 * time, level and request id; elsewhere `console` would print `[Object]`, so that the line is made here.
 */
import { LOG_LEVELS, type Logging } from '../settings.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
export type LogRecord = { event: string } & Record<string, unknown>;

export interface Log extends Record<'info' | 'warn' | 'error', (record: LogRecord) => void> {
  /** The record is made only where it is written: it may cost more than the login. */
  debug: (makeRecord: () => LogRecord) => void;
}

export function createLog({ level: lowest, isJson }: Logging): Log {
  const writer = (level: Level) => {
    const name = level.toUpperCase() as Uppercase<Level>;
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(lowest)) return null;
    return (record: LogRecord) => {
      try {
        console[level](isJson ? record : JSON.stringify({ level: name, ...record }));
      } catch {
        // A handler may have put something of its own into the console's place; the login goes on.
      }
    };
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
