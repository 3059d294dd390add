/** What `npm start` says when files changed: that they are served, or what is wrong with them. */
import { changedFiles } from '../bundle/watchFiles.ts';
import { refusals } from '../local/coldStartReport.ts';
import type { Change, Engine } from '../local/engine.ts';

export function changeReport(
  { files, problem, broken, ms }: Change,
  engine: Engine,
): { text: string; isServed: boolean } {
  const changed = changedFiles(files);
  if (problem !== null) {
    const text = `${changed}, but cannot be used, so what was served before still is:\n${problem}`;
    return { text, isServed: false };
  }
  const mistakes = [...mistakesIn(engine), ...broken.map(({ message }) => message)];
  if (mistakes.length > 0) return { text: `${changed}, but ${mistakes.join('\n')}`, isServed: false };
  return { text: `${changed}, served after ${Math.round(ms)} ms`, isServed: true };
}

/** What is wrong with the functions that are served, a sentence each. */
export function mistakesIn(engine: Engine): string[] {
  return [...engine.coldStarts].flatMap(([functionName, record]) => {
    if (record.reason === undefined) return [];
    const told = refusals(functionName, record, engine.stage.sourceOf).join('; ');
    return [`${functionName} responds to every login with an error: ${told}`];
  });
}
