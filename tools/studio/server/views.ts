/** Logins and the project, as the page gets them. */
import { KINDS } from '../../../lib/kinds.ts';
import { isJsonObject } from '../../../lib/schema.ts';
import { readConfiguration, variableOf } from '../../../lib/settings.ts';
import { type Entry, projectEntries } from '../../bundle/build.ts';
import { withoutExtension } from '../../bundle/bundler.ts';
import type { Mark } from '../../explain/account.ts';
import { type Explanation, explanationOf } from '../../explain/explanation.ts';
import { groupNamesIn } from '../../explain/groupNames.ts';
import { wronglyIn } from '../../explain/judgedSamples.ts';
import type { HandlerReads } from '../../explain/reads.ts';
import type { Answered } from '../../local/answered.ts';
import type { Engine } from '../../local/engine.ts';
import { eventInside, isDeeperThan, isInEnvelope } from '../../local/httpEvent.ts';
import { printedLines } from '../../local/logLines.ts';
import { momentOf } from '../../local/moment.ts';
import { kindOf } from '../../shared/functions.ts';
import { ofProject } from '../../shared/project.ts';
import { FUNCTION_NAMES } from '../../shared/projectFunctions.ts';
import { quoted, typed } from '../../shared/usage.ts';
import type { LoginDetail, LoginRow, Project } from '../api.ts';
import type { Login } from './logins.ts';

export function rowOf(login: Login): LoginRow {
  return rowWith(login, explained(login).sentence);
}

function explained({ answered, sample: { event, functionName } }: Login): Explanation {
  return explanationOf(answered, event, functionName);
}

function rowWith(login: Login, sentence: string): LoginRow {
  const { id, origin, sample, answered, verdict, changes, at } = login;
  const { functionName, name } = sample;
  const wrong = wronglyIn(verdict);
  return {
    ...{ id, origin, functionName, name, changes, at },
    type: typeOf(answered),
    reason: answered.reason,
    handler: answered.handler || 'default',
    sentence: wrong === null ? sentence : `${wrong}. ${sentence}`,
    isWronglyIn: wrong !== null,
    verdict: verdict.kind,
  };
}

export function typeOf({ response }: Answered): string | null {
  return response === null ? null : String(response.type);
}

interface Beside {
  /** Where the handlers of the project are. */
  sources: readonly Entry[];
  /** All logins: the mapping's names of user groups are in what they hit. */
  all: readonly Login[];
  reads: HandlerReads | null;
}

export function detailOf(login: Login, { sources, all, reads }: Beside): LoginDetail {
  const { sample, answered, verdict, isFresh, findings } = login;
  const { event, file } = sample;
  const explanation = explained(login);
  return {
    ...rowWith(login, explanation.sentence),
    event: shownEvent(eventInside(event)),
    isHttp: isInEnvelope(event),
    status: answered.status,
    answer: answered.response,
    explanation: { ...explanation, marks: [...explanation.marks, ...marksOf(reads)] },
    reads,
    differences: verdict.kind === 'differs' ? verdict.differences : [],
    groupNames: groupNamesIn(all.map(({ answered }) => answered)),
    record: answered.records.findLast((record) => record.event === 'login') ?? null,
    printed: printedLines(answered.output),
    failure: failureOf(answered),
    isChecked: isFresh,
    moment: isFresh ? null : momentOf(event),
    file: file === '' ? null : ofProject(file),
    handlerFile: handlerFileOf(login, sources),
    command: file === '' ? null : commandOf(login),
    findings,
    wouldAsk: answered.asked.unanswered,
  };
}

/** What the handler found, and not where it looked for nothing. */
function marksOf(reads: HandlerReads | null): Mark[] {
  const found = (reads?.reads ?? []).filter(({ what }) => what === 'value' || what === 'whole');
  return found.map(({ path }) => ({ path, field: 'read' }));
}

const TOKENS = ['accessToken', 'idTokenJwt', 'refreshToken'];
/** In characters: enough to tell two tokens apart. */
const SHOWN_OF_TOKEN = 12;

/** Of an event. What is deeper is not JSON that can be sent. */
const MAX_DEPTH = 1_000;

/** No token leaves the process: the claims of an ID token are in the event. */
function shownEvent(event: unknown): unknown {
  if (isDeeperThan(event, MAX_DEPTH)) return `nested deeper than ${MAX_DEPTH} levels: it is not shown`;
  if (!isJsonObject(event)) return event;
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) =>
      TOKENS.includes(name) && typeof value === 'string' && value.length > SHOWN_OF_TOKEN
        ? [name, `${value.slice(0, SHOWN_OF_TOKEN)}… (${value.length} characters)`]
        : [name, value],
    ),
  );
}

function failureOf({ failed, unavailable, thrown }: Answered): LoginDetail['failure'] {
  const text = failed === null ? unavailable : thrown?.text || failed;
  return text === null ? null : { text, place: thrown?.place ?? null };
}

function handlerFileOf({ handler }: Login, sources: readonly Entry[]): string | null {
  const module = handler === null ? null : withoutExtension(handler.module);
  const source = sources.find(({ out }) => out === module);
  return source === undefined ? null : ofProject(source.in);
}

function commandOf({ sample: { functionName, file }, handler }: Login): string {
  const { word } = KINDS[kindOf(functionName)];
  const given = handler === null ? '' : ` --handler ${quoted(handler.given)}`;
  return typed('login', `${word} ${quoted(ofProject(file))}${given} --at-event-time --explain`);
}

export interface ProjectState {
  engine: Engine;
  /** Why the last change is not in force, or the samples cannot be read. */
  problems: readonly string[];
}

export async function projectOf({ engine, problems }: ProjectState): Promise<Project> {
  const entries = await projectEntries();
  const found = FUNCTION_NAMES.map((name) => {
    const handler = engine.stage.handlerOf(name);
    const kind = kindOf(name);
    const { settings, problems } = readConfiguration(kind, engine.stage.env);
    const { check } = KINDS[kind];
    const checks = { CALLER_CHECK: settings.callerCheck, [variableOf(check)]: settings[check] };
    return { problems, fn: { name, handler: handler ?? 'default', checks } };
  });
  const all = [
    ...problems,
    ...engine.broken.map(({ message }) => message),
    ...found.flatMap((one) => one.problems),
  ];
  return {
    stage: engine.stage.name,
    functions: found.map(({ fn }) => fn),
    handlers: entries.map(({ out }) => out).filter((out) => out.startsWith('handlers/')),
    problems: [...new Set(all)],
  };
}
