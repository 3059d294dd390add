/** Plans to save a login as a sample without the person, and writes it: the event, its expected response, recorded responses. */
import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { KINDS } from '../../lib/kinds.ts';
import { parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { inWords } from '../../lib/text.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { decidedIn } from '../explain/decided.ts';
import type { Handler } from '../explain/judgedSamples.ts';
import { OF_KIND } from '../explain/places.ts';
import type { Engine } from '../local/engine.ts';
import { EVENTS, type Expected, expectedFile, recordingsFile } from '../local/events.ts';
import { eventInside, frozenTimeOf, isDeeperThan } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { asInvented, type Recording } from '../local/recordings.ts';
import { invokeStored } from '../local/samples.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { providerOf } from '../shared/providers.ts';
import { PersonSearch } from './person.ts';
import {
  hostOf,
  isOfPerson,
  type KeepRules,
  namedTexts,
  type Part,
  type PlacedText,
  partsOf,
} from './places.ts';
import { protocolReason } from './protocol.ts';
import { Pseudonyms, type Random } from './pseudonyms.ts';
import { type Login, type Place, type Rewrite, rewriteLogin, visitResponse, withToken } from './texts.ts';

export interface KeepOptions {
  engine: Pick<Engine, 'invoke'>;
  functionName: string;
  /** As it arrived. Of an HTTP envelope nothing is kept: it says who called, from where, and with which headers. */
  event: unknown;
  /** The one that answers; null for the default handler. */
  handler: Handler | null;
  exchanges?: readonly Recording[] | null;
  /** Of the sample, without `.json`. */
  name: string;
  /** Like `events/`, which is the default. */
  folder?: string;
  allowed?: readonly PlacedText[];
  random?: Random;
}

interface KeptText extends PlacedText {
  why: string;
  /** Whether a standard or a provider's documents have it. The others need an eye. */
  isStandard: boolean;
}

/** What would be written, once nothing stands in the way. */
export interface SamplePlan {
  /** Why it cannot be written, in sentences without a value of the event. */
  blockers: string[];
  /** Each once, in the order of the event. */
  kept: readonly KeptText[];
  /** What may be allowed: each once. */
  replaced: readonly PlacedText[];
  event: unknown;
  /** Null where the function fails: then there is a blocker. */
  expected: Expected | null;
  /** Null where the handler asks no other system. */
  outside: readonly Recording[] | null;
  /** Requests of the handler that need a recorded response: where there are some, nothing else is planned. */
  unanswered: readonly string[];
  /** What is written, from the project's folder. */
  files: string[];
  name: string;
  /** With `openidLoggedIn` or `samlLoggedIn` at its end. */
  folder: string;
}

type SamplePlace = Pick<SamplePlan, 'name' | 'folder'>;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** In characters. */
const MAX_NAME = 80;
/** In characters, and in texts: nobody reads more before allowing some. */
const MAX_ALLOWED = 1_000;
/** In levels. Real events have about ten. */
const MAX_DEPTH = 100;
/** Of many places in which a text of the person is found, so many are named. */
const MAX_NAMED = 5;

const NOTHING = { kept: [], replaced: [], event: null, expected: null, outside: null, files: [] };

/** Writes nothing, and never throws for what the event holds or the handler does. */
export async function planKeep(options: KeepOptions): Promise<SamplePlan> {
  // Stryker disable next-line ArrayDeclaration: a text is at no place.
  const { engine, functionName, name, folder = EVENTS, allowed = [], random } = options;
  const place = { name, folder: join(folder, functionName) };
  const handlerModule = options.handler?.module ?? null;
  const handler = options.handler && withoutExtension(ofProject(options.handler.given));
  const login = { event: eventInside(options.event), outside: options.exchanges ?? [] };
  const problem = problemOf(place, handler, login);
  if (problem !== null) return { ...place, ...NOTHING, unanswered: [], blockers: [problem] };
  const ask: Ask = (event, requests) =>
    invokeStored(engine, { functionName, handlerModule, event, requests, hasDefaultResponses: true });
  const before = await ask(login.event, login.outside);
  const failure = failureOf(before);
  const unanswered = before.requests.missing;
  if (failure !== null) return { ...place, ...NOTHING, unanswered, blockers: [failure] };
  const rules = rulesOf(functionName, login, before, allowed);
  const { kept, replaced, texts, names } = textsOf(login, rules);
  const person = new PersonSearch(texts);
  const moment = frozenTimeOf(login.event) ?? Date.now();
  const pseudonyms = new Pseudonyms(moment, (text) => person.finds(text), random);
  const rewritten = withoutPerson(login, rules, pseudonyms);
  const { after, outside } = await answeredAgain(rewritten, ask);
  const { event } = rewritten;
  const isTold = new PersonSearch(names).isToldBy(name);
  const ofHandler = handlersTexts(before, login, names);
  const found = placesOf(person, { event, outside }, after.response, rules, ofHandler);
  const blocker = problemAfter(before, after, pseudonyms) ?? traceOf(isTold, found);
  const hasOutside = outside.length > 0;
  return {
    ...place,
    kept,
    event,
    unanswered,
    outside: hasOutside ? outside : null,
    replaced: replaced.filter(({ text }) => text.length <= MAX_ALLOWED).slice(0, MAX_ALLOWED),
    blockers: blocker === null ? [] : [blocker],
    expected: after.response && { ...(handler && { handler }), status: after.status, answer: after.response },
    files: filesOf(place, hasOutside).map(ofProject),
  };
}

/** The files of a sample: the event first. */
function filesOf({ name, folder }: SamplePlace, hasOutside: boolean): string[] {
  const file = join(folder, `${name}.json`);
  return [file, ...(hasOutside ? [recordingsFile({ file })] : []), expectedFile({ file })];
}

function isTaken(place: SamplePlace): boolean {
  return filesOf(place, true).some((file) => existsSync(file));
}

/** Why nothing can be planned, whatever the function answers. */
function problemOf(place: SamplePlace, handler: string | null, { event, outside }: Login): string | null {
  if (!NAME.test(place.name) || place.name.length > MAX_NAME)
    return `The name is not valid for a sample: expected at most ${MAX_NAME} lower-case letters, digits and hyphens, e.g. entra-guest.`;
  if (isTaken(place)) return 'A sample of this name exists already: choose another name.';
  if (handler !== null && isAbsolute(handler))
    return 'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.';
  if (!isJsonObject(event)) return 'The event holds no JSON object: there is no login to keep.';
  const isTooDeep = [event, ...outside.map(({ json }) => json)].some((json) => isDeeperThan(json, MAX_DEPTH));
  return isTooDeep ? `The event or a recorded response is nested deeper than ${MAX_DEPTH} levels.` : null;
}

/** Why the login cannot be kept, in a sentence; null where the function answers it. */
function failureOf({ failed, reason, requests, thrown }: InvocationResult): string | null {
  const [first] = requests.missing;
  if (first !== undefined)
    return `The handler asks ${hostOf(first)}, and its response is not recorded. In the studio, choose "Send these requests".`;
  if (failed === null) return null;
  const where = thrown ? ' because the handler throws' : '';
  return `The function fails (${reason})${where}, so it has no expected response. Correct the handler first.`;
}

/** Why the kept event cannot be written. */
function problemAfter(
  before: InvocationResult,
  after: InvocationResult,
  pseudonyms: Pseudonyms,
): string | null {
  const [request] = after.requests.missing;
  if (request !== undefined)
    return `The handler asks ${hostOf(request)} for something that is not recorded for the kept event.`;
  if (after.response === null) return `The function fails for the kept event (${after.reason}).`;
  const [one, other] = [Object(before.response), after.response];
  const groupsOf = ({ user_group_uuids: groups }: Record<string, unknown>) => [groups].flat().map(String);
  const groups = groupsOf(one).map((group) => pseudonyms.known(group));
  const differences = [
    ...(one.type === other.type ? [] : ['type']),
    ...(before.reason === after.reason ? [] : ['reason']),
    ...(groups.sort().join() === groupsOf(other).sort().join() ? [] : ['groups']),
  ];
  if (differences.length === 0) return null;
  return `The response to the kept event differs in ${inWords(differences, 'and')} (${after.reason}): in the studio, tick the texts that the handler compares.`;
}

/** Where the person is in what would be written; null for nowhere. */
function traceOf(isInName: boolean, places: readonly string[]): string | null {
  if (isInName)
    return 'The name of the sample has a text of the person in it: choose one that says what the login shows.';
  if (places.length === 0) return null;
  return `A text of the person is in ${places.slice(0, MAX_NAMED).join(', ')}: try again, or tick it if it may stay.`;
}

function rulesOf(
  functionName: string,
  { event, outside }: Login,
  answered: InvocationResult,
  allowed: readonly PlacedText[],
): KeepRules {
  const mapping = decidedIn(answered)?.mapping ?? null;
  const { names } = OF_KIND[kindOf(functionName)];
  const hosts = new Set(outside.map(({ request }) => hostOf(request)));
  return { ...namedTexts(mapping && parseMapping(mapping), names), issuer: issuerOf(event), hosts, allowed };
}

/** @param event out of its HTTP envelope */
export function issuerOf(event: unknown): string | null {
  const { assertion, idToken } = isJsonObject(event) ? event : {};
  const issuer = isJsonObject(assertion) ? assertion.assertionIssuer : isJsonObject(idToken) && idToken.iss;
  return typeof issuer === 'string' ? issuer : null;
}

/** Visits the parts of each text. A key that is replaced has a star in the places below it. */
function visitor(rules: KeepRules, visit: (parts: Part[], place: Place, leaf: string) => void): Rewrite {
  return (leaf, place) => {
    const parts = partsOf(String(leaf), place, rules);
    visit(parts, place, String(leaf));
    // Stryker disable next-line MethodExpression,StringLiteral: a key is one part, and whatever it becomes has a star.
    return parts.some(isReplaced) ? '*' : leaf;
  };
}

function isReplaced({ why }: Part): boolean {
  return why === null;
}

/** What is kept and what is replaced of a login, and the texts that say who the person is. */
function textsOf(login: Login, rules: KeepRules) {
  const kept = new Map<string, KeptText>();
  const replaced = new Map<string, PlacedText>();
  const texts = new Set<string>();
  const names = new Set<string>();
  const visit = visitor(rules, (parts, place, leaf) => {
    const { path, role } = place;
    const standard = protocolReason(leaf, place);
    for (const [index, { text, why }] of parts.entries()) {
      const isStandard = why === standard;
      if (why) kept.set(`${path} ${text} ${why}`, { path, text, why, isStandard });
      if (why !== null || role === 'request') continue;
      texts.add(text);
      if (role !== 'time') replaced.set(`${path} ${text}`, { path, text });
      const isDomain = parts[index - 1]?.text === '@';
      if (!isDomain && isOfPerson(leaf, place, rules)) names.add(text);
    }
  });
  rewriteLogin(login, visit);
  return { kept: [...kept.values()], replaced: [...replaced.values()], texts, names };
}

function withoutPerson(login: Login, rules: KeepRules, pseudonyms: Pseudonyms): Login {
  const { event, outside } = rewriteLogin(login, (leaf, place) => {
    const parts = partsOf(String(leaf), place, rules);
    if (place.role === 'request' || !parts.some(isReplaced)) return leaf;
    if (place.role === 'time') return pseudonyms.time(leaf);
    if (typeof leaf === 'number') return pseudonyms.number(leaf);
    return parts.map((part) => (isReplaced(part) ? pseudonyms.of(part.text) : part.text)).join('');
  });
  return { event: withToken(event), outside };
}

type Ask = (event: unknown, outside: readonly Recording[]) => Promise<InvocationResult>;

/**
 * Recorded requests become those that the handler sends for the kept event, so that they hold nothing of the person. Each
 * request that is not recorded takes the place of the one that is most alike; what the handler does not ask for is left out.
 */
async function answeredAgain({ event, outside: recorded }: Login, ask: Ask) {
  const outside = [...recorded];
  const open = new Set(outside);
  for (;;) {
    const after = await ask(event, outside);
    // Stryker disable next-line StringLiteral: nothing is like no request.
    const [request = ''] = after.requests.missing;
    // One that is recorded has another body: the digest of the recorded one would tell it.
    const isRecorded = outside.some((one) => one.request === request);
    const alike = isRecorded ? undefined : mostAlike([...open], request);
    if (alike === undefined)
      return { after, outside: outside.filter((_, index) => after.requests.used.includes(index)) };
    open.delete(alike);
    outside[outside.indexOf(alike)] = { ...alike, request };
  }
}

/** Of the same method and host. */
function mostAlike(recorded: readonly Recording[], request: string): Recording | undefined {
  const start = (text: string) => `${text.split(' ', 1)[0]} ${hostOf(text)}`;
  const farness = (one: Recording) => distance(one.request, request);
  const alike = recorded.filter((one) => start(one.request) === start(request));
  return alike.sort((one, other) => farness(one) - farness(other))[0];
}

const SEGMENT = /[\s/?&=]/;

/** Parts of texts of a handler: what it writes for everybody is in its requests and responses to both events. */
function handlersTexts(before: InvocationResult, login: Login, names: ReadonlySet<string>): Set<string> {
  const ofResponse = Object.values(before.response ?? {}).flat();
  const texts = [...ofResponse.map(String), ...login.outside.map(({ request }) => request)];
  return new Set(texts.flatMap((text) => text.split(SEGMENT))).difference(names);
}

/** The places of the person in all that would be written, whatever made it. */
function placesOf(
  person: PersonSearch,
  login: Login,
  response: InvocationResult['response'],
  rules: KeepRules,
  ofHandler: ReadonlySet<string>,
): string[] {
  const places = new Set<string>();
  const visit = visitor(rules, (parts, { path, role }) => {
    // Times have moved, and a token is random, or says what the claims say.
    if (role === 'time' || role === 'token') return;
    const texts = parts.filter(isReplaced).flatMap(({ text }) => text.split(SEGMENT));
    if (texts.some((text) => !ofHandler.has(text) && person.finds(text))) places.add(path);
  });
  rewriteLogin(login, visit);
  visitResponse(response, visit);
  return [...places];
}

/**
 * Writes all files of a sample or none, and never over another one.
 *
 * @returns the paths of the files
 * @throws {UnusableInput} where something stands in the way, or a file of this name is there by now
 */
export async function writeKept({
  blockers,
  event,
  outside,
  expected,
  ...plan
}: SamplePlan): Promise<string[]> {
  if (blockers.length > 0 || expected === null) throw new UnusableInput(blockers.join('\n'));
  const contents = [event, ...(outside ? [asInvented(outside)] : []), expected];
  const files = filesOf(plan, outside !== null);
  await mkdir(plan.folder, { recursive: true });
  const begun: string[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const text = `${JSON.stringify(contents[index], null, 2)}\n`;
      const handle = await open(file, 'wx');
      begun.push(file);
      // Stryker disable next-line ArrowFunction: it would be closed later.
      await handle.writeFile(text).finally(() => handle.close());
    }
    return files;
  } catch (error) {
    for (const file of begun) await rm(file);
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UnusableInput(
      `${join(plan.folder, plan.name)}: a sample of this name exists already: choose another name`,
    );
  }
}

/**
 * A name for a sample, made of the provider and the outcome: no text of the person can be in it.
 *
 * @returns e.g. `keycloak-no-email`, or `keycloak-no-email-2` where that is taken
 */
export function proposedName(
  { functionName, issuer, reason }: { functionName: string; issuer: string | null; reason: string },
  folder = EVENTS,
): string {
  const provider = providerOf(issuer)?.toLowerCase().replace(' ', '-') ?? KINDS[kindOf(functionName)].word;
  const outcome = `${provider}-${reason.replaceAll('_', '-')}`;
  let name = outcome;
  for (let count = 2; isTaken({ name, folder: join(folder, functionName) }); count++)
    name = `${outcome}-${count}`;
  return name;
}
