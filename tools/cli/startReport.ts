/** What `npm start` prints of the stored events, and of files that changed: that they are served, or what is wrong with them. */
import { KINDS } from '../../lib/kinds.ts';
import { changedFiles } from '../bundle/watchFiles.ts';
import { refusals } from '../local/coldStartReport.ts';
import type { Change, Engine } from '../local/engine.ts';
import { EVENTS, labelOf } from '../local/events.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import { kindOf } from '../shared/functions.ts';
import { isInside, ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { quoted } from '../shared/usage.ts';
import type { Login } from '../studio/logins.ts';
import { detailsOf, eventsTable } from './report.ts';

/** A row an event, and each mistake once. They come in the order of their responses. */
export function samplesReport(logins: readonly Login[]): string {
  if (logins.length === 0)
    return `There is no event yet: save a login as events/${FUNCTION_NAMES[0]}/<name>.json`;
  const sorted = logins.toSorted((a, b) => labelOf(a.sample).localeCompare(labelOf(b.sample)));
  const title = 'The events, at their own time, with all checks off:';
  return [title, ...eventsTable(sorted), ...detailsOf(sorted)].join('\n\n');
}

/** How to send an event that the handler in force authorizes; a full stop where there is none. */
export function curlLine(logins: readonly Login[], engine: Engine, port: number): string {
  const sent = logins.find(
    ({ sample: { functionName, event }, handler, answered: { reason } }) =>
      reason === 'authorized' &&
      handler?.given === engine.stage.handlerOf(functionName) &&
      !isInEnvelope(event),
  );
  if (sent === undefined) return '.';
  const { functionName, file } = sent.sample;
  const url = `http://127.0.0.1:${port}/${KINDS[kindOf(functionName)].word}`;
  return `:\n  curl -s -X POST ${url} -H 'content-type: application/json' -d @${quoted(ofProject(file))}`;
}

/** A change of the sample events alone changes nothing that is served. */
export function tellChange({ files, problem, broken, ms }: Change, engine: Engine): void {
  if (files.every((file) => isInside(EVENTS, file))) return;
  const changed = changedFiles(files);
  const mistakes = [...mistakesIn(engine), ...broken.map(({ message }) => message)].join('\n');
  if (problem !== null)
    console.error(`${changed}, but cannot be used, so what was served before still is:\n${problem}`);
  else if (mistakes !== '') console.error(`${changed}, but ${mistakes}`);
  else console.log(`${changed}, served after ${Math.round(ms)} ms`);
}

/** What is wrong with the functions that are served, a sentence each. */
export function mistakesIn(engine: Engine): string[] {
  return [...engine.coldStarts].flatMap(([functionName, record]) => {
    if (record.reason === undefined) return [];
    const told = refusals(functionName, record, engine.stage.sourceOf).join('; ');
    return [`${functionName} responds to every login with an error: ${told}`];
  });
}
