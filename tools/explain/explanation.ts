/** How a login came about, part by part, with the texts of the event. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { GroupsTrace, SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import type { RuleTrace } from '../../lib/profile/rules/ruleResult.ts';
import type { ShowableNames } from '../../lib/text.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { type LogRecord, lastRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';
import { counted } from '../shared/readable.ts';
import { type Decided, decidedIn, entriesOf, ISSUERS } from './decided.ts';
import { handlerEvent, nameAt, type Place, placeOf, textAt } from './places.ts';

export interface AnsweredLogin {
  /** At level DEBUG, as the engine answers all events. */
  answered: InvocationResult;
  /** As it arrived, in an HTTP envelope or not; undefined where only its record is known. */
  event: unknown;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** When it was answered, by the function's clock, in milliseconds since 1970; left out where the answer says it. */
  atMs?: number;
}

export type ExplainedLogin = ReturnType<typeof explanationOf>;
export type ExplainedField = ExplainedLogin['fields'][number];
export type ExplainedGroups = ReturnType<typeof explainedGroups>;
export type ExplainedRule = ReturnType<typeof explainedRules>[number];

/** Of nothing where no mapping and no default handler decided, and where a handler printed a record of another form than ours. */
export function explanationOf(login: AnsweredLogin) {
  const { answered, event, functionName } = login;
  const kind = kindOf(functionName);
  const record = lastRecord(answered.records, 'login');
  const atMs = login.atMs ?? answered.again?.frozenTime ?? Date.now();
  const handled: HandledLogin = { ...login, kind, record, handlerEvent: handlerEvent(event, kind), atMs };
  try {
    const decision = decidedIn(answered);
    return { ...handled, ...(decision ? explained(decision, handled) : NOTHING) };
  } catch {
    return { ...handled, ...NOTHING };
  }
}

interface HandledLogin extends AnsweredLogin {
  kind: LoginKind;
  /** What the function logged of the login itself; empty where it logged nothing. */
  record: LogRecord;
  /** As its handler gets it. */
  handlerEvent: unknown;
  atMs: number;
}

/** Where the path of a decision leads, the value there, null where the event has none, and its name, as providers call it. */
function placed(path: string, { kind, handlerEvent }: HandledLogin) {
  const at = placeOf(path, kind);
  return { at, value: textAt(handlerEvent, at), name: nameAt(handlerEvent, at) };
}

const NOWHERE: { at: Place | null; value: string | null; name: string } = { at: null, value: null, name: '' };

function explained(decision: Decided, login: HandledLogin) {
  const { explanation, decided } = decision;
  const { groups, received } = explanation;
  const rules = explainedRules(decision, login);
  const { requiredFields } = lastRecord(login.answered.records, 'cold_start');
  const isRequired = (field: string) => !Array.isArray(requiredFields) || requiredFields.includes(field);
  const all = Object.entries(explanation.fields);
  const fields = all.map(([field, { found, path, tried, note = '', hint = '' }]) => ({
    /** Of the response, e.g. `email`. */
    field,
    /** The claim or attribute that was used; null where none was. */
    from: found,
    ...(path === undefined ? NOWHERE : placed(path, login)),
    tried,
    note,
    hint,
  }));
  return {
    fields,
    /** Those without a value that every profile must have, as the function says at its start; and what is refused. */
    missing: fields.filter(({ field, from, note }) => from === null && (note !== '' || isRequired(field))),
    /** Null where groups were not read. */
    groups: groups ? explainedGroups(groups, explanation.rules ?? [], login) : null,
    rules,
    /** The rule that decided; null where none did. */
    decisive: rules.find(({ isDecisive }) => isDecisive) ?? null,
    /** Of rules that are not about groups: what is missed by little, and what the operator can do. */
    note: explanation.note ?? '',
    decided,
    /** The names of the claims or attributes that arrived; null where nothing of ours decided. */
    received: received as ShowableNames | null,
  };
}

const NOTHING: ReturnType<typeof explained> = {
  fields: [],
  missing: [],
  groups: null,
  rules: [],
  decisive: null,
  note: '',
  decided: null,
  received: null,
};

function explainedRules({ explanation, mapping }: Decided, login: HandledLogin) {
  const { rule, fields } = explanation;
  const { rules = rule === undefined ? [] : [{ path: rule, verdict: 'refuses' } as const] } = explanation;
  const texts = new Map(mapping ? entriesOf(mapping).map(({ path, text }) => [path, text]) : []);
  // The trace has no word of the issuers where they list the one of the login.
  const isListed = texts.has(ISSUERS) && rule !== ISSUERS;
  const all: RuleTrace[] = isListed ? [{ path: ISSUERS, verdict: 'allows' }, ...rules] : rules;
  const email = fields.email?.path;
  const looksAt: Readonly<Record<string, string | undefined>> = {
    [ISSUERS]: login.kind === 'SAML' ? 'issuer' : 'iss',
    emails: email,
    email_domains: email,
  };
  return all.map(({ path, verdict, value }) => {
    const key = path.replace(/.*\./, '');
    const from = value ?? looksAt[key];
    return {
      path,
      verdict,
      isDecisive: path === rule,
      /** By which the mapping has it, e.g. `any_group`, or `issuers`. */
      key,
      /** As the mapping has it; null where that is not known. */
      text: texts.get(path) ?? null,
      // Of the issuer, of the address, of the group that it denies, or of the value that is not the one it wants.
      ...(from === undefined ? NOWHERE : placed(from, login)),
    };
  });
}

function explainedGroups(groups: GroupsTrace, rules: readonly RuleTrace[], login: HandledLogin) {
  const { known, received, mapped, unmatched, note = '', sources = [], values = [], table } = groups;
  const { path: ofEverybody, uuids = [] } = groups.everybody ?? {};
  const denying = rules.filter(({ path, verdict }) => verdict === 'refuses' && path.endsWith('.no_group'));
  const denied = denying.map(({ value }) => value);
  const names = new Map(table?.names?.map(({ row, name }) => [row, ` (${name})`]));
  return {
    known,
    received,
    mapped,
    unmatched,
    note,
    sources,
    /** The user groups of each person who gets in, by where the mapping has them. */
    everybody: uuids.map((uuid, index) => ({ path: `${ofEverybody}[${index}]`, uuid })),
    values: values.map(({ path, rows }) => ({
      ...placed(path, login),
      /** The rows of the table that it matched, as paths into the mapping, with the name of the user group where it has one. */
      rows: rows.map((row) => `${table?.path}[${row}]${names.get(row) ?? ''}`),
      isDenied: denied.includes(path),
    })),
  };
}

/** What a source of groups gave, e.g. `3 groups`, `absent`. */
export function gaveText({ gave, count }: Pick<SourceTrace, 'gave' | 'count'>): string {
  if (gave === 'groups') return counted(count, 'group');
  if (gave === 'unused') return 'unused: other texts take precedence';
  if (gave === 'overage') return 'left out by the provider (overage)';
  return gave === 'other_form' ? 'in a form that is not read' : gave;
}

/** The last part of an address, which is what differs. */
export function shortName(name: string): string {
  return name.replace(/https?:\/\/\S*\/(?=[^/\s])/, '…/');
}

/** A path in the mapping, without the issuer: it is told elsewhere. */
export function shortPath(path: string): string {
  return path.replace(/^issuers\..*\.(?=rules\[|groups\.)/, 'issuers[…].');
}
