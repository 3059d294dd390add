/** A login of which only the log is known. No log has a value of its event, nor what the person read, which is made again. */

import { REFERENCE, withReference } from '../../lib/login/respond.ts';
import type { Words } from '../../lib/messages/en.ts';
import type { Language, Sentence } from '../../lib/messages/languages.ts';
import { incompleteSentence } from '../../lib/profile/decide.ts';
import { type Explanation, refused } from '../../lib/profile/decision.ts';
import type { AddressRefusal } from '../../lib/profile/fields/addressChoice.ts';
import type { Refusal } from '../../lib/profile/rules/access.ts';
import { isEmailRule, kindOfRule, wordsOfRule } from '../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { ofIssuer } from '../../lib/profile/schema/ofIssuer.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { REASONS, type ReasonCode, type RefusalReason, sentenceOf } from '../../lib/reasons.ts';
import type { RequiredField } from '../../lib/settings.ts';
import { resultOf } from '../local/invocation.ts';
import { DECISION, type LogRecord, lastRecord } from '../local/process/logRecords.ts';
import { noRequests } from '../local/recordings.ts';
import { kindOf } from '../shared/functions.ts';
import type { Stage } from '../shared/stage.ts';
import type { AnsweredLogin } from './explanation.ts';
import { OWN_WORDS } from './ownWords.ts';

interface LoggedLogin {
  functionName: string;
  stage: Stage;
  /** Of the handler that answered; null for a handler of plain code. */
  mapping: Mapping | null;
  /** When it was logged, in milliseconds since 1970. */
  atMs: number;
}

/** @param logged the records of the login, its own the last of that event */
export function loggedLogin(
  logged: readonly LogRecord[],
  { functionName, stage, mapping, atMs }: LoggedLogin,
): AnsweredLogin {
  const record = lastRecord(logged, 'login');
  const { requiredFields } = readConfiguration(kindOf(functionName), stage.env).settings;
  const message = wordsOf(record, mapping, requiredFields) ?? 'words of the handler, not logged';
  // A function that could not start says so at each login.
  const isNotStarted = /^(?:configuration_unusable|handler_not_loaded)$/.test(String(record.reason));
  const started = { ...(isNotStarted && record), event: 'cold_start', requiredFields };
  const answered = resultOf(
    {
      result: { type: record.answer, message },
      failure: null,
      records: [started, { event: DECISION, mapping }, ...logged],
      output: '',
      ms: Number(record.durationMs),
      requests: noRequests(),
    },
    { name: functionName, root: '', version: '', env: stage.env },
    stage,
  );
  const { thrown } = answered;
  const { frames: [frame = ''] = [] } = (record.error ?? {}) as { frames?: string[] };
  // Where the handler threw: its files are not on this machine, so no source is shown.
  const text = `${thrown?.text} ${frame}`.trim();
  return {
    answered: { ...answered, thrown: thrown && { ...thrown, text } },
    event: undefined,
    functionName,
    atMs,
  };
}

/** What the person read; null for words of a handler. Of an operator's texts, the one that fits the language of the record. */
function wordsOf(
  record: LogRecord,
  mapping: Mapping | null,
  required: readonly RequiredField[],
): string | null {
  const reason = record.reason as ReasonCode;
  if (!Object.hasOwn(REASONS, reason) || reason === 'forbidden' || reason === 'error') return null;
  const language = String(record.language);
  const requestId = String(record.requestId);
  const own = OWN_WORDS[language as Language] ?? OWN_WORDS.en;
  const inOwn = (sentence: Sentence) => withReference(sentence, own, requestId);
  if (record.explanation === undefined) return inOwn(sentenceOf(reason, record));
  if (mapping === null) return null;
  const parsed = parseMapping(mapping);
  const part = ofIssuer(parsed, String(record.issuer));
  const explanation = record.explanation as Explanation;
  const placed = part?.rules.find(({ rule, path }) => `${path}.${kindOfRule(rule)}` === explanation.rule);
  const refusal = refusalOf(reason as RefusalReason, explanation, placed?.rule, required);
  const { response, words } = refused(refusal, part?.messages ?? parsed.messages ?? {}, language);
  if (words !== null) return inOwn(words.sentence);
  return 'message' in response ? response.message.replaceAll(REFERENCE, requestId) : null;
}

/** As the mapping decided it. */
function refusalOf(
  reason: RefusalReason,
  { fields }: Explanation,
  rule: Rule | undefined,
  required: readonly RequiredField[],
): Refusal {
  if (reason === 'rule_refused' && rule) {
    const key = wordsOfRefusal(rule, fields);
    return { reason, message: rule.message, sentence: (words) => words[key] };
  }
  if (reason !== 'profile_incomplete' && reason !== 'email_unverified') return { reason };
  const { email } = fields;
  const problem = email?.found === null ? (email.note as AddressRefusal | undefined) : undefined;
  const absent = required.filter((field) => !fields[field]?.found && !fields[field]?.note);
  return { reason, sentence: incompleteSentence(absent, problem) };
}

/** Some rules have other words for some values, which are not logged. */
function wordsOfRefusal(rule: Rule, { email }: Explanation['fields']): keyof Words {
  if ('is_not' in rule) return 'forbidden';
  if (isEmailRule(rule) && !email?.found) return 'claim';
  const isOfAccount = 'assurance' in rule && Object.keys(rule.assurance).join() === 'eduPersonAssurance';
  return isOfAccount ? 'claim' : wordsOfRule(rule);
}
