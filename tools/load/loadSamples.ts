/** The sample events that make a load: those whose response is known beforehand. */
import { join } from 'node:path';
import { expectsHandler } from '../explain/judgedSamples.ts';
import { EVENTS, type Expected, type SampleEvent, sampleEvents } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';

export interface LoadSample {
  name: string;
  /** The event as JSON. */
  body: string;
  expected: Pick<Expected, 'status' | 'answer'>;
}

export interface LoadSamples {
  /** At least one. */
  samples: LoadSample[];
  /** How many are not sent. */
  leftOut: number;
  /** The handler whose responses are expected: the one of the settings. */
  handler: string;
}

/**
 * @param paths of events or folders; all of the function's where there are none
 * @param given the handler of the settings; undefined for the default handler
 * @throws {UnusableInput} where none of them can be sent
 */
export async function loadSamples(
  functionName: string,
  paths: readonly string[],
  given: string | undefined,
): Promise<LoadSamples> {
  const places = paths.length > 0 ? paths : [join(EVENTS, functionName)];
  const found = (await Promise.all(places.map((path) => sampleEvents(path)))).flat();
  const handler = given ?? 'default';
  const samples = found.flatMap((sample) => loadSample(sample, functionName, given) ?? []);
  const leftOut = found.length - samples.length;
  if (samples.length > 0) return { samples, leftOut, handler };
  throw new UnusableInput(
    `${places.join(', ')}: expected an event of ${functionName} with its expected response beside it, for the handler in the settings: ${handler}`,
  );
}

function loadSample(
  sample: SampleEvent,
  functionName: string,
  handler: string | undefined,
): LoadSample | null {
  const { name, expected } = sample;
  const event = eventInside(sample.event);
  if (sample.functionName !== functionName || event === undefined) return null;
  if (expected === null || !expectsHandler(expected, handler)) return null;
  return { name, body: JSON.stringify(event), expected };
}
