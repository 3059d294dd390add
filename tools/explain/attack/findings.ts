/** What is told of an attack: one finding for each handler and change that gets in, and counts of all. */
import type { Finding } from '../../shared/finding.ts';
import { beginning } from '../../shared/readable.ts';
import { typed } from '../../shared/usage.ts';
import type { AttackedSample, Attempt } from './attack.ts';
import { CHANGES } from './changes.ts';
import type { Change } from './policy.ts';

export type AttackResult = ReturnType<typeof attackResult>;

interface Told extends Attempt {
  of: AttackedSample;
}

/** @param all samples of a run, those too that are not authorized */
export function attackResult(all: readonly AttackedSample[]) {
  const told = all.flatMap((of) => of.attempts.map((attempt): Told => ({ ...attempt, of })));
  const by = Object.groupBy(told, ({ outcome }) => outcome);
  const { refused = [], 'not tested': notTested = [] } = by;
  const gotIn = [...(by['wrongly in'] ?? []), ...(by.in ?? [])];
  const meant = all.flatMap((of) => Object.keys(of.meant).map((change) => ({ of, change })));
  const entries = meant.map((entry) => ({ ...entry, excused: gotIn.filter((one) => isMeant(one, entry)) }));
  const excused = new Set(entries.flatMap((entry) => entry.excused));
  const unexcused = gotIn.filter((one) => !excused.has(one));
  const wrong = unexcused.filter(({ outcome }) => outcome === 'wrongly in').length;
  const tested = [...refused, ...gotIn].map(({ of }) => of);
  const untested = (nameOf: (one: AttackedSample) => string) =>
    Array.from(new Set(all.map(nameOf)).difference(new Set(tested.map(nameOf))));
  return {
    findings: [
      ...findingsOf([...unexcused, ...notTested]),
      // An entry that excuses nothing hides what gets in later.
      ...entries.filter((entry) => entry.excused.length === 0).map(unusedEntry),
      ...untested(functionOf).map((subject) =>
        notAttacked('error', subject, `Add one that is authorized. ${typed('check')} shows why one is not.`),
      ),
      ...untested(({ handler }) => handler).map((subject) => notAttacked('note', subject, null)),
    ],
    counts: {
      refused: refused.length,
      wrong,
      open: gotIn.length - wrong,
      notTested: notTested.length,
    },
    /** The functions of which some event was attacked. */
    attacked: [...new Set(tested.map(functionOf))],
  };
}

function functionOf({ sample }: AttackedSample): string {
  return sample.functionName;
}

function notAttacked(level: Finding['level'], subject: string, change: string | null): Finding {
  return { code: 'not_attacked', level, subject, message: 'No event could be attacked.', change };
}

/** A change that an expected response excuses: of its event, or of all events of the handler. */
type Entry = Pick<Told, 'of'> & { change: string };

function isMeant(one: Told, { of, change }: Entry): boolean {
  const { canBeMeant = true, isMeantForAll = false }: Change = CHANGES[one.change];
  const isOfEntry = isMeantForAll ? one.of.handler === of.handler : one.of === of;
  return canBeMeant && one.change === change && isOfEntry;
}

function unusedEntry({ of: { sample }, change }: Entry): Finding {
  const message = `${sample.functionName}/${sample.name}: mayBe.${change}: ${problemOf(change)}`;
  return { code: 'excuses_nothing', level: 'error', message, change: null };
}

function problemOf(name: string): string {
  const change = new Map<string, Change>(Object.entries(CHANGES)).get(name);
  if (change === undefined) return `expected one of ${Object.keys(CHANGES).join(', ')}`;
  return change.canBeMeant === false
    ? 'another issuer cannot be excused: list it in the mapping'
    : 'nothing gets in by this change: remove the entry';
}

/** Of a handler and a change, only the worst is told. @param told the worst first */
function findingsOf(told: readonly Told[]): Finding[] {
  const lines = Map.groupBy(told, ({ of, change }) => `${of.sample.functionName} ${of.handler} ${change}`);
  return Array.from(lines.values(), (line) => {
    const [{ of, change, outcome }] = line as [Told];
    const found = line.filter((one) => one.outcome === outcome);
    const isTested = outcome !== 'not tested';
    const what = listed(found.map((one) => one.what));
    const events = listed(found.map((one) => one.of.sample.name));
    return {
      code: change,
      level: outcome === 'wrongly in' ? 'error' : 'note',
      subject: of.handler,
      message: `${isTested ? 'gets in' : 'not tested'}: ${what}; ${events}`,
      change: isTested ? CHANGES[change].cure : null,
    };
  });
}

/** In characters. */
const MAX_TEXT = 80;

function listed(all: readonly string[]): string {
  const words = [...new Set(all)];
  const text = words.join(', ');
  return text.length > MAX_TEXT ? `${beginning(text, MAX_TEXT)} (${words.length})` : text;
}
