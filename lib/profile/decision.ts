/**
 * What was decided on a login, by a default handler or a mapping. It travels with its response, under a symbol: whichever response
 * leaves, its own reason is logged. JSON does not show it.
 */

import { WORDS as ENGLISH } from '../messages/en.ts';
import { lookUpLanguage, type Sentence } from '../messages/languages.ts';
import { type RefusalReason, sentenceOf } from '../reasons.ts';
import type { ShowableNames } from '../text.ts';
import type { FieldTrace } from './fields/findField.ts';
import { error, forbidden, type UserLoginResponse } from './response.ts';
import type { AccessTrace, Refusal } from './rules/access.ts';
import type { Message, Messages } from './schema/mappingSchema.ts';
import type { ProfileField } from './schema/profileFields.ts';

/** Stays as it was made, whatever a handler changes in the response afterwards. */
export interface Decision {
  reason: 'authorized' | RefusalReason;
  type: UserLoginResponse['type'];
  /** The message of a refusal where it is ours, in any language; null where an operator wrote it, and where nobody is refused. */
  words: { message: string; sentence: Sentence } | null;
  /** What was looked for and not found; null where nothing was looked for. */
  missing: readonly ProfileField[] | null;
  /** Made on demand: most logins are authorized, and nobody reads how that came about. */
  explain(): Explanation;
}

const DECISION = Symbol('decision');

/**
 * Attaches the decision to its response. It is enumerable on a refusal, so that a copy by spread keeps it, and not on an
 * authorized response, so that an operator's test can compare that response as a whole.
 */
export function withDecision(response: UserLoginResponse, value: Decision): UserLoginResponse {
  return Object.defineProperty(response, DECISION, {
    value,
    enumerable: value.type !== 'AuthorizedUserResponse',
  });
}

/** What a default handler or a mapping decided on this response; undefined for a response of a handler's own. */
export function decisionOf(response: object): Decision | undefined {
  return (response as { [DECISION]?: Decision })[DECISION];
}

/**
 * The response to a refused login: in the operator's words where the mapping has some, in ours otherwise.
 *
 * @param messages the operator's, by reason
 * @param preferredLanguage of the person: a tag, or a list as in Accept-Language; null where the provider sends none
 */
export function refused(
  { reason, message: ofRule, sentence = sentenceOf(reason) }: Refusal,
  messages: Messages,
  preferredLanguage: string | null,
): { response: UserLoginResponse } & Pick<Decision, 'reason' | 'words'> {
  const own = ofRule ?? messages[reason];
  const isForbidden = reason === 'rule_refused' || reason === 'issuer_not_listed';
  const respond = isForbidden ? forbidden : error;
  if (own !== undefined)
    return { response: respond(inLanguage(own, preferredLanguage)), reason, words: null };
  const message = sentence(ENGLISH);
  return { response: respond(message), reason, words: { message, sentence } };
}

/** The first language stands for those that are not there. */
function inLanguage(message: Message, preferredLanguage: string | null): string {
  if (typeof message === 'string') return message;
  const tag = lookUpLanguage(preferredLanguage, Object.keys(message));
  const [first] = Object.values(message);
  return (tag === null ? first : message[tag]) as string;
}

/**
 * How a decision came about: names, paths and counts only, never a value. Paths begin below `id_token` or `assertion`, e.g.
 * `other_claims.given_name`, `attribute_statement[3]`, or with the name of another system that was asked, e.g. `userinfo.email`.
 * They, and what else is for level DEBUG, are left out above that level.
 */
export interface Explanation extends AccessTrace {
  fields: Record<string, FieldTrace>;
  /** The names of all claims or attributes in the event, sorted; `others` counts those that are not shown. */
  received: ShowableNames;
  /** The reason of the decision, where the handler made a response of another type of it. */
  decided?: string;
}
