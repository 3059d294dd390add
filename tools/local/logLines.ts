import type { LogRecord } from './process/logRecords.ts';

/** What the handler printed itself: all that is no record. */
export function printedLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !/^\{"level":"[A-Z]+","event":"/.test(line));
}

/** What became of the shadow: of each login that it was chosen for, there is one of these records. */
const SHADOW_OUTCOMES = ['shadow_same', 'shadow_difference', 'shadow_failed', 'shadow_skipped'];

/** E.g. `would_admit`; null where no shadow was chosen. */
export function shadowOutcome(records: readonly LogRecord[]): string | null {
  const record = records.find(({ event }) => SHADOW_OUTCOMES.includes(String(event)));
  if (record === undefined) return null;
  const { event, effect, shadowReason, cause } = record;
  const outcome = String(event).replace('shadow_', '');
  const parts = [effect ?? outcome, effect === undefined ? (shadowReason ?? cause) : null];
  return parts.filter((part) => typeof part === 'string').join(', ');
}
