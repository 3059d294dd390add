/** What `npm run check -- --coverage` prints: a mapping's rules and table rows, and which of them no event hits. */
import type { Trace } from '../../lib/profile/decision.ts';
import { type Coverage, type CoveredRule, coverageOf } from '../engine/coverage.ts';
import { mappingOf } from '../engine/mappingOf.ts';
import type { Checked } from './checkReport.ts';
import { table } from './table.ts';

export interface CoverageReport {
  text: string;
  /** How many rules and rows no event hits, of all mappings. */
  notHit: number;
}

/** @param root of the bundle that answered */
export async function coverageReport(all: readonly Checked[], root: string): Promise<CoverageReport> {
  const groups = Map.groupBy(all, ({ sample, answered }) => `${sample.functionName} ${answered.handler}`);
  const parts = await Promise.all(Array.from(groups.values(), (checked) => partOf(checked, root)));
  const shown = parts.filter((part) => part !== null);
  const text = shown.map((part) => part.text).join('\n\n');
  return {
    text: text || 'No handler is a mapping: there is no coverage.',
    notHit: shown.reduce((count, part) => count + part.notHit, 0),
  };
}

/** @param all events that one handler answered; null where it is no mapping */
async function partOf(all: readonly Checked[], root: string): Promise<CoverageReport | null> {
  const [first] = all;
  if (!first || first.answered.handler === '' || first.answered.handler === 'default') return null;
  const { handler: handlerModule } = first.answered;
  const mapping = await mappingOf({ functionName: first.sample.functionName, handlerModule }, root);
  if (mapping === null) return null;
  const coverage = coverageOf(mapping, all.flatMap(tracesOf));
  const notHit = notHitIn(coverage).length;
  const summary = [unmatchedLine(coverage), `${notHit} not hit`].filter(Boolean).join('; ');
  const events = all.length === 1 ? '1 event' : `${all.length} events`;
  return { text: [`${handlerModule}, ${events}`, ...tablesOf(coverage), summary].join('\n\n'), notHit };
}

function tracesOf({ answered }: Checked): Trace[] {
  return answered.records.flatMap(({ trace }) => (trace === undefined ? [] : [trace as Trace]));
}

function notHitIn({ rules, rows }: Coverage): string[] {
  return [...rules.filter(({ isHit }) => !isHit), ...rows.filter(({ groups }) => groups === 0)].map(
    ({ path }) => path,
  );
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
  return `${groups} ${groups === 1 ? 'group' : 'groups'} of ${events} ${events === 1 ? 'event' : 'events'} match no row`;
}

/** In characters. */
const MAX_TEXT = 80;

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
