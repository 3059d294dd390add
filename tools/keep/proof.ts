/** Whether the stand-in is answered as the original, text by text. */
import { isDeepStrictEqual } from 'node:util';
import type { Answered } from '../local/answered.ts';
import type { Substitution } from './substitution.ts';

/** How the function answers an event with recorded responses of other systems. */
export type Ask = (event: unknown, exchanges: Substitution['exchanges']) => Promise<Answered>;

/**
 * Fields of the response, and `status`, `reason` and `requests`, that are not what the substitution makes of the original's.
 * Lists are sets, in which each value counts as often as it occurs.
 */
export function differingFields(before: Answered, after: Answered, substitution: Substitution): string[] {
  const [one, other] = [before.response ?? {}, after.response ?? {}];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return [
    ...fields.filter((field) => !isSame(one[field], other[field], substitution)),
    ...(before.status === after.status ? [] : ['status']),
    ...(before.reason === after.reason ? [] : ['reason']),
    ...(after.asked.unanswered.length === 0 ? [] : ['requests']),
  ];
}

function isSame(before: unknown, after: unknown, substitution: Substitution): boolean {
  if (typeof before === 'string' && typeof after === 'string')
    return substitution.isSubstituted(before, after);
  if (!Array.isArray(before) || !Array.isArray(after)) return isDeepStrictEqual(before, after);
  if (before.length !== after.length) return false;
  const left = [...after];
  for (const item of before) {
    const index = left.findIndex((one) => isSame(item, one, substitution));
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return true;
}

/** Texts of the kept response that the handler wrote, whatever the event said: the same in both responses, and no text of the event. */
export function handlersTexts(
  before: Answered,
  after: Answered,
  substitution: Substitution,
): ReadonlySet<string> {
  const written = new Set(textsOf(before));
  return new Set(textsOf(after).filter((text) => written.has(text) && substitution.isHandlers(text)));
}

function textsOf({ response }: Answered): string[] {
  const values = Object.values(response ?? {}).flat();
  return values.filter((value) => typeof value === 'string');
}
