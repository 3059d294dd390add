/** Whether handlers guard anything, as far as events, coverage and attacks show it; and what is said of them. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { KINDS } from '../../lib/kinds.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { variableOf } from '../../lib/settings.ts';
import type { AttackResult } from '../explain/attack/findings.ts';
import type { HandlerCoverage } from '../explain/coverage.ts';
import { isSameHandler } from '../explain/judgedSamples.ts';
import type { SampleEvent } from '../local/events.ts';
import { statusOf } from '../local/invocation.ts';
import { mappingWarnings, unboundGuards } from '../local/mappingOf.ts';
import { error, type Finding, note, warning } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { beginning } from '../shared/readable.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';
import { type Checked, handlerOf } from './report.ts';

/** The events of a function that are compared with what this handler must answer. */
function comparedOf(
  functionName: string,
  handler: string | undefined,
  events: readonly Checked[],
): Checked[] {
  return events.filter(
    ({ sample, verdict }) =>
      sample.functionName === functionName &&
      sample.expected !== null &&
      isSameHandler(sample.expected.handler, handler) &&
      verdict.kind !== 'other',
  );
}

/**
 * Handlers in force that no event of the project tests, or that refuse nobody. The default handler has no policy: it is tested
 * only where events expect others, and would not get what these refuse. One of a layer is on Lambda only.
 */
export function guardFindings(events: readonly Checked[], stage: Stage): Finding[] {
  return FUNCTION_NAMES.flatMap((functionName) => {
    const inForce = stage.handlerOf(functionName);
    const isExpected = events.some(({ sample }) => sample.functionName === functionName && sample.expected);
    if (inForce === undefined ? !isExpected : isOnLambdaOnly(inForce)) return [];
    const compared = comparedOf(functionName, inForce, events);
    if (compared.length === 0) return [notCompared(functionName, inForce ?? 'the default handler', stage)];
    if (inForce === undefined || areFailed(compared) || compared.some(isRefused)) return [];
    return [refusesNobody(functionName, inForce, stage)];
  });
}

/** Whether the handlers failed with all of these events, which each of them says. */
export function areFailed(events: readonly Checked[]): boolean {
  return events.length > 0 && events.every(({ answered }) => answered.failed !== null);
}

/** What is odd about these mappings though they load, by the handlers that are made of them or call them. */
export function mappingFindings(mappings: ReadonlyMap<string, Mapping>): Finding[] {
  return Array.from(mappings).flatMap(([subject, mapping]) => {
    const warnings = mappingWarnings(mapping).map((message) => warning('mapping_warning', subject, message));
    const unbound = unboundGuards(mapping);
    return unbound.length > 0 ? [...warnings, ofAnyIssuer(subject, unbound)] : warnings;
  });
}

function ofAnyIssuer(subject: string, guards: readonly string[]): Finding {
  const message = `The mapping lists no issuers, so every issuer may assert what these look at: ${guards.join(', ')}.`;
  return note(
    'any_issuer',
    subject,
    message,
    'List the issuers whose people may get in: `issuers: { ... }`.',
  );
}

/** Secrets that a handler in force has asked for, and may not read on Lambda. */
export function secretFindings(events: readonly Checked[], stage: Stage): Finding[] {
  const { secretIds, env } = stage;
  const isListed = (id: string) =>
    id === env.SIGNING_SECRET_ID ||
    secretIds.some((one) => one === id || (one.startsWith('arn:') && one.includes(`:secret:${id}`)));
  const inForce = events.filter(
    ({ sample, handler }) =>
      handler !== null && isSameHandler(handler.given, stage.handlerOf(sample.functionName)),
  );
  return [...Map.groupBy(inForce, handlerOf)].flatMap(([subject, ofHandler]) => {
    const asked = new Set(ofHandler.flatMap(({ answered }) => answered.requests.secrets));
    const missing = [...asked].filter((id) => !isListed(id));
    if (missing.length === 0) return [];
    const message = `The handler asks for ${missing.join(' and ')}, which SECRET_IDS does not list: on Lambda it may not read it.`;
    const change = `Write into .env.${stage.name}: SECRET_IDS=${[...secretIds, ...missing].join(',')}`;
    return [error('secret_not_listed', subject, message, change)];
  });
}

function notCompared(functionName: string, handler: string, stage: Stage): Finding {
  const message = `${handler} is in force, and no event expects a response of it.`;
  const change = `Save a login as ${savedAs(`${functionName}/<name>`, stage)}`;
  return error('handler_not_compared', functionName, message, change);
}

function refusesNobody(functionName: string, handler: string, stage: Stage): Finding {
  const message = `${handler} is in force, and refuses nobody of its events: nothing shows that it is a guard.`;
  const change = `Save an event of somebody who must not get in, or of a foreign issuer, as ${savedAs(`${functionName}/other-issuer`, stage)}`;
  return error('refuses_nobody', functionName, message, change);
}

function savedAs(label: string, { option }: Stage): string {
  return `events/${label}.json, and run ${typed('check', [label, '--update', ...option].join(' '))}`;
}

/** By a decision: an event that is not valid, or a look-up that failed, shows nothing. */
function isRefused({ sample: { expected }, answered: { reason } }: Checked): boolean {
  if (expected?.answer.type === 'AuthorizedUserResponse') return false;
  return statusOf(reason) === 200 && reason !== 'authorized';
}

/** A handler of a layer is not on this machine. */
export function isOnLambdaOnly(handler: string): boolean {
  return isAbsolute(handler) && !existsSync(handler);
}

/** Those that no handler of this machine can answer. */
export function answeredElsewhere(samples: readonly SampleEvent[], stage: Stage): SampleEvent[] {
  return samples.filter(({ functionName }) => isOnLambdaOnly(stage.handlerOf(functionName) ?? ''));
}

/** What answers the logins of each function, a line each. */
export function inForceLines(events: readonly Checked[], stage: Stage): string[] {
  return FUNCTION_NAMES.map((functionName) => {
    const line = `${functionName}: ${stage.answeringOf(functionName)} answers`;
    const inForce = stage.handlerOf(functionName);
    if (inForce === undefined) return `${line}: everybody with a complete profile gets in`;
    const compared = comparedOf(functionName, inForce, events);
    if (isOnLambdaOnly(inForce) && compared.length === 0)
      return `${line}, on Lambda only, and was not compared: --handler <file> compares its events`;
    return `${line}, and refuses ${compared.filter(isRefused).length} of ${compared.length} events`;
  });
}

/** In characters. */
const MAX_TEXT = 80;

export function coverageFindings(all: readonly HandlerCoverage[]): Finding[] {
  return all.flatMap(({ handler, notHit }) =>
    notHit.map(({ path, text, why }) => {
      const shown = text === '' ? '' : ` (${beginning(text, MAX_TEXT)})`;
      return error('not_hit', handler, `${path}: ${why}${shown}`);
    }),
  );
}

export function coverageTotal(all: readonly HandlerCoverage[]): string {
  const count = all.flatMap(({ notHit }) => notHit).length;
  return count === 0 ? 'every rule and table row hit' : `${count} not hit`;
}

export function attackTotal({ counts: { refused, wrong, open, notTested } }: AttackResult): string {
  return `${refused} attacks refused, ${wrong} got in that must not, ${open} that no rule forbids, ${notTested} not tested`;
}

/** The event has no signature of its assertion. */
const LOOKED_AT = { OpenID: 'signature, audience and times', SAML: 'audience, recipient and times' };

/** Checks that are off, of functions that were attacked: samples are unsigned, and long past. */
export function uncheckedLines(
  { attacked }: Pick<AttackResult, 'attacked'>,
  { env }: Pick<Stage, 'env'>,
): string[] {
  return Object.values(KINDS)
    .map(({ functionName, check }) => ({ functionName, check: variableOf(check) }))
    .filter(({ functionName, check }) => attacked.includes(functionName) && env[check] !== 'on')
    .map(
      ({ functionName, check }) => `${check} is off, so nothing looks at ${LOOKED_AT[kindOf(functionName)]}`,
    );
}
