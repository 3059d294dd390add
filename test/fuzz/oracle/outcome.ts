/** Whether a login may have ended as it did, by what the function was called with. */
import type { FunctionName } from '../../support/bundle.ts';
import { demand } from './demand.ts';
import { isOpenIdEvent, isSamlEvent, type OpenIdWire } from './event.ts';
import { payloadOf } from './idToken.ts';
import { hasForbiddenKey, isModest } from './json.ts';
import type { LoginRecord } from './logged.ts';
import { headerValues, isHttpEvent, type Received, received } from './request.ts';

/**
 * Whether the checks that are on let a valid event pass to the handler; null where that is left open. Besides the event,
 * in its wire form, there is what the function was called with.
 */
export type MayPass = (event: never, lambdaEvent: unknown) => boolean | null;

/** Of logins that never got as far as their event. */
const NOT_READ = /^(body_too_large|body_missing|body_not_json|content_type_not_json|signature_\w+)$/;
/** Of logins that a check refused: an event that passes it must not be. */
const REFUSED_BY_CHECK = /^(token|assertion)_/;

/** In characters. The bundle's limit for a token is not below this. */
const MODEST_TOKEN_LENGTH = 50_000;

const IS_VALID = { openidLoggedIn: isOpenIdEvent, samlLoggedIn: isSamlEvent };

export function requireOutcome(
  name: FunctionName,
  { reason, answer }: LoginRecord,
  lambdaEvent: unknown,
  mayPass: MayPass,
): void {
  demand(answer !== 'AuthorizedUserResponse' || reason === 'authorized', 'who logs in was authorized');
  const input = received(lambdaEvent);
  demand((reason === 'body_too_large') === (input.kind === 'too large'), `the size of a body: ${reason}`);
  if (reason === 'body_missing') demand(input.kind === 'no body', 'no body that is there is missed');
  if (reason === 'body_not_json')
    demand(input.kind === 'not JSON' || isTooDeep(input), 'a body that is JSON is read');
  if (NOT_READ.test(reason)) return;

  demand(input.kind === 'event', 'what is not read gets no further');
  demand(input.text === null || saysJson(lambdaEvent), 'a body that is not said to be JSON gets no further');
  const isRefused = input.text !== null && hasForbiddenKey(input.event);
  const isValid = !isRefused && IS_VALID[name](input.event);
  if (reason === 'event_invalid') {
    demand(!isValid || !isModest(input.event), 'a valid event is read');
    return;
  }
  demand(isValid, `an event that is not valid gets no further: ${reason}`);
  // What an event leaves out of its token, the handler gets nevertheless; and so it is bounded in the token too.
  if (reason === 'token_malformed' && !isModestToken((input.event as OpenIdWire).idTokenJwt)) return;
  const isRefusedByCheck = REFUSED_BY_CHECK.test(reason);
  const passes = mayPass(input.event as never, lambdaEvent);
  demand(passes === null || passes !== isRefusedByCheck, `what the checks say: ${reason}`);
}

function isTooDeep(input: Received): boolean {
  return input.kind === 'event' && !isModest(input.event);
}

function isModestToken(jwt: string): boolean {
  return jwt.length <= MODEST_TOKEN_LENGTH && isModest(payloadOf(jwt));
}

function saysJson(event: unknown): boolean {
  return isHttpEvent(event) && headerValues(event, 'content-type').some((value) => /json/i.test(value));
}
