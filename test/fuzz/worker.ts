/** A process of one situation: tries its invariants one after the other, and tells the parent what came of each. */
import type { Checked } from './invariant.ts';
import { SITUATIONS, type SituationName } from './situation.ts';

/** What the parent sends, once. */
export interface Order {
  situation: SituationName;
  root: string;
  seed: number;
  runs: number;
  /** Try only invariants that have this in their names. */
  only: string;
  path?: string;
}

export type Message = { trying: string } | { checked: Checked };

process.once('message', async ({ situation, root, only, ...order }: Order) => {
  const invariants = await SITUATIONS[situation](root);
  for (const { name, check } of invariants) {
    if (!name.includes(only)) continue;
    await send({ trying: name });
    await send({ checked: await check(order) });
  }
  process.disconnect();
});

function send(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}
