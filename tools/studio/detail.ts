/** What is known of a login, for the page that shows it. */
import { KINDS } from '../../lib/kinds.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { type Entry, projectEntries } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { type CardRow, cardOf } from '../explain/card.ts';
import type { Difference } from '../explain/differences.ts';
import { type GroupNames, groupNamesIn } from '../explain/differences.ts';
import type { Mark } from '../explain/explanation.ts';
import { handlerEvent } from '../explain/places.ts';
import type { HandlerReads } from '../explain/reads.ts';
import { eventInside, frozenTimeOf } from '../local/httpEvent.ts';
import { type LogRecord, printedLines } from '../local/process/logRecords.ts';
import type { SourcePlace } from '../local/thrown.ts';
import type { Finding } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import type { Stage } from '../shared/stage.ts';
import { quoted, typed } from '../shared/usage.ts';
import type { Login } from './login.ts';
import { type Row, rowOf } from './row.ts';
import type { StudioState } from './studio.ts';

export interface Detail extends Row {
  /** As its handler gets it; as it arrived, where it is not valid. */
  event: unknown;
  /** Out of its HTTP envelope. */
  arrived: unknown;
  /** What was used of the event, and what a handler of code found in it. */
  marks: Mark[];
  /** Null for the default handler and a mapping, and where no handler decided. */
  reads: HandlerReads | null;
  /** What decided it, and what to change where nobody expects that; empty where the function failed. */
  card: CardRow[];
  findings: Finding[];
  /** From the expected response. */
  differences: Difference[];
  /** What the mapping calls the user groups of the responses. */
  groupNames: GroupNames;
  record: LogRecord | null;
  printed: string[];
  /** Why the function failed, with the place in the source where it is known. */
  failure: { text: string; place: SourcePlace | null } | null;
  /** Where the function's clock stood, in milliseconds since 1970; null for the real time. */
  frozenAt: number | null;
  /** From the project's folder; null for a login that is not stored. */
  file: string | null;
  /** The same of the source of its handler. */
  handlerFile: string | null;
  /** The command that answers it alike; null for a login that is not stored. */
  command: string | null;
  /** The command that writes what other systems answered beside the sample; null for a login that is not stored. */
  recording: string | null;
}

export async function detailOf(login: Login, { engine, logins }: StudioState): Promise<Detail> {
  const { sample, answered, verdict, isFresh, at } = login;
  const { event, file, functionName } = sample;
  const kind = kindOf(functionName);
  const row = rowOf(login);
  const reads = await logins.reads(login);
  const sources = projectEntries();
  const frozenAt = isFresh ? null : frozenTimeOf(event);
  const options = { reads, atMs: isFresh ? at : frozenAt, env: engine.stage.env };
  const card = cardOf({ answered, event, functionName }, options);
  const isShown = ({ title }: CardRow) => title !== 'Change' || verdict.kind !== 'expected';
  return {
    ...row,
    ...{ reads, frozenAt },
    event: shownEvent(handlerEvent(event, kind)),
    arrived: shownEvent(eventInside(event)),
    marks: [...row.explanation.marks, ...marksOf(reads)],
    card: row.outcome === 'failed' ? [] : card.filter(isShown),
    findings: logins.findingsOf(login),
    differences: verdict.kind === 'differs' ? verdict.differences : [],
    groupNames: groupNamesIn(logins.all().map((one) => one.answered)),
    record: answered.records.findLast((record) => record.event === 'login') ?? null,
    printed: printedLines(answered.output),
    failure: failureOf(login),
    file: file === '' ? null : ofProject(file),
    handlerFile: handlerFileOf(login, sources),
    command: file === '' ? null : commandOf(login, engine.stage),
    recording: file === '' ? null : recordingOf(login, engine.stage),
  };
}

/** What the handler found, and not where it looked for nothing. */
function marksOf(reads: HandlerReads | null): Mark[] {
  const found = (reads?.reads ?? []).filter(({ what }) => what === 'value' || what === 'whole');
  return found.map(({ at }) => ({ path: at, field: 'read' }));
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

function failureOf({ answered: { failed, unavailable, thrown } }: Login): Detail['failure'] {
  const text = failed === null ? unavailable : thrown?.text || failed;
  return text === null ? null : { text, place: thrown?.place ?? null };
}

function handlerFileOf({ handler }: Login, sources: readonly Entry[]): string | null {
  const module = handler === null ? null : withoutExtension(handler.module);
  const source = sources.find(({ out }) => out === module);
  return source === undefined ? null : ofProject(source.in);
}

/** Null where the default handler answers in place of the one that a setting names: no command does so. */
function commandOf({ sample: { functionName, file }, handler }: Login, stage: Stage): string | null {
  if (handler === null && stage.handlerOf(functionName) !== undefined) return null;
  const { word } = KINDS[kindOf(functionName)];
  const given = handler === null ? '' : ` --handler ${quoted(handler.given)}`;
  return typed('login', `${word} ${quoted(ofProject(file))}${given} --at-event-time --explain`);
}

function recordingOf({ sample: { file }, handler }: Login, stage: Stage): string {
  const given = handler === null ? [] : ['--handler', handler.given];
  const words = [ofProject(file), ...given, ...stage.option].map(quoted);
  return typed('check', `${words.join(' ')} --record`);
}

/** What can be opened in an editor, from the project's folder; with line and column where they are known. */
export function placesIn({ file, handlerFile, failure }: Detail): Readonly<Record<string, string | null>> {
  const place = failure?.place ?? null;
  return {
    event: file,
    handler: handlerFile,
    failure: place === null ? null : `${place.file}:${place.line}:${place.column}`,
  };
}
