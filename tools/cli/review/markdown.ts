/** A review as Markdown, for a comment on a pull request. */
import { labelOf } from '../../local/events.ts';
import { changesSummary, expectedSummary, type Review } from './review.ts';

export function markdownReport(review: Review): string {
  const { against, changes, wrong, findings, inForce } = review;
  const title = against === null ? 'Logins' : `Logins, compared with ${code(against)}`;
  const parts = [
    `### ${title}`,
    ...(against === null ? [] : [`**${changesSummary(review)}**`]),
    ...section(
      'Who gets in',
      ['', 'event', 'handler', 'before', 'now'],
      changes.map(({ kind, sample, handler, before, now }) => [
        kind === 'newly authorized' ? `**${kind}**` : kind,
        code(labelOf(sample)),
        code(handler),
        plain(before),
        plain(now),
      ]),
    ),
    ...section(
      'Not as expected',
      ['event', 'handler', ''],
      wrong.map(({ sample, handler, text }) => [code(labelOf(sample)), code(handler), plain(text)]),
    ),
    ...(findings.length > 0 ? ['#### Handlers', findings.map((line) => `- ${plain(line)}`).join('\n')] : []),
    ...(inForce.length > 0 ? [inForce.map((line) => `- ${plain(line)}`).join('\n')] : []),
    expectedSummary(review),
  ];
  return parts.join('\n\n');
}

function section(title: string, header: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`#### ${title}`, lines.join('\n')];
}

/** Names of files and of git may have any character. GitHub looks for no people in code. */
function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** Looked for after entities and backslashes are read: only a character between keeps these from being links and from calling people. */
const LINKS = /[@#]|:(?=\/\/)|\bwww(?=\.)/gi;

/** In a line, and never read as Markdown, as HTML or as the name of somebody. */
function plain(text: string): string {
  return escaped(text).replaceAll(LINKS, '$&&#8203;');
}

function escaped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return line.replaceAll(/[\\`*[\]|~$]|\b_|_\b/g, '\\$&');
}
