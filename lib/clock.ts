/**
 * Milliseconds on a clock that only goes forward. `performance.now()` is the same clock, but the first touch of
 * `performance` loads a module: a millisecond of every cold start.
 */
export function nowMs(): number {
  return process.uptime() * 1000;
}
