/** Whether a mapping may answer a login as it did. */

import type { Mapping } from '../../../lib/profile/mappingSchema.ts';
import { DEFAULTS } from '../../../lib/profile/reader.ts';
import type { Answer } from './answer.ts';
import { demand } from './demand.ts';
import { type MappedEmail, mappedEmail } from './email.ts';
import type { Evidence } from './evidence.ts';
import { isOddForm, readGroups, userGroups } from './groups.ts';
import { isText } from './json.ts';
import type { LoginRecord } from './logged.ts';
import { type Part, partFor, type Rule } from './mapping.ts';
import { clean, isPlain, isPlainImageUrl, mappedText } from './profile.ts';
import { isRequired } from './required.ts';
import { type Verdict, verdicts } from './rules.ts';
import { requireWords } from './words.ts';

interface Login {
  answer: Answer;
  record: LoginRecord;
}

const REASONS_OF_RULES = ['rule_refused', 'groups_unknown', 'groups_ambiguous', 'assurance_unknown'];
/** Where rules look at groups and nothing is said of them. */
const GROUPS_FOR_RULES = { from: [DEFAULTS], unknown: 'none' } as const;

export function requireMappedLogin(mapping: Mapping, evidence: Evidence, login: Login): void {
  const part = partFor(mapping, evidence.issuer);
  const { answer, record } = login;
  if (!part) {
    demand(answer.type === 'ForbiddenResponse', 'an issuer that is not listed logs nobody in');
    demand(record.reason === 'issuer_not_listed', 'an issuer that is not listed is told');
    requireWords(answer, mapping.messages?.issuer_not_listed, evidence.language);
    return;
  }
  demand(record.reason !== 'issuer_not_listed', 'an issuer that is listed is known');
  const isAuthorized = answer.type === 'AuthorizedUserResponse';
  const email = mappedEmail(evidence, part.email);
  if (isAuthorized) requireEmail(email, answer);
  const known = isAuthorized ? String(answer.email ?? '') : knownAddress(email);
  const groups = readGroups(evidence, part.groups ?? { ...GROUPS_FOR_RULES, from: [DEFAULTS] });
  const decided = verdicts(part, { evidence, groups, email: known });
  if (isAuthorized) {
    const refusal = decided.find(({ verdict }) => verdict !== 'allows' && verdict !== 'open');
    demand(!refusal, `a rule lets nobody in whom it refuses: ${JSON.stringify(refusal)}`);
    const given = [...(answer.user_group_uuids as string[])].sort();
    requireUserGroups(
      given,
      userGroups(groups, part.groups ?? {}),
      groups.unknown === false && !groups.granted.some(isOddForm),
    );
    requireProfile(evidence, part, login);
    return;
  }
  requireReason(decided, login);
  if (isMappings(record.reason)) requireRefusal(part, decided, evidence, login);
  const isComplete = (known === '' || isPlain(known)) && hasPlainNames(evidence, part);
  demand(
    !isComplete || decided.some(({ verdict }) => verdict !== 'allows'),
    `whom every rule lets in is authorized: ${record.reason}`,
  );
  demand(
    !isComplete || !/^(profile_incomplete|email_unverified)$/.test(record.reason),
    `a profile that is there is found: ${record.reason}`,
  );
}

/** Empty where people without one may log in and this one has none; null where it is not known. */
function knownAddress({ value, isOpen, isAbsent }: MappedEmail): string | null {
  if (isOpen) return null;
  return isAbsent && !isRequired('email') ? (value ?? '') : value;
}

function requireEmail({ value, isOpen, isAbsent }: MappedEmail, { email }: Answer): void {
  if (email === null) {
    demand(value === null && isAbsent, 'an address is left out only where the provider sends none');
    return;
  }
  demand(value !== null, 'nobody is authorized without an address that may be used');
  demand(isOpen || email === value, 'the address is the one that the mapping names');
}

function requireUserGroups(given: string[], expected: string[], isKnown: boolean): void {
  const isRight = isKnown ? given.join() === expected.join() : given.every((uuid) => expected.includes(uuid));
  demand(isRight, `the user groups are those of the table: [${expected}], not [${given}]`);
}

/** The first rule that does not allow a login is why it is refused. */
function requireReason(
  decided: { rule: Rule | null; verdict: Verdict }[],
  { answer, record: { reason } }: Login,
): void {
  if (!REASONS_OF_RULES.includes(reason)) return;
  const first = decided.find(({ verdict }) => verdict !== 'allows');
  demand(first !== undefined, `nobody is refused whom every rule lets in: ${reason}`);
  const type = reason === 'rule_refused' ? 'ForbiddenResponse' : 'ErrorResponse';
  demand(answer.type === type, `a login refused for ${reason} is answered with ${type}`);
  if (first.verdict === 'open' || first.verdict === 'refuses') return;
  demand(reason === first.verdict, `the reason is ${first.verdict}, not ${reason}`);
}

type RefusalReason = keyof NonNullable<Part['messages']>;

function isMappings(reason: string): reason is RefusalReason {
  return [...REASONS_OF_RULES, 'profile_incomplete', 'email_unverified'].includes(reason);
}

/** Of a rule that may not be the one that refused, the words are left open. */
function requireRefusal(
  { messages = {} }: Part,
  decided: { rule: Rule | null; verdict: Verdict }[],
  { language }: Evidence,
  { answer, record }: Login,
): void {
  const reason = record.reason as RefusalReason;
  const first = decided.find(({ verdict }) => verdict !== 'allows');
  if (reason === 'rule_refused' && first?.verdict !== 'rule_refused') return;
  const ofRule = reason === 'rule_refused' ? first?.rule?.message : undefined;
  requireWords(answer, ofRule ?? messages[reason], language);
}

function hasPlainNames(evidence: Evidence, part: Part): boolean {
  return (['first_name', 'last_name'] as const).every((name) => {
    const text = mappedText(evidence, name, part[name]);
    return text === null ? !isRequired(name) : isPlain(text);
  });
}

function requireProfile(evidence: Evidence, part: Part, { answer, record }: Login): void {
  for (const name of ['first_name', 'last_name', 'affiliation'] as const) {
    const text = mappedText(evidence, name, part[name]);
    const isRight =
      text === undefined ||
      (text === null ? answer[name] === null : clean(text).trim() === String(answer[name]).trim());
    demand(isRight || clean(text ?? '').trim() === '', `${name} is what the mapping names`);
  }
  const image = mappedText(evidence, 'image_url', part.image_url);
  if (image === undefined) return;
  const isKept = answer.image_url === image;
  demand(isKept || answer.image_url === null, 'image_url is what the mapping names, or left out');
  demand(isKept || (isText(image) && !isPlainImageUrl(image)), 'an image URL that is one is not left out');
  const dropped = JSON.stringify(record.droppedFields ?? []);
  demand(dropped === (isKept ? '[]' : '["image_url"]'), 'an image URL that is left out is told');
}
