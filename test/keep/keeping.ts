/** Plans on the bundle that is built before all tests, and what may be looked for in them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeepOptions, planKeep, type SamplePlan } from '../../tools/keep/planKeep.ts';
import { BUILT } from '../support/tools.ts';
import { openIdEvent } from '../support/wire.ts';

/** The engine reads once whether the bundle is built. */
Object.assign(process.env, BUILT);
export const { Engine } = await import('../../tools/local/engine.ts');

export const engine = await Engine.open();

/** An event of an OpenID login, as it is sent. */
export type Kept = { idToken: { otherClaims: Record<string, unknown> }; [field: string]: unknown };

export function claimsOf(event: unknown): Record<string, unknown> {
  return (event as Kept).idToken.otherClaims;
}

export function openId(claims: Record<string, unknown>) {
  const event = openIdEvent();
  event.idToken.otherClaims = claims;
  return event;
}

export function plan(
  functionName: string,
  event: unknown,
  options: Partial<KeepOptions> = {},
): Promise<SamplePlan> {
  const folder = join(tmpdir(), 'no-such-folder');
  const isOwn = options.handlerModule?.startsWith('/') ?? false;
  const handlerName = isOwn ? 'handlers/own' : options.handlerModule;
  return planKeep({ engine, functionName, event, name: 'zz-1', folder, handlerName, ...options });
}

/** All that a plan would write; tokens are looked into too. */
export function writtenText({
  event,
  expected,
  outside,
}: Pick<SamplePlan, 'event' | 'expected' | 'outside'>) {
  const raw = JSON.stringify([event, expected, outside]);
  const inside = Array.from(raw.matchAll(/"(eyJ[\w-]*)\.([\w-]*)\.[\w-]*"/g), ([, header, payload]) =>
    [header, payload].map((part) => Buffer.from(part ?? '', 'base64url').toString()),
  );
  return { raw, readable: raw.replace(/"[\w-]{40,}(?:\.[\w-]*)*"/g, '""') + inside.flat().join('') };
}

/** Letters of which no stand-in is made: what has three of them in a row is no accident. */
const LETTERS = 'qxjzywhc';

/** Other letters in the same case, in an order that is another one for each number. */
export function canary(word: string, index: number): string {
  const letters = Array.from({ length: Math.max(8, word.length) }, (_, at) => {
    const letter =
      LETTERS[(at * (1 + 2 * (index % 4)) + Math.floor(index / 4) + Math.floor(at / 8)) % 8] ?? 'q';
    return word.charAt(at) !== word.charAt(at).toLowerCase() ? letter.toUpperCase() : letter;
  });
  return letters.join('');
}
