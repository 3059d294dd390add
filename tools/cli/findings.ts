/** What is told of a mapping's rules and table rows that no event hits, and how an attack ended. */
import { KINDS } from '../../lib/kinds.ts';
import { variableOf } from '../../lib/settings.ts';
import type { AttackResult } from '../explain/attack/findings.ts';
import { type HandlerCoverage, notHit } from '../explain/coverage.ts';
import type { Finding } from '../shared/finding.ts';
import { beginning } from '../shared/readable.ts';
import type { Stage } from '../shared/stage.ts';

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

export function attackTotal({ counts: { refused, wrong, open, notTested } }: AttackResult): string {
  return `${refused} attacks refused, ${wrong} got in that must not, ${open} that no rule forbids, ${notTested} not tested`;
}

/** Checks that are off, of functions that were attacked: samples are unsigned, and long past. */
export function uncheckedLines({ attacked }: AttackResult, { env }: Stage): string[] {
  return Object.values(KINDS)
    .map(({ functionName, check }) => ({ functionName, check: variableOf(check) }))
    .filter(({ functionName, check }) => attacked.includes(functionName) && env[check] !== 'on')
    .map(({ check }) => `${check} is off, so nothing looks at signature, audience and times`);
}
