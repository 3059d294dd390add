/**
 * One JSON object a log record. On Lambda, its own JSON logging writes an object that `console` is given, with
 * time, level and request id; elsewhere `console` would print `[Object]`, so that the line is made here.
 */
import type { Logging } from './config.ts';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

type Level = 'debug' | 'info' | 'warn' | 'error';
export type LogRecord = { event: string } & Record<string, unknown>;

export interface Log extends Record<'info' | 'warn' | 'error', (record: LogRecord) => void> {
  /** The record is made only where it is written: it may cost more than the login. */
  debug: (makeRecord: () => LogRecord) => void;
}

export function createLog({ level: lowest, isJson }: Logging): Log {
  const threshold = LEVELS.indexOf(lowest);
  const isOn = (level: Level) => LEVELS.indexOf(nameOf(level)) >= threshold;
  const write = (level: Level) => (record: LogRecord) => {
    if (!isOn(level)) return;
    try {
      console[level](isJson ? record : JSON.stringify({ level: nameOf(level), ...record }));
    } catch {
      // A handler may have put something of its own into the console's place; the login goes on.
    }
  };
  return {
    debug: (makeRecord) => {
      if (isOn('debug')) write('debug')(makeRecord());
    },
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

function nameOf(level: Level) {
  return level.toUpperCase() as Uppercase<Level>;
}
