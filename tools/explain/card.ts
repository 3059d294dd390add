/** What decided a login, in rows that are the same on the page and in commands. */
import { decodeJwt } from 'jose';
import type { LoginKind } from '../../lib/kinds.ts';
import type { SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { CONFIRMATION_OVER } from '../../lib/saml/assertionCheck.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';
import { withoutReference } from '../shared/ownWords.ts';
import { forProvider } from '../shared/providers.ts';
import { beginning, counted } from '../shared/readable.ts';
import { ISSUERS } from './decided.ts';
import {
  type Account,
  type AnsweredLogin,
  decisiveRule,
  type ExplainedField,
  type ExplainedRule,
  explained,
  loginRecord,
  missingFields,
  plainSentenceOf,
  shortPath,
} from './explanation.ts';
import {
  ADDRESS_ACCEPTED,
  absentSources,
  EMAIL_VERIFIED,
  GROUPS_LEFT_OUT,
  profileFix,
  quotedNames,
  sourcesFix,
} from './fixes.ts';
import { claimsIn, handlerEvent, type Place, placeText, textAt, textsAt } from './places.ts';
import type { HandlerReads } from './reads.ts';
import { type Judging, reasonRow, ruleRow } from './reasons.ts';

/** Several rows may have the same title. `Found` is always there. */
export interface CardRow {
  title: 'Warning' | 'Rule' | 'Found' | 'Expected' | 'Change' | 'The person reads';
  text: string;
  /** Where the text stands in the event, as its handler gets it; null where it has no value of the event. */
  at: Place | null;
}

export interface CardOptions {
  /** What a handler of code read. Default: null, for a mapping and the default handler, and where that is not known. */
  reads?: HandlerReads | null;
  /** In which the settings are, of which the checks are told. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Where the function's clock stood, in milliseconds since 1970; null, by default, for now. */
  atMs?: number | null;
}

interface Decided extends AnsweredLogin, Required<CardOptions> {
  account: Account;
}

/** What a card says beside its rule, which has rows of each. */
export interface Facts {
  rule?: CardRow[];
  found: CardRow[];
  expected?: readonly string[];
  change?: string;
}

const MAX_ROWS = 5;

/** Only the sentence, where a handler printed records of another form than ours. */
export function cardOf(
  login: AnsweredLogin,
  { reads = null, env = process.env, atMs = null }: CardOptions = {},
): CardRow[] {
  try {
    return card({ ...login, account: explained(login), reads, env, atMs });
  } catch {
    return [row('Found', plainSentenceOf(login.answered))];
  }
}

function card(decided: Decided): CardRow[] {
  const { response, failed, reason } = decided.answered;
  const { rule = [], found, expected = [], change = reasonRow(reason)?.change ?? '' } = factsOf(decided);
  const { issuer } = loginRecord(decided.answered);
  const fix = forProvider(change, typeof issuer === 'string' ? issuer : null);
  const isKnown = decided.event !== undefined;
  const isAuthorized = failed === null && response?.type === 'AuthorizedUserResponse';
  const read = isAuthorized ? '' : withoutReference(String(response?.message ?? ''));
  return [
    ...(isAuthorized ? warnings(decided.account, kindOf(decided.functionName)) : []),
    ...rule,
    ...firstRows(found.length > 0 ? found : [row('Found', isKnown ? 'nothing' : 'not logged')]),
    ...firstRows(expected.map((text) => row('Expected', text))),
    ...(fix === '' ? [] : [row('Change', fix)]),
    ...(read === '' ? [] : [row('The person reads', read)]),
  ];
}

/** What a provider says of an address that it does not vouch for, by the note of the field. */
export const ADDRESS_NOTES: Readonly<Record<string, string>> = {
  unproven: 'the provider does not say that the address is verified',
  unverified: 'the provider says that the address is not verified',
  unreadable: 'what the provider says of the address is neither yes nor no',
};

/** Of somebody who gets in with such an address. */
function warnings({ fields }: Account, kind: LoginKind): CardRow[] {
  return fields.flatMap(({ field, note, hint }) => {
    const fact = field === 'email' ? ADDRESS_NOTES[note] : undefined;
    return fact === undefined ? [] : [row('Warning', `${fact}. ${hint || ADDRESS_ACCEPTED[kind]}`)];
  });
}

function row(title: CardRow['title'], text: string, at: Place | null = null): CardRow {
  return { title, text, at };
}

function firstRows(rows: readonly CardRow[]): CardRow[] {
  const [first] = rows;
  const more = rows.length - MAX_ROWS;
  return [...rows.slice(0, MAX_ROWS), ...(first && more > 0 ? [row(first.title, `${more} more`)] : [])];
}

function factsOf(decided: Decided): Facts {
  const { answered, account } = decided;
  const { failed, unavailable, thrown, response, reason } = answered;
  if (failed !== null) return { found: [row('Found', thrown?.text || failed)] };
  if (unavailable !== null) return { found: [row('Found', unavailable)] };
  if (response?.type === 'AuthorizedUserResponse') return whyAuthorized(decided);
  if (reason === 'forbidden' || reason === 'error') return ofCode(decided);
  const decisive = decisiveRule(account);
  if (decisive) return ofRule(decisive, decided);
  if (reason === 'groups_unknown') return ofGroups(decided);
  if (reason === 'profile_incomplete' || reason === 'email_unverified') return ofProfile(decided);
  if (reason === 'external_id_refused') return ofIdentifier(decided);
  return ofCheck(decided);
}

function whyAuthorized(decided: Decided): Facts {
  const { answered, account, reads } = decided;
  const { received, rules, groups, fields } = account;
  if (received === null || account.decided !== null) return ofCode(decided);
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  const address = fields.find(({ field, at }) => field === 'email' && at !== null);
  const found = [
    ...(reads === null ? [] : foundByCode(reads)),
    ...mapped.map(({ value, at, rows, names }) =>
      row('Found', `${value} → ${names.join(', ') || rows.join(', ')}`, at),
    ),
    ...(groups?.everybody ?? []).map(({ path, uuid }) => row('Found', `everybody → ${uuid} (${path})`)),
  ];
  const decides = [
    ...(reads === null ? [] : [row('Rule', `the code of ${answered.handler}`)]),
    ...rules.map(ofText),
  ];
  const nothing = row('Rule', 'none: everybody whose profile is complete gets in');
  return {
    rule: decides.length > 0 ? firstRows(decides) : [nothing],
    found: found.length > 0 || !address ? found : [row('Found', `${address.value}`, address.at)],
  };
}

/** In characters, of a rule as the mapping has it: it may list hundreds of issuers or addresses. */
const MAX_RULE = 200;

function ofText({ path, text }: ExplainedRule): CardRow {
  const rule = shortPath(path);
  return row('Rule', text === null ? rule : `${rule}: ${beginning(text, MAX_RULE)}`);
}

/** What a handler of code decided: by itself, or in place of the mapping in it. */
function ofCode({ answered, account, reads }: Decided): Facts {
  const { decided } = account;
  const instead =
    decided === null ? '' : `, in place of ${decided}, which a mapping or a default handler decided`;
  const inside = decisiveRule(account);
  return {
    rule: [
      row('Rule', `the code of ${answered.handler}${instead}`),
      ...(inside
        ? [row('Rule', `${shortPath(inside.path)}, which refuses in a mapping that the code calls`)]
        : []),
    ],
    found: [
      ...(reads === null ? [row('Found', 'what the code read is not known here')] : foundByCode(reads)),
      ...(inside ? foundBy(inside, account) : []),
    ],
    expected: inside ? expectedBy(inside) : [],
  };
}

function foundByCode({ reads, problem }: HandlerReads): CardRow[] {
  if (problem !== null) return [row('Found', problem)];
  return reads.map(({ name, text, at }) =>
    text === null ? row('Found', `${name}: absent`) : row('Found', `${name}: ${text}`, at),
  );
}

const ISSUER_AT: Readonly<Record<LoginKind, Place>> = {
  OpenID: ['id_token', 'iss'],
  SAML: ['assertion', 'issuer'],
};

function ofRule(rule: ExplainedRule, decided: Decided): Facts {
  const { path } = rule;
  return {
    rule: [row('Rule', shortPath(path))],
    found: path === ISSUERS ? foundIssuer(decided) : foundBy(rule, decided.account),
    expected: expectedBy(rule),
    change: ruleChange(rule, decided),
  };
}

/** The one value that is in the log. */
function foundIssuer({ event, functionName, answered }: Decided): CardRow[] {
  const kind = kindOf(functionName);
  if (event === undefined) return [row('Found', String(loginRecord(answered).issuer))];
  return foundAt(handlerEvent(event, kind), ISSUER_AT[kind]);
}

function expectedBy({ path, text }: ExplainedRule): string[] {
  return text === null ? [] : [ruleRow(path)?.expected(text) ?? `one of ${text}`];
}

function foundBy(
  { path, found, name, at, verdict, note }: ExplainedRule,
  { fields, groups }: Account,
): CardRow[] {
  if (found !== null) return [row('Found', `${name}: ${found}`, at)];
  if (/\.email(?:s|_domains)$/.test(path))
    return fields
      .filter(({ field }) => field === 'email')
      .map(({ value, from, at }) => row('Found', value ?? addressFrom(from), at));
  if (groups !== null && (verdict !== 'refuses' || path.endsWith('.any_group'))) return foundGroups(groups);
  const [fact = ''] = sentencesOf(note);
  return fact === '' ? [] : [row('Found', isOfAbsence(note) ? `nothing. ${fact}` : fact)];
}

/** Where an event does not have the value. */
function addressFrom(from: string | null): string {
  return from === null ? 'nothing: there is no address' : `an address, of ${from}`;
}

function foundGroups({ known, received, values, sources }: NonNullable<Account['groups']>): CardRow[] {
  if (!known && sources.length === 0) return [];
  const gave = (...some: SourceTrace['gave'][]) =>
    sources.filter((source) => some.includes(source.gave)).map(({ name }) => name);
  const absent = absentSources(sources).flat();
  const facts = [
    ...(absent.length > 0
      ? [`${quotedNames(absent, 'and')} ${absent.length > 1 ? 'are' : 'is'} absent`]
      : []),
    ...gave('empty').map((name) => `\`${name}\` is empty`),
    ...gave('overage').map((name) => `the provider left groups out of \`${name}\``),
    ...gave('other_form').map((name) => `\`${name}\` is in a form that is not read`),
  ];
  // Which they are is logged at level DEBUG only.
  const count = received === 0 ? 'nothing' : counted(received, 'group');
  if (values.length === 0) return [row('Found', [count, facts.join(', ')].filter(Boolean).join(': '))];
  return [
    ...facts.map((fact) => row('Found', fact)),
    ...values.map(({ value, at }) => row('Found', value ?? placeText(at), at)),
  ];
}

function sentencesOf(note: string): string[] {
  return note.split(/(?<=\.) /);
}

const IF = 'If this person should get in,';

function ruleChange(rule: ExplainedRule, decided: Decided): string {
  const { path, verdict, note } = rule;
  const change = reasonRow(decided.answered.reason)?.change ?? '';
  if (path === ISSUERS) return `${note} ${change}`.trim();
  const byRule = verdict === 'refuses' ? `${IF} ${ruleRow(path)?.change}` : change;
  if (/\.(?:any|no)_group$/.test(path)) return groupsChange(rule, decided, byRule);
  if (!isOfAbsence(note)) return note || byRule;
  const [, ...rest] = sentencesOf(note);
  return rest.join(' ') || byRule;
}

/** Whether a note says of what is sought only that it did not arrive: of a similar name, it says more. */
function isOfAbsence(note: string): boolean {
  return note.startsWith('Did not arrive') && !note.includes('similar name');
}

const UNLESS_LEFT_OUT = 'If the provider leaves it out for people without groups, list it in groups.absent.';

function groupsChange(
  { path, verdict, note }: Pick<ExplainedRule, 'path' | 'verdict' | 'note'>,
  { account: { groups }, functionName }: Decided,
  change: string,
): string {
  const { sources = [], received = 0 } = groups ?? {};
  const kind = kindOf(functionName);
  if (note !== '' && !isOfAbsence(note)) return note;
  if (sources.some(({ gave }) => gave === 'overage')) return GROUPS_LEFT_OUT[kind];
  const fix = sourcesFix(sources, kind);
  const isDenied = verdict === 'refuses' && path.endsWith('.no_group');
  if (fix === '' || isDenied) return change;
  if (verdict !== 'refuses') return path.endsWith('.no_group') ? `${fix} ${UNLESS_LEFT_OUT}` : fix;
  return received === 0 ? fix : `${fix} ${change}`;
}

/** Of a mapping that needs the groups, whatever its rules say. */
function ofGroups(decided: Decided): Facts {
  const { answered, account } = decided;
  const { groups } = account;
  if (groups === null) return { found: [] };
  const names = [...new Set(groups.sources.map(({ name }) => name))];
  const rule = { path: '', verdict: 'unknown', note: groups.note } as const;
  return {
    found: foundGroups(groups),
    expected: names.length > 0 ? [`groups in ${quotedNames(names, 'or')}`] : [],
    change: groupsChange(rule, decided, reasonRow(answered.reason)?.change ?? ''),
  };
}

const VERIFIED = /(?:^|[/#:_])(?:email_?verified|verified_?email)$|^xms_edov$/i;

function ofProfile({ answered, event, functionName, account }: Decided): Facts {
  const { received } = account;
  const kind = kindOf(functionName);
  const missing = missingFields(answered, account);
  const refused = missing.filter(({ note }) => note !== '');
  const absent = missing.filter(({ note }) => note === '');
  const isUnproven = refused.some(({ note }) => note === 'unverified' || note === 'unproven');
  const names = refused.flatMap(({ tried }) => tried);
  const more = received?.others ? ` and ${received.others} under other names` : '';
  const arrived = `what arrived: ${(received?.names ?? []).join(', ') || 'nothing'}${more}`;
  return {
    found: [
      ...absent.map((field) => row('Found', nothingFor(field, received?.names ?? []))),
      ...(refused.length > 0
        ? textsOf(event, kind, (name) => VERIFIED.test(name) || names.includes(name))
        : []),
      ...(event === undefined
        ? refused.map(({ note }) => row('Found', ADDRESS_NOTES[note] ?? `an address (${note})`))
        : []),
      ...(absent.length > 0 ? [row('Found', arrived)] : []),
    ],
    expected: [
      ...absent.map(({ field, tried }) => `${field} in ${quotedNames(tried, 'or')}`),
      ...refused.map(() =>
        isUnproven ? 'an address that the provider says is verified' : 'an address that can be used',
      ),
    ],
    change: isUnproven ? EMAIL_VERIFIED[kind] : profileFix(missing, account, kind),
  };
}

/** A name that arrived has no value that can be used. */
function nothingFor({ field, tried }: ExplainedField, received: readonly string[]): string {
  const absent = tried.filter((name) => !received.includes(name));
  const unusable = tried.filter((name) => received.includes(name));
  const facts = [
    ...(absent.length > 0
      ? [`${quotedNames(absent, 'and')} ${absent.length > 1 ? 'are' : 'is'} absent`]
      : []),
    ...(unusable.length > 0 ? [`${quotedNames(unusable, 'and')} cannot be used`] : []),
  ];
  return `nothing for ${field}: ${facts.join(', ') || 'the mapping names no source'}`;
}

function ofIdentifier({ event, functionName, account }: Decided): Facts {
  const { tried = [], hint = '' } = account.fields.find(({ field }) => field === 'external_id') ?? {};
  return {
    found: textsOf(event, kindOf(functionName), (name) => tried.includes(name)),
    expected: [`one identifier in ${quotedNames(tried, 'or')}`],
    ...(hint !== '' && { change: hint }),
  };
}

/** The claims or attributes of some names, each with its text. */
function textsOf(event: unknown, kind: LoginKind, isSought: (name: string) => boolean): CardRow[] {
  const handled = handlerEvent(event, kind);
  return claimsIn(handled)
    .filter(({ names }) => names.some(isSought))
    .flatMap(({ names, at }) =>
      textsAt(handled, at).map((found) => row('Found', `${names.at(-1)}: ${found.text}`, found.at)),
    );
}

/** What a check of the request, the event, its token or its assertion expected, and what it found. */
function ofCheck({ answered, event, functionName, env, atMs }: Decided): Facts {
  const record = loginRecord(answered);
  const kind = kindOf(functionName);
  const handled = kind === 'OpenID' ? tokenInside(event, answered.reason) : handlerEvent(event, kind);
  const { settings } = readConfiguration(kind, env);
  const judging = { settings, issuer: String(record.issuer), atMs: atMs ?? Date.now() };
  return checkFacts(answered.reason, handled, record, judging);
}

/**
 * @param event as its handler gets it
 * @param details what the check says itself, as the log has it
 */
export function checkFacts(reason: string, event: unknown, details: LogRecord, judging: Judging): Facts {
  const { place, fields, expected, change = '', changeIfLate } = reasonRow(reason) ?? {};
  const { problems } = details;
  const isLate = Array.isArray(problems) && problems.every((one) => one === CONFIRMATION_OVER);
  return {
    found: place === undefined ? detailsIn(details) : foundAt(event, place, fields),
    expected: expected?.(judging) ?? [],
    change: (isLate ? changeIfLate : undefined) ?? change,
  };
}

/** The texts at a place of the event, or below it in these fields. */
function foundAt(event: unknown, place: Place, fields?: readonly string[]): CardRow[] {
  if (event === undefined) return [];
  const texts = textsAt(event, place).filter(({ at }) => fields?.includes(String(at.at(-1))) ?? true);
  if (texts.length === 0) return [row('Found', `nothing: \`${placeText(place)}\` is absent`)];
  return texts.map(({ text, at }) => row('Found', text, at));
}

/** What the log says of a login that says nothing of the event. */
function detailsIn({ problems, claim, claims, source, host, secretId }: LogRecord): CardRow[] {
  const names = isJsonObject(claims) && Array.isArray(claims.names) ? claims.names : [];
  const texts = [
    ...(Array.isArray(problems) ? problems : []),
    ...(claim === undefined ? [] : [`\`${claim}\` is absent, or of another type`]),
    ...names.map((name) => `another value of ${name}`),
    ...(source === undefined ? [] : [`nothing: \`${source}\` has no identifier`]),
    ...[host, secretId].filter((one) => one !== undefined),
  ];
  return texts.filter((text) => typeof text === 'string').map((text) => row('Found', text));
}

/** The event as its token says: a check looks at the token, before the event is compared with it. */
function tokenInside(event: unknown, reason: string): unknown {
  const handled = handlerEvent(event, 'OpenID');
  const token = textAt(handled, ['id_token_jwt']);
  if (!reason.startsWith('token_') || token === null) return handled;
  try {
    const { iss, aud, exp, iat, ...other_claims } = decodeJwt(token);
    return { id_token: { iss, aud, exp, iat, other_claims } };
  } catch {
    return handled;
  }
}
