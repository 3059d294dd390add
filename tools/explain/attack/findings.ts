/** What is told of an attack: one finding for each handler and change that gets in, and counts of all. */
import type { Finding } from '../../shared/finding.ts';
import { beginning } from '../../shared/readable.ts';
import { typed } from '../../shared/usage.ts';
import type { AttackedSample, Attempt } from './attack.ts';
import { CHANGES, changeOf } from './changes.ts';

export type AttackResult = ReturnType<typeof attackResult>;

/** The worst first. */
const IN: readonly Attempt['outcome'][] = ['wrongly in', 'in'];

/** @param all samples of a run, those too that are not authorized */
export function attackResult(all: readonly AttackedSample[]) {
  const told = all.flatMap((of) => of.attempts.map((attempt): Told => ({ ...of, ...attempt })));
  const notTested = told.filter(({ outcome }) => outcome === 'not tested');
  const tested = told.filter(({ outcome }) => outcome !== 'not tested');
  const gotIn = told.filter(({ outcome }) => IN.includes(outcome));
  const unexcused = gotIn.filter(
    (one) => !excusing(one.change, one, all).some(({ meant }) => one.change in meant),
  );
  const wrong = unexcused.filter(({ outcome }) => outcome === 'wrongly in').length;
  const untested = (nameOf: (one: AttackedSample) => string) =>
    new Set(all.map(nameOf)).difference(new Set(tested.map(nameOf)));
  return {
    findings: [
      ...findingsOf([...unexcused, ...notTested]),
      ...all.flatMap((one) => unusedIn(one, all)),
      ...Array.from(untested(functionOf), (subject) =>
        notAttacked('error', subject, `Add one that is authorized. ${typed('check')} shows why one is not.`),
      ),
      ...Array.from(
        untested(({ handler }) => handler),
        (subject) => notAttacked('note', subject, null),
      ),
    ],
    counts: {
      refused: tested.length - gotIn.length,
      wrong,
      open: gotIn.length - wrong,
      notTested: notTested.length,
    },
    /** The functions of which some event was attacked. */
    attacked: [...new Set(tested.map(functionOf))],
  };
}

type Told = AttackedSample & Attempt;

function functionOf({ sample }: AttackedSample): string {
  return sample.functionName;
}

function notAttacked(level: Finding['level'], subject: string, change: string | null): Finding {
  return { code: 'not_attacked', level, subject, message: 'No event could be attacked.', change };
}

/** The events whose expected responses say what one event may let in: its own, or all of its handler. */
function excusing(change: string, one: AttackedSample, all: readonly AttackedSample[]): AttackedSample[] {
  if (changeOf(change)?.canBeMeant === false) return [];
  return changeOf(change)?.isMeantForAll ? all.filter((other) => other.handler === one.handler) : [one];
}

/** An entry that excuses nothing hides what gets in later. */
function unusedIn(one: AttackedSample, all: readonly AttackedSample[]): Finding[] {
  const { functionName, name } = one.sample;
  return Object.keys(one.meant).flatMap((change): Finding[] => {
    const attempts = excusing(change, one, all).flatMap((other) => other.attempts);
    if (attempts.some((attempt) => attempt.change === change && IN.includes(attempt.outcome))) return [];
    const message = `${functionName}/${name}: mayBe.${change}: ${problemOf(change)}`;
    return [{ code: 'excuses_nothing', level: 'error', message, change: null }];
  });
}

function problemOf(name: string): string {
  const change = changeOf(name);
  if (change === undefined) return `expected one of ${Object.keys(CHANGES).join(', ')}`;
  return change.canBeMeant === false
    ? 'another issuer cannot be excused: list it in the mapping'
    : 'nothing gets in by this change: remove the entry';
}

/** Of a handler and a change, only the worst is told. */
function findingsOf(unexcused: readonly Told[]): Finding[] {
  const worstFirst = [...IN, 'not tested'].flatMap((worst) =>
    unexcused.filter(({ outcome }) => outcome === worst),
  );
  const lines = Map.groupBy(worstFirst, ({ sample, handler, change }) =>
    [sample.functionName, handler, change].join(' '),
  );
  return Array.from(lines.values(), (line) =>
    findingOf(line.filter(({ outcome }) => outcome === line[0]?.outcome)),
  );
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
