/** What `npm start` says when files changed: that they are served, or what is wrong with them. */
import { projectEntries } from '../bundle/build.ts';
import { changedFiles } from '../bundle/watchFiles.ts';
import { handlerProblem, refusals } from '../local/coldStartReport.ts';
import type { Change, Engine } from '../local/engine.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';

export async function changeReport(
  { files, problem, broken, ms }: Change,
  engine: Engine,
): Promise<{ text: string; isServed: boolean }> {
  const changed = changedFiles(files);
  if (problem !== null) {
    const text = `${changed}, but cannot be used, so what was served before still is:\n${problem}`;
    return { text, isServed: false };
  }
  const mistakes = [
    ...mistakesIn(engine),
    ...broken.map(({ message }) => message),
    ...(await notLoaded(files, engine)),
  ];
  if (mistakes.length > 0) return { text: `${changed}, but ${mistakes.join('\n')}`, isServed: false };
  return { text: `${changed}, served after ${Math.round(ms)} ms`, isServed: true };
}

/** What is wrong with the functions that are served, a sentence each. */
export function mistakesIn(engine: Engine): string[] {
  return engine.coldStarts.flatMap(({ functionName, record }) => {
    if (record.reason === undefined) return [];
    const told = refusals(functionName, record, engine.stage.sourceOf).join('; ');
    return [`${functionName} responds to every login with an error: ${told}`];
  });
}

/** Of the handlers that changed, those that no setting names and no function can load. What another file imports may be none. */
async function notLoaded(files: readonly string[], engine: Engine): Promise<string[]> {
  const changed = projectEntries().filter(({ in: file }) => files.includes(file));
  const named = FUNCTION_NAMES.map((name) => engine.stage.handlerOf(name));
  const problems = changed.map(async ({ in: file, out: module }) => {
    if (!module.startsWith('handlers/') || named.includes(module) || engine.isImported(file)) return [];
    const starts = await Promise.all(FUNCTION_NAMES.map((name) => engine.startWith(name, module)));
    const [first] = starts;
    const isLoaded = starts.some((start) => start?.module === undefined);
    return first && !isLoaded && first.reason !== 'not_built' ? [handlerProblem(first)] : [];
  });
  return (await Promise.all(problems)).flat();
}
