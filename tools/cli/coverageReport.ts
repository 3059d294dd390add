/** What `npm run check -- --coverage` prints: a mapping's rules and table rows, and which of them no event hits. */

import { type Coverage, type CoveredRule, notHit } from '../explain/coverage.ts';
import { type HandlerCoverage, mappingCoverages } from '../explain/mappingCoverages.ts';
import type { Loaded } from '../local/mappingOf.ts';
import { counted } from '../shared/readable.ts';
import { table } from '../shared/table.ts';
import type { Checked } from './checkReport.ts';

export interface CoverageReport {
  text: string;
  /** How many rules and rows no event hits, of all mappings. */
  notHit: number;
}

export async function coverageReport(all: readonly Checked[], loaded: Loaded): Promise<CoverageReport> {
  const parts = (await mappingCoverages(all, loaded)).map(partOf);
  const text = parts.map((part) => part.text).join('\n\n');
  return {
    text: text || 'No handler is a mapping: there is no coverage.',
    notHit: parts.reduce((count, part) => count + part.notHit, 0),
  };
}

function partOf({ handler, events, coverage }: HandlerCoverage): CoverageReport {
  const count = notHitIn(coverage).length;
  const summary = [unmatchedLine(coverage), `${count} not hit`].filter(Boolean).join('; ');
  return {
    text: [`${handler}, ${counted(events, 'event')}`, ...tablesOf(coverage), summary].join('\n\n'),
    notHit: count,
  };
}

/** The rules and rows that no event hits, with a line for each. */
export function notHitIn(coverage: Coverage): string[] {
  return notHit(coverage).map(({ path, text }) => `${path}: ${shortened(text)}`);
}

function tablesOf({ rules, rows }: Coverage): string[] {
  const ruleRows = rules.map((rule) => {
    const { allows, refuses, unknown, unclear } = rule.verdicts;
    return [
      rule.path,
      ...[allows, refuses, unknown + unclear].map(String),
      remark(rule),
      shortened(rule.text),
    ];
  });
  const rowRows = rows.map(({ path, text, groups }) => [
    path,
    String(groups),
    groups === 0 ? 'NOT HIT' : '',
    shortened(text),
  ]);
  return [
    ...(rules.length > 0
      ? [table(['rule', 'allows', 'refuses', 'cannot judge', '', 'of the mapping'], ruleRows)]
      : []),
    ...(rows.length > 0 ? [table(['row', 'groups', '', 'of the mapping'], rowRows)] : []),
  ];
}

function remark({ isHit, verdicts: { allows } }: CoveredRule): string {
  if (isHit) return allows === 0 ? 'allows nobody' : '';
  return allows === 0 ? 'NOT HIT: no event reaches it' : 'NOT HIT: refuses nobody';
}

function unmatchedLine({ unmatched: { groups, events } }: Coverage): string {
  if (groups === 0) return '';
  return `${counted(groups, 'group')} of ${counted(events, 'event')} match no row`;
}

/** In characters. */
const MAX_TEXT = 80;

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
