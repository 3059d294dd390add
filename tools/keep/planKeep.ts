/** Plans to save a login as a sample without the person: the kept event, its expected response, and recorded responses. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { inWords } from '../../lib/text.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import type { Engine } from '../local/engine.ts';
import { EVENTS, type Expected, expectedFile, recordingsFile } from '../local/events.ts';
import { eventInside, isDeeperThan } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { mappingOf } from '../local/mappingOf.ts';
import type { Recording } from '../local/recordings.ts';
import { invokeStored } from '../local/samples.ts';
import { kindOf } from '../shared/functions.ts';
import { ofProject } from '../shared/project.ts';
import { type Ask, type KeptLogin, keptLogin } from './keptLogin.ts';
import { hostOf, type PlacedText, type Policy } from './keptTexts.ts';
import { type Login, MAX_DEPTH } from './loginTexts.ts';
import { mappingTexts } from './mappingTexts.ts';
import type { Random } from './standIns.ts';

export interface KeepOptions {
  engine: Pick<Engine, 'invoke' | 'root' | 'stage'>;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** As it arrived. Of an HTTP envelope nothing is kept: it says who called, from where, and with which headers. */
  event: unknown;
  /** What the handler setting says; default: what the settings say. */
  handlerModule?: string | undefined;
  /** The name under which the sample expects the handler; default: `handlerModule`. */
  handlerName?: string | undefined;
  /** What other systems answered. */
  exchanges?: readonly Recording[] | null;
  /** Of the sample, without `.json`. */
  name: string;
  /** Like `events/`, which is the default. */
  folder?: string;
  /** What stays because the operator says so. */
  ticked?: readonly PlacedText[];
  random?: Random;
}

/** What would be written, once nothing stands in the way. */
export interface SamplePlan extends Pick<KeptLogin, 'stays' | 'replaced'> {
  /** Why it cannot be written, in sentences without a value of the event. */
  blockers: string[];
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

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** In characters. */
const MAX_NAME = 80;
/** In characters: nobody reads a longer text before ticking it. */
const MAX_TICKED = 1_000;
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
    const nothing = { stays: [], replaced: [], event: null, expected: null, outside: null, files: [] };
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
  const kept = await keptLogin(login, before, await policyOf(options, login), ask, random);
  const outside = kept.outside.length > 0 ? kept.outside : null;
  return {
    ...place,
    stays: kept.stays,
    replaced: kept.replaced.filter(({ text }) => text.length <= MAX_TICKED).slice(0, MAX_LISTED),
    blockers: [...early, ...problemsOf(kept, name)],
    event: kept.event,
    expected: expectedOf(kept.after, handler),
    outside,
    unanswered: [],
    files: filesOf(place, outside !== null).map(ofProject),
  };
}

/** The files of a sample: the event first. */
export function filesOf(
  { name, folder }: Pick<SamplePlan, 'name' | 'folder'>,
  hasOutside: boolean,
): string[] {
  const file = join(folder, `${name}.json`);
  return [file, ...(hasOutside ? [recordingsFile({ file })] : []), expectedFile({ file })];
}

function nameProblems(place: Pick<SamplePlan, 'name' | 'folder'>): string[] {
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

function problemsOf({ after, differences, found, personIn }: KeptLogin, name: string): string[] {
  const word = personIn(name);
  // Another response has other words of the handler.
  const places = differences.length > 0 ? '' : found.slice(0, MAX_NAMED).join(', ');
  const [request] = after.requests.missing;
  return [
    ...(after.response === null ? [`The function fails for the kept event (${after.reason}).`] : []),
    ...(request === undefined
      ? []
      : [`The handler asks ${hostOf(request)} for something that is not recorded for the kept event.`]),
    ...(differences.length === 0
      ? []
      : [
          `The response to the kept event differs in ${inWords(differences, 'and')} (${after.reason}): in the studio, tick the texts that the handler compares.`,
        ]),
    ...(places === '' ? [] : [`A text of the person is in ${places}: try again, or tick it if it may stay.`]),
    ...(word === null
      ? []
      : [
          `The name of the sample has a text of the person in it, "${word}": choose one that says what the login shows.`,
        ]),
  ];
}

async function policyOf(options: KeepOptions, { event, outside }: Login): Promise<Policy> {
  // Stryker disable next-line ArrayDeclaration: a text without a place ticks nothing.
  const { functionName, engine, ticked = [] } = options;
  const handlerModule = moduleOf(options);
  const mapping = handlerModule && (await mappingOf({ functionName, handlerModule }, engine));
  const names = { OpenID: OPENID_NAMES, SAML: SAML_NAMES }[kindOf(functionName)];
  return {
    issuer: issuerOf(event),
    mapping: mappingTexts(mapping ? parseMapping(mapping) : null, names),
    hosts: new Set(outside.map(({ request }) => hostOf(request))),
    ticked,
  };
}

/** @param event out of its HTTP envelope */
export function issuerOf(event: unknown): string | null {
  const { assertion, idToken } = isJsonObject(event) ? event : {};
  const issuer = isJsonObject(assertion) ? assertion.assertionIssuer : isJsonObject(idToken) && idToken.iss;
  return typeof issuer === 'string' ? issuer : null;
}

function moduleOf({ functionName, engine, handlerModule }: KeepOptions): string | undefined {
  return handlerModule ?? engine.stage.handlerOf(functionName);
}

/** As a sample names it, from the project's folder where it is in there; undefined for the default handler. */
function handlerOf(options: KeepOptions): string | undefined {
  const { handlerName = moduleOf(options) } = options;
  if (handlerName === undefined) return undefined;
  return withoutExtension(ofProject(handlerName));
}

function handlerProblems(handler: string | undefined): string[] {
  return handler !== undefined && isAbsolute(handler) ? [OUTSIDE_PROJECT] : [];
}

const OUTSIDE_PROJECT =
  'The handler is not a file of the project, and the sample would name a path of this machine. Save the handler in handlers/.';

function expectedOf({ status, response }: InvocationResult, handler: string | undefined): Expected | null {
  return response && { ...(handler !== undefined && { handler }), status, answer: response };
}
