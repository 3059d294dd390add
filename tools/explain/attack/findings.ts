/** Judges what got in: one finding for each handler and change. */
import type { AttackedSample, Attempt } from './attack.ts';
import { CHANGES, changeOf } from './changes.ts';

export type AttackFinding = ReturnType<typeof findingOf>;
export type AttackResult = ReturnType<typeof attackResult>;

/** @param all samples of a run, those too that are not authorized */
export function attackResult(all: readonly AttackedSample[]) {
  const found = all.flatMap((of) => of.attempts.others.map((attempt): Found => ({ ...of, ...attempt })));
  const unexcused = found.filter((one) => !isExcused(one, all));
  const count = (some: readonly Found[], ...wanted: Level[]) =>
    some.filter((attempt) => wanted.includes(levelOf(attempt))).length;
  const wrong = count(unexcused, 'error');
  const refused = all.reduce((sum, { attempts }) => sum + attempts.refused, 0);
  const tested = all.filter(
    ({ attempts }) => attempts.refused > 0 || attempts.others.some(({ outcome }) => outcome === 'got in'),
  );
  const functionsOf = (some: readonly AttackedSample[]) =>
    new Set(some.map(({ sample }) => sample.functionName));
  const handlersOf = (some: readonly AttackedSample[]) => new Set(some.map(({ handler }) => handler));
  return {
    events: all.filter(({ attempts }) => attempts.refused + attempts.others.length > 0).length,
    counts: {
      ...{ refused, wrong },
      open: count(found, 'error', 'note') - wrong,
      notTested: count(found, 'not tested'),
    },
    findings: findingsIn(unexcused),
    /** Entries of `mayBe` that excuse nothing, each with the reason. */
    unused: all.flatMap((one) => unusedIn(one, all)),
    attacked: [...functionsOf(tested)],
    notAttacked: [...functionsOf(all).difference(functionsOf(tested))],
    handlersNotAttacked: [...handlersOf(all).difference(handlersOf(tested))],
  };
}

/** The events whose expected responses say what one event may let in: its own, or all of its handler. */
function excusing(change: string, one: AttackedSample, all: readonly AttackedSample[]): AttackedSample[] {
  if (changeOf(change)?.canBeMeant === false) return [];
  return changeOf(change)?.isMeantForAll ? all.filter((other) => other.handler === one.handler) : [one];
}

/** An entry that excuses nothing hides what gets in later. */
function unusedIn(one: AttackedSample, all: readonly AttackedSample[]): string[] {
  const { functionName, name } = one.sample;
  return Object.keys(one.meant).flatMap((change) => {
    const problem = problemOf(change, excusing(change, one, all));
    return problem === null ? [] : [`${functionName}/${name}: mayBe.${change}: ${problem}`];
  });
}

function problemOf(name: string, excused: readonly AttackedSample[]): string | null {
  const change = changeOf(name);
  if (change === undefined) return `expected one of ${Object.keys(CHANGES).join(', ')}`;
  if (change.canBeMeant === false) return 'another issuer cannot be excused: list it in the mapping';
  const others = excused.flatMap(({ attempts }) => attempts.others);
  const isUsed = others.some((attempt) => attempt.change === name && attempt.outcome === 'got in');
  return isUsed ? null : 'nothing gets in by this change: remove the entry';
}

type Found = AttackedSample & Attempt;

/** An error where the handler claims to refuse it. */
const LEVELS = ['error', 'note', 'not tested'] as const;
type Level = (typeof LEVELS)[number];

function isExcused(one: Found, all: readonly AttackedSample[]): boolean {
  return one.outcome === 'got in' && excusing(one.change, one, all).some(({ meant }) => one.change in meant);
}

function findingsIn(unexcused: readonly Found[]) {
  const lines = Map.groupBy(unexcused, ({ sample, handler, change }) =>
    [sample.functionName, handler, change].join(' '),
  );
  return Array.from(lines.values(), findingOf).sort(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level),
  );
}

/** @param found of one handler and change, at least one */
function findingOf(found: readonly Found[]) {
  const level = LEVELS.find((one) => found.some((attempt) => levelOf(attempt) === one)) ?? 'note';
  const shown = found.filter((attempt) => levelOf(attempt) === level);
  const [{ sample, handler, change }] = shown as [Found];
  return {
    ...{ level, functionName: sample.functionName, handler, change },
    what: [...new Set(shown.map(({ what }) => what))],
    events: [...new Set(shown.map((one) => one.sample.name))],
    cure: CHANGES[change].cure,
  };
}

function levelOf({ outcome, isError }: Attempt): Level {
  if (outcome !== 'got in') return 'not tested';
  return isError ? 'error' : 'note';
}
