/** What a handler of code reads of an event: noted in a second run, for the explanation alone. */
import * as v from 'valibot';
import type { Engine } from '../local/engine.ts';
import { eventInside } from '../local/httpEvent.ts';
import type { Invocation, InvocationResult } from '../local/invocation.ts';
import type { EventRead } from '../local/process/notedEvent.ts';
import { kindOf } from '../shared/functions.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { differencesOf } from './differences.ts';
import type { EventKey } from './eventNodes.ts';
import { stepsOf } from './loginSteps.ts';
import { pathText } from './pathText.ts';
import { wirePaths } from './wirePaths.ts';

/** A place of the event that was read, or places of a list that are alike. */
export interface HandlerRead {
  /** In the event out of its HTTP envelope: of alike places, the list. */
  path: readonly EventKey[];
  /** E.g. `idToken.otherClaims.email`, or `assertion.assertionAttributeStatement[…].attributeName`. */
  place: string;
  what: EventRead['what'];
  /** How many places. */
  count: number;
}

export interface HandlerReads {
  /** In the order of first reading; empty where there is a problem. */
  reads: HandlerRead[];
  /** Why they are not known; null where they are. */
  problem: string | null;
}

export interface ReadLogin {
  answered: InvocationResult;
  /** As it arrived, in an HTTP envelope or not. */
  event: unknown;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
}

const key = v.union([v.string(), v.number()]);
const Reads = v.nullable(
  v.array(v.object({ path: v.array(key), what: v.picklist(['value', 'whole', 'names', 'absent']) })),
);

/**
 * @param answered what the handler answered when nothing was noted
 * @param again answers the same event, noted, with the responses of other systems that it got then
 * @returns null for the default handler and a mapping, whose explanation says more, and where no handler decided
 */
export async function readsOf(
  { answered, event, functionName }: ReadLogin,
  again: () => Promise<InvocationResult>,
): Promise<HandlerReads | null> {
  if (!hasDecided(answered, event, functionName)) return null;
  const noted = await again();
  const record = noted.records.findLast((one) => one.event === 'handler_reads');
  const { success, output } = v.safeParse(Reads, record?.reads);
  if (success && output === null) return null;
  if (!success || !isSame(answered, noted)) return { reads: [], problem: differently(answered, noted) };
  return {
    reads: together(output ?? [], wirePaths(eventInside(event), kindOf(functionName))),
    problem: null,
  };
}

/** The answer to the same question, noted, with the responses of other systems that the first answer had. */
export function againNoted(
  engine: Pick<Engine, 'invoke'>,
  question: Omit<Invocation, 'requests'>,
  { requests }: InvocationResult,
): Promise<InvocationResult> {
  return engine.invoke({ ...question, isLive: false, isNotingReads: true, requests: requests.recordings });
}

function hasDecided(answered: InvocationResult, event: unknown, functionName: string): boolean {
  const { response, handler, reason } = answered;
  if (response === null || handler === '' || handler === 'default' || reason === 'handler_timed_out')
    return false;
  const { state } = stepsOf(answered, event, functionName).find(({ name }) => name === 'handler') ?? {};
  return state !== undefined && state !== 'not reached';
}

function isSame(one: InvocationResult, other: InvocationResult): boolean {
  return one.reason === other.reason && differencesOf(comparable(one), comparable(other)).length === 0;
}

/** A message of ours ends with a reference to one login. */
function comparable({ status, response }: InvocationResult) {
  const message = response?.message;
  return {
    status,
    response: { ...response, ...(typeof message === 'string' && { message: withoutReference(message) }) },
  };
}

function differently(plain: InvocationResult, noted: InvocationResult): string {
  const reasons = plain.reason === noted.reason ? '' : ` (${noted.reason}, not ${plain.reason})`;
  return `The handler runs a second time to note what it reads. That run ended differently${reasons}, so nothing is shown.`;
}

/** @param wireOf the path in the event as it arrives */
function together(reads: readonly EventRead[], wireOf: (path: EventRead['path']) => readonly EventKey[]) {
  const places = reads.map(({ path, what }) => ({ path: wireOf(path), what }));
  const alike = Map.groupBy(places, ({ path, what }) => JSON.stringify([what, path.map(anyPosition)]));
  return Array.from(alike.values(), (group): HandlerRead => {
    const [{ path, what } = { path: [], what: 'value' as const }] = group;
    const count = group.length;
    const list = path.findIndex((one, index) => group.some((other) => other.path[index] !== one));
    if (count === 1) return { path, place: pathText(path) || 'the event', what, count };
    const before = path.slice(0, list);
    const after = pathText(path).slice(pathText(path.slice(0, list + 1)).length);
    return { path: before, place: `${pathText(before)}[…]${after}`, what, count };
  });
}

function anyPosition(one: EventKey): EventKey {
  return typeof one === 'number' ? 0 : one;
}
