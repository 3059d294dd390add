/** What is known of a login, for the page that shows it. */
import { KINDS } from '../../lib/kinds.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { projectEntries } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { type CardRow, cardOf } from '../explain/card.ts';
import { groupNamesIn } from '../explain/differences.ts';
import { shortPath } from '../explain/explanation.ts';
import { frozenTimeOf } from '../local/httpEvent.ts';
import { kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { quoted, typed } from '../shared/usage.ts';
import type { Login } from './logins.ts';
import { rowOf } from './row.ts';
import type { StudioState } from './studio.ts';

export type Detail = Awaited<ReturnType<typeof detailOf>>;

export async function detailOf(login: Login, { engine, logins }: StudioState) {
  const { sample, answered, verdict, handler } = login;
  const { event, file } = sample;
  const row = rowOf(login);
  const { fields, groups, rules } = row.explanation;
  const reads = await logins.reads(login);
  const frozenAt = row.isLive ? null : frozenTimeOf(event);
  const card = cardOf(row.explanation, { reads, env: engine.stage.env });
  const thrownAt = answered.thrown?.place ?? null;
  // The line that threw is shown; a mistake of login-hooks is not corrected there.
  const isLineShown = thrownAt !== null && answered.reason !== 'internal_error';
  // A refusal that is right has nothing to change, and what the heading says is not said again.
  const isShown = ({ title, text }: CardRow) =>
    !(title === 'Change' && (verdict.kind === 'expected' || isLineShown)) &&
    !(title === 'The person reads' && answered.reason === 'event_invalid') &&
    !(row.outcome === 'failed' && row.heading.endsWith(text));
  // Not where it looked for something and found nothing.
  const all = typeof reads === 'string' ? [] : (reads ?? []);
  const found = all.filter(({ what }) => what !== 'absent');
  const source = projectEntries().find(({ out }) => handler && out === withoutExtension(handler.module));
  const files = new Map<string, string>();
  if (thrownAt) files.set('line', `${thrownAt.file}:${thrownAt.line}:${thrownAt.column}`);
  else if (source) files.set('handler', ofProject(source.in));
  if (file !== '') files.set('event', ofProject(file));
  return {
    ...row,
    /** As its handler gets it; as it arrived, where it is not valid. */
    event: shownEvent(row.explanation.handlerEvent),
    /** What was used of the event, and what a handler of code found in it. */
    marks: [
      ...fields.flatMap(({ at, field }) => (at ? [{ path: at, field }] : [])),
      ...(groups?.values ?? []).map(({ at }) => ({ path: at, field: 'groups' })),
      ...rules.flatMap(({ at, path }) => (at ? [{ path: at, field: shortPath(path) }] : [])),
      ...found.map((read) => ({ path: read.at, field: 'read' })),
    ],
    card: card.filter(isShown),
    findings: logins.findingsOf(login),
    groupNames: groupNamesIn(logins.all().map((one) => one.answered)),
    thrownAt,
    /** What can be opened in an editor, from the project's folder. */
    files,
    /** Where the function's clock stood, in milliseconds since 1970; null for the real time. */
    frozenAt,
    /** Answers it alike; null for a login that is not stored. */
    command: file === '' ? null : commandOf(login),
  };
}

const TOKENS = ['accessToken', 'access_token', 'idTokenJwt', 'id_token_jwt', 'refreshToken', 'refresh_token'];
/** In characters: enough to tell two tokens apart. */
const SHOWN_OF_TOKEN = 12;

/** No token leaves the process: the claims of an ID token are in the event. */
function shownEvent(event: unknown): unknown {
  if (!isJsonObject(event)) return event;
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) =>
      TOKENS.includes(name) && typeof value === 'string' && value.length > SHOWN_OF_TOKEN
        ? [name, `${value.slice(0, SHOWN_OF_TOKEN)}… (${value.length} characters)`]
        : [name, value],
    ),
  );
}

function commandOf({ sample: { functionName, file }, handler }: Login): string {
  const { word } = KINDS[kindOf(functionName)];
  const given = handler === null ? '' : ` --handler ${quoted(handler.given)}`;
  return typed('login', `${word} ${quoted(ofProject(file))}${given} --at-event-time --explain`);
}
