/** What decided a login, in rows that are the same on the page and in commands. */
import { decodeJwt } from 'jose';
import { isAboutProof } from '../../lib/profile/fields/addressChoice.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { type InvocationResult, isAuthorized, isByCode } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { forProvider } from '../shared/providers.ts';
import { beginning, capitalised, counted } from '../shared/readable.ts';
import { ISSUERS } from './decided.ts';
import {
  type ExplainedField,
  type ExplainedLogin,
  type ExplainedRule,
  gaveText,
  shortPath,
} from './explanation.ts';
import { absentSources, firstOf, groupsFix, profileFix, quotedNames } from './fixes.ts';
import { withoutReference } from './ownWords.ts';
import { claimsIn, isText, type PlacedText, placeText, textAt, textsAt } from './places.ts';
import type { HandlerReads } from './reads.ts';
import { addressFact, type Judging, RULE_CHANGES, reasonRow } from './reasons.ts';

/** Several rows may have the same title. `Found` is always there. */
export interface CardRow extends PlacedText {
  title: 'Warning' | 'Rule' | 'Found' | 'Expected' | 'Change' | 'Note' | 'The person reads';
}

export interface CardOptions {
  /** What a handler of code read. Default: null, for a mapping and the default handler, and where that is not known. */
  reads?: HandlerReads | null;
  /** In which the settings are, of which the checks are told. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
}

type Explained = ExplainedLogin & Required<CardOptions>;

/** The texts of a card by the titles of their rows. */
interface Facts {
  rule?: string[];
  found: (string | PlacedText)[];
  expected?: readonly string[];
  change?: string;
}

const MAX_ROWS = 5;

export function cardOf(
  explanation: ExplainedLogin,
  { reads = null, env = process.env }: CardOptions = {},
): CardRow[] {
  const explained = { ...explanation, reads, env };
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

/** What the person reads, without the reference. */
export function messageIn({ response }: InvocationResult): string {
  return withoutReference(String(response?.message ?? ''));
}

const VOUCH =
  'Have the provider verify the address and say so. Until it does, let in only addresses of domains that it gives out itself: email_domains in a mapping (docs/mappings.md).';

/** Of somebody who gets in with an address for which nobody vouches. */
function warnings({ fields }: ExplainedLogin): string[] {
  const { note = '', hint = '' } = fields.find(({ field }) => field === 'email') ?? {};
  const fact = addressFact(note);
  if (fact === undefined) return [];
  return [`${capitalised(fact)}. ${hint || VOUCH}`];
}

/** What is odd about a login that is authorized. Of one that is refused, the card says what to change. */
function notes({ fields, groups, note }: ExplainedLogin): string[] {
  const hints = fields.filter(({ note }) => addressFact(note) === undefined).map(({ hint }) => hint);
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
  if (typeof reads === 'string') return [reads];
  return reads.map(({ name, text, at }) =>
    text === null ? `${name}: absent` : { text: `${name}: ${text}`, at },
  );
}

/** The keys of rules about groups. */
const OF_GROUPS = ['any_group', 'no_group'];

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

function foundGroups(groups: ExplainedLogin['groups']): Facts['found'] {
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
  { key, verdict }: Pick<ExplainedRule, 'key' | 'verdict'>,
  { answered, groups, kind, note: ofRules }: Explained,
): string {
  const change = reasonRow(answered.reason)[1];
  const isOfGroups = OF_GROUPS.includes(key);
  // What keeps a rule about groups from allowing a login is said of the groups.
  const note = isOfGroups ? (groups?.note ?? '') : ofRules;
  if (key === ISSUERS) return `${note} ${change}`.trim();
  const isRefusing = verdict === 'refuses';
  const isDenial = key === 'no_group';
  const fix = isOfGroups && !(isRefusing && isDenial) ? groupsFix(groups?.sources ?? [], kind) : '';
  // A note that says only what did not arrive names no switch of the provider. A refusal without a note misses nothing.
  if (fix !== '' && (note === '' ? !isRefusing : /^Did not arrive(?!.*similar name)/.test(note)))
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
    change: changeBy({ key: 'any_group', verdict: 'unknown' }, login),
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
        : `${addressFact(note) ? 'a valid address' : field} in ${quotedNames(tried, 'or')}`,
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
  if (note !== '') return [addressFact(note) ?? `${field}: ${note}`];
  return [`nothing for ${field}${tried.length > 0 ? `: ${absenceOf(tried)}` : ''}`];
}

/** What a check of the request, the event, its token or its assertion expected, and what it found. */
function ofCheck({ answered: { reason }, handlerEvent, kind, record, env, atMs }: Explained): Facts {
  const { settings } = readConfiguration(kind, env);
  const judging = { settings, issuer: String(record.issuer), atMs };
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
