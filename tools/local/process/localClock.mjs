/** The clock of a process that answers stored events: a `Date` that stands at their moment and goes on from there. */

const RealDate = Date;
let offsetMs = 0;

function now() {
  return RealDate.now() + offsetMs;
}

/** Everything else of it is the real one's, its prototype too: dates made before and after are alike. */
function LocalDate(...args) {
  if (!new.target) return new RealDate(now()).toString();
  const target = new.target === LocalDate ? RealDate : new.target;
  return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target);
}

/** Puts the clock in place. What asks for the time before a moment is set gets the real one. */
export function installClock() {
  Object.defineProperties(LocalDate, Object.getOwnPropertyDescriptors(RealDate));
  LocalDate.now = now;
  RealDate.prototype.constructor = LocalDate;
  globalThis.Date = LocalDate;
}

/** @param {number | null} moment in milliseconds since 1970; null for the real time */
export function setClock(moment) {
  offsetMs = moment === null ? 0 : moment - RealDate.now();
}

/** The real time in milliseconds since 1970. */
export const realNow = RealDate.now.bind(RealDate);
