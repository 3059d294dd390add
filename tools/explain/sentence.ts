/** One sentence on a login: who got in or not, and the fact that decided. */

import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { counted } from '../shared/readable.ts';
import type { Account, ExplainedField, ExplainedRule } from './account.ts';
import { reasonSentence } from './reasonSentences.ts';

/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** E.g. `Authorized as Ada Lovelace, ada@example.org, 1 group (Staff)`, `Forbidden: in group /locked, which rules[0] denies`. */
export function sentenceOf(answered: InvocationResult, account: Account): string {
  const { failed, response, reason, thrown } = answered;
  const outcome = outcomeOf(answered);
  if (failed !== null) return `${outcome}: ${thrown?.text || failed.replace(reason, reasonSentence(reason))}`;
  if (response?.type !== 'AuthorizedUserResponse') return `${outcome}: ${whyRefused(answered, account)}`;
  return `Authorized as ${[...personIn(response), ...groupsIn(response, account)].join(', ')}`;
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

function personIn(response: Readonly<Record<string, unknown>>): string[] {
  const text = (...names: string[]) => names.map((name) => response[name]).find(isText);
  const name = [text('first_name', 'firstName'), text('last_name', 'lastName')].filter(isText).join(' ');
  const found = [name, text('email')].filter(isText);
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
  const names = new Set(mapped.map(({ value, path, names }) => names[0] ?? value ?? path));
  return [`${counted(count, 'group')}${names.size > 0 ? ` (${some([...names])})` : ''}`];
}

function some(texts: readonly string[]): string {
  const more = texts.length - MAX_SHOWN;
  return [...texts.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function whyRefused(answered: InvocationResult, account: Account): string {
  const { reason, records } = answered;
  const login = records.findLast(({ event }) => event === 'login') ?? {};
  if (reason === 'forbidden' || reason === 'error') return saysHandler(answered);
  if (reason === 'issuer_not_listed') return `${reasonSentence(reason)} ${login.issuer}`;
  const decisive = account.rules.find(({ isDecisive }) => isDecisive);
  if (decisive) return whyRule(decisive, reason, account);
  const missing = missingFields(answered, account).map(({ field }) => field);
  if (reason === 'profile_incomplete' && missing.length > 0) return `no source has ${missing.join(' or ')}`;
  if (reason === 'email_unverified' && account.fields.some(({ note }) => note === 'unverified'))
    return 'the provider says that the e-mail address is not verified';
  const details = Array.isArray(login.problems) ? login.problems.filter(isText) : [];
  const shown =
    details.length > 0 ? details.slice(0, MAX_SHOWN) : [login.host, login.secretId].filter(isText);
  return [reasonSentence(reason), ...(shown.length > 0 ? [shown.join('; ')] : [])].join(': ');
}

/** Fields without a value that every profile must have, as the function says at its start; and an address that is refused. */
export function missingFields({ records }: InvocationResult, { fields }: Account): ExplainedField[] {
  const { requiredFields } = records.findLast(({ event }) => event === 'cold_start') ?? {};
  const isRequired = (field: string) => !Array.isArray(requiredFields) || requiredFields.includes(field);
  return fields.filter(({ field, from, note }) => from === null && (note !== '' || isRequired(field)));
}

function saysHandler({ reason, handler, response }: InvocationResult): string {
  const message = withoutReference(String(response?.message ?? ''));
  return message === '' ? reasonSentence(reason) : `${handler} says: ${message}`;
}

type Refusal = (rule: string, decisive: ExplainedRule, account: Account) => string;

const isOther: Refusal = (rule, { found, name }) => `${name} is ${found}, which ${rule} does not allow`;

/** The address that leaves. */
function addressIn({ fields }: Account): string {
  return fields.find(({ field }) => field === 'email')?.value ?? 'the e-mail address';
}

const REFUSALS: Readonly<Record<RuleKey, Refusal>> = {
  emails: (rule, _, account) => `${addressIn(account)} is no address that ${rule} lists`,
  email_domains: (rule, _, account) => `${addressIn(account)} is of no domain that ${rule} lists`,
  scopes: (rule, { found }) =>
    found === null
      ? `no affiliation arrived, and ${rule} needs one`
      : `${found} is not an affiliation that ${rule} allows`,
  any_group: (rule, _, { groups }) => {
    const found = (groups?.values ?? []).map(({ value, path }) => value ?? path);
    const fact = `in none of the groups that ${rule} allows${found.length > 0 ? ` (in ${some(found)})` : ''}`;
    const [absent] = (groups?.note ?? '').split(/(?<=\.) /);
    return absent ? `${fact}. ${absent}` : fact;
  },
  no_group: (rule, { found }) => `in group ${found}, which ${rule} denies`,
  claim: isOther,
  attribute: isOther,
  assurance: isOther,
};

function whyRule(decisive: ExplainedRule, reason: string, account: Account): string {
  const { path, verdict, found, note } = decisive;
  const [, rule = path, kind = ''] = /^(.*)\.(\w+)$/.exec(shortPath(path)) ?? [];
  const refusal = new Map(Object.entries(REFUSALS)).get(kind);
  const isMissing = found === null && note !== '' && !kind.startsWith('email');
  if (verdict === 'refuses' && refusal && !isMissing) return refusal(rule, decisive, account);
  const what = found === null ? '' : ` (${found})`;
  const cause =
    verdict === 'refuses' ? `${rule} refuses` : `${reasonSentence(reason)}${what}, which ${rule} needs`;
  // What the operator can do about it stands beside the rule.
  const [fact] = (note || account.groups?.note || '').split(/(?<=\.) /);
  return fact ? `${cause}. ${fact}` : cause;
}

/** The last part of an address, which is what differs. */
export function shortName(name: string): string {
  return name.replace(/https?:\/\/\S*\/(?=[^/\s])/, '…/');
}

/** A path in the mapping, without the issuer: it is told elsewhere. */
export function shortPath(path = ''): string {
  return path.replace(/^issuers\..*\.(?=rules\[|groups\.)/, 'issuers[…].');
}
