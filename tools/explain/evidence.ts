/** What decided a login, in rows: what was expected, what was found, and where that stands in the event. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { Settings } from '../../lib/settings.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { withoutReference } from '../shared/ownWords.ts';
import type { Account, Evidence, ExplainedField, ExplainedRule } from './account.ts';
import { checkEvidence, foundAt, ISSUERS_AT, MAX_ROWS, row } from './checkEvidence.ts';
import { claimsIn, keysOf } from './eventNodes.ts';
import { missingFields, shortName, shortPath } from './sentence.ts';

export interface Decided {
  kind: LoginKind;
  answered: InvocationResult;
  /** Out of its HTTP envelope. */
  event: unknown;
  account: Account;
  settings: Settings;
  /** As the mapping has each rule, by its path; empty for a handler of plain code. */
  ruleTexts: Readonly<Record<string, string>>;
  /** Whether the handler is code, which may refuse where no rule does. */
  isCode: boolean;
  /** When it was answered, by the function's clock, in milliseconds since 1970. */
  atMs: number;
}

/** @returns none where the function failed, which says more, or where a handler printed records of another form than ours */
export function evidenceOf(decided: Decided): Evidence[] {
  try {
    return evidence(decided);
  } catch {
    return [];
  }
}

function evidence(decided: Decided): Evidence[] {
  const { failed, response } = decided.answered;
  if (failed !== null || response === null) return [];
  if (response.type === 'AuthorizedUserResponse') return whyAuthorized(decided);
  const read = withoutReference(String(response.message ?? ''));
  return [...whyRefused(decided), ...(read === '' ? [] : [row('The person reads', read)])];
}

function whyAuthorized({ answered, account, ruleTexts, isCode }: Decided): Evidence[] {
  const { received, decided, rules, groups } = account;
  if (received === null || decided !== null) return [handlerRow(answered, account)];
  const everybody = (groups?.everybody ?? []).slice(0, MAX_ROWS);
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0).slice(0, MAX_ROWS);
  return [
    ...(rules.length > 0
      ? firstRows(rules.map((rule) => ruleRow('Allowed by', rule, ruleTexts)))
      : [row('Allowed by', isCode ? codeAlone(answered) : NO_RULE)]),
    ...mapped.map(({ value, path, rows, names }) =>
      row('Groups', `${value ?? path} → ${names.join(', ') || rows.join(', ')}`, keysOf(path)),
    ),
    ...everybody.map(({ path, uuid }) => row('Groups', `everybody → ${uuid} (${path})`)),
  ];
}

/** What a handler of code decided: by itself, or in place of the mapping in it. */
function handlerRow({ handler }: InvocationResult, { decided }: Account): Evidence {
  const instead =
    decided === null ? '' : `, in place of ${decided}, which a mapping or a default handler decided`;
  return row('Handler', `${handler} decides so${instead}`);
}

const NO_RULE = 'no rule: everybody whose profile is complete gets in';

function codeAlone({ handler }: InvocationResult): string {
  return `the code of ${handler}: the mapping or default handler in it has no rule`;
}

function ruleRow(title: string, { path }: ExplainedRule, texts: Decided['ruleTexts']): Evidence {
  const text = texts[path];
  return row(title, text === undefined ? shortPath(path) : `${shortPath(path)}: ${text}`);
}

/** And how many there are more. */
function firstRows(rows: readonly Evidence[]): Evidence[] {
  const [first] = rows;
  const more = rows.length - MAX_ROWS;
  return [...rows.slice(0, MAX_ROWS), ...(first && more > 0 ? [row(first.title, `${more} more`)] : [])];
}

function whyRefused(decided: Decided): Evidence[] {
  const { answered, event, account, settings, atMs } = decided;
  const { reason, records } = answered;
  const record = records.findLast((one) => one.event === 'login') ?? {};
  if (reason === 'forbidden' || reason === 'error') return [handlerRow(answered, account)];
  const decisive = account.rules.find(({ isDecisive }) => isDecisive);
  if (decisive) return ruleEvidence(decisive, decided);
  if (reason === 'groups_unknown')
    return (account.groups?.sources ?? []).map(({ name, gave }) => row('Groups', `${name}: ${gave}`));
  const isProfile = reason === 'profile_incomplete' || reason === 'email_unverified';
  if (isProfile) return profileEvidence(missingFields(answered, account), account, event);
  if (reason === 'external_id_refused')
    return account.fields
      .filter(({ field }) => field === 'external_id')
      .map(({ hint }) => row('Refused', hint));
  return checkEvidence({ reason, record, event, settings, atMs });
}

/** What vouches for an address, or does not. */
const VERIFIED = /(?:^|[/#:_])(?:email_?verified|verified_?email)$|^xms_edov$/i;

function profileEvidence(
  missing: readonly ExplainedField[],
  { received }: Account,
  event: unknown,
): Evidence[] {
  const refused = missing.filter(({ note }) => note !== '');
  const isOfRefused = (name: string) =>
    VERIFIED.test(name) || refused.some(({ tried }) => tried.includes(name));
  const found = refused.length > 0 ? claimsIn(event).filter(({ names }) => names.some(isOfRefused)) : [];
  return [
    ...missing
      .filter(({ note }) => note === '')
      .map(({ field, tried }) => row('Missing', `${field}, tried ${tried.map(shortName).join(', ')}`)),
    ...found.slice(0, MAX_ROWS).map(({ names, text, at }) => row('Found', `${names.at(-1)}: ${text}`, at)),
    ...(refused.length < missing.length ? [row('Arrived', received?.names.join(', ') || 'nothing')] : []),
    ...missing.filter(({ hint }) => hint !== '').map(({ hint }) => row('Cure', hint)),
  ];
}

/** The path of the list of issuers, which is a rule too. */
const ISSUERS = 'issuers';

function ruleEvidence(rule: ExplainedRule, { account, event, kind, ruleTexts }: Decided): Evidence[] {
  const { path, note, verdict } = rule;
  const isAboutGroups = verdict !== 'refuses' || path.endsWith('.any_group');
  const why = note || (isAboutGroups ? (account.groups?.note ?? '') : '');
  return [
    ruleRow('Rule', rule, ruleTexts),
    ...(path === ISSUERS ? foundAt(event, ISSUERS_AT[kind]) : foundBy(rule, account)),
    ...(why === '' ? [] : [row('Why', why)]),
  ];
}

/** What the rule looked at. */
function foundBy({ path, found, value }: ExplainedRule, { fields, groups }: Account): Evidence[] {
  if (found !== null) return [row('Found', found, keysOf(value ?? ''))];
  if (/\.email(?:s|_domains)$/.test(path))
    return fields.filter(({ field }) => field === 'email').map(ofField);
  if (!path.endsWith('.any_group')) return [];
  const values = groups?.values ?? [];
  return firstRows(values.map((one) => row('Found', one.value ?? one.path, keysOf(one.path))));
}

function ofField({ value, path }: ExplainedField): Evidence {
  return row('Found', value ?? 'no value', path === '' ? null : keysOf(path));
}
