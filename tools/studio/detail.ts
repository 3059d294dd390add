/** What is known of a login, for the page that shows it. */
import { KINDS } from '../../lib/kinds.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { type Entry, projectEntries } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import type { Evidence, Mark } from '../explain/account.ts';
import { rulesOf } from '../explain/coverage.ts';
import type { Difference } from '../explain/differences.ts';
import { evidenceOf } from '../explain/evidence.ts';
import { type GroupNames, groupNamesIn } from '../explain/groupNames.ts';
import type { HandlerReads } from '../explain/reads.ts';
import type { Engine } from '../local/engine.ts';
import { eventInside, frozenTimeOf } from '../local/httpEvent.ts';
import { mappingOf } from '../local/mappingOf.ts';
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
  /** Out of its HTTP envelope. */
  event: unknown;
  /** What was used of the event, and what a handler of code found in it. */
  marks: Mark[];
  /** Null for the default handler and a mapping, and where no handler decided. */
  reads: HandlerReads | null;
  evidence: Evidence[];
  /** As the mapping has each rule, by its path; empty for a handler of plain code. */
  ruleTexts: Readonly<Record<string, string>>;
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
  const inside = eventInside(event);
  const [reads, sources, ruleTexts] = await Promise.all([
    logins.reads(login),
    projectEntries(),
    row.explanation.rules.length > 0 ? ruleTextsOf(login, engine) : {},
  ]);
  const frozenAt = isFresh ? null : frozenTimeOf(event);
  return {
    ...row,
    ...{ reads, ruleTexts, frozenAt },
    event: shownEvent(inside),
    marks: [...row.explanation.marks, ...marksOf(reads)],
    evidence: evidenceOf({
      ...{ kind, answered, ruleTexts },
      event: inside,
      account: row.explanation,
      settings: readConfiguration(kind, engine.stage.env).settings,
      isCode: reads !== null,
      atMs: (isFresh ? at : frozenAt) ?? Date.now(),
    }),
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
  return found.map(({ path }) => ({ path, field: 'read' }));
}

/** Of the newest build, by handler: a mapping is loaded in a process of its own. */
const knownRules = { root: '', texts: new Map<string, Promise<Record<string, string>>>() };

function ruleTextsOf({ sample: { functionName }, answered }: Login, engine: Engine) {
  if (knownRules.root !== engine.root) knownRules.texts.clear();
  knownRules.root = engine.root;
  const key = `${functionName} ${answered.handler}`;
  const read = async () => {
    const mapping = await mappingOf({ functionName, handlerModule: answered.handler }, engine);
    const rules = mapping === null ? [] : rulesOf(mapping);
    return Object.fromEntries(rules.map(({ path, text }) => [path, text]));
  };
  const known = knownRules.texts.get(key) ?? read();
  knownRules.texts.set(key, known);
  return known;
}

const TOKENS = ['accessToken', 'idTokenJwt', 'refreshToken'];
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
