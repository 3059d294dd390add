/** What is told of a mapping's rules and table rows, and of those that no event hits. */

import type { HandlerCoverage } from '../explain/coverage.ts';
import { type Coverage, notHit } from '../explain/coverage.ts';
import type { Finding } from '../shared/finding.ts';
import { beginning, counted } from '../shared/readable.ts';
import { table } from '../shared/table.ts';

/** In characters. */
const MAX_TEXT = 80;

/** A table for each mapping. */
export function coverageText(all: readonly HandlerCoverage[]): string {
  const parts = all.map(({ handler, events, coverage }) =>
    [`${handler}, ${counted(events, 'event')}`, ...tablesOf(coverage), ...unmatchedLines(coverage)].join(
      '\n\n',
    ),
  );
  return parts.join('\n\n') || 'No handler is a mapping: there is no coverage.';
}

export function coverageFindings(all: readonly HandlerCoverage[]): Finding[] {
  return all.flatMap(({ handler, coverage }) =>
    notHit(coverage).map(
      ({ path, text, why }): Finding => ({
        ...{ code: 'not_hit', level: 'error', subject: handler },
        message: `${path}: ${why}${text === '' ? '' : ` (${beginning(text, MAX_TEXT)})`}`,
        change: null,
      }),
    ),
  );
}

export function coverageTotal(all: readonly HandlerCoverage[]): string {
  const count = all.flatMap(({ coverage }) => notHit(coverage)).length;
  return count === 0 ? 'every rule and table row hit' : `${count} not hit`;
}

function tablesOf({ rules, rows }: Coverage): string[] {
  const ruleRows = rules.map(({ path, text, verdicts: { allows, refuses, unknown, unclear } }) => [
    path,
    ...[allows, refuses, unknown + unclear].map(String),
    allows === 0 ? 'allows nobody' : '',
    beginning(text, MAX_TEXT),
  ]);
  const rowRows = rows.map(({ path, text, groups }) => [path, String(groups), beginning(text, MAX_TEXT)]);
  return [
    ...(rules.length > 0
      ? [table(['rule', 'allows', 'refuses', 'cannot judge', '', 'of the mapping'], ruleRows)]
      : []),
    ...(rows.length > 0 ? [table(['row', 'groups', 'of the mapping'], rowRows)] : []),
  ];
}

function unmatchedLines({ unmatched: { groups, events } }: Coverage): string[] {
  if (groups === 0) return [];
  return [`${counted(groups, 'group')} of ${counted(events, 'event')} match no row`];
}
