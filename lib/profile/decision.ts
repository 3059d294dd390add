/**
 * What was decided on a login, by a default handler or a mapping. It travels with its response, under a symbol: whichever response
 * leaves, its own reason is logged. JSON does not show it.
 */

import { WORDS as ENGLISH } from '../messages/en.ts';
import { lookUpLanguage, type Sentence } from '../messages/languages.ts';
import { type DecisionReason, type RefusalReason, sentenceOf } from '../reasons.ts';
import type { ShowableNames } from '../text.ts';
import type { AddressRefusal } from './fields/addressChoice.ts';
import type { ProfileField } from './fields/fields.ts';
import { error, forbidden, type UserLoginResponse } from './response.ts';
import type { Message, Messages } from './schema/mappingSchema.ts';

/** Stays as it was made, whatever a handler changes in the response afterwards. */
export interface Decision {
  reason: DecisionReason;
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

/** Why a person may not log in. */
export interface Refusal {
  reason: RefusalReason;
  /** The operator's words, of the rule that refused. */
  message?: Message | undefined;
  /** Ours; left out where the reason has its own. */
  sentence?: Sentence;
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
export interface Explanation {
  fields: Record<string, FieldTrace>;
  /** The names of all claims or attributes in the event, sorted; `others` counts those that are not shown. */
  received: ShowableNames;
  groups?: GroupsTrace;
  /** The rule that refused, as a path into the mapping. */
  rule?: string;
  /** Of a rule that is not about groups, and of the list of issuers: what kept it from allowing the login, and what the operator can do about it. */
  note?: string;
  /** At level DEBUG, what each rule says of this login, also after one that refused. None where the profile is incomplete. */
  rules?: RuleTrace[];
  /** The reason of the decision, where the handler made a response of another type of it. */
  decided?: string;
}

/** Why an identifier is not used. */
export type IdentifierProblem = 'several_values' | 'other_form' | 'too_long' | 'foreign_scope';

export interface FieldTrace {
  /** The candidates, in the order in which they are tried. */
  tried: string[];
  /** The one that won, and how; null where none did. */
  found: string | null;
  /** Why an address or an identifier was refused, or what the provider does not say of an address; or that a name may be several, joined. */
  note?: AddressRefusal | IdentifierProblem | 'joined';
  /** What the operator can do about it. */
  hint?: string;
  /** At level DEBUG, where the value stands that was used. */
  path?: string | undefined;
}

export interface GroupsTrace {
  /** False where the provider did not say, which is not the same as none. */
  known: boolean;
  received: number;
  mapped: number;
  unmatched: number;
  /** What is odd about the groups, or kept a rule about them from allowing the login, and what the operator can do about it. */
  note?: string;
  /** At level DEBUG, what each name gave under which groups are looked up, in the order of `groups.from`. */
  sources?: SourceTrace[];
  /**
   * At level DEBUG, where the table stands in the mapping, how many groups matched a row of it, by the row's index, and what the
   * first 50 of these rows that have a name call their user groups.
   */
  table?: {
    path: string;
    rows: Record<string, number>;
    names?: { row: number; uuid: string; name: string }[];
  };
  /** At level DEBUG, where each of the first 50 groups stands, and the indexes of the rows that it matched. */
  values?: { path: string; rows: number[] }[];
  /** At level DEBUG, the user groups of each person who gets in, and where the mapping has them; left out where it has none. */
  everybody?: { path: string; uuids: readonly string[] };
}

export interface SourceTrace {
  /** The entry of `groups.from`: a name, `DEFAULTS` or `NAME_ID`. */
  from: string;
  /** One of the names that it stands for. */
  name: string;
  /**
   * `unused`: other texts go before its own, such as those by Name before those by FriendlyName. `overage`: the provider left
   * groups out. `other_form`: it sent them, or some, in a form that is not read.
   */
  gave: 'groups' | 'absent' | 'empty' | 'unused' | 'overage' | 'other_form';
  /** How many groups it gave. */
  count: number;
}

export interface RuleTrace {
  /** In the mapping, e.g. `rules[0].any_group`. */
  path: string;
  verdict: Verdict;
  /** Where the group stands that it denies, or may deny, or the first value that is not the one it wants: as `path` of the groups. */
  value?: string | undefined;
}

/**
 * `unknown`: the provider does not say which groups, or not of each source, or not how the person signed in, or not the value
 * that a rule denies some of. `unclear`: it
 * says which groups in a form that may hide one.
 */
export type Verdict = 'allows' | 'refuses' | 'unknown' | 'unclear';
