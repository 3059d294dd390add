/** What decided a login: in a sentence, and in rows that are the same on the page and in commands. */
import { decodeJwt } from 'jose';
import { isAboutProof } from '../../lib/profile/fields/addressChoice.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { showable } from '../../lib/text.ts';
import { type InvocationResult, isAuthorized, isByCode, outcomeOf } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { forProvider } from '../shared/providers.ts';
import { beginning, capitalised, counted } from '../shared/readable.ts';
import { ISSUERS } from './decided.ts';
import {
  type ExplainedField,
  type ExplainedRule,
  type Explanation,
  gaveText,
  OF_GROUPS,
  shortPath,
} from './explanation.ts';
import { absentSources, firstOf, groupsFix, profileFix, quotedNames } from './fixes.ts';
import { claimsIn, isText, type PlacedText, placeText, textAt, textsAt } from './places.ts';
import type { HandlerReads } from './reads.ts';
import { type Judging, RULE_CHANGES, reasonRow } from './reasons.ts';

/** Several rows may have the same title. `Found` is always there. */
export interface CardRow extends PlacedText {
  title: 'Warning' | 'Rule' | 'Found' | 'Expected' | 'Change' | 'Note' | 'The person reads';
}

export interface CardOptions {
  /** What a handler of code read. Default: null, for a mapping and the default handler, and where that is not known. */
  reads?: HandlerReads | null;
  /** In which the settings are, of which the checks are told. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Where the function's clock stood, in milliseconds since 1970; null, by default, for now. */
  atMs?: number | null;
}

type Explained = Explanation & Required<CardOptions>;

/** The texts of a card by the titles of their rows. */
interface Facts {
  rule?: string[];
  found: (string | PlacedText)[];
  expected?: readonly string[];
  change?: string;
}

const MAX_ROWS = 5;

export function cardOf(
  explanation: Explanation,
  { reads = null, env = process.env, atMs = null }: CardOptions = {},
): CardRow[] {
  const explained = { ...explanation, reads, env, atMs };
  const { answered, event, record } = explanation;
  const { issuer } = record;
  const { rule = [], found, expected = [], change = reasonRow(answered.reason)[1] } = factsOf(explained);
  const nothing = event === undefined ? 'not logged' : 'nothing';
  const isIn = isAuthorized(answered);
  return [
    ...rowsOf('Warning', isIn ? warnings(explained) : []),
    ...rowsOf('Rule', rule),
    ...rowsOf('Found', found.length > 0 ? found : [nothing]),
    ...rowsOf('Expected', expected),
    ...rowsOf('Change', [forProvider(change, typeof issuer === 'string' ? issuer : null)]),
    ...rowsOf('Note', isIn ? notes(explained) : []),
    ...rowsOf('The person reads', isIn ? [] : [messageIn(answered)]),
  ];
}

function rowsOf(title: CardRow['title'], all: readonly (string | PlacedText)[]): CardRow[] {
  const texts = all.filter((one) => one !== '');
  return firstOf(texts, MAX_ROWS).map((one) =>
    typeof one === 'string' ? { title, text: one, at: null } : { title, ...one },
  );
}

function messageIn({ response }: InvocationResult): string {
  return withoutReference(String(response?.message ?? ''));
}

/** What is wrong with an address that arrived, or what its provider says of it, by the note of the field. */
export const ADDRESS_NOTES: Readonly<Record<string, string>> = {
  ambiguous: 'several addresses arrived as one text',
  invalid: 'what arrived is no e-mail address',
  guest: 'the address that arrived is the name that Entra gives a guest',
  compatibility: 'the address has compatibility characters of Unicode',
  unproven: 'the provider does not say that the address is verified',
  unverified: 'the provider says that the address is not verified',
  unreadable: 'what the provider says of the address is neither yes nor no',
};

/** What to do until the provider vouches for the address, where a rule lists its domain, and where none does. */
const HAS_DOMAINS = 'see that email_domains lists only domains that it gives out itself.';
const NO_DOMAINS =
  'let in only addresses of domains that it gives out itself: email_domains in a mapping (docs/mappings.md).';

/** Of somebody who gets in with such an address. */
function warnings({ fields, rules }: Explanation): string[] {
  const { note = '', hint = '' } = fields.find(({ field }) => field === 'email') ?? {};
  const fact = ADDRESS_NOTES[note];
  if (fact === undefined) return [];
  const hasDomains = rules.some(({ key, verdict }) => key === 'email_domains' && verdict === 'allows');
  const domains = hasDomains ? HAS_DOMAINS : NO_DOMAINS;
  const change = `Have the provider verify the address and say so. Until it does, ${domains}`;
  return [`${capitalised(fact)}. ${hint || change}`];
}

/** What is odd about a login that is authorized. Of one that is refused, the card says what to change. */
function notes({ fields, groups, note }: Explanation): string[] {
  const hints = fields.filter(({ note }) => ADDRESS_NOTES[note] === undefined).map(({ hint }) => hint);
  return [...new Set([...hints, groups?.note ?? '', note])];
}

function factsOf(login: Explained): Facts {
  const { answered, decided, decisive } = login;
  const { failed, unavailable, thrown, reason } = answered;
  if (failed !== null) return { found: [thrown?.text || failed] };
  if (unavailable !== null) return { found: [unavailable] };
  if (isByCode(answered) || decided !== null) return ofCode(login);
  if (isAuthorized(answered)) return whyAuthorized(login);
  if (decisive) return ofRule(decisive, login);
  if (reason === 'groups_unknown') return ofGroups(login);
  return OF_FIELDS.includes(reason) ? ofFields(login) : ofCheck(login);
}

/** Of code, only what it read is known. */
function whyAuthorized({ answered, reads, received, rules, groups, fields }: Explained): Facts {
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  const address = fields.filter(({ field }) => field === 'email');
  const isOfCode = reads !== null || received === null;
  const rule = [
    ...(isOfCode ? [`the code of ${answered.handler}`] : []),
    ...rules.map(({ path, text }) => beginning([shortPath(path), text].join(': '), MAX_RULE)),
  ];
  const found = [
    ...(isOfCode ? foundByCode(reads) : []),
    ...mapped.map(({ value, at, rows }) => ({ text: `${value} → ${rows.join(', ')}`, at })),
    ...(groups?.everybody ?? []).map(({ path, uuid }) => `everybody → ${uuid} (${path})`),
  ];
  return {
    rule: rule.length > 0 ? rule : ['none: everybody whose profile is complete gets in'],
    found:
      found.length > 0 ? found : address.flatMap(({ value, at }) => (at ? { text: `${value}`, at } : [])),
  };
}

/** In characters, of a rule as the mapping has it: it may list hundreds of issuers or addresses. */
const MAX_RULE = 200;

/** What a handler of code decided: by itself, or in place of the mapping in it. */
function ofCode(login: Explained): Facts {
  const { answered, decided, decisive, reads } = login;
  const inside: Partial<Facts> = decisive ? ofRule(decisive, login) : {};
  const instead = `, in place of ${decided}, which a mapping or a default handler decided`;
  return {
    rule: [`the code of ${answered.handler}${decided === null ? '' : instead}`, ...(inside.rule ?? [])],
    found: [...foundByCode(reads), ...(inside.found ?? [])],
    expected: inside.expected ?? [],
  };
}

function foundByCode(reads: HandlerReads | null): Facts['found'] {
  if (reads === null) return ['what the code read is not known here'];
  if (reads.problem !== null) return [reads.problem];
  return reads.reads.map(({ name, text, at }) =>
    text === null ? `${name}: absent` : { text: `${name}: ${text}`, at },
  );
}

function ofRule(rule: ExplainedRule, login: Explained): Facts {
  const { path, key, text, name, value, at } = rule;
  const ofGroups = OF_GROUPS.includes(key) ? foundGroups(login.groups) : [];
  return {
    rule: [shortPath(path)],
    found: value === null || at === null ? ofGroups : [{ text: `${name}: ${value}`, at }],
    expected: text === null ? [] : [`${key} ${text}`],
    change: changeBy(rule, login),
  };
}

function foundGroups(groups: Explanation['groups']): Facts['found'] {
  if (groups === null || (!groups.known && groups.sources.length === 0)) return [];
  const { sources, values, received } = groups;
  const absent = absentSources(sources).flat();
  const facts = [
    ...(absent.length > 0 ? [absenceOf(absent)] : []),
    ...sources
      .filter(({ gave }) => gave !== 'groups' && gave !== 'absent' && gave !== 'unused')
      .map((source) => `\`${source.name}\`: ${gaveText(source)}`),
  ];
  // Which they are is logged at level DEBUG only.
  const count = received === 0 ? 'nothing' : counted(received, 'group');
  if (values.length === 0) return [[count, facts.join(', ')].filter(Boolean).join(': ')];
  return [...facts, ...values.map(({ value, at }) => ({ text: value ?? placeText(at), at }))];
}

function absenceOf(names: readonly string[]): string {
  return `${quotedNames(names, 'and')} ${names.length > 1 ? 'are' : 'is'} absent`;
}

const UNLESS_LEFT_OUT = 'If the provider leaves it out for people without groups, list it in groups.absent.';

function changeBy(
  { key, verdict, note }: Pick<ExplainedRule, 'key' | 'verdict' | 'note'>,
  { answered, groups, kind }: Explained,
): string {
  const change = reasonRow(answered.reason)[1];
  if (key === ISSUERS) return `${note} ${change}`.trim();
  const isRefusing = verdict === 'refuses';
  const isDenial = key === 'no_group';
  const fix =
    OF_GROUPS.includes(key) && !(isRefusing && isDenial) ? groupsFix(groups?.sources ?? [], kind) : '';
  // A note that says only what did not arrive names no switch of the provider.
  if (fix !== '' && (note === '' || /^Did not arrive(?!.*similar name)/.test(note)))
    return isDenial ? `${fix} ${UNLESS_LEFT_OUT}` : fix;
  return note || (isRefusing ? `If this person should get in, ${RULE_CHANGES[key as RuleKey]}` : change);
}

/** Of a mapping that needs the groups, whatever its rules say. */
function ofGroups(login: Explained): Facts {
  const { groups } = login;
  const names = [...new Set(groups?.sources.map(({ name }) => name))];
  return {
    found: foundGroups(groups),
    expected: names.length > 0 ? [`groups in ${quotedNames(names, 'or')}`] : [],
    change: changeBy({ key: 'any_group', verdict: 'unknown', note: groups?.note ?? '' }, login),
  };
}

const OF_FIELDS = ['profile_incomplete', 'email_unverified', 'external_id_refused'];

function ofFields(login: Explained): Facts {
  const { handlerEvent, missing, received } = login;
  const { names = [], others = 0 } = received ?? {};
  const arrived = [names.join(', '), others > 0 ? `${others} under other names` : ''].filter(Boolean);
  const found = missing.flatMap((field) => foundFor(field, handlerEvent));
  return {
    found: [
      // A full name stands for both names.
      ...new Map(found.map((one) => [JSON.stringify(one), one])).values(),
      `what arrived: ${arrived.join(' and ') || 'nothing'}`,
    ],
    expected: missing.map(({ field, tried, note }) =>
      isAboutProof(note)
        ? 'an address that the provider says is verified'
        : `${note in ADDRESS_NOTES ? 'a valid address' : field} in ${quotedNames(tried, 'or')}`,
    ),
    change: profileFix(login),
  };
}

const VERIFIED = /(?:^|[/#:_])(?:email_?verified|verified_?email)$|^xms_edov$/i;

/** What stands under the names of a field, and what the provider says of an address. */
function foundFor({ field, tried, note }: ExplainedField, event: unknown): Facts['found'] {
  const isSought = (name: string) => tried.includes(name) || (isAboutProof(note) && VERIFIED.test(name));
  const found = claimsIn(event)
    .filter(({ names }) => names.some(isSought))
    .flatMap(({ names, at }) => {
      const texts = textsAt(event, at);
      const told = texts.length > 0 ? texts : [{ text: 'no value', at }];
      return told.map((one) => ({ text: `${names.at(-1)}: ${one.text}`, at: one.at }));
    });
  if (found.length > 0) return found;
  if (note !== '') return [ADDRESS_NOTES[note] ?? `${field}: ${note}`];
  return [`nothing for ${field}${tried.length > 0 ? `: ${absenceOf(tried)}` : ''}`];
}

/** What a check of the request, the event, its token or its assertion expected, and what it found. */
function ofCheck({ answered: { reason }, handlerEvent, kind, record, env, atMs }: Explained): Facts {
  const { settings } = readConfiguration(kind, env);
  const judging = { settings, issuer: String(record.issuer), atMs: atMs ?? Date.now() };
  const event = reason.startsWith('token_') ? tokenOf(handlerEvent) : handlerEvent;
  return checkFacts(reason, event, record, judging);
}

/** Of an event as its handler gets it. @param details what the check says itself, as the log has it */
export function checkFacts(reason: string, event: unknown, details: LogRecord, judging: Judging): Facts {
  const [, , place, expected] = reasonRow(reason);
  const texts = place === undefined ? detailsIn(details) : textsAt(event, place);
  const isAbsent = place !== undefined && event !== undefined && texts.length === 0;
  return {
    found: isAbsent ? [`nothing: ${absenceOf([placeText(place)])}`] : texts,
    expected: expected?.(judging) ?? [],
  };
}

/** What the log says of a login that says nothing of the event. */
function detailsIn({ problems, claim, claims, source }: LogRecord): string[] {
  const names = isJsonObject(claims) && Array.isArray(claims.names) ? claims.names : [];
  return [
    ...(Array.isArray(problems) ? problems.filter(isText) : []),
    ...(claim === undefined ? [] : [`\`${claim}\` is absent, or of another type`]),
    ...names.map((name) => `another value of ${name}`),
    ...(source === undefined ? [] : [`nothing: \`${source}\` has no identifier`]),
  ];
}

/** An event as its token says: a check looks at the token, before the event is compared with it. */
function tokenOf(event: unknown): unknown {
  try {
    const { iss, aud, exp, iat, ...other_claims } = decodeJwt(textAt(event, ['id_token_jwt']) ?? '');
    return { id_token: { iss, aud, exp, iat, other_claims } };
  } catch {
    return event;
  }
}

/** In characters: it stands in a row of a list. */
const MAX_SENTENCE = 90;
/** Of one value in it: the words around it must be seen too. */
const MAX_VALUE = 34;
/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** Who got in or not, and the fact that decided: `Forbidden: in group /locked, which rules[0] denies`. */
export function sentenceOf(explanation: Explanation): string {
  const { answered } = explanation;
  const { response } = answered;
  if (response === null || !isAuthorized(answered))
    return cut(`${capitalised(outcomeOf(answered))}: ${whyRefused(explanation)}`);
  const text = (...names: string[]) => names.map((name) => response[name]).find(isText);
  const name = [text('first_name', 'firstName'), text('last_name', 'lastName')].filter(isText).join(' ');
  const person = [name, text('email')].filter(isText).map((one) => cut(one, MAX_VALUE));
  const facts = [person.join(', ') || 'somebody without a name', ...groupsIn(response, explanation)];
  return cut(`Authorized as ${facts.join(', ')}`);
}

/** The same without a value of the event, e.g. `Forbidden: a rule of the mapping refuses`. */
export function plainSentenceOf(answered: InvocationResult): string {
  const outcome = capitalised(outcomeOf(answered));
  return isAuthorized(answered) ? outcome : `${outcome}: ${reasonRow(answered.reason)[0]}`;
}

function cut(text: string, length = MAX_SENTENCE): string {
  const shown = showable(text);
  return shown.length > length ? `${shown.slice(0, length - 1).trimEnd()}…` : shown;
}

/** At most one text; none where no groups were read and none are given. */
function groupsIn(response: Readonly<Record<string, unknown>>, { groups }: Explanation): string[] {
  const given = response.user_group_uuids ?? response.userGroupUuids;
  const count = Array.isArray(given) ? given.length : 0;
  if (count === 0) return groups === null ? [] : ['no group'];
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  return [`${counted(count, 'group')}${listed(mapped.map(({ value }) => value))}`];
}

/** ` (a, b, c, 2 more)`; empty for no texts. */
function listed(values: readonly (string | null)[]): string {
  const shown = firstOf([...new Set(values.filter(isText))], MAX_SHOWN);
  return shown.length > 0 ? ` (${shown.join(', ')})` : '';
}

function whyRefused({ answered, record, decisive, missing, groups }: Explanation): string {
  const { failed, thrown, reason, handler } = answered;
  const [sentence] = reasonRow(reason);
  if (failed !== null) return thrown?.text || failed.replace(reason, sentence);
  const message = messageIn(answered);
  if (isByCode(answered)) return message === '' ? sentence : `${handler} says: ${message}`;
  if (reason === 'issuer_not_listed') return `${sentence} ${record.issuer}`;
  if (decisive) return whyRule(decisive, sentence, groups);
  if (reason === 'profile_incomplete' && missing.length > 0) return whyIncomplete(missing);
  const details = [record.problems, record.host, record.secretId].flat().filter(isText);
  return [sentence, details.slice(0, MAX_SHOWN).join('; ')].filter(Boolean).join(': ');
}

function whyIncomplete(missing: readonly ExplainedField[]): string {
  const absent = missing.filter(({ note }) => note === '').map(({ field }) => field);
  const refused = missing.filter(({ note }) => note !== '');
  return [
    ...(absent.length > 0 ? [`no source has ${absent.join(' or ')}`] : []),
    ...refused.map(({ field, note }) => ADDRESS_NOTES[note] ?? `${field} cannot be used`),
  ].join(', and ');
}

function whyRule(decisive: ExplainedRule, sentence: string, groups: Explanation['groups']): string {
  const { path, key, verdict, value, name } = decisive;
  const rule = shortPath(path).replace(/\.\w+$/, '');
  const shown = value && cut(value, MAX_VALUE);
  if (verdict !== 'refuses') return `${sentence}${listed([shown])}, which ${rule} needs`;
  if (key === 'no_group') return `in group ${shown}, which ${rule} denies`;
  if (key === 'any_group')
    return `in none of the groups that ${rule} allows${listed(groups?.values.map((one) => one.value) ?? [])}`;
  return shown === null ? `nothing that ${rule} wants arrived` : `${rule} does not allow ${name} ${shown}`;
}
