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
  /** The codes of findings: of what is not in the template, of what has another guard there, and of what is gone. */
  added: string;
  edited?: string;
  missing: string;
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
  { added, edited = added, missing, what, remove }: Kind,
  found: readonly Way[],
  expected: readonly ExpectedWay[],
): DoctorFinding[] {
  const more = distinct(found).flatMap(({ key, guard }) => {
    const same = expected.filter((one) => one.key.test(key));
    if (same.some((one) => one.guard.test(guard))) return [];
    return same.length === 0
      ? finding(added, subject, `${what} ${key} is not in the deployed template`, `${remove}, or ${DEPLOY}`)
      : finding(
          edited,
          subject,
          `${what} ${key} has ${guard || 'nothing'} in place of what was deployed`,
          `${remove}, and ${RESTORE}`,
        );
  });
  const gone = expected
    .filter((one) => !found.some(({ key }) => one.key.test(key)))
    .map(({ text }) => finding(missing, subject, `${what} ${text} was deployed and is gone`, RESTORE));
  return [...more, ...gone];
}

/** A function and its alias may have the same. */
function distinct(ways: readonly Way[]): Way[] {
  return [...new Map(ways.map((way) => [`${way.key} ${way.guard}`, way])).values()];
}
