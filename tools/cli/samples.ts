/** The events of a command, and the handlers that its command line names. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { withoutExtension } from '../bundle/bundler.ts';
import { shownName } from '../explain/judgedSamples.ts';
import { missingHandler } from '../local/coldStartReport.ts';
import type { Engine } from '../local/engine.ts';
import { labelOf, type SampleEvent, sampleEvents } from '../local/events.ts';
import { expectOneOf, UnusableInput } from '../shared/commandLine.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';

/** @throws {UnusableInput} where there is none */
export async function checkedSamples(path: string, only?: string): Promise<SampleEvent[]> {
  const samples = await sampleEvents(path);
  const wanted = samples.filter(({ functionName }) => only === undefined || functionName === FUNCTIONS[only]);
  if (wanted.length > 0) return wanted;
  if (only !== undefined && samples.length > 0)
    throw new UnusableInput(`${path}: found no event of ${FUNCTIONS[only]}: leave out --only ${only}`);
  const expected = FUNCTION_NAMES.map((name) => `${name}/<name>.json`).join(' or ');
  throw new UnusableInput(`${path}: found no event: expected ${expected}`);
}

/** @throws {UnusableInput} for a label that no event has */
export function expectLabels(
  option: string,
  labels: readonly string[],
  samples: readonly SampleEvent[],
): void {
  for (const label of labels) expectOneOf(option, label, samples.map(labelOf));
}

/**
 * The events of the kind of login that each of these handlers is for: the kind whose setting names it, or whose events expect it.
 *
 * @param given handlers of the command line
 * @throws {UnusableInput} where there are events of both kinds, and a handler's kind is unknown
 */
export function samplesFor(given: readonly string[], samples: SampleEvent[], stage: Stage): SampleEvent[] {
  return given.reduce((left, handler) => {
    if (new Set(left.map(({ functionName }) => functionName)).size < 2) return left;
    const names = functionsFor(handler, samples, stage);
    if (names.length > 0) return left.filter(({ functionName }) => names.includes(functionName));
    throw new UnusableInput(
      `${handler}: no setting names this handler, and no event expects it: add --only openid or --only saml`,
    );
  }, samples);
}

function functionsFor(handler: string, samples: readonly SampleEvent[], stage: Stage): string[] {
  const isIt = (one: string | undefined) =>
    one !== undefined && withoutExtension(one) === withoutExtension(shownName(handler));
  const itsOwn = samples.filter(
    ({ functionName, expected }) => isIt(stage.handlerOf(functionName)) || isIt(expected?.handler),
  );
  return itsOwn.map(({ functionName }) => functionName);
}

/** All that may answer one of the events. */
export function handlersOf(samples: readonly SampleEvent[], stage: Stage): string[] {
  const named = samples.flatMap(({ functionName, expected }) => [
    stage.handlerOf(functionName),
    expected?.handler,
  ]);
  return named.filter((one) => one !== undefined).map(withoutExtension);
}

type Built = Pick<Engine, 'root' | 'broken' | 'moduleOf'>;

/**
 * @param given handlers of the command line
 * @throws {UnusableInput} for one that is not there: otherwise each event would say so
 */
export function expectHandlers(engine: Built, given: readonly (string | undefined)[]): void {
  const missing = given.find((one) => one !== undefined && !isThere(engine, engine.moduleOf(one)));
  if (missing !== undefined) throw new UnusableInput(missingHandler(missing));
}

/** As a function looks for it; one that cannot be built is there too. */
function isThere({ root, broken }: Built, module: string): boolean {
  const name = withoutExtension(module);
  const files = ['', '.mjs', '.js', '.cjs'].map((extension) => resolve(root, module + extension));
  return [...files, resolve(root, `${name}.mjs`)].some(isFile) || broken.some((one) => one.module === name);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
