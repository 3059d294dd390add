/** What is told of a mapping's rules and table rows that no event hits, and of changed logins that still get in. */
import type { AttackFinding, AttackResult } from '../explain/attack/findings.ts';
import { type HandlerCoverage, notHit } from '../explain/coverage.ts';
import type { Finding } from '../shared/finding.ts';
import { beginning } from '../shared/readable.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';

/** In characters. */
const MAX_TEXT = 80;

export function coverageFindings(all: readonly HandlerCoverage[]): Finding[] {
  return all.flatMap(({ handler, coverage }) =>
    notHit(coverage).map(({ path, text, why }) => ({
      ...{ code: 'not_hit', level: 'error', subject: handler },
      message: `${path}: ${why}${text === '' ? '' : ` (${beginning(text, MAX_TEXT)})`}`,
      change: null,
    })),
  );
}

export function coverageTotal(all: readonly HandlerCoverage[]): string {
  const count = all.flatMap(({ coverage }) => notHit(coverage)).length;
  return count === 0 ? 'every rule and table row hit' : `${count} not hit`;
}

/** Errors are what must not get in, entries that excuse nothing, and functions none of whose events could be attacked. */
export function attackFindings({
  findings,
  unused,
  notAttacked,
  handlersNotAttacked,
}: AttackResult): Finding[] {
  const untouched = { code: 'not_attacked', message: 'No event could be attacked.' };
  return [
    ...findings.map(ofChange),
    ...unused.map((message) => ({ code: 'excuses_nothing', level: 'error', message, change: null }) as const),
    ...notAttacked.map((subject) => ({
      ...{ ...untouched, level: 'error' as const, subject },
      change: `Add one that is authorized. ${typed('check')} shows why one is not.`,
    })),
    ...handlersNotAttacked.map((subject) => ({
      ...{ ...untouched, level: 'note' as const, subject },
      change: null,
    })),
  ];
}

function ofChange({ level, handler, change, what, events, cure }: AttackFinding): Finding {
  const isTested = level !== 'not tested';
  return {
    code: change,
    level: isTested ? level : 'note',
    subject: handler,
    message: `${isTested ? 'gets in' : 'not tested'}: ${listed(what)}; ${listed(events)}`,
    change: isTested ? cure : null,
  };
}

function listed(words: readonly string[]): string {
  const text = words.join(', ');
  return text.length > MAX_TEXT ? `${beginning(text, MAX_TEXT)} (${words.length})` : text;
}

export function attackTotal({ counts: { refused, wrong, open, notTested } }: AttackResult): string {
  return `${refused} attacks refused, ${wrong} got in that must not, ${open} that no rule forbids, ${notTested} not tested`;
}

/** Checks that are off, of functions that were attacked: samples are unsigned, and long past. */
export function uncheckedLines({ attacked }: AttackResult, { env }: Stage): string[] {
  return Object.entries(OF_CODE)
    .filter(([code, { check }]) => attacked.includes(code) && env[check] !== 'on')
    .map(([, { check }]) => `${check} is off, so nothing looks at signature, audience and times`);
}
