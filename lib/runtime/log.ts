/**
 * One JSON object a log record. On Lambda, its own JSON logging writes an object that `console` is given, with
 * time, level and request id; elsewhere `console` would print `[Object]`, so that the line is made here.
 */
import type { Settings } from './config.ts';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

type Level = 'debug' | 'info' | 'warn' | 'error';
export type LogRecord = { event: string } & Record<string, unknown>;
export type Log = Record<Level, (record: LogRecord) => void>;

export function createLog({ logLevel, lambdaLogsJson }: Pick<Settings, 'logLevel' | 'lambdaLogsJson'>): Log {
  const threshold = LEVELS.indexOf(logLevel);
  const writer = (level: Level): Log[Level] => {
    const name = level.toUpperCase() as (typeof LEVELS)[number];
    if (LEVELS.indexOf(name) < threshold) return () => {};
    if (lambdaLogsJson) return (record) => console[level](record);
    return (record) => console[level](JSON.stringify({ level: name, ...record }));
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}
