/** Logins and the project, as the page gets them. */
import { KINDS } from '../../../lib/kinds.ts';
import { readConfiguration } from '../../../lib/readSettings.ts';
import { isJsonObject } from '../../../lib/schema.ts';
import { variableOf } from '../../../lib/settings.ts';
import type { Entry } from '../../bundle/build.ts';
import { withoutExtension } from '../../bundle/bundler.ts';
import type { Finding } from '../../capture/findings.ts';
import type { Mark } from '../../explain/account.ts';
import { rulesOf } from '../../explain/coverage.ts';
import { evidenceOf } from '../../explain/evidence.ts';
import { type Explanation, explanationOf } from '../../explain/explanation.ts';
import { groupNamesIn } from '../../explain/groupNames.ts';
import { wronglyIn } from '../../explain/judgedSamples.ts';
import type { HandlerReads } from '../../explain/reads.ts';
import { issuerOf } from '../../keep/planKeep.ts';
import type { Engine } from '../../local/engine.ts';
import { eventInside, frozenTimeOf, isDeeperThan, isInEnvelope } from '../../local/httpEvent.ts';
import type { InvocationResult } from '../../local/invocation.ts';
import { mappingOf } from '../../local/mappingOf.ts';
import { printedLines } from '../../local/process/logRecords.ts';
import { isOwnSample } from '../../local/shipped.ts';
import { kindOf } from '../../shared/functions.ts';
import { ofProject } from '../../shared/project.ts';
import { FUNCTION_NAMES } from '../../shared/projectFunctions.ts';
import type { Stage } from '../../shared/stage.ts';
import { quoted, typed } from '../../shared/usage.ts';
import type { LoginDetail, LoginRow, Project, Served } from '../api.ts';
import { handlersOf } from './handlerKinds.ts';
import { isSample, type Login } from './login.ts';
import { personIn } from './person.ts';

/** Of each login once: all are told after each change. */
const rows = new WeakMap<Login, LoginRow>();

export function rowOf(login: Login): LoginRow {
  const row = rows.get(login) ?? rowWith(login, explained(login));
  rows.set(login, row);
  return row;
}

function explained({ answered, sample: { event, functionName } }: Login): Explanation {
  return explanationOf(answered, event, functionName);
}

function rowWith(login: Login, explanation: Explanation): LoginRow {
  const { id, origin, sample, answered, verdict, changes, at, cameAs } = login;
  const { functionName, name } = sample;
  const { sentence } = explanation;
  const wrong = wronglyIn(verdict);
  return {
    ...{ id, origin, functionName, name, changes, at },
    person: personIn(sample, answered, explanation),
    issuer: issuerOf(eventInside(sample.event))?.slice(0, MAX_ISSUER) ?? null,
    isShipped: isSample(login) && !isOwnSample(sample),
    type: typeOf(answered),
    reason: answered.reason,
    cameAs: cameAs === answered.reason ? null : cameAs,
    handler: answered.handler || 'default',
    sentence: wrong === null ? sentence : `${wrong}. ${sentence}`,
    isWronglyIn: wrong !== null,
    verdict: verdict.kind,
  };
}

export function typeOf({ response }: InvocationResult): string | null {
  return response === null ? null : String(response.type);
}

/** In characters: it stands in a row. */
const MAX_ISSUER = 300;

/** What a login is called where only a line tells of it. */
export function titleOf(login: Login): string {
  const { origin, name, person, at } = rowOf(login);
  const time = at === null ? '' : new Date(at).toLocaleTimeString('en-GB');
  return origin === 'sample' ? name : `${person ?? 'Unknown person'}, ${time}`;
}

interface Around {
  engine: Engine;
  /** Where the handlers of the project are. */
  sources: readonly Entry[];
  /** All logins: the mapping's names of user groups are in what they hit. */
  all: readonly Login[];
  findings: Finding[];
  reads: HandlerReads | null;
}

export async function detailOf(
  login: Login,
  { engine, sources, all, findings, reads }: Around,
): Promise<LoginDetail> {
  const { sample, answered, verdict, isFresh, at } = login;
  const { event, file, functionName } = sample;
  const kind = kindOf(functionName);
  const inside = eventInside(event);
  const explanation = explained(login);
  const { settings } = readConfiguration(kind, engine.stage.env);
  const ruleTexts = explanation.rules.length > 0 ? await ruleTextsOf(login, engine) : {};
  const atMs = (isFresh ? at : frozenTimeOf(event)) ?? Date.now();
  const isCode = reads !== null;
  return {
    ...rowWith(login, explanation),
    evidence: evidenceOf({
      kind,
      answered,
      event: inside,
      account: explanation,
      settings,
      ruleTexts,
      isCode,
      atMs,
    }),
    ruleTexts,
    event: shownEvent(inside),
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
    moment: isFresh ? null : frozenTimeOf(event),
    file: file === '' ? null : ofProject(file),
    handlerFile: handlerFileOf(login, sources),
    command: file === '' ? null : commandOf(login, engine.stage),
    findings,
    wouldAsk: [...new Set(answered.requests.missing)],
    heard: [...new Set(login.heard.map(({ request }) => request))],
    recording: file === '' ? null : recordingOf(login, engine.stage),
  };
}

/** What the handler found, and not where it looked for nothing. */
function marksOf(reads: HandlerReads | null): Mark[] {
  const found = (reads?.reads ?? []).filter(({ what }) => what === 'value' || what === 'whole');
  return found.map(({ path }) => ({ path, field: 'read' }));
}

/** By the answer: a changed mapping gives another one. */
const knownRules = new WeakMap<InvocationResult, Promise<Record<string, string>>>();

function ruleTextsOf({ sample: { functionName }, answered }: Login, engine: Engine) {
  const read = async () => {
    const mapping = await mappingOf({ functionName, handlerModule: answered.handler }, engine);
    const rules = mapping === null ? [] : rulesOf(mapping);
    return Object.fromEntries(rules.map(({ path, text }) => [path, text]));
  };
  const known = knownRules.get(answered) ?? read();
  knownRules.set(answered, known);
  return known;
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

function failureOf({ failed, unavailable, thrown }: InvocationResult): LoginDetail['failure'] {
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

export interface ProjectState {
  engine: Engine;
  /** Why the last change is not in force, or the samples cannot be read. */
  problems: readonly string[];
  served: Served;
}

export async function projectOf({ engine, problems, served }: ProjectState): Promise<Project> {
  const handlers = await Promise.all(FUNCTION_NAMES.map(handlersOf));
  const found = FUNCTION_NAMES.map((name, index) => {
    const handler = engine.stage.handlerOf(name);
    const kind = kindOf(name);
    const { settings, problems } = readConfiguration(kind, engine.stage.env);
    const { check } = KINDS[kind];
    const checks = { CALLER_CHECK: settings.callerCheck, [variableOf(check)]: settings[check] };
    return { problems, fn: { name, handler: handler ?? 'default', checks, handlers: handlers[index] ?? [] } };
  });
  const all = [
    ...problems,
    ...engine.broken.map(({ message }) => message),
    ...found.flatMap((one) => one.problems),
  ];
  return {
    stage: engine.stage.name,
    functions: found.map(({ fn }) => fn),
    problems: [...new Set(all)],
    served,
  };
}
