/** What a process writes to its streams, to a limit. */
import type { ChildProcess } from 'node:child_process';

/** In characters, until it is forgotten. A login at level DEBUG writes some 10,000. */
const MAX_OUTPUT = 16_777_216;

export class Output {
  text = '';
  readonly #onFlood: (max: number) => void;

  /** @param onFlood called where the process writes more; the rest is dropped */
  constructor(child: ChildProcess, onFlood: (max: number) => void) {
    this.#onFlood = onFlood;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.add(text));
    }
  }

  add(text: string): void {
    if (this.text.length + text.length <= MAX_OUTPUT) this.text += text;
    else this.#onFlood(MAX_OUTPUT);
  }
}
