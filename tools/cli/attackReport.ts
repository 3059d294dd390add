/** What `npm run check -- --attack` prints. */

import { CHANGES } from '../explain/attack/changes.ts';
import type { AttackResult, Finding } from '../explain/attack/findings.ts';
import { counted } from '../shared/readable.ts';
import { OF_CODE } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import { table } from '../shared/table.ts';
import { typed } from '../shared/usage.ts';

/** A row for each handler and change, then what would refuse each change, then the count. */
export function attackReport(result: AttackResult, stage: Stage): string {
  const { findings, unused } = result;
  const parts = [
    findings.length > 0
      ? table(['', 'function', 'handler', 'change', 'what', 'events'], findings.map(rowOf))
      : '',
    curesOf(findings).join('\n'),
    unused.join('\n'),
    [...missingEvents(result), ...summary(result, stage)].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** In characters. */
const MAX_CELL = 60;

function rowOf({ level, functionName, handler, change, what, events }: Finding): string[] {
  const shown = level === 'note' ? level : level.toUpperCase();
  return [shown, functionName, handler, change, shortened(what), shortened(events)];
}

function shortened(words: readonly string[]): string {
  const text = words.join(', ');
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}… (${words.length})` : text;
}

/** Once for each change that got in. */
function curesOf(findings: readonly Finding[]): string[] {
  const changes = findings.filter(({ level }) => level !== 'not tested').map(({ change }) => change);
  return [...new Set(changes)].map((change) => `${change}: ${CHANGES[change].cure}`);
}

/** What gets in and must not, a line for each handler and change. */
export function errorLines({ findings }: AttackResult): string[] {
  return findings
    .filter(({ level }) => level === 'error')
    .map(
      ({ handler, change, what, events, cure }) =>
        `${handler}: ${change} gets in (${shortened(what)}; ${shortened(events)}): ${cure}`,
    );
}

/** Functions none of whose events could be attacked. */
export function notAttackedLines({ notAttacked }: AttackResult): string[] {
  const cure = `add one that is authorized. ${typed('check')} shows why one is not`;
  return notAttacked.map((name) => `${name}: no event could be attacked: ${cure}`);
}

function missingEvents(result: AttackResult): string[] {
  return [
    ...notAttackedLines(result),
    ...result.handlersNotAttacked.map(
      (handler) => `Not attacked: ${handler}, because it authorizes no event without asking other systems`,
    ),
  ];
}

function summary({ events, attacked, outcomes }: AttackResult, { env }: Stage): string[] {
  const { refused, 'got in': gotIn, 'not tested': notTested } = outcomes;
  const changes = refused + gotIn + notTested;
  const isOff = ([code, { check }]: [string, { check: string }]) =>
    attacked.includes(code) && env[check] !== 'on';
  return [
    ...Object.entries(OF_CODE)
      .filter(isOff)
      .map(([code, { check }]) => `${check} is off, so nothing looks at ${UNCHECKED[code]}`),
    `${counted(events, 'event')} changed ${changes} times: ${refused} refused, ${gotIn} got in, ${notTested} not tested`,
  ];
}

/** What only the check of a function looks at. Samples are unsigned, and long past. */
const UNCHECKED: Readonly<Record<string, string>> = {
  openidLoggedIn: 'signature, audience and times of the ID token',
  samlLoggedIn: 'audience and times of the assertion',
};
