/** Ways to a function as they are in AWS, compared with those that a template has. */
import type { DoctorFinding } from './examination.ts';
import { finding } from './findings.ts';

/** What is found in AWS by its key, and compared by its guard. */
export interface Way {
  key: string;
  guard: string;
}

/** The same as a template has it. */
export interface ExpectedWay {
  key: RegExp;
  guard: RegExp;
  /** For people. */
  text: string;
}

interface Kind {
  /** E.g. `route`. */
  code: string;
  /** E.g. `the route`. */
  what: string;
  /** How one is taken away. */
  remove: string;
}

const DEPLOY = 'add it to the project and deploy';
const RESTORE = 'restore it as the template has it: remove the stack and deploy it again, or make it by hand';

/** Each way once: not in the template, or edited, or missing. */
export function differences(
  subject: string,
  { code, what, remove }: Kind,
  found: readonly Way[],
  expected: readonly ExpectedWay[],
): DoctorFinding[] {
  const added = distinct(found).flatMap(({ key, guard }) => {
    const same = expected.filter((one) => one.key.test(key));
    if (same.some((one) => one.guard.test(guard))) return [];
    return same.length === 0
      ? finding(
          `${code}_added`,
          subject,
          `${what} ${key} is not in the deployed template`,
          `${remove}, or ${DEPLOY}`,
        )
      : finding(
          `${code}_edited`,
          subject,
          `${what} ${key} has ${guard || 'nothing'} in place of what was deployed`,
          `${remove}, and ${RESTORE}`,
        );
  });
  const missing = expected
    .filter((one) => !found.some(({ key }) => one.key.test(key)))
    .map(({ text }) =>
      finding(`${code}_missing`, subject, `${what} ${text} was deployed and is gone`, RESTORE),
    );
  return [...added, ...missing];
}

/** A function and its alias may have the same. */
function distinct(ways: readonly Way[]): Way[] {
  return [...new Map(ways.map((way) => [`${way.key} ${way.guard}`, way])).values()];
}
