/** A login without the person: its texts replaced, answered by the function, and searched for what is left of the person. */
import { distance } from 'fastest-levenshtein';
import { frozenTimeOf } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Recording } from '../local/recordings.ts';
import { hostOf, isOfPerson, type Part, type PlacedText, type Policy, partsOf } from './keptTexts.ts';
import { type Login, type Rewrite, rewriteLogin, visitResponse } from './loginTexts.ts';
import { PersonSearch } from './personSearch.ts';
import { type Random, StandIns } from './standIns.ts';

/** How the function answers an event with recorded responses of other systems. */
export type Ask = (event: unknown, outside: readonly Recording[]) => Promise<InvocationResult>;

export interface KeptLogin extends Login {
  /** Each once, in the order of the event. */
  stays: readonly (PlacedText & { why: string })[];
  /** What may be ticked: each once. */
  replaced: readonly PlacedText[];
  /** The response to the kept event. */
  after: InvocationResult;
  /** In what it differs from the response to the original. */
  differences: readonly ('type' | 'reason' | 'groups')[];
  /** The places in which a text of the person is found. */
  found: readonly string[];
  /** What of the name of a sample is the person's; null for nothing. */
  personIn: (name: string) => string | null;
}

/** @param before the response to the original */
export async function keptLogin(
  login: Login,
  before: InvocationResult,
  policy: Policy,
  ask: Ask,
  random?: Random,
): Promise<KeptLogin> {
  const { stays, replaced, texts, names } = textsOf(login, policy);
  const person = new PersonSearch(texts);
  const standIns = new StandIns(
    frozenTimeOf(login.event) ?? Date.now(),
    (text) => person.finds(text),
    random,
  );
  const { event, outside: responses } = rewriteLogin(login, standingIn(policy, standIns));
  const { after, outside } = await answeredAgain(event, responses, ask);
  const differences = differencesOf(before, after, (group) => standIns.known(group));
  const handlersTexts = segmentsOf([
    ...responseTexts(before),
    ...login.outside.map(({ request }) => request),
  ]);
  for (const text of names) handlersTexts.delete(text);
  const found = placesOf(person, { event, outside, after }, policy, handlersTexts);
  const search = new PersonSearch(names);
  return {
    event,
    outside,
    stays,
    replaced,
    after,
    differences,
    found,
    personIn: (name) => search.wordIn(name),
  };
}

/** What stays and what is replaced of a login, and the texts that say who the person is. */
function textsOf(login: Login, policy: Policy) {
  const stays = new Map<string, KeptLogin['stays'][number]>();
  const replaced = new Map<string, PlacedText>();
  const texts = new Set<string>();
  const names = new Set<string>();
  rewriteLogin(login, (leaf, place) => {
    const { path, role } = place;
    const parts = partsOf(String(leaf), place, policy);
    for (const { text, why } of parts) if (why) stays.set(`${path} ${text} ${why}`, { path, text, why });
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
  return { stays: [...stays.values()], replaced: [...replaced.values()], texts, names };
}

/** Of an address, the part before it. */
function isNoDomain({ why }: Part, index: number, parts: readonly Part[]): boolean {
  return why === null && parts[index - 1]?.text !== '@';
}

function standingIn(policy: Policy, standIns: StandIns): Rewrite {
  return (leaf, place) => {
    if (place.role === 'request') return leaf;
    const parts = partsOf(String(leaf), place, policy);
    if (parts.every(({ why }) => why !== null)) return leaf;
    const isTime = place.role === 'time';
    if (typeof leaf === 'number')
      return (isTime ? standIns.seconds(leaf) : standIns.number(leaf)) as typeof leaf;
    if (isTime) return standIns.dateTime(leaf) as typeof leaf;
    return parts.map(({ text, why }) => (why === null ? standIns.of(text) : text)).join('') as typeof leaf;
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
  standIn: (group: string) => string,
) {
  const type = ({ response }: InvocationResult) => response?.type;
  const groups = ({ response }: InvocationResult) =>
    [response?.user_group_uuids ?? response?.userGroupUuids].flat().map(String);
  const differs = {
    type: type(before) !== type(after),
    reason: before.reason !== after.reason,
    groups: groups(before).map(standIn).sort().join() !== groups(after).sort().join(),
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
