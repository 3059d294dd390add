/** The events of a command, and the handlers that its command line names. */
import { existsSync } from 'node:fs';
import { handlerNames } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { SOURCE } from '../bundle/handlers.ts';
import { missingHandler } from '../local/coldStartReport.ts';
import { Engine } from '../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';

/**
 * @param handler of the command line: all but the default one answer one kind of login
 * @throws {UnusableInput} where there is none, or events of both kinds for a handler
 */
export async function samplesIn(path: string, handler?: string): Promise<SampleEvent[]> {
  const samples = await sampleEvents(path);
  const [one, other] = new Set(samples.map(({ functionName }) => functionName));
  const expected = FUNCTION_NAMES.map((name) => `${name}/<name>.json`).join(' or ');
  if (one === undefined) throw new UnusableInput(`${path}: found no event: expected ${expected}`);
  if (handler === undefined || handler === 'default' || other === undefined) return samples;
  throw new UnusableInput(
    `${handler} answers one kind of login: name the folder of its events, such as events/${one}`,
  );
}

/** All that may answer one of the events. */
export function handlersOf(samples: readonly SampleEvent[], stage: Stage): string[] {
  const named = samples.flatMap(({ functionName, expected }) => [
    stage.handlerOf(functionName),
    expected?.handler,
  ]);
  return named.filter((one) => one !== undefined).map(withoutExtension);
}

/**
 * @param given a handler of the command line
 * @throws {UnusableInput} for one that is not there: otherwise each event would say so
 */
export function expectHandler(given: string | undefined): void {
  if (given === undefined || given === 'default' || SOURCE.test(given)) return;
  if (handlerNames().includes(withoutExtension(given))) return;
  if (![given, `${given}.mjs`].some(existsSync)) throw new UnusableInput(missingHandler(given));
}

/**
 * For logins that few handlers answer.
 *
 * @param given a handler of the command line, in the place of those that the settings name
 * @throws {UnusableInput} where it is not there, or one cannot be built
 */
export async function openEngine(
  stage: Stage,
  functionNames: readonly string[],
  given: string | undefined,
): Promise<Engine> {
  expectHandler(given);
  const named = functionNames.map((name) => given ?? stage.handlerOf(name));
  const handlers = [...new Set(named)].filter((one) => one !== undefined);
  const engine = await Engine.open({ stage, handlers, isAlone: true });
  const [broken] = engine.broken;
  if (broken === undefined) return engine;
  await engine.close();
  throw new UnusableInput(broken.message);
}
