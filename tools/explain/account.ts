/** What a mapping or a default handler decided, read out of the function's log, with the texts of the event. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { Explanation } from '../../lib/profile/decision.ts';
import type { GroupsTrace, SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import type { RuleTrace } from '../../lib/profile/rules/ruleResult.ts';
import type { ShowableNames } from '../../lib/text.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { DECISION, type LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';
import { handlerEvent, nameAt, type Place, placeOf, textAt } from './places.ts';

/** A login and what the function made of it. */
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
  /** What the operator can do. */
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
  /** Whether it decided the login. */
  isDecisive: boolean;
  /** Where the group stands that it denies, or may deny, or the value that is not the one it wants; null where there is none. */
  at: Place | null;
  /** What stands there. */
  found: string | null;
  /** Of the claim or attribute, as providers call it; empty where there is none. */
  name: string;
  /** Of the rule that decided: why, and what the operator can do. */
  note: string;
}

const NOTHING: Account = { fields: [], groups: null, rules: [], decided: null, received: null };

export function accountIn({ answered, event, functionName }: AnsweredLogin): Account {
  const logged = loggedIn(answered.records);
  const kind = kindOf(functionName);
  if (logged === null) return NOTHING;
  const account = accountOf(logged, handlerEvent(event, kind), kind);
  return { ...account, decided: account.decided ?? decidedInside(answered) };
}

/** What the function logged of its decision, or else what a mapping decided that its code calls; null where nothing of ours decided. */
export function loggedIn(records: readonly LogRecord[]): Explanation | null {
  const { explanation } = records.findLast((record) => record.explanation !== undefined) ?? {};
  return (explanation as Explanation | undefined) ?? null;
}

/** The reason of what a mapping decided, of which the code that called it made a response of another type; null where it did not. */
function decidedInside({ records, response }: InvocationResult): string | null {
  const { event, reason, type } = records.findLast((record) => record.explanation !== undefined) ?? {};
  return event === DECISION && type !== response?.type ? String(reason) : null;
}

export function loginRecord({ records }: Pick<InvocationResult, 'records'>): LogRecord {
  return records.findLast(({ event }) => event === 'login') ?? {};
}

function accountOf(logged: Explanation, event: unknown, kind: LoginKind): Account {
  const rules = rulesOf(logged, event, kind);
  return {
    fields: fieldsOf(logged, event, kind),
    groups: logged.groups ? groupsOf(logged.groups, rules, event, kind) : null,
    rules,
    decided: logged.decided ?? null,
    received: logged.received,
  };
}

function fieldsOf({ fields }: Explanation, event: unknown, kind: LoginKind): ExplainedField[] {
  return Object.entries(fields).map(([field, { found, path, tried, note = '', hint = '' }]) => {
    const at = path === undefined ? null : placeOf(path, kind);
    return { field, from: found, at, value: at && textAt(event, at), tried, note, hint };
  });
}

function rulesOf(
  { rule, rules, note, groups }: Explanation,
  event: unknown,
  kind: LoginKind,
): ExplainedRule[] {
  const all: RuleTrace[] = rules ?? (rule === undefined ? [] : [{ path: rule, verdict: 'refuses' }]);
  return all.map(({ path, verdict, value }) => {
    const at = value === undefined ? null : placeOf(value, kind);
    const isDecisive = path === rule;
    // What keeps a rule about groups from allowing a login is said of the groups.
    const own = isAboutGroups(path) ? groups?.note : note;
    return {
      ...{ path, verdict, isDecisive, at },
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

/** The rule that decided; undefined where none did. */
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
