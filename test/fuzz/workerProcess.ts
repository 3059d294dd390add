/** Starts the process of a situation, and sees to its end: whatever happens to it, its properties have a result. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { longestMs, type PropertyResult } from './property.ts';
import type { Situation } from './situations.ts';
import type { Message, Order } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Beyond what a property may take: a login that keeps the process busy for good ends here. */
const GRACE_MS = 30_000;
const MAX_HEAP_MB = 512;

export interface Tried extends PropertyResult {
  situation: string;
}

export async function tryIn(
  { name: situation, env, setup }: Situation,
  order: Omit<Order, 'situation' | 'setup'>,
): Promise<Tried[]> {
  const child = fork(WORKER, {
    env,
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, '--disable-warning=MappingWarning'],
  });
  const results: Tried[] = [];
  let trying: string | null = 'start';
  let silence: NodeJS.Timeout | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => child.kill('SIGKILL'), longestMs(order.cases) + GRACE_MS);
  };
  child.on('message', (message: Message) => {
    listen();
    if (message.kind === 'trying') trying = message.property;
    else if (message.kind === 'tried') results.push({ situation, ...message.result });
    else results.push(broken(situation, trying ?? 'start', message.error));
    if (message.kind === 'tried') trying = null;
  });
  listen();
  child.send({ situation, setup, ...order } satisfies Order);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(silence);
  if (code !== 0) results.push(broken(situation, trying ?? 'end', `the process ended (${signal ?? code})`));
  return results;
}

function broken(situation: string, name: string, error: string): Tried {
  const failure = { counterexample: 'unknown', error, path: '' };
  return { situation, name, cases: 1, ms: 0, slowestMs: 0, authorized: 0, failure };
}
