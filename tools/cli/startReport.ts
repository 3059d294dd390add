/** What `npm start` prints of the stored events. */
import { KINDS } from '../../lib/kinds.ts';
import { isOwnSample, labelOf } from '../local/events.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import { kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import type { Stage } from '../shared/stage.ts';
import { quoted } from '../shared/usage.ts';
import type { Login } from '../studio/login.ts';
import { collapsedLine, detailsOf, eventsTable, isCollapsed } from './checkReport.ts';

/** The order of the rows, behind those that get in and should not, and those that failed. */
const RANKS = ['ErrorResponse', 'ForbiddenResponse', 'AuthorizedUserResponse'];

/** A row an event, one's own first, and each mistake once; a line in place of the samples that login-hooks ships and that are as expected. */
export function samplesReport(logins: readonly Login[], showsAll: boolean): string {
  const all = storedIn(logins);
  if (all.length === 0)
    return `There is no event yet: save a login as events/${FUNCTION_NAMES[0]}/<name>.json`;
  const shown = showsAll ? all : all.filter((one) => !isCollapsed(one));
  const rows = inOrder(shown).map((one) => ({ ...one, handler: one.answered.handler }));
  return [
    'The events, at their own time, with all checks off:',
    ...eventsTable(rows, process.stdout),
    ...detailsOf(rows, process.stdout),
    ...(showsAll ? [] : collapsedLine(all)),
  ].join('\n\n');
}

/** One's own first, of these the failures. */
function inOrder(logins: readonly Login[]): Login[] {
  const rank = ({ sample, answered: { failed, response } }: Login) =>
    (isOwnSample(sample) ? 0 : RANKS.length + 1) +
    (failed === null ? RANKS.indexOf(String(response?.type)) : -1);
  return logins.toSorted((a, b) => rank(a) - rank(b));
}

/** How to send a stored event that the handler in force authorizes, one's own before samples; a full stop where there is none. */
export function curlLine(logins: readonly Login[], stage: Stage, port: number): string {
  const authorized = storedIn(logins).filter(
    ({ sample: { functionName, event }, handler, answered: { reason } }) =>
      reason === 'authorized' && !isInEnvelope(event) && handler?.given === stage.handlerOf(functionName),
  );
  const one = authorized.find(({ sample }) => isOwnSample(sample)) ?? authorized[0];
  if (one === undefined) return '.';
  const { functionName, file } = one.sample;
  const url = `http://127.0.0.1:${port}/${KINDS[kindOf(functionName)].word}`;
  return `:\n  curl -s -X POST ${url} -H 'content-type: application/json' -d @${quoted(ofProject(file))}`;
}

/** In the order of their names: they are in that of their answers. */
function storedIn(logins: readonly Login[]): Login[] {
  const stored = logins.filter(({ origin }) => origin === 'sample');
  return stored.toSorted((a, b) => labelOf(a.sample).localeCompare(labelOf(b.sample)));
}
