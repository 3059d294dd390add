/** The coverage of each mapping that answered events. */
import type { Explanation } from '../../lib/profile/decision.ts';
import { type Loaded, mappingOf } from '../local/mappingOf.ts';
import { loggedIn } from './account.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { Judged } from './judgedSamples.ts';

export interface HandlerCoverage {
  /** As the log names it. */
  handler: string;
  /** How many events it answered. */
  events: number;
  coverage: Coverage;
}

type AnsweredEvent = Pick<Judged, 'sample' | 'answered'>;

export async function mappingCoverages(
  all: readonly AnsweredEvent[],
  loaded: Loaded,
): Promise<HandlerCoverage[]> {
  const groups = Map.groupBy(all, ({ sample, answered }) => `${sample.functionName} ${answered.handler}`);
  const found = await Promise.all(Array.from(groups.values(), (events) => handlerCoverage(events, loaded)));
  return found.filter((one) => one !== null);
}

/** @param events that one handler answered; null where nothing of ours decided in it */
async function handlerCoverage(
  events: readonly AnsweredEvent[],
  loaded: Loaded,
): Promise<HandlerCoverage | null> {
  const [first] = events;
  if (!first || first.answered.handler === '' || first.answered.handler === 'default') return null;
  const { handler } = first.answered;
  const mapping = await mappingOf(
    { functionName: first.sample.functionName, handlerModule: handler },
    loaded,
  );
  const explanations = events.flatMap(explanationsOf);
  if (mapping === null && explanations.length === 0) return null;
  return { handler, events: events.length, coverage: coverageOf(mapping, explanations) };
}

function explanationsOf({ answered }: AnsweredEvent): Explanation[] {
  const logged = loggedIn(answered.records);
  return logged === null ? [] : [logged];
}
