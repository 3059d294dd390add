/** What is told of changed logins that still get in. */
import type { AttackFinding, AttackResult } from '../explain/attack/findings.ts';
import type { Finding } from '../shared/finding.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import { typed } from '../shared/usage.ts';

/** Errors are what must not get in, entries that excuse nothing, and functions none of whose events could be attacked. */
export function attackFindings({ findings, unused, notAttacked, ...result }: AttackResult): Finding[] {
  return [
    ...findings.map(ofChange),
    ...unused.map((message): Finding => ({ code: 'excuses_nothing', level: 'error', message, change: null })),
    ...notAttacked.map(
      (subject): Finding => ({
        ...{ code: 'not_attacked', level: 'error', subject },
        message: 'No event could be attacked.',
        change: `Add one that is authorized. ${typed('check')} shows why one is not.`,
      }),
    ),
    ...result.handlersNotAttacked.map(
      (subject): Finding => ({
        ...{ code: 'not_attacked', level: 'note', subject },
        message: 'It was not attacked, because it authorizes no event without asking other systems.',
        change: null,
      }),
    ),
  ];
}

function ofChange({ level, handler, change, what, events, cure }: AttackFinding): Finding {
  const isTested = level !== 'not tested';
  return {
    code: change,
    level: isTested ? level : 'note',
    subject: handler,
    message: `${isTested ? 'gets in' : 'not tested'}: ${shortened(what)}; ${shortened(events)}`,
    change: isTested ? cure : null,
  };
}

/** In characters. */
const MAX_WORDS = 60;

function shortened(words: readonly string[]): string {
  const text = words.join(', ');
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}… (${words.length})` : text;
}

export function attackTotal({ outcomes }: AttackResult): string {
  const { refused, 'got in': gotIn, 'not tested': notTested } = outcomes;
  return `${refused} attacks refused, ${gotIn} got in, ${notTested} not tested`;
}

/** Checks that are off, of functions that were attacked: samples are unsigned, and long past. */
export function uncheckedLines({ attacked }: AttackResult, { env }: Stage): string[] {
  return Object.entries(OF_CODE)
    .filter(([code, { check }]) => attacked.includes(code) && env[check] !== 'on')
    .map(([code, { check }]) => `${check} is off, so nothing looks at ${UNCHECKED[code]}`);
}

/** What only the check of a function looks at. */
const UNCHECKED: Readonly<Record<string, string>> = {
  openidLoggedIn: 'signature, audience and times of the ID token',
  samlLoggedIn: 'audience and times of the assertion',
};
