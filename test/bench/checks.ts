import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { type CheckedLogin, withCheckedLogins } from './checkedLogins.ts';
import { durationsOf } from './durations.ts';
import { median } from './statistics.ts';

const LOGINS = 200;
/** Until the compiler has settled. */
const WARM_UP_LOGINS = 50;

/** Rows of check, first login and median of the later ones in milliseconds, with the check and without. */
export function checkCosts(): Promise<string[][]> {
  return withCheckedLogins(async (logins) => {
    const rows = [];
    for (const login of logins) {
      const [first = Number.NaN, ...others] = await durations(login, login.env);
      const [, ...unchecked] = await durations(login, {});
      const later = (times: number[]) => median(times.slice(WARM_UP_LOGINS)).toFixed(2);
      rows.push([login.label, first.toFixed(1), later(others), later(unchecked)]);
    }
    return rows;
  });
}

async function durations({ name, event }: CheckedLogin, env: Record<string, string>): Promise<number[]> {
  const fn = await startFunction({ name, env });
  for (let login = 0; login < LOGINS; login++) await fn.invoke(event);
  await fn.stop();
  return durationsOf(fn);
}
