/** The events that say what a handler must answer. */
import { expectsHandler } from '../explain/judgedSamples.ts';
import type { SampleEvent } from '../local/events.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';

/** Those of a function whose expected response is this handler's. */
export function eventsFor(
  functionName: string,
  handler: string,
  samples: readonly SampleEvent[],
): SampleEvent[] {
  return samples.filter(
    (sample) =>
      sample.functionName === functionName &&
      sample.expected !== null &&
      expectsHandler(sample.expected, handler),
  );
}

/** That there is none, and how to make one. */
export function noEvent(functionName: string, handler: string, { option }: Stage): string {
  const event = `${functionName}/<name>`;
  const update = typed('check', [event, '--update', ...option].join(' '));
  return `${functionName}: no event expects ${handler}: save a login as events/${event}.json, then run ${update}`;
}
