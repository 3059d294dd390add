/** What a change of handlers, mappings and settings does to the events, for people who review it: no value of an event. */
import { type Difference, differencesOf, groupNamesIn, nameAfter } from '../../explain/differences.ts';
import { expectsHandler, wronglyIn } from '../../explain/judgedSamples.ts';
import { type Expected, labelOf, type SampleEvent } from '../../local/events.ts';
import type { InvocationResult } from '../../local/invocation.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import type { Before, Checked, RunResult } from '../checked.ts';

import type { Earlier } from './earlier.ts';

/** The first is what a reviewer looks for. */
const CHANGE_KINDS = [
  'newly authorized',
  'newly refused',
  'other groups',
  'other fields',
  'other refusal',
] as const;

export interface Change {
  kind: (typeof CHANGE_KINDS)[number];
  sample: SampleEvent;
  /** As a setting takes it, or `default`. */
  handler: string;
  /** E.g. `Forbidden (rule_refused)`. */
  before: string;
  /** E.g. `Authorized`, `+ Staff, - Editors`, `email, last_name`. */
  now: string;
}

/** A login that is not as its expected response, or failed. */
interface Wrong {
  sample: SampleEvent;
  handler: string;
  /** In a line. */
  text: string;
}

export interface Review {
  /** The other commit, as it was given; null where nothing is compared. */
  against: string | null;
  events: readonly Checked[];
  /** How many of them the other commit has a response for. */
  compared: number;
  /** From the other commit, in the order of `CHANGE_KINDS`. */
  changes: readonly Change[];
  wrong: readonly Wrong[];
  /** What is wrong with the handlers themselves, in lines: of their build, guards, coverage and attack. */
  findings: readonly string[];
  /** What answers each function. */
  inForce: readonly string[];
  /** E.g. `every rule and table row hit`. */
  totals: readonly string[];
}

export function reviewOf(result: RunResult, earlier: Earlier | null): Review {
  const { events, problems, findings, inForce, totals } = result;
  const compared = earlier === null ? [] : comparedWithEarlier(events, earlier);
  const errors = findings.filter(({ level }) => level === 'error');
  return {
    against: earlier?.ref ?? null,
    events,
    compared: compared.length,
    changes: changesIn(compared),
    wrong: wrongIn(events),
    findings: [
      ...problems,
      ...errors.map(({ subject, message, change }) =>
        [subject === undefined ? message : `${subject}: ${message}`, change ?? []].flat().join(' '),
      ),
    ],
    inForce,
    totals,
  };
}

/** An event beside what another commit expects of it. */
export interface ComparedWithEarlier extends Checked {
  before: Before;
}

/**
 * Those events that the other commit has an expected response for, of a handler that answers now: the same handler, or the one
 * that the event expects now.
 *
 * @throws {UnusableInput} where there is none
 */
export function comparedWithEarlier(
  all: readonly Checked[],
  { ref, expected }: Earlier,
): ComparedWithEarlier[] {
  const compared = all.flatMap((checked) => {
    const before = expected.get(checked.sample.file);
    if (before === undefined || !isComparable(checked, before)) return [];
    const { status, answer } = before;
    return [{ ...checked, before: { status, response: answer, failed: null, reason: '', records: [] } }];
  });
  if (compared.length > 0) return compared;
  throw new UnusableInput(
    `${ref}: no event has an expected response of its handler at this commit: choose a later one`,
  );
}

function isComparable({ handler, verdict }: Checked, before: Expected): boolean {
  return verdict.kind !== 'other' || expectsHandler(before, handler === 'default' ? undefined : handler);
}

function changesIn(compared: readonly ComparedWithEarlier[]): Change[] {
  const changes = compared.flatMap(({ sample, handler, answered, before }) => {
    const change = changeBetween(before, answered);
    return change === null ? [] : [{ sample, handler, ...change }];
  });
  return changes.sort((one, other) => CHANGE_KINDS.indexOf(one.kind) - CHANGE_KINDS.indexOf(other.kind));
}

function changeBetween(
  before: Before,
  now: InvocationResult,
): Pick<Change, 'kind' | 'before' | 'now'> | null {
  const outcomes = { before: outcomeOf(before), now: outcomeOf(now) };
  if (isIn(now) && !isIn(before)) return { kind: 'newly authorized', ...outcomes };
  if (isIn(before) && !isIn(now)) return { kind: 'newly refused', ...outcomes };
  const differences = differencesOf(before, now);
  if (differences.length === 0) return null;
  if (!isIn(now)) return { kind: 'other refusal', ...outcomes };
  const groups = differences.filter((one) => 'added' in one);
  if (groups.length > 0) return { kind: 'other groups', before: '', now: groupsText(groups, [now]) };
  return { kind: 'other fields', before: '', now: differences.map(({ field }) => field).join(', ') };
}

function isIn({ failed, response }: Before): boolean {
  return failed === null && response?.type === 'AuthorizedUserResponse';
}

/** What is expected has no reason. */
function outcomeOf(answered: Before): string {
  const { failed, response, reason } = answered;
  if (failed !== null) return `failed (${reason})`;
  if (isIn(answered)) return 'Authorized';
  const type = String(response?.type).replace(/Response$/, '');
  return reason === '' ? type : `${type} (${reason})`;
}

function groupsText(differences: readonly Difference[], answers: readonly InvocationResult[]): string {
  const names = groupNamesIn(answers);
  const shown = (group: unknown) => /\((.*)\)$/.exec(nameAfter(group, names))?.[1] ?? String(group);
  const texts = differences.flatMap((one) =>
    'added' in one
      ? [...one.added.map((group) => `+ ${shown(group)}`), ...one.removed.map((group) => `- ${shown(group)}`)]
      : [],
  );
  return texts.join(', ');
}

function wrongIn(all: readonly Checked[]): Wrong[] {
  return all.flatMap(({ sample, handler, answered, verdict }) => {
    if (verdict.kind === 'failed') return [{ sample, handler, text: `failed (${answered.reason})` }];
    if (verdict.kind !== 'differs') return [];
    const fields = verdict.differences.map(({ field }) => field).join(', ');
    return [
      { sample, handler, text: wronglyIn(verdict) ?? `differs from the expected response in ${fields}` },
    ];
  });
}

const COUNTED: Readonly<Record<Change['kind'], string>> = {
  'newly authorized': 'newly authorized',
  'newly refused': 'newly refused',
  'other groups': 'with other groups',
  'other fields': 'with other fields',
  'other refusal': 'refused otherwise',
};

/** E.g. `2 newly authorized, 1 with other groups, 80 of 83 logins are answered as before`. */
export function changesSummary({ changes, events, compared }: Review): string {
  const counts = CHANGE_KINDS.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${COUNTED[kind]}`];
  });
  const same = `${compared - changes.length} of ${compared} logins are answered as before`;
  const others = events.length - compared;
  return [...counts, same, ...(others > 0 ? [`${others} not compared`] : [])].join(', ');
}

export function expectedSummary({ events, wrong, totals }: Review): string {
  const compared = events.filter(({ verdict }) => ['expected', 'differs', 'failed'].includes(verdict.kind));
  return [`${compared.length - wrong.length} of ${compared.length} events as expected`, ...totals].join(', ');
}

/** E.g. `openidLoggedIn/keycloak (handlers/campus): Forbidden (rule_refused) → Authorized`. */
export function changeText({ sample, handler, before, now }: Change): string {
  return `${labelOf(sample)} (${handler}): ${before === '' ? now : `${before} → ${now}`}`;
}
