/** A review for GitHub Actions: annotations of the files, and a summary of the job. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { SampleEvent } from '../../local/events.ts';
import { PROJECT } from '../../shared/project.ts';
import { markdownReport } from './markdown.ts';
import { changeText, expectedSummary, type Review } from './review.ts';

type Level = 'error' | 'warning' | 'notice';

/** The summary goes into the file that GitHub names for it. */
export function githubReport(review: Review, env: NodeJS.ProcessEnv): string {
  const { GITHUB_STEP_SUMMARY, GITHUB_WORKSPACE = PROJECT } = env;
  const fileOf = ({ file }: SampleEvent) => relative(GITHUB_WORKSPACE, file);
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, `${markdownReport(review)}\n`);
  const { changes, wrong, findings, inForce } = review;
  return [
    ...wrong.map(({ sample, handler, text }) =>
      annotation('error', 'Not as expected', `${text} (${handler})`, fileOf(sample)),
    ),
    ...findings.map((line) => annotation('error', 'Handlers', line)),
    ...changes.map((change) =>
      annotation(
        change.kind === 'newly authorized' ? 'warning' : 'notice',
        change.kind,
        changeText(change),
        fileOf(change.sample),
      ),
    ),
    ...inForce,
    expectedSummary(review),
  ].join('\n');
}

/** A workflow command: percent signs and ends of lines are escaped, in properties `:` and `,` too. */
function annotation(level: Level, title: string, message: string, file?: string): string {
  const place = file === undefined ? [] : [`file=${property(file)}`];
  return `::${level} ${[...place, `title=${property(title)}`].join(',')}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
