/**
 * Plans to save a login as a sample without the person: a pseudonymised event, its expected answer, and the recorded responses
 * of other systems. The plan is proven by the built function before anything is written.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { parseMapping } from '../../lib/profile/mappingSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { ofProject } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import type { Answered } from '../local/answered.ts';
import type { Engine } from '../local/engine.ts';
import { EVENTS, type Expected, expectedFile, outsideFile } from '../local/events.ts';
import { eventInside, isDeeperThan } from '../local/httpEvent.ts';
import { mappingOf } from '../local/mappingOf.ts';
import type { Exchange } from '../local/process/local.ts';
import { answerStored } from '../local/samples.ts';
import { configuredHandler } from '../shared/environment.ts';
import { originOf } from './askedUrls.ts';
import { mappingTexts } from './mappingTexts.ts';
import type { Ask } from './proof.ts';
import { provenSubstitution } from './proven.ts';
import type { Known } from './staying.ts';

export interface KeepOptions {
  engine: Pick<Engine, 'answer' | 'root'>;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** As it arrived. Of an HTTP envelope nothing is kept: it says who called, from where, and with which headers. */
  event: unknown;
  /** What the handler setting says; default: what the settings say. */
  handlerModule?: string | undefined;
  /** The name under which the sample expects the handler; default: `handlerModule`. */
  handlerName?: string | undefined;
  /** What other systems answered. */
  exchanges?: readonly Exchange[] | null;
  /** Of the sample, without `.json`. */
  name: string;
  /** Like `events/`, which is the default. */
  folder?: string;
}

/** What would be written, once nothing stands in the way. */
export interface SamplePlan {
  /** The texts of the original that stay, for confirmation. */
  stays: { text: string; why: string }[];
  /** What stands in the way, in sentences without a value of the event. */
  blockers: string[];
  event: unknown;
  /** Null where the function fails: then there is a blocker. */
  expected: Expected | null;
  /** Null where the handler asks no other system. */
  outside: Exchange[] | null;
  /** What is written, from the project's folder. */
  files: string[];
  name: string;
  /** With `openidLoggedIn` or `samlLoggedIn` at its end. */
  folder: string;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** In characters. */
const MAX_NAME = 80;

/** Of the event. Real ones have about ten levels. */
const MAX_DEPTH = 100;

/** Writes nothing, and never throws for what the event holds or the handler does. */
export async function planKeep(options: KeepOptions): Promise<SamplePlan> {
  const { functionName, name, folder = EVENTS } = options;
  const place = { name, folder: join(folder, functionName) };
  const handler = handlerOf(options);
  const inTheWay = [...nameProblems(place), ...handlerProblems(handler)];
  const blocked = (blocker: string): SamplePlan => {
    const nothing = { stays: [], event: null, expected: null, outside: null, files: [] };
    return { ...place, ...nothing, blockers: [...inTheWay, blocker] };
  };
  const event = eventInside(options.event);
  if (!isJsonObject(event)) return blocked('The event holds no JSON object: there is no login to keep.');
  if (isDeeperThan(event, MAX_DEPTH)) return blocked(`The event is nested deeper than ${MAX_DEPTH} levels.`);
  const original = { event, exchanges: options.exchanges ?? [] };
  const ask = asker(options);
  const before = await ask(event, original.exchanges);
  const failure = failureOf(before);
  if (failure !== null) return blocked(failure);
  const kept = await provenSubstitution(original, before, await knownOf(options, event), ask);
  const outside = kept.exchanges.length > 0 ? [...kept.exchanges] : null;
  return {
    ...place,
    stays: kept.stays.map(({ text, why }) => ({ text, why })),
    blockers: [...inTheWay, ...kept.problems, ...namedProblems(name, kept.isNamed)],
    event: kept.event,
    expected: expectedOf(kept.after, handler),
    outside,
    files: filesOf(place, outside !== null).map(ofProject),
  };
}

/** The files of a sample: the event first. */
export function filesOf(
  { name, folder }: Pick<SamplePlan, 'name' | 'folder'>,
  hasOutside: boolean,
): string[] {
  const file = join(folder, `${name}.json`);
  return [file, ...(hasOutside ? [outsideFile({ file })] : []), expectedFile({ file })];
}

function nameProblems(place: Pick<SamplePlan, 'name' | 'folder'>): string[] {
  if (!NAME.test(place.name) || place.name.length > MAX_NAME)
    return [
      `The name is not one of a sample: expected at most ${MAX_NAME} lower-case letters, digits and hyphens, e.g. entra-guest.`,
    ];
  const isThere = filesOf(place, true).some((file) => existsSync(file));
  return isThere ? ['There is a sample of this name already: choose another name.'] : [];
}

/** Tells which part of the name it is: the shortest one of those that end first. */
function namedProblems(name: string, isNamed: (part: string) => boolean): string[] {
  if (!isNamed(name)) return [];
  let end = 0;
  while (!isNamed(name.slice(0, end))) end++;
  let start = end;
  while (!isNamed(name.slice(start, end))) start--;
  const part = name.slice(start, end);
  return [`The name contains a text of the event, "${part}": choose one that says what the login shows.`];
}

function asker({ engine, functionName, handlerModule }: KeepOptions): Ask {
  return (event, exchanges) =>
    answerStored(engine, {
      ...{ functionName, handlerModule, event },
      outside: exchanges,
      hasDefaultResponses: true,
    });
}

/** Why the login cannot be kept, in a sentence; null where the function answers it. */
function failureOf({ failed, reason, asked, thrown }: Answered): string | null {
  const [first] = asked.unanswered;
  if (first !== undefined)
    return `The handler asks ${originOf(first)}, and what it answers is not recorded: record it first.`;
  if (failed === null) return null;
  const where = thrown ? ', by what the handler throws' : '';
  return `The function fails (${reason})${where}: no response can be expected of it. Mend the handler first.`;
}

async function knownOf(options: KeepOptions, event: Readonly<Record<string, unknown>>): Promise<Known> {
  const { functionName, engine, handlerModule = configuredHandler(functionName) } = options;
  const mapping = handlerModule && (await mappingOf({ functionName, handlerModule }, engine.root));
  const names = functionName === 'samlLoggedIn' ? SAML_NAMES : OPENID_NAMES;
  return { issuer: issuerOf(event), mapping: mappingTexts(mapping ? parseMapping(mapping) : null, names) };
}

function issuerOf({ assertion, idToken }: Readonly<Record<string, unknown>>): string | null {
  const issuer = isJsonObject(assertion) ? assertion.assertionIssuer : isJsonObject(idToken) && idToken.iss;
  return typeof issuer === 'string' ? issuer : null;
}

/** As a sample names it, from the project's folder where it is in there; undefined for the default handler. */
function handlerOf(options: KeepOptions): string | undefined {
  const { functionName, handlerModule = configuredHandler(functionName) } = options;
  const { handlerName = handlerModule } = options;
  if (handlerName === undefined) return undefined;
  return withoutExtension(ofProject(handlerName));
}

function handlerProblems(handler: string | undefined): string[] {
  return handler !== undefined && isAbsolute(handler) ? [OUTSIDE_PROJECT] : [];
}

const OUTSIDE_PROJECT =
  'The handler is no file of the project: the sample would name a place on this machine. Save the handler in handlers/.';

function expectedOf({ status, response }: Answered, handler: string | undefined): Expected | null {
  return response && { ...(handler !== undefined && { handler }), status, answer: response };
}
