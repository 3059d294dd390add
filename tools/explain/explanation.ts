/** How a response came about, for people, read out of the function's log and the event. */
import type { Explanation as Explained } from '../../lib/profile/decision.ts';
import type { RuleTrace } from '../../lib/profile/rules/ruleResult.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Account, ExplainedField, ExplainedGroups } from './account.ts';
import { keysOf, nameAt, textAt } from './eventNodes.ts';
import { type Step, stepsOf } from './loginSteps.ts';
import { sentenceOf } from './sentence.ts';

export interface Explanation extends Account {
  /** Who got in or not, and the fact that decided, e.g. `Authorized as Ada Lovelace, ada@example.org, 1 group (Staff)`. */
  sentence: string;
  /** The login's path, in its order. */
  steps: Step[];
  /** False for a handler of plain code, and where none decided. */
  isTraced: boolean;
}

/**
 * Without the records where they are none of the function's: a handler may print some of that form.
 *
 * @param event as it arrived, in an HTTP envelope or not
 * @param answered at level DEBUG, as the engine answers all events
 */
export function explanationOf(answered: InvocationResult, event: unknown, functionName: string): Explanation {
  try {
    return explanationIn(answered, event, functionName);
  } catch {
    return explanationIn({ ...answered, records: [] }, event, functionName);
  }
}

const NO_ACCOUNT: Account = { fields: [], groups: null, rules: [], decided: null, received: null, marks: [] };

function explanationIn(answered: InvocationResult, event: unknown, functionName: string): Explanation {
  const traced = answered.records.findLast((record) => record.explanation !== undefined);
  const account = traced ? accountOf(traced.explanation as Explained, event) : NO_ACCOUNT;
  return {
    sentence: sentenceOf(answered, account),
    steps: stepsOf(answered, event, functionName),
    isTraced: traced !== undefined,
    ...account,
  };
}

function accountOf(explained: Explained, event: unknown): Account {
  const fields = fieldsOf(explained, event);
  const rules: RuleTrace[] =
    explained.rules ?? (explained.rule === undefined ? [] : [{ path: explained.rule, verdict: 'refuses' }]);
  const groups = groupsOf(explained, event, rules);
  const used = [...fields, ...(groups?.values ?? []).map(({ path }) => ({ path, field: 'groups' }))];
  return {
    fields,
    groups,
    rules: rules.map((rule) => ({
      ...rule,
      isDecisive: rule.path === explained.rule,
      found: rule.value === undefined ? null : textAt(event, rule.value),
      name: rule.value === undefined ? '' : nameAt(event, rule.value),
      note: rule.path === explained.rule ? (explained.note ?? '') : '',
    })),
    decided: explained.decided ?? null,
    received: explained.received,
    marks: used.filter(({ path }) => path !== '').map(({ path, field }) => ({ path: keysOf(path), field })),
  };
}

function fieldsOf({ fields }: Explained, event: unknown): ExplainedField[] {
  return Object.entries(fields).map(([field, { found, path = '', tried, note = '', hint = '' }]) => ({
    field,
    from: found,
    path,
    value: path === '' ? null : textAt(event, path),
    tried,
    note,
    hint,
  }));
}

function groupsOf({ groups }: Explained, event: unknown, rules: RuleTrace[]): ExplainedGroups | null {
  if (!groups) return null;
  const { known, received, mapped, unmatched, note = '', sources = [], values = [], table } = groups;
  const denied = rules.filter(({ path, verdict }) => verdict === 'refuses' && path.endsWith('.no_group'));
  return {
    ...{ known, received, mapped, unmatched, note, sources },
    everybody: (groups.everybody?.uuids ?? []).map((uuid, index) => ({
      path: `${groups.everybody?.path}[${index}]`,
      uuid,
    })),
    values: values.map(({ path, rows }) => {
      const nameOf = (row: number) => table?.names?.find((one) => one.row === row)?.name;
      return {
        path,
        value: textAt(event, path),
        rows: rows.map((row) => `${table?.path}[${row}]${nameOf(row) ? ` (${nameOf(row)})` : ''}`),
        names: rows.map(nameOf).filter((name) => name !== undefined),
        isDenied: denied.some((rule) => rule.value === path),
      };
    }),
  };
}
