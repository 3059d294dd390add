/** Everything that commands and the studio say of how a login came about: in a sentence, and part by part with the texts of the event. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { Explanation as Logged } from '../../lib/profile/decision.ts';
import type { GroupsTrace, SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import type { RuleTrace } from '../../lib/profile/rules/ruleResult.ts';
import { type ShowableNames, showable } from '../../lib/text.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { counted } from '../shared/readable.ts';
import { type Decided, decidedIn, ISSUERS, ruleTexts } from './decided.ts';
import { type Step, stepsOf } from './loginSteps.ts';
import { handlerEvent, nameAt, type Place, placeOf, textAt } from './places.ts';
import { reasonSentence, ruleRow } from './reasons.ts';

export interface AnsweredLogin {
  /** At level DEBUG, as the engine answers all events. */
  answered: InvocationResult;
  /** As it arrived, in an HTTP envelope or not; undefined where only its record is known. */
  event: unknown;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
}

export interface Account {
  fields: ExplainedField[];
  /** Null where groups were not read. */
  groups: ExplainedGroups | null;
  rules: ExplainedRule[];
  /** The reason of the decision, where the handler made a response of another type of it. */
  decided: string | null;
  /** The names of the claims or attributes that arrived; null where nothing of ours decided. */
  received: ShowableNames | null;
}

export interface Explanation extends Account {
  /** Who got in or not, and the fact that decided, in 90 characters at most: `Authorized as Ada Lovelace, ada@example.org`. */
  sentence: string;
  /** The same without a value of the event. */
  plainSentence: string;
  /** The login's path, in its order. */
  steps: Step[];
  marks: Mark[];
}

/** A text of the event that was used, and for what: fields of the response, or `groups`. */
export interface Mark {
  path: Place;
  field: string;
}

export interface ExplainedField {
  /** Of the response, e.g. `email`. */
  field: string;
  /** The claim or attribute that was used; null where none was. */
  from: string | null;
  /** Where its value stands; null where there is none. */
  at: Place | null;
  /** Null where the event has none there. */
  value: string | null;
  /** The candidates, in the order in which they are tried. */
  tried: string[];
  note: string;
  hint: string;
}

export interface ExplainedGroups {
  known: boolean;
  received: number;
  mapped: number;
  unmatched: number;
  note: string;
  sources: SourceTrace[];
  values: ExplainedGroup[];
  /** The user groups of each person who gets in, by where the mapping has them. */
  everybody: { path: string; uuid: string }[];
}

interface ExplainedGroup {
  at: Place;
  value: string | null;
  /** The rows of the table that it matched, as paths into the mapping, with the name of the user group where it has one. */
  rows: string[];
  /** Of the user groups of these rows that have one. */
  names: string[];
  /** Whether a rule denies it. */
  isDenied: boolean;
}

export interface ExplainedRule extends Pick<RuleTrace, 'path' | 'verdict'> {
  /** As the mapping has it; null where that is not known. */
  text: string | null;
  /** Whether it decided the login. */
  isDecisive: boolean;
  /** Where the group stands that it denies, or may deny, or the value that is not the one it wants; null where there is none. */
  at: Place | null;
  found: string | null;
  /** Of the claim or attribute, as providers call it; empty where there is none. */
  name: string;
  /** Of the rule that decided: why, and what the operator can do. */
  note: string;
}

const NOTHING: Account = { fields: [], groups: null, rules: [], decided: null, received: null };

/** Without the records where they are none of the function's: a handler may print some of that form. */
export function explanationOf(login: AnsweredLogin): Explanation {
  try {
    return explained(login);
  } catch {
    return explained({ ...login, answered: { ...login.answered, records: [] } });
  }
}

/** @throws {TypeError} where a handler printed records of another form than ours */
export function explained(login: AnsweredLogin): Explanation {
  const { answered, event, functionName } = login;
  const kind = kindOf(functionName);
  const decided = decidedIn(answered.records);
  const account =
    decided === null ? NOTHING : accountOf(decided, handlerEvent(event, kind), kind, answered.response);
  return {
    sentence: sentenceOf(answered, account),
    plainSentence: plainSentenceOf(answered),
    steps: stepsOf(answered, event, functionName),
    marks: marksOf(account),
    ...account,
  };
}

function marksOf({ fields, groups }: Account): Mark[] {
  return [
    ...fields.flatMap(({ field, at }) => (at === null ? [] : [{ path: at, field }])),
    ...(groups?.values ?? []).map(({ at }) => ({ path: at, field: 'groups' })),
  ];
}

export function loginRecord({ records }: Pick<InvocationResult, 'records'>): LogRecord {
  return records.findLast(({ event }) => event === 'login') ?? {};
}

function accountOf(
  { explanation, mapping, inside }: Decided,
  event: unknown,
  kind: LoginKind,
  response: InvocationResult['response'],
): Account {
  const texts = mapping === null ? new Map<string, string>() : ruleTexts(mapping);
  const rules = explainedRules(explanation, texts, event, kind);
  const isReplaced = inside !== null && inside.type !== response?.type;
  return {
    fields: fieldsOf(explanation, event, kind),
    groups: explanation.groups ? groupsOf(explanation.groups, rules, event, kind) : null,
    rules,
    decided: explanation.decided ?? (isReplaced ? inside.reason : null),
    received: explanation.received,
  };
}

function fieldsOf({ fields }: Logged, event: unknown, kind: LoginKind): ExplainedField[] {
  return Object.entries(fields).map(([field, { found, path, tried, note = '', hint = '' }]) => {
    const at = path === undefined ? null : placeOf(path, kind);
    return { field, from: found, at, value: at && textAt(event, at), tried, note, hint };
  });
}

function explainedRules(
  { rule, rules, note, groups }: Logged,
  texts: ReadonlyMap<string, string>,
  event: unknown,
  kind: LoginKind,
): ExplainedRule[] {
  const judged: RuleTrace[] = rules ?? (rule === undefined ? [] : [{ path: rule, verdict: 'refuses' }]);
  // The trace has no word of the issuers where they list the one of the login.
  const isListed = texts.has(ISSUERS) && rule !== ISSUERS;
  const all: RuleTrace[] = isListed ? [{ path: ISSUERS, verdict: 'allows' }, ...judged] : judged;
  return all.map(({ path, verdict, value }) => {
    const at = value === undefined ? null : placeOf(value, kind);
    const isDecisive = path === rule;
    // What keeps a rule about groups from allowing a login is said of the groups.
    const own = isAboutGroups(path) ? groups?.note : note;
    return {
      ...{ path, verdict, isDecisive, at },
      text: texts.get(path) ?? null,
      found: at && textAt(event, at),
      name: at ? nameAt(event, at) : '',
      note: (isDecisive ? own : '') ?? '',
    };
  });
}

function isAboutGroups(path: string): boolean {
  return /\.(?:any|no)_group$/.test(path);
}

function groupsOf(
  groups: GroupsTrace,
  rules: readonly ExplainedRule[],
  event: unknown,
  kind: LoginKind,
): ExplainedGroups {
  const { known, received, mapped, unmatched, note = '', sources = [], values = [], table } = groups;
  const { path: everybodyPath, uuids = [] } = groups.everybody ?? {};
  const denied = rules.filter(({ path, verdict }) => verdict === 'refuses' && path.endsWith('.no_group'));
  const nameOf = (row: number) => table?.names?.find((one) => one.row === row)?.name;
  return {
    ...{ known, received, mapped, unmatched, note, sources },
    everybody: uuids.map((uuid, index) => ({ path: `${everybodyPath}[${index}]`, uuid })),
    values: values.map(({ path, rows }) => {
      const at = placeOf(path, kind);
      return {
        at,
        value: textAt(event, at),
        rows: rows.map((row) => `${table?.path}[${row}]${nameOf(row) ? ` (${nameOf(row)})` : ''}`),
        names: rows.map(nameOf).filter((name) => name !== undefined),
        isDenied: denied.some((rule) => String(rule.at) === String(at)),
      };
    }),
  };
}

export function decisiveRule({ rules }: Pick<Account, 'rules'>): ExplainedRule | undefined {
  return rules.find(({ isDecisive }) => isDecisive);
}

/** Fields without a value that every profile must have, as the function says at its start; and what is refused. */
export function missingFields(
  { records }: InvocationResult,
  { fields }: Pick<Account, 'fields'>,
): ExplainedField[] {
  const { requiredFields } = records.findLast(({ event }) => event === 'cold_start') ?? {};
  const isRequired = (field: string) => !Array.isArray(requiredFields) || requiredFields.includes(field);
  return fields.filter(({ field, from, note }) => from === null && (note !== '' || isRequired(field)));
}

/** What a source of groups gave, e.g. `3 groups`, `absent`. */
export function gaveText({ gave, count }: Pick<SourceTrace, 'gave' | 'count'>): string {
  if (gave === 'groups') return count === 1 ? '1 group' : `${count} groups`;
  if (gave === 'unused') return 'unused: other texts take precedence';
  if (gave === 'overage') return 'overage: the provider left groups out';
  return gave === 'other_form' ? 'in a form that is not read' : gave;
}

/** In characters: it stands in a row of a list. */
const MAX_SENTENCE = 90;
/** Of one value in it. */
const MAX_VALUE = 40;
/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** E.g. `Authorized as Ada Lovelace, ada@example.org, 1 group (Staff)`, `Forbidden: in group /locked, which rules[0] denies`. */
function sentenceOf(answered: InvocationResult, account: Account): string {
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
