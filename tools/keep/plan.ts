/** Plans to save a login as a sample without the person, and writes it: the event, its expected response, recorded responses. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { KINDS } from '../../lib/kinds.ts';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { inWords } from '../../lib/text.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { decidedIn } from '../explain/decided.ts';
import type { ExplainedRule } from '../explain/explanation.ts';
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
  mappingTexts,
  type Part,
  type PlacedText,
  type Policy,
  partsOf,
} from './places.ts';
import { Pseudonyms, type Random } from './pseudonyms.ts';
import { type Login, MAX_DEPTH, type Rewrite, rewriteLogin, visitResponse } from './texts.ts';

export interface KeepOptions {
  engine: Pick<Engine, 'invoke' | 'stage'>;
  functionName: string;
  /** As it arrived. Of an HTTP envelope nothing is kept: it says who called, from where, and with which headers. */
  event: unknown;
  /** What the handler setting says; default: what the settings say. */
  handlerModule?: string | undefined;
  /** The name under which the sample expects the handler; default: `handlerModule`. */
  handlerName?: string | undefined;
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
/** In characters: nobody reads a longer text before allowing it. */
const MAX_ALLOWED = 1_000;
const MAX_LISTED = 1_000;
/** Of many places in which a text of the person is found, so many are named. */
const MAX_NAMED = 5;

/** Writes nothing, and never throws for what the event holds or the handler does. */
export async function planKeep(options: KeepOptions): Promise<SamplePlan> {
  const { engine, functionName, handlerModule, name, folder = EVENTS, random } = options;
  const place = { name, folder: join(folder, functionName) };
  const handler = handlerOf(options);
  const early = [...nameProblems(place), ...handlerProblems(handler)];
  const blocked = (blocker: string, unanswered: readonly string[] = []): SamplePlan => {
    const nothing = { kept: [], replaced: [], event: null, expected: null, outside: null, files: [] };
    return { ...place, ...nothing, unanswered, blockers: [...early, blocker] };
  };
  const event = eventInside(options.event);
  if (!isJsonObject(event)) return blocked('The event holds no JSON object: there is no login to keep.');
  const login = { event, outside: options.exchanges ?? [] };
  if (isDeeperThan(event, MAX_DEPTH) || login.outside.some(({ json }) => isDeeperThan(json, MAX_DEPTH)))
    return blocked(`The event or a recorded response is nested deeper than ${MAX_DEPTH} levels.`);
  const ask: Ask = (asked, outside) =>
    invokeStored(engine, {
      functionName,
      handlerModule,
      event: asked,
      requests: outside,
      hasDefaultResponses: true,
    });
  const before = await ask(event, login.outside);
  const failure = failureOf(before);
  if (failure !== null) return blocked(failure, before.requests.missing);
  const made = await withoutPerson(login, before, policyOf(options, login, before), ask, random);
  const outside = made.outside.length > 0 ? made.outside : null;
  return {
    ...place,
    kept: made.kept,
    replaced: made.replaced.filter(({ text }) => text.length <= MAX_ALLOWED).slice(0, MAX_LISTED),
    blockers: [...early, ...problemsOf(made, name)],
    event: made.event,
    expected: expectedOf(made.after, handler),
    outside,
    unanswered: [],
    files: filesOf(place, outside !== null).map(ofProject),
  };
}

/** The files of a sample: the event first. */
export function filesOf({ name, folder }: SamplePlace, hasOutside: boolean): string[] {
  const file = join(folder, `${name}.json`);
  return [file, ...(hasOutside ? [recordingsFile({ file })] : []), expectedFile({ file })];
}

function nameProblems(place: SamplePlace): string[] {
  if (!NAME.test(place.name) || place.name.length > MAX_NAME)
    return [
      `The name is not valid for a sample: expected at most ${MAX_NAME} lower-case letters, digits and hyphens, e.g. entra-guest.`,
    ];
  const isThere = filesOf(place, true).some((file) => existsSync(file));
  return isThere ? ['A sample of this name exists already: choose another name.'] : [];
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

function problemsOf({ after, differences, found, personIn }: WithoutPerson, name: string): string[] {
  const problems: string[] = [];
  if (after.response === null) problems.push(`The function fails for the kept event (${after.reason}).`);
  const [request] = after.requests.missing;
  if (request !== undefined) {
    problems.push(
      `The handler asks ${hostOf(request)} for something that is not recorded for the kept event.`,
    );
  }
  // Another response has other words of the handler.
  if (differences.length > 0) {
    problems.push(
      `The response to the kept event differs in ${inWords(differences, 'and')} (${after.reason}): in the studio, tick the texts that the handler compares.`,
    );
  } else if (found.length > 0) {
    const places = found.slice(0, MAX_NAMED).join(', ');
    problems.push(`A text of the person is in ${places}: try again, or tick it if it may stay.`);
  }
  const word = personIn(name);
  if (word !== null) {
    problems.push(
      `The name of the sample has a text of the person in it, "${word}": choose one that says what the login shows.`,
    );
  }
  return problems;
}

function policyOf(
  { functionName, allowed = [] }: KeepOptions,
  { event, outside }: Login,
  { records }: InvocationResult,
): Policy {
  const mapping = decidedIn(records)?.mapping ?? null;
  const names = { OpenID: OPENID_NAMES, SAML: SAML_NAMES }[kindOf(functionName)];
  return {
    issuer: issuerOf(event),
    mapping: mappingTexts(mapping && parseMapping(mapping), names),
    hosts: new Set(outside.map(({ request }) => hostOf(request))),
    allowed,
  };
}

/** @param event out of its HTTP envelope */
export function issuerOf(event: unknown): string | null {
  const { assertion, idToken } = isJsonObject(event) ? event : {};
  const issuer = isJsonObject(assertion) ? assertion.assertionIssuer : isJsonObject(idToken) && idToken.iss;
  return typeof issuer === 'string' ? issuer : null;
}

/** As a sample names it, from the project's folder where it is in there; undefined for the default handler. */
function handlerOf({ functionName, engine, handlerModule, handlerName }: KeepOptions): string | undefined {
  const given = handlerName ?? handlerModule ?? engine.stage.handlerOf(functionName);
  return given === undefined ? undefined : withoutExtension(ofProject(given));
}

function handlerProblems(handler: string | undefined): string[] {
  return handler !== undefined && isAbsolute(handler) ? [OUTSIDE_PROJECT] : [];
}

const OUTSIDE_PROJECT =
  'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.';

function expectedOf({ status, response }: InvocationResult, handler: string | undefined): Expected | null {
  return response && { ...(handler !== undefined && { handler }), status, answer: response };
}

type Ask = (event: unknown, outside: readonly Recording[]) => Promise<InvocationResult>;

/** A login without the person: its texts replaced, answered by the function, and searched for what is left of the person. */
interface WithoutPerson extends Login, Pick<SamplePlan, 'kept' | 'replaced'> {
  after: InvocationResult;
  /** In what it differs from the response to the original. */
  differences: readonly ('type' | 'reason' | 'groups')[];
  found: readonly string[];
  /** What of the name of a sample is the person's; null for nothing. */
  personIn: (name: string) => string | null;
}

/** @param before the response to the original */
async function withoutPerson(
  login: Login,
  before: InvocationResult,
  policy: Policy,
  ask: Ask,
  random?: Random,
): Promise<WithoutPerson> {
  const { kept, replaced, texts, names } = textsOf(login, policy);
  const person = new PersonSearch(texts);
  const pseudonyms = new Pseudonyms(
    frozenTimeOf(login.event) ?? Date.now(),
    (text) => person.finds(text),
    random,
  );
  const { event, outside: responses } = rewriteLogin(login, replacing(policy, pseudonyms));
  const { after, outside } = await answeredAgain(event, responses, ask);
  const requests = login.outside.map(({ request }) => request);
  const handlersTexts = segmentsOf([...responseTexts(before), ...requests]);
  for (const text of names) handlersTexts.delete(text);
  const search = new PersonSearch(names);
  return {
    ...{ event, outside, kept, replaced, after },
    differences: differencesOf(before, after, (group) => pseudonyms.known(group)),
    found: placesOf(person, { event, outside, after }, policy, handlersTexts),
    personIn: (name) => search.wordIn(name),
  };
}

/** What is kept and what is replaced of a login, and the texts that say who the person is. */
function textsOf(login: Login, policy: Policy) {
  const kept = new Map<string, KeptText>();
  const replaced = new Map<string, PlacedText>();
  const texts = new Set<string>();
  const names = new Set<string>();
  rewriteLogin(login, (leaf, place) => {
    const { path, role } = place;
    const parts = partsOf(String(leaf), place, policy);
    for (const { text, why, isStandard } of parts) {
      if (why) kept.set(`${path} ${text} ${why}`, { path, text, why, isStandard });
    }
    if (role === 'request') return leaf;
    const others = parts.filter(({ why }) => why === null);
    for (const { text } of others) {
      texts.add(text);
      if (role !== 'time') replaced.set(`${path} ${text}`, { path, text });
    }
    const ofPerson = isOfPerson(String(leaf), place, policy) ? parts.filter(isNoDomain) : [];
    for (const { text } of ofPerson) names.add(text);
    return others.length > 0 ? replacedLeaf(leaf) : leaf;
  });
  return { kept: [...kept.values()], replaced: [...replaced.values()], texts, names };
}

/** Of an address, the part before it. */
function isNoDomain({ why }: Part, index: number, parts: readonly Part[]): boolean {
  return why === null && parts[index - 1]?.text !== '@';
}

function replacing(policy: Policy, pseudonyms: Pseudonyms): Rewrite {
  return (leaf, place) => {
    if (place.role === 'request') return leaf;
    const parts = partsOf(String(leaf), place, policy);
    if (parts.every(({ why }) => why !== null)) return leaf;
    const isTime = place.role === 'time';
    if (typeof leaf === 'number')
      return (isTime ? pseudonyms.seconds(leaf) : pseudonyms.number(leaf)) as typeof leaf;
    if (isTime) return pseudonyms.dateTime(leaf) as typeof leaf;
    return parts.map(({ text, why }) => (why === null ? pseudonyms.of(text) : text)).join('') as typeof leaf;
  };
}

/**
 * Recorded requests become those that the handler sends for the kept event, so that they hold nothing of the person. Each
 * request that is not recorded takes the place of the one that is most alike; what the handler does not ask for is left out.
 */
async function answeredAgain(event: unknown, responses: readonly Recording[], ask: Ask) {
  const outside = [...responses];
  const open = new Set(outside);
  for (;;) {
    const after = await ask(event, outside);
    const [request = null] = after.requests.missing;
    const alike = mostAlike(outside, request, open);
    // Stryker disable next-line ConditionalExpression: nothing is like no request.
    if (request === null || alike === undefined)
      return { after, outside: outside.filter((_, index) => after.requests.used.includes(index)) };
    open.delete(alike);
    outside[outside.indexOf(alike)] = { ...alike, request };
  }
}

/** @returns undefined where the request is recorded for another body: its digest would tell the body */
function mostAlike(outside: readonly Recording[], request: string | null, open: ReadonlySet<Recording>) {
  if (request === null || outside.some((one) => one.request === request)) return undefined;
  const start = (text: string) => `${text.split(' ', 1)[0]} ${hostOf(text)}`;
  const farness = (one: Recording) => distance(one.request, request);
  const alike = [...open].filter((one) => start(one.request) === start(request));
  return alike.sort((one, other) => farness(one) - farness(other))[0];
}

function differencesOf(
  before: InvocationResult,
  after: InvocationResult,
  pseudonym: (group: string) => string,
) {
  const type = ({ response }: InvocationResult) => response?.type;
  const groups = ({ response }: InvocationResult) =>
    [response?.user_group_uuids ?? response?.userGroupUuids].flat().map(String);
  const differs = {
    type: type(before) !== type(after),
    reason: before.reason !== after.reason,
    groups: groups(before).map(pseudonym).sort().join() !== groups(after).sort().join(),
  };
  return (['type', 'reason', 'groups'] as const).filter((one) => differs[one]);
}

function responseTexts({ response }: InvocationResult): string[] {
  return Object.values(response ?? {})
    .flat()
    .map(String);
}

/** Parts of texts of a handler: what it writes for everybody is in its requests and responses to both events. */
function segmentsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split(SEGMENT)));
}
const SEGMENT = /[\s/?&=]/;

/** Looks at all that would be written, whatever made it. */
function placesOf(
  person: PersonSearch,
  { event, outside, after }: Login & { after: InvocationResult },
  policy: Policy,
  handlersTexts: ReadonlySet<string>,
): string[] {
  const places = new Set<string>();
  const visit: Rewrite = (leaf, place) => {
    const { path, role } = place;
    const parts = partsOf(String(leaf), place, policy);
    const texts = parts.filter(({ why }) => why === null).map(({ text }) => text);
    const isFound = texts.some((text) => {
      if (role === 'time') return person.has(text);
      // Stryker disable next-line ConditionalExpression: a second look, at what has none of these words.
      if (role !== 'request' && role !== 'response') return person.finds(text);
      return text.split(SEGMENT).some((one) => !handlersTexts.has(one) && person.finds(one));
    });
    if (isFound) places.add(path);
    return texts.length > 0 ? replacedLeaf(leaf) : leaf;
  };
  rewriteLogin({ event, outside }, visit);
  visitResponse(after.response, visit);
  return [...places];
}

/** In the place of a key, it stands for all that are replaced. */
// Stryker disable next-line BlockStatement: anything but the key serves.
function replacedLeaf<TLeaf extends string | number>(leaf: TLeaf): TLeaf {
  return (typeof leaf === 'number' ? leaf : '*') as TLeaf;
}

/**
 * Writes all files of a sample or none, and never over another one: each is written beside its place, and moves there whole.
 *
 * @returns the paths of the files
 * @throws {UnusableInput} where something stands in the way, or a file of this name is there by now
 */
export async function writeKept(plan: SamplePlan): Promise<string[]> {
  if (plan.blockers.length > 0 || plan.expected === null) throw new UnusableInput(plan.blockers.join('\n'));
  await mkdir(plan.folder, { recursive: true });
  const contents = [plan.event, ...(plan.outside ? [asInvented(plan.outside)] : []), plan.expected];
  const files = filesOf(plan, plan.outside !== null).map((file, index) => ({
    file,
    draft: `${file}.${randomUUID()}.tmp`,
    content: contents[index],
  }));
  const placed: string[] = [];
  try {
    for (const { draft, content } of files) await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`);
    for (const { draft, file } of files) {
      await link(draft, file);
      placed.push(file);
    }
    return placed;
  } catch (error) {
    await removeAll(placed);
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UnusableInput(
      `${join(plan.folder, plan.name)}: a sample of this name exists already: choose another name`,
    );
  } finally {
    await removeAll(files.map(({ draft }) => draft));
  }
}

/** A file that is not there may be missing: writing may have ended before it. */
async function removeAll(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

const REFUSED: Readonly<Record<RuleKey, string>> = {
  no_group: 'denied-group',
  any_group: 'without-group',
  emails: 'other-address',
  email_domains: 'other-domain',
  scopes: 'other-scope',
  claim: 'other-claim',
  attribute: 'other-attribute',
  assurance: 'weak-sign-in',
};
const COUNTS = ['no-group', 'one-group', 'two-groups', 'three-groups'];

export interface NamedLogin {
  functionName: string;
  issuer: string | null;
  answered: Pick<InvocationResult, 'reason' | 'response'>;
  rules: readonly Pick<ExplainedRule, 'path' | 'isDecisive'>[];
}

/**
 * A name for a sample, made of the provider and the outcome: no text of the person can be in it.
 *
 * @param isTaken whether there is a sample of this name
 * @returns e.g. `keycloak-denied-group`, or `keycloak-denied-group-2` where that is taken
 */
export function proposedName(login: NamedLogin, isTaken: (name: string) => boolean): string {
  const provider = providerOf(login.issuer)?.toLowerCase().replace(' ', '-');
  const name = `${provider ?? KINDS[kindOf(login.functionName)].word}-${outcomeOf(login)}`;
  if (!isTaken(name)) return name;
  let count = 2;
  while (isTaken(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}

function outcomeOf({ answered: { reason, response }, rules }: NamedLogin): string {
  const path = rules.find(({ isDecisive }) => isDecisive)?.path;
  const rule = String(path?.split('.').at(-1));
  if (Object.hasOwn(REFUSED, rule)) return REFUSED[rule as RuleKey];
  if (reason !== 'authorized') return reason.replaceAll('_', '-');
  const groups = response?.user_group_uuids ?? response?.userGroupUuids;
  return COUNTS[Array.isArray(groups) ? groups.length : 0] ?? 'many-groups';
}
