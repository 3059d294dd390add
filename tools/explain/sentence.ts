/** One sentence on a login: who got in or not, and the fact that decided. */

import { showable } from '../../lib/text.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { counted } from '../shared/readable.ts';
import { type Account, decisiveRule, type ExplainedRule, loginRecord, missingFields } from './account.ts';
import { reasonSentence } from './reasons.ts';
import { ruleRow } from './ruleRows.ts';

/** In characters: it stands in a row of a list. */
const MAX_SENTENCE = 90;
/** Of one value in it. */
const MAX_VALUE = 40;
/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** E.g. `Authorized as Ada Lovelace, ada@example.org, 1 group (Staff)`, `Forbidden: in group /locked, which rules[0] denies`. */
export function sentenceOf(answered: InvocationResult, account: Account): string {
  const { failed, response, reason, thrown } = answered;
  if (failed === null && response?.type === 'AuthorizedUserResponse')
    return cut(`Authorized as ${[...personIn(response), ...groupsIn(response, account)].join(', ')}`);
  const why =
    failed === null
      ? whyRefused(answered, account)
      : thrown?.text || failed.replace(reason, reasonSentence(reason));
  return cut(`${outcomeOf(answered)}: ${why}`);
}

/** The same without a value of the event, e.g. `Forbidden: a rule of the mapping refuses`. */
export function plainSentenceOf(answered: InvocationResult): string {
  const { failed, response, reason } = answered;
  if (failed === null && response?.type === 'AuthorizedUserResponse') return 'Authorized';
  return `${outcomeOf(answered)}: ${reasonSentence(reason)}`;
}

function outcomeOf({ failed, response }: InvocationResult): string {
  if (failed !== null || response === null) return 'Failed';
  return response.type === 'ForbiddenResponse' ? 'Forbidden' : 'Error';
}

function cut(text: string, length = MAX_SENTENCE): string {
  const shown = showable(text);
  return shown.length > length ? `${shown.slice(0, length - 1).trimEnd()}…` : shown;
}

function personIn(response: Readonly<Record<string, unknown>>): string[] {
  const text = (...names: string[]) => names.map((name) => response[name]).find(isText);
  const name = [text('first_name', 'firstName'), text('last_name', 'lastName')].filter(isText).join(' ');
  const found = [name, text('email')].filter(isText).map((one) => cut(one, MAX_VALUE));
  return found.length > 0 ? found : ['somebody without a name'];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** At most one text; none where no groups were read and none are given. */
function groupsIn(response: Readonly<Record<string, unknown>>, { groups }: Account): string[] {
  const given = response.user_group_uuids ?? response.userGroupUuids;
  const count = Array.isArray(given) ? given.length : 0;
  if (count === 0) return groups === null ? [] : ['no group'];
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  const names = new Set(mapped.map(({ value, names }) => names[0] ?? value).filter(isText));
  return [`${counted(count, 'group')}${names.size > 0 ? ` (${some([...names])})` : ''}`];
}

function some(texts: readonly string[]): string {
  const more = texts.length - MAX_SHOWN;
  return [...texts.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function whyRefused(answered: InvocationResult, account: Account): string {
  const { reason, handler, response } = answered;
  const login = loginRecord(answered);
  const sentence = reasonSentence(reason);
  if (reason === 'forbidden' || reason === 'error') {
    const message = withoutReference(String(response?.message ?? ''));
    return message === '' ? sentence : `${handler} says: ${message}`;
  }
  if (reason === 'issuer_not_listed') return `${sentence} ${login.issuer}`;
  const decisive = decisiveRule(account);
  if (decisive) return whyRule(decisive, sentence, account);
  const missing = missingFields(answered, account).map(({ field }) => field);
  if (reason === 'profile_incomplete' && missing.length > 0) return `no source has ${missing.join(' or ')}`;
  if (reason === 'email_unverified' && account.fields.some(({ note }) => note === 'unverified'))
    return 'the provider says that the e-mail address is not verified';
  const problems = Array.isArray(login.problems) ? login.problems.filter(isText) : [];
  const shown = problems.length > 0 ? problems.slice(0, MAX_SHOWN) : [login.host, login.secretId];
  const details = shown.filter(isText).join('; ');
  return details === '' ? sentence : `${sentence}: ${details}`;
}

function whyRule({ path, verdict, found, name }: ExplainedRule, sentence: string, account: Account): string {
  const rule = shortPath(path).replace(/\.\w+$/, '');
  const value = found && cut(found, MAX_VALUE);
  if (verdict !== 'refuses') return `${sentence}${value ? ` (${value})` : ''}, which ${rule} needs`;
  const { fields, groups } = account;
  const address = fields.find(({ field }) => field === 'email')?.value ?? null;
  const values = (groups?.values ?? []).map((one) => one.value).filter(isText);
  const facts = { found: value, name, address: address && cut(address, MAX_VALUE), groups: some(values) };
  return ruleRow(path)?.sentence(rule, facts) ?? `${rule} refuses`;
}

/** The last part of an address, which is what differs. */
export function shortName(name: string): string {
  return name.replace(/https?:\/\/\S*\/(?=[^/\s])/, '…/');
}

/** A path in the mapping, without the issuer: it is told elsewhere. */
export function shortPath(path: string): string {
  return path.replace(/^issuers\..*\.(?=rules\[|groups\.)/, 'issuers[…].');
}
