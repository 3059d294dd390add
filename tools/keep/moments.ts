/**
 * Times of a stand-in. A moment to the second would find the login in the provider's log: all times of a login move by one
 * random number of whole seconds into the past, so that they agree with each other and with the moment of the event.
 */
import { randomInt } from 'node:crypto';
import { parseDateTime } from '../../lib/saml/dateTime.ts';

const DAY_SECONDS = 86_400;
const MAX_SHIFT_DAYS = 60;
const MAX_AGE_DAYS = 700;

export class Moments {
  readonly #shiftSeconds = -(DAY_SECONDS + randomInt(MAX_SHIFT_DAYS * DAY_SECONDS));
  readonly #momentSeconds: number | null;
  readonly #earlier = new Map<number, number>();

  /** @param moment when the event is from, in milliseconds since 1970; null where it does not say */
  constructor(moment: number | null) {
    this.#momentSeconds = moment === null ? null : moment / 1_000;
  }

  /** @param seconds since 1970 */
  moved(seconds: number): number {
    return seconds + this.#shiftSeconds;
  }

  /** A date-time with the offset and the fractional digits that it has; null for another text. */
  movedText(text: string): string | null {
    const trimmed = text.trim();
    if (parseDateTime(trimmed) === null) return null;
    const [date, time, rest] = [trimmed.slice(0, 10), trimmed.slice(11, 19), trimmed.slice(19)];
    const moved = new Date(Date.parse(`${date}T${time}Z`) + this.#shiftSeconds * 1_000).toISOString();
    return text.replace(trimmed, () => moved.slice(0, 10) + trimmed.charAt(10) + moved.slice(11, 19) + rest);
  }

  /** Whether it is of this login: other times, such as a birthday, are the person's. */
  isNear(seconds: number): boolean {
    return this.#momentSeconds !== null && Math.abs(seconds - this.#momentSeconds) <= DAY_SECONDS;
  }

  isNearText(text: string): boolean {
    const date = parseDateTime(text.trim());
    return date !== null && this.isNear(date.getTime() / 1_000);
  }

  /** Some time before the login, always the same for the same seconds since 1970. */
  earlier(seconds: number): number {
    const from = Math.floor(this.#momentSeconds ?? Date.now() / 1_000);
    const made =
      this.#earlier.get(seconds) ?? this.moved(from - randomInt(DAY_SECONDS, MAX_AGE_DAYS * DAY_SECONDS));
    this.#earlier.set(seconds, made);
    return made;
  }
}
