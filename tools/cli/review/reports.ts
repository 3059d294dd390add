/** The forms of a review. */
import { githubReport } from './github.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { Review } from './review.ts';

export const REPORTS: Readonly<Record<string, (review: Review, env: NodeJS.ProcessEnv) => string>> = {
  markdown: markdownReport,
  junit: junitReport,
  github: githubReport,
};
