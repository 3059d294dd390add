import { readFileSync } from 'node:fs';

/** Of Linux's clock in proc(5), on every machine that it runs on. */
const TICKS_A_SECOND = 100;

/** How long a process has used a processor since it started, with all its threads, in seconds. Linux alone. */
export function processorSeconds(pid: number): number {
  // What follows the command's name in parentheses: `utime` and `stime` are the twelfth and thirteenth.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
