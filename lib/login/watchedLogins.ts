/**
 * What a thread and its watchdog both see: when the thread last yielded, and the logins that its handler is busy with. It is
 * in shared memory, because a blocked thread answers no message.
 */

/** One entry: eight numbers of eight bytes. The first entry is the thread's, each other one a login's. */
const ENTRY_NUMBERS = 8;
const ENTRY_BYTES = 64;
/** Of an entry that is a login's: behind its deadline. */
const ID_OFFSET = 8;
const MAX_ID = ENTRY_BYTES - ID_OFFSET;
/** Position of the time at which the thread last yielded. */
const YIELDED_AT = 0;
const NO_LOGIN = 0;
/** What the id of a login begins with that a shadow is asked about. */
export const OF_SHADOW = 'shadow ';

export interface ThreadState {
  /** For how long the thread has not yielded, in milliseconds. */
  silentMs: number;
  /** By how much the thread is late with the login that should have ended first, in milliseconds; 0 where it is not late. */
  lateMs: number;
  /** Of the logins that its handler is busy with. */
  requestIds: string[];
}

/** Milliseconds on a clock that all threads of a process share. */
function sharedNowMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

export class WatchedLogins {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Float64Array;
  readonly #bytes: Buffer;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#numbers = new Float64Array(memory);
    this.#bytes = Buffer.from(memory);
  }

  /** @param max how many logins the thread may have at the same time */
  static of(max: number): WatchedLogins {
    const logins = new WatchedLogins(new SharedArrayBuffer((max + 1) * ENTRY_BYTES));
    logins.yielded();
    return logins;
  }

  /** The thread says that it runs. */
  yielded(): void {
    this.#numbers[YIELDED_AT] = sharedNowMs();
  }

  /**
   * The thread begins a login. One for which there is no entry is not watched.
   *
   * @returns ends it
   */
  begin(requestId: string, remainingMs: number): () => void {
    const at = this.#freeEntry();
    if (at === null) return () => {};
    this.#bytes.fill(0, (at + 1) * ID_OFFSET, (at + ENTRY_NUMBERS) * ID_OFFSET);
    this.#bytes.write(requestId.slice(0, MAX_ID), (at + 1) * ID_OFFSET, 'latin1');
    const deadline = sharedNowMs() + remainingMs;
    this.#numbers[at] = deadline;
    return () => {
      if (this.#numbers[at] === deadline) this.#numbers[at] = NO_LOGIN;
    };
  }

  state(): ThreadState {
    const now = sharedNowMs();
    const running = this.#entries().filter((at) => this.#isRunning(at));
    const firstDeadline = Math.min(now, ...running.map((at) => this.#number(at)));
    return {
      silentMs: now - this.#number(YIELDED_AT),
      lateMs: now - firstDeadline,
      requestIds: running.map((at) => this.#requestId(at)),
    };
  }

  #freeEntry(): number | null {
    for (let at = ENTRY_NUMBERS; at < this.#numbers.length; at += ENTRY_NUMBERS) {
      if (!this.#isRunning(at)) return at;
    }
    return null;
  }

  #entries(): number[] {
    const count = this.#numbers.length / ENTRY_NUMBERS - 1;
    return Array.from({ length: count }, (_, index) => (index + 1) * ENTRY_NUMBERS);
  }

  /** A thread that yields after a login's deadline has ended that login: its deadline answers it. */
  #isRunning(at: number): boolean {
    return this.#number(at) > this.#number(YIELDED_AT);
  }

  #number(at: number): number {
    return this.#numbers[at] ?? NO_LOGIN;
  }

  #requestId(at: number): string {
    return this.#bytes
      .toString('latin1', (at + 1) * ID_OFFSET, (at + ENTRY_NUMBERS) * ID_OFFSET)
      .replace(/\0+$/, '');
  }
}
