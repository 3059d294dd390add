import { LOG_LEVELS } from '../../lib/settings.ts';

const DEFAULT_LEVEL = 'INFO';

/** What a process wrote, without the records below the level that the settings say: all processes here log everything. */
export function logLines(output: string, lowest = process.env.AWS_LAMBDA_LOG_LEVEL ?? DEFAULT_LEVEL): string {
  const levels: readonly string[] = LOG_LEVELS;
  const isShown = (line: string) => {
    const [, level = ''] = /^\{"level":"([A-Z]+)","event":"/.exec(line) ?? [];
    return !levels.includes(level) || levels.indexOf(level) >= levels.indexOf(lowest);
  };
  return output.split('\n').filter(isShown).join('\n');
}

/** What the handler printed itself: all that is no record. */
export function printedLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !/^\{"level":"[A-Z]+","event":"/.test(line));
}
