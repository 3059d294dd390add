/** What is told of an attack: one finding for each handler and change that gets in, and counts of all. */
import type { Finding } from '../../shared/finding.ts';
import { beginning } from '../../shared/readable.ts';
import { typed } from '../../shared/usage.ts';
import type { AttackedSample, Attempt } from './attack.ts';
import { CHANGES, changeOf } from './changes.ts';

export type AttackResult = ReturnType<typeof attackResult>;

/** @param all samples of a run, those too that are not authorized */
export function attackResult(all: readonly AttackedSample[]) {
  const told = all.flatMap((of) => of.attempts.others.map((attempt): Told => ({ ...of, ...attempt })));
  const unexcused = told.filter((one) => !isExcused(one, all));
  const wrong = unexcused.filter(({ outcome }) => outcome === 'wrongly in').length;
  const notTested = told.filter(({ outcome }) => outcome === 'not tested').length;
  const tested = all.filter(
    ({ attempts }) => attempts.refused > 0 || attempts.others.some(({ outcome }) => outcome !== 'not tested'),
  );
  const functionsOf = (some: readonly AttackedSample[]) =>
    new Set(some.map(({ sample }) => sample.functionName));
  const handlersOf = (some: readonly AttackedSample[]) => new Set(some.map(({ handler }) => handler));
  return {
    findings: [
      ...findingsOf(unexcused),
      ...all.flatMap((one) => unusedIn(one, all)),
      ...[...functionsOf(all).difference(functionsOf(tested))].map((subject) =>
        notAttacked('error', subject, `Add one that is authorized. ${typed('check')} shows why one is not.`),
      ),
      ...[...handlersOf(all).difference(handlersOf(tested))].map((subject) =>
        notAttacked('note', subject, null),
      ),
    ],
    counts: {
      refused: all.reduce((sum, { attempts }) => sum + attempts.refused, 0),
      wrong,
      open: told.length - notTested - wrong,
      notTested,
    },
    /** The functions of which some event was attacked. */
    attacked: [...functionsOf(tested)],
  };
}

type Told = AttackedSample & Attempt;

function notAttacked(level: Finding['level'], subject: string, change: string | null): Finding {
  return { code: 'not_attacked', level, subject, message: 'No event could be attacked.', change };
}

/** The events whose expected responses say what one event may let in: its own, or all of its handler. */
function excusing(change: string, one: AttackedSample, all: readonly AttackedSample[]): AttackedSample[] {
  if (changeOf(change)?.canBeMeant === false) return [];
  return changeOf(change)?.isMeantForAll ? all.filter((other) => other.handler === one.handler) : [one];
}

function isExcused({ change, outcome, ...one }: Told, all: readonly AttackedSample[]): boolean {
  return outcome !== 'not tested' && excusing(change, one, all).some(({ meant }) => change in meant);
}

/** An entry that excuses nothing hides what gets in later. */
function unusedIn(one: AttackedSample, all: readonly AttackedSample[]): Finding[] {
  const { functionName, name } = one.sample;
  return Object.keys(one.meant).flatMap((change): Finding[] => {
    const problem = problemOf(change, excusing(change, one, all));
    if (problem === null) return [];
    const message = `${functionName}/${name}: mayBe.${change}: ${problem}`;
    return [{ code: 'excuses_nothing', level: 'error', message, change: null }];
  });
}

function problemOf(name: string, excused: readonly AttackedSample[]): string | null {
  const change = changeOf(name);
  if (change === undefined) return `expected one of ${Object.keys(CHANGES).join(', ')}`;
  if (change.canBeMeant === false) return 'another issuer cannot be excused: list it in the mapping';
  const others = excused.flatMap(({ attempts }) => attempts.others);
  const isUsed = others.some((attempt) => attempt.change === name && attempt.outcome !== 'not tested');
  return isUsed ? null : 'nothing gets in by this change: remove the entry';
}

/** The worst first: of a handler and a change, only that is told. */
const OUTCOMES = ['wrongly in', 'in', 'not tested'] as const;

function findingsOf(unexcused: readonly Told[]): Finding[] {
  const lines = Map.groupBy(unexcused, ({ sample, handler, change }) =>
    [sample.functionName, handler, change].join(' '),
  );
  const worst = Array.from(lines.values(), (line) => {
    const outcome = OUTCOMES.find((one) => line.some((attempt) => attempt.outcome === one));
    return line.filter((attempt) => attempt.outcome === outcome);
  });
  return OUTCOMES.flatMap((outcome) => worst.filter(([first]) => first?.outcome === outcome).map(findingOf));
}

/** @param found of one handler, change and outcome, at least one */
function findingOf(found: readonly Told[]): Finding {
  const [{ handler, change, outcome }] = found as [Told];
  const isTested = outcome !== 'not tested';
  const what = found.map((attempt) => attempt.what);
  const events = found.map(({ sample }) => sample.name);
  return {
    code: change,
    level: outcome === 'wrongly in' ? 'error' : 'note',
    subject: handler,
    message: `${isTested ? 'gets in' : 'not tested'}: ${listed(what)}; ${listed(events)}`,
    change: isTested ? CHANGES[change].cure : null,
  };
}

/** In characters. */
const MAX_TEXT = 80;

function listed(all: readonly string[]): string {
  const words = [...new Set(all)];
  const text = words.join(', ');
  return text.length > MAX_TEXT ? `${beginning(text, MAX_TEXT)} (${words.length})` : text;
}
