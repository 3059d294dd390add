/** Judges what got in: one finding for each handler and change. */
import { expectsHandler, type Judged } from '../judgedSamples.ts';
import type { AttackedSample, Attempt } from './attack.ts';
import { CHANGES, type ChangeName, canBeMeant } from './changes.ts';

export interface Finding {
  /** `error` where the handler claims to refuse it. */
  level: 'error' | 'note' | 'not tested';
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** As a setting takes it, or `default`. */
  handler: string;
  change: ChangeName;
  /** What got in, or could not be tested. */
  what: string[];
  /** The names of the events. */
  events: string[];
  /** What would refuse it. */
  cure: string;
}

export interface AttackResult {
  /** How many events were attacked. */
  events: number;
  outcomes: Record<Attempt['outcome'], number>;
  /** Errors first. */
  findings: Finding[];
  /** Entries of `mayBe` that excuse nothing, each with the reason. */
  unused: string[];
  /** Functions whose events could be attacked, and those with none such. */
  attacked: string[];
  notAttacked: string[];
  /** Handlers whose events could not be attacked. */
  handlersNotAttacked: string[];
}

export function hasErrors({ findings, unused, notAttacked }: AttackResult): boolean {
  return unused.length + notAttacked.length > 0 || findings.some(({ level }) => level === 'error');
}

/** @param all samples of a run, those too that are not authorized */
export function attackResult(all: readonly AttackedSample[]): AttackResult {
  const attempts = all.flatMap((one) => one.attempts);
  const count = (outcome: Attempt['outcome']) => attempts.filter((one) => one.outcome === outcome).length;
  const tested = all.filter((one) => one.attempts.some(({ outcome }) => outcome !== 'not tested'));
  const untested = (nameOf: (judged: Judged) => string) => {
    const names = tested.map(({ judged }) => nameOf(judged));
    return [...new Set(all.map(({ judged }) => nameOf(judged)))].filter((name) => !names.includes(name));
  };
  return {
    events: all.filter((one) => one.attempts.length > 0).length,
    outcomes: { 'got in': count('got in'), refused: count('refused'), 'not tested': count('not tested') },
    findings: findingsIn(all),
    unused: all.flatMap(unusedIn),
    attacked: [...new Set(tested.map(({ judged }) => judged.sample.functionName))],
    notAttacked: untested(({ sample }) => sample.functionName),
    handlersNotAttacked: untested(handlerOf),
  };
}

function handlerOf({ handler }: Judged): string {
  return handler?.given ?? 'default';
}

/** What an event and its handler are meant to let in, by the change. */
function meantBy({ sample: { expected }, handler }: Judged): Readonly<Record<string, string>> {
  return expected !== null && expectsHandler(expected, handler?.given) ? (expected.mayBe ?? {}) : {};
}

/** An entry that excuses nothing hides what gets in later. */
function unusedIn({ judged, attempts }: AttackedSample): string[] {
  return Object.keys(meantBy(judged)).flatMap((name) => {
    const problem = problemOf(name, attempts);
    return problem === null
      ? []
      : [`${judged.sample.functionName}/${judged.sample.name}: mayBe.${name}: ${problem}`];
  });
}

function problemOf(name: string, attempts: readonly Attempt[]): string | null {
  if (!Object.hasOwn(CHANGES, name)) return `expected one of ${Object.keys(CHANGES).join(', ')}`;
  if (!canBeMeant(name)) return 'another issuer cannot be excused: list it in the mapping';
  const isUsed = attempts.some(({ change, outcome }) => change === name && outcome === 'got in');
  return isUsed ? null : 'nothing gets in by this change: remove the entry';
}

interface Found extends Attempt {
  judged: Judged;
}

const LEVELS: readonly Finding['level'][] = ['error', 'note', 'not tested'];

function findingsIn(attacked: readonly AttackedSample[]): Finding[] {
  const found = attacked.flatMap(({ judged, attempts }) =>
    attempts
      .filter((one) => one.outcome !== 'refused' && !isMeant(one, judged))
      .map((one) => ({ ...one, judged })),
  );
  const lines = Map.groupBy(found, ({ judged, change }) =>
    [judged.sample.functionName, handlerOf(judged), change].join(' '),
  );
  return Array.from(lines.values(), findingOf).sort(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level),
  );
}

function isMeant({ change, outcome }: Attempt, judged: Judged): boolean {
  return outcome === 'got in' && canBeMeant(change) && meantBy(judged)[change] !== undefined;
}

/** @param found of one handler and change, at least one */
function findingOf(found: readonly Found[]): Finding {
  const level = LEVELS.find((one) => found.some((attempt) => levelOf(attempt) === one)) ?? 'note';
  const shown = found.filter((attempt) => levelOf(attempt) === level);
  const [{ judged, change }] = shown as [Found];
  return {
    level,
    functionName: judged.sample.functionName,
    handler: handlerOf(judged),
    change,
    what: [...new Set(shown.map(({ what }) => what))],
    events: [...new Set(shown.map((one) => one.judged.sample.name))],
    cure: CHANGES[change].cure,
  };
}

function levelOf({ outcome, isError }: Attempt): Finding['level'] {
  if (outcome !== 'got in') return 'not tested';
  return isError ? 'error' : 'note';
}
