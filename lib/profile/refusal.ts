/** The response to a refused login: in the operator's words where the mapping has some, in ours otherwise. */

import { WORDS as ENGLISH } from '../messages/en.ts';
import { lookUpLanguage, type Sentence } from '../messages/languages.ts';
import { sentenceOf } from '../reasons.ts';
import type { Decision, RefusalReason } from './decision.ts';
import { error, forbidden } from './response.ts';
import type { Message, Messages } from './schema/mappingSchema.ts';

export interface Refusal {
  reason: RefusalReason;
  /** The operator's, of the rule that refused. */
  message?: Message | undefined;
  /** Ours; left out where the reason has its own. */
  sentence?: Sentence;
}

/**
 * @param messages the operator's, by reason
 * @param preferredLanguage of the person: a tag, or a list as in Accept-Language; null where the provider sends none
 */
export function refused(
  { reason, message: ofRule, sentence = sentenceOf(reason) }: Refusal,
  messages: Messages,
  preferredLanguage: string | null,
): Pick<Decision, 'response' | 'reason' | 'words'> {
  const message = ofRule ?? messages[reason];
  const isForbidden = reason === 'rule_refused' || reason === 'issuer_not_listed';
  const respond = isForbidden ? forbidden : error;
  if (message !== undefined) return { response: respond(inLanguage(message, preferredLanguage)), reason };
  return { response: respond(sentence(ENGLISH)), reason, words: { sentence, preferredLanguage } };
}

/** The first language stands for those that are not there. */
function inLanguage(message: Message, preferredLanguage: string | null): string {
  if (typeof message === 'string') return message;
  const tag = lookUpLanguage(preferredLanguage, Object.keys(message));
  const [first] = Object.values(message);
  return (tag === null ? first : message[tag]) as string;
}
